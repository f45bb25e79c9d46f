"""The ray caster against MuJoCo's rays and against cases worked out by hand."""

import numpy as np
import pytest

from benchmarks.camera import model_of, rays_of
from rsi_envs.engines.render.camera import camera, from_mujoco, intrinsics, looking_at
from rsi_envs.engines.render.raycast import render
from rsi_envs.engines.render.scene import KINDS, Geom, build
from tests.engines.render_worlds import multi_ray, random_camera, random_geoms, random_view

DOWN = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])  # looking along -z, the picture's up is +y
EYE = (0.0, 0.0, 5.0)


def require_as_mujoco(scene, view, geoms):
    """Check that segmentation is MuJoCo's in every pixel and depth to 1e-6."""
    frame = render(scene, view)
    depth, geom = multi_ray(*model_of(geoms), view, rays_of(view))
    assert np.array_equal(frame.segmentation, geom)
    assert np.array_equal(np.isfinite(frame.depth), geom >= 0)
    seen = geom >= 0
    assert np.abs(frame.depth[seen] - depth[seen]).max(initial=0.0) < 1e-6
    return seen.any()


@pytest.mark.parametrize("seed", range(12))
def test_random_scenes_are_as_mujoco_sees_them(seed):
    require_as_mujoco(*random_view(seed))


@pytest.mark.slow
@pytest.mark.compiled
def test_many_random_scenes_are_as_mujoco_sees_them():
    seen = [require_as_mujoco(*random_view(seed, 6 + seed % 30)) for seed in range(100, 500)]
    assert sum(seen) > 380


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_from_within_and_without(kind):
    rng = np.random.default_rng(len(kind))
    for near in (0.3, 1.0, 5.0):
        geoms = random_geoms(rng, 5, (kind,))
        require_as_mujoco(build(geoms), random_camera(rng, near), geoms)


def straight_down(width=5, height=3, fovy=90.0):
    return camera(intrinsics(fovy, width, height), DOWN, EYE, width, height)


def test_depth_is_along_the_axis_and_not_along_the_ray():
    frame = render(build([Geom("plane", (0, 0))]), straight_down())
    assert np.array_equal(frame.depth, np.full((3, 5), 5.0))
    assert (frame.segmentation == 0).all()


def test_pixels_have_their_middles_at_halves():
    # At 90 degrees and 4 rows a pixel is half a metre wide at depth 1, so 1.25 m on the ground
    # 2.5 m below: middles at -1.875, -.625, .625 and 1.875 m.
    view = camera(intrinsics(90.0, 4, 4), DOWN, (0, 0, 2.5), 4, 4)
    for x, y, row, column in ((0.625, 0.625, 1, 2), (-1.875, 0.625, 1, 0), (0.625, -1.875, 3, 2)):
        spot = Geom("box", (0.01, 0.01, 0.01), (x, y, 0.0))
        hit = render(build([spot]), view).segmentation == 0
        assert np.argwhere(hit).tolist() == [[row, column]]
        aside = Geom("box", (0.01, 0.01, 0.01), (x + 0.03, y, 0.0))
        assert not (render(build([aside]), view).segmentation == 0).any()


def test_intrinsics_shift_and_stretch_the_picture():
    ball = build([Geom("sphere", (0.4,))])

    def middle(k):
        found = np.argwhere(render(ball, camera(k, DOWN, EYE, 60, 60)).segmentation == 0)
        return found.mean(0) + 0.5, np.ptp(found, axis=0) + 1

    (row, column), (tall, wide) = middle((100.0, 100.0, 30.0, 30.0))
    assert (row, column) == (30, 30) and tall == wide == 16  # 2 * 100 * .4 / 5
    (row, column), (tall, wide) = middle((200.0, 100.0, 20.0, 40.0))
    assert (row, column) == (40, 20) and (tall, wide) == (16, 32)


