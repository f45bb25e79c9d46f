"""Pictures of MuJoCo models: against MuJoCo's rays, and with cases worked out by hand."""

import mujoco
import numpy as np
import pytest

from rsi_envs.engines.arm.cameras import Photographer, calibration
from rsi_envs.engines.arm.pinhole import project, unproject
from rsi_envs.engines.arm.textures import SIDE, TILES, texture
from rsi_envs.engines.render.font import GLYPHS
from tests.engines.arm_scenes import (
    CAMERAS,
    LYING,
    POSES,
    TABLE,
    TURNED,
    multi_ray,
    random_model,
    shaken,
    single_ray,
    table,
    ways,
)

SIZE = (48, 36)


def as_rays_see(model, data, eye, directions, frame):
    """Return depth and ids by `mj_multiRay`, and the number of pixels it gets wrong.

    It skips bodies by bounds that are now and then too tight and then disagrees with `mj_ray`,
    the same rays one at a time, whose word then counts.
    """
    depth, ids = multi_ray(model, data, eye, directions)
    doubtful = np.argwhere(ids != frame.segmentation)
    wrong = 0
    for row, column in doubtful:
        single = single_ray(model, data, eye, directions[row, column])
        wrong += single[1] != ids[row, column]
        depth[row, column], ids[row, column] = single
    return depth, ids, wrong


def require_as_mujoco(seed, states=2):
    """Check both cameras in some states; return the number of geoms seen and of doubts."""
    rng = np.random.default_rng(seed)
    model = random_model(rng)
    photographer, seen, doubts = Photographer(model), set(), 0
    for _ in range(states):
        data = shaken(model, rng)
        for name in CAMERAS:
            frame = photographer.photograph(data, name, SIZE)
            eye, directions = ways(*calibration(model, data, name, SIZE), SIZE)
            depth, ids, wrong = as_rays_see(model, data, eye, directions, frame)
            assert np.array_equal(frame.segmentation, ids)
            hit = ids >= 0
            assert np.array_equal(np.isfinite(frame.depth), hit)
            assert np.abs(frame.depth[hit] - depth[hit]).max(initial=0.0) < 1e-6
            seen |= set(ids[hit].tolist())
            doubts += wrong
    return len(seen), doubts


@pytest.mark.parametrize("seed", range(4))
def test_every_pixel_is_as_mujocos_rays_see_it(seed):
    seen, _ = require_as_mujoco(seed)
    assert seen


@pytest.mark.compiled
def test_every_pixel_of_many_scenes_is_as_mujocos_rays_see_it():
    seen, doubts = zip(*map(require_as_mujoco, range(100, 200)))
    assert min(seen) >= 2 and np.median(seen) >= 5
    assert sum(doubts) < 10  # of 691,200 pixels


@pytest.mark.parametrize("name", ["head", "aside"])
def test_a_small_ball_is_seen_where_it_projects(name):
    photographer, data = table()
    model, size = photographer.model, (320, 240)
    k, pose = calibration(model, data, name, size)
    ball = model.geom("ball").id
    frame = photographer.photograph(data, name, size)
    rows, columns = np.nonzero(frame.segmentation == ball)
    assert len(rows) > 50
    middle, depth = project(k, pose, data.geom_xpos[ball])
    assert np.abs(middle - (columns.mean() + 0.5, rows.mean() + 0.5)).max() < 0.5
    assert 0.01 < depth - frame.depth[int(middle[1]), int(middle[0])] < 0.021  # its near side


KEYS = "0123456789AZ"


def ink(photographer, data, name):
    """Return whether each dot of the tile's character is dark, bool (7, 5)."""
    size = (640, 480)  # a dot of a smaller picture is as wide as a pixel
    k, pose = calibration(photographer.model, data, name, size)
    tile = data.geom("tile")
    top = 6 if photographer.textures[tile.id] in "69" else 13
    rows, columns = np.meshgrid(top + 10 * np.arange(7) + 5, 13 + 14 * np.arange(5) + 7)
    across, down = columns.T / SIDE * 2 - 1, rows.T / SIDE * 2 - 1
    local = np.stack([0.035 * across, -0.035 * down, np.full(across.shape, 0.01)], axis=-1)
    points = tile.xpos + local @ tile.xmat.reshape(3, 3).T
    pixels = project(k, pose, points)[0].astype(int)
    rgb = photographer.photograph(data, name, size).rgb
    return rgb[pixels[..., 1], pixels[..., 0], 0] < 100


@pytest.mark.compiled
@pytest.mark.parametrize("key", KEYS)
def test_characters_stand_upright_seen_from_above(key):
    for pose in POSES:
        assert np.array_equal(ink(*table(pose, [("tile", key)]), "head"), GLYPHS[key])


def read(photographer, data, size):
    """Return the digit that a picture of the tile is most like, among all ten."""
    k, pose = calibration(photographer.model, data, "head", size)
    frame, tile = photographer.photograph(data, "head", size), data.geom("tile")
    rows, columns = np.nonzero(frame.segmentation == tile.id)
    pixels = np.stack([columns, rows], axis=1) + 0.5
    points = unproject(k, pose, pixels, frame.depth[rows, columns])
    local = (points - tile.xpos) @ tile.xmat.reshape(3, 3)
    right, down = ((local[:, :2] / (0.07, -0.07) + 0.5) * SIDE).clip(0, SIDE - 1).astype(int).T
    shown = frame.rgb[rows, columns, 0].astype(float)
    like = [np.corrcoef(shown, texture(digit)[down, right, 0])[0, 1] for digit in "0123456789"]
    return str(np.argmax(like))