def test_looking_at_keeps_up_upwards():
    turn = looking_at((4.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    assert np.allclose(turn, np.array([[0, 0, -1.0], [1, 0, 0], [0, -1, 0]]))
    view = camera(intrinsics(60.0, 9, 9), turn, (4.0, 0.0, 1.0), 9, 9)
    above = Geom("sphere", (0.3,), (0.0, 0.0, 2.0))
    right = Geom("sphere", (0.3,), (0.0, 1.0, 1.0))
    seen = render(build([above, right]), view).segmentation
    assert np.argwhere(seen == 0).mean(0).tolist() == [2, 4]
    assert np.argwhere(seen == 1).mean(0).tolist() == [4, 6]


def test_mujocos_cameras_look_along_minus_z():
    assert np.array_equal(from_mujoco(np.eye(3).ravel()), DOWN)


def test_nothing_is_sky():
    frame = render(build([], sky=(1, 2, 3)), straight_down())
    assert (frame.rgb == [1, 2, 3]).all() and (frame.segmentation == -1).all()
    assert np.isinf(frame.depth).all()


def test_idents_stand_in_the_segmentation():
    scene = build([Geom("plane", (0, 0), ident=70_000)])
    assert (render(scene, straight_down()).segmentation == 70_000).all()


NOT_A_CAMERA = [
    ({"width": 0}, "width must be a whole number of pixels"),
    ({"height": 2.5}, "height must be a whole number of pixels"),
    ({"k": (1, 0, 1, 1)}, "focal lengths"),
    ({"k": (1, 1, 1)}, "k = .*shape"),
    ({"rotation": np.ones((3, 3))}, "rotation must have orthonormal"),
    ({"rotation": -np.eye(3)}, "right-handed"),
    ({"position": (0, 0, np.nan)}, "position must be finite"),
]


@pytest.mark.parametrize(("wrong", "message"), NOT_A_CAMERA)
def test_wrong_cameras_are_refused(wrong, message):
    right = {
        "k": (9, 9, 4, 4), "rotation": np.eye(3), "position": EYE, "width": 8, "height": 8
    }  # fmt: skip
    with pytest.raises(ValueError, match=message):
        camera(**{**right, **wrong})


@pytest.mark.parametrize("fovy", [0, 180, -3, float("nan")])
def test_wrong_fields_of_view_are_refused(fovy):
    with pytest.raises(ValueError, match="fovy must be between 0 and 180"):
        intrinsics(fovy, 4, 4)


@pytest.mark.parametrize("target", [EYE, (0.0, 0.0, -4.0)])
def test_a_camera_needs_a_direction_and_an_up(target):
    with pytest.raises(ValueError, match="must differ, and not along up"):
        looking_at(EYE, target)


NOT_A_GEOM = [
    (("cone", (1.0,)), {}, "no geom kind 'cone'; kinds: plane, box"),
    (("box", (1.0, 1.0)), {}, "size of a box"),
    (("sphere", (0.0,)), {}, "must be positive"),
    (("plane", (-1.0, 1.0)), {}, "must be positive"),
    (("sphere", (1.0,)), {"colour": (0, 0, 256)}, "colour must be between 0 and 255"),
    (("sphere", (1.0,)), {"glow": 1.5}, "glow must be between 0 and 1"),
    (("sphere", (1.0,)), {"texture": 0}, "a sphere has none"),
    (("plane", (0.0, 0.0)), {"texture": 0}, "infinite plane needs a tile"),
    (("box", (1.0, 1.0, 1.0)), {"tile": -2.0}, "tile must be metres"),
    (("box", (1.0, 1.0, 1.0)), {"rotation": 2 * np.eye(3)}, "orthonormal"),
]


@pytest.mark.parametrize(("given", "more", "message"), NOT_A_GEOM)
def test_wrong_geoms_are_refused(given, more, message):
    with pytest.raises(ValueError, match=message):
        Geom(*given, **more)


def test_wrong_scenes_are_refused():
    with pytest.raises(ValueError, match="geom 0 has texture 3; the atlas has -1 to 0"):
        build([Geom("box", (1, 1, 1), texture=3)], np.zeros((1, 4, 4, 3), np.uint8))
    for atlas in (np.zeros((1, 4, 4, 3)), np.zeros((1, 4, 5, 3), np.uint8)):
        with pytest.raises(ValueError, match="the atlas must"):
            build([], atlas)
    for lamp in ((0, 0, 0, 0), (1, 0, 0, 2), (1, 0, 0)):
        with pytest.raises(ValueError, match="lamp"):
            build([], lamp=lamp)
    with pytest.raises(ValueError, match="ambient must be between 0 and 1"):
        build([], ambient=-0.1)