@pytest.mark.compiled
def test_digits_are_legible_in_a_small_picture():
    rng = np.random.default_rng(0)
    for digit in "0123456789" * 3:
        yaw, place = rng.uniform(-np.pi, np.pi) / 2, rng.uniform((0.25, -0.3), (0.75, 0.3))
        pose = (*place, 0.011, np.cos(yaw), 0, 0, np.sin(yaw))
        assert read(*table(pose, [("tile", digit)]), (320, 240)) == digit


def test_a_character_is_upright_in_a_picture_with_the_same_up():
    photographer, data = table(LYING, [("tile", "7")])
    frame = photographer.photograph(data, "head", (320, 240))
    on_tile = frame.segmentation == photographer.model.geom("tile").id
    rows, columns = np.nonzero(on_tile & (frame.rgb[..., 0] < 60))
    assert np.median(rows) < (rows.min() + rows.max()) / 2  # its bar is on top
    assert np.ptp(rows) >= 10 and np.ptp(columns) >= 10


def test_characters_are_on_the_top_only():
    for quaternion in ((0, 1, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0)):
        pose = (0.5, 0, 0.05, *(np.array(quaternion) / np.linalg.norm(quaternion)))
        marked, plain = (table(pose, texts) for texts in ([("tile", "8")], []))
        pictures = [each.photograph(data, "head").rgb for each, data in (marked, plain)]
        assert np.array_equal(*pictures)


def test_turned_characters_differ():
    every = [
        texture(key)[::step, ::step, 0].astype(int) for key in "0123456789" for step in (1, -1)
    ]
    for one in range(20):
        for other in range(one + 1, 20):
            differ = np.abs(every[one] - every[other]).mean()
            symmetric = one // 2 == other // 2 and "0123456789"[one // 2] in "08"
            assert symmetric or differ > 8, (one, other)


def test_patterns_repeat_without_a_seam_and_only_darken():
    for name in TILES:
        level = texture(name)[..., 0].astype(int)
        assert 180 < level.min() < 220 and level.max() == 255 and 220 < level.mean() < 250
        along = np.abs(np.diff(level, axis=1, append=level[:, :1])).max(axis=0)
        assert along[-1] <= along[:-1].max()
    photographer, data = table(texts=[("table", "wood")])
    assert len(np.unique(photographer.photograph(data, "head").rgb[60:180, 100:220, 0])) > 10


def test_two_pictures_are_equal_and_photographers_keep_no_state():
    photographer, data = table(TURNED, [("tile", "3"), ("table", "checker")])
    first = photographer.photograph(data, "head")
    data.joint(photographer.model.body("tile").jntadr[0]).qpos[:] = LYING
    mujoco.mj_forward(photographer.model, data)
    moved = photographer.photograph(data, "head")
    data.joint(photographer.model.body("tile").jntadr[0]).qpos[:] = TURNED
    mujoco.mj_forward(photographer.model, data)
    again = photographer.photograph(data, "head")
    assert all(np.array_equal(one, two) for one, two in zip(first, again))
    assert not np.array_equal(first.rgb, moved.rgb)


def test_colours_are_those_of_the_model_in_full_light():
    model = mujoco.MjModel.from_xml_string(TABLE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    photographer = Photographer(model, light=(0, 0, 1), sky=(1, 2, 3))
    frame = photographer.photograph(data, "head", (320, 240))
    tile = frame.rgb[frame.segmentation == model.geom("tile").id]
    assert (tile == (255, 255, 153)).all()
    assert (frame.rgb[frame.segmentation < 0] == (1, 2, 3)).all()
    dark = photographer.photograph(data, "head", (320, 240), shadows=True)
    assert (dark.rgb <= frame.rgb).all() and (dark.rgb < frame.rgb).any()


MESH = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom name="odd" type="mesh" mesh="m"/></worldbody></mujoco>"""


def test_wrong_input_is_refused():
    photographer, data = table()
    for wrong, message in (
        ({"name": "tail"}, "no camera 'tail'; cameras: head, aside"),
        ({"renderer": "pencil"}, "no renderer 'pencil'; renderers: raycast, mujoco"),
        ({"size": (0, 5)}, "width must be a whole number"),
    ):
        with pytest.raises(ValueError, match=message):
            photographer.photograph(data, **{"name": "head", **wrong})
    model = photographer.model
    for textures, message in (
        ({0: "marble"}, "texture 'marble' on geom 0: textures are checker"),
        ({99: "wood"}, "geoms 0 to 2"),
        ({model.geom("ball").id: "1"}, "geom 'ball': boxes and planes have textures"),
    ):
        with pytest.raises(ValueError, match=message):
            Photographer(model, textures)
    with pytest.raises(ValueError, match="geom 'odd' must be one of plane, box"):
        Photographer(mujoco.MjModel.from_xml_string(MESH))
    with pytest.raises(ValueError, match="no texture '10'; textures: checker, stripes, wood or"):
        texture("10")
