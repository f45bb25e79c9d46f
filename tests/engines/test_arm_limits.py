"""What a row may ask for: limits, refusals, and a code for each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rsi_envs.engines.arm import chain, following
from rsi_envs.engines.arm.control import MESSAGES, Robot, messages
from rsi_envs.engines.arm.kinematics import hand_pose, turn_between
from rsi_envs.engines.arm.paths import top_down
from tests.engines.arm_grasps import blocks, warned, wild_rows

BENCH = blocks()
numbers = st.one_of(
    st.floats(-2, 2), st.floats(), st.sampled_from([0.0, 1e300, -1e300, 1e-300, 1e154])
)
rows = arrays(np.float64, (6, 2, 8), elements=numbers)


class Told:
    """What `command` keeps, without a simulation."""

    def __init__(self):
        self.angles = np.tile(chain.HOME, (2, 1))
        self.targets = np.array([hand_pose(chain.HOME)] * 2)
        self.targets[:, :3] += chain.BASES
        self.grips, self.residual = np.ones(2), np.zeros(2)
        self.counts = np.zeros((2, len(following.CODES)), np.int64)

    def follow(self, row, joint=False):
        following.command(
            row, joint, chain.BASES, self.angles, self.targets, self.grips, self.residual,
            self.counts,
        )  # fmt: skip


@given(rows)
def test_accepted_targets_are_near_each_other(told):
    kept = Told()
    for row in told:
        before = kept.targets.copy()
        kept.follow(row)
        step = np.linalg.norm(kept.targets[:, :3] - before[:, :3], axis=1)
        assert step.max() <= chain.STEP_LIMIT + 1e-9
        for old, new in zip(before, kept.targets, strict=True):
            assert np.linalg.norm(new[3:]) == pytest.approx(1, abs=1e-6)
            assert np.linalg.norm(turn_between(old[3:], new[3:])) <= chain.TURN_LIMIT + 1e-6
        assert (kept.targets[:, 2] >= chain.LOWEST).all()
        assert (kept.angles >= chain.RANGES[:, 0]).all()
        assert (kept.angles <= chain.RANGES[:, 1]).all()
        assert (kept.grips >= 0).all() and (kept.grips <= 1).all()
        assert np.isfinite(kept.residual).all()


@given(rows)
def test_joints_told_are_near_each_other(told):
    kept = Told()
    for row in told:
        before = kept.angles.copy()
        kept.follow(row, joint=True)
        assert np.abs(kept.angles - before).max() <= chain.TURN_LIMIT + 1e-9
        assert (kept.angles >= chain.RANGES[:, 0]).all()
        assert (kept.angles <= chain.RANGES[:, 1]).all()
        for arm in range(2):
            there = hand_pose(kept.angles[arm])
            there[:3] += chain.BASES[arm]
            assert kept.targets[arm] == pytest.approx(there)


def test_angles_told_reach_the_targets_accepted():
    """However often a target is only nearly reached, the missing does not add up."""
    rng, kept = np.random.default_rng(3), Told()
    for _ in range(2000):
        kept.follow(
            np.hstack([kept.targets[:, :7] + rng.normal(size=(2, 7)) * 0.02, np.ones((2, 1))])
        )
        for arm in range(2):
            there = hand_pose(kept.angles[arm])[:3] + chain.BASES[arm]
            assert np.linalg.norm(there - kept.targets[arm, :3]) <= following.MISSED + 1e-12


def row_of(robot, **changes):
    """Return the row that keeps both hands where they are, with changes to the left one."""
    row = np.hstack([robot.targets, robot.grips[:, None]])
    for name, value in changes.items():
        row[0, {"position": slice(3), "quaternion": slice(3, 7), "grip": 7}[name]] = value
    return row.reshape(1, 16)


HANGING = np.array(hand_pose(chain.HOME)[3:])
BAD = [
    ("not_finite", {"position": (np.nan, 0.3, 0.3)}),
    ("not_finite", {"position": (0.3, np.inf, 0.3)}),
    ("not_finite", {"quaternion": (1, 0, 0, -np.inf)}),
    ("not_finite", {"grip": np.nan}),
    ("no_rotation", {"quaternion": (0, 0, 0, 0)}),
    ("no_rotation", {"quaternion": (1e-300, 0, 0, 0)}),
    ("unnormalised", {"quaternion": 3 * HANGING}),
    ("unnormalised", {"quaternion": 1e300 * HANGING}),
    ("grip", {"grip": 1.5}),
    ("grip", {"grip": -1e300}),
    ("limited", {"position": (0.5, 0.35, 0.3)}),
    ("limited", {"position": (1e300, 0, 0.3)}),
    ("limited", {"position": (1.7e308, -1.7e308, 1.7e308)}),
    ("limited", {"quaternion": top_down(1.5)}),
]


@pytest.mark.parametrize(("code", "changes"), BAD)
def test_bad_input_has_its_code_alone(code, changes):
    robot = Robot(BENCH)
    counts = robot.play(row_of(robot, **changes))
    assert [each for each, _ in messages(counts)] == [code]
    assert "left" in messages(counts)[0][1]
    assert counts.sum() == 1
    assert np.isfinite(robot.data.qpos).all() and not warned(robot)


def test_good_rows_have_no_code():
    robot = Robot(BENCH)
    assert not robot.play(np.repeat(row_of(robot), 3, axis=0)).any()
    assert not robot.play(row_of(robot, quaternion=-HANGING)).any()  # the same turn
    assert messages(np.zeros((2, len(following.CODES)), np.int64)) == ()


def test_refused_poses_change_nothing():
    for changes in (values for code, values in BAD if code in ("not_finite", "no_rotation")):
        robot = Robot(BENCH)
        before = [each[0].copy() for each in (robot.angles, robot.targets, robot.grips)]
        robot.play(row_of(robot, **changes))
        after = [each[0] for each in (robot.angles, robot.targets, robot.grips)]
        assert all(map(np.array_equal, before, after))


def test_far_targets_are_approached_along_the_line():
    robot = Robot(BENCH)
    start = robot.targets[0].copy()
    robot.play(row_of(robot, position=start[:3] + np.array([3.0, 0, 4.0])))
    assert robot.targets[0, :3] - start[:3] == pytest.approx([0.018, 0, 0.024])


def test_huge_quaternions_turn_as_normalised_ones():
    ways = []
    for scale in (1.0, 1e-5, 1e200, 1.7e308):
        robot = Robot(BENCH)
        robot.play(row_of(robot, quaternion=scale * top_down(1.5)))
        ways.append(robot.targets.copy())
    assert all(np.allclose(way, ways[0], rtol=0, atol=1e-12) for way in ways)


def test_targets_inside_the_table_stay_above_it():
    robot = Robot(BENCH)
    place = robot.targets[0, :3].copy()
    counts = np.zeros((2, len(following.CODES)), np.int64)
    for _ in range(30):
        counts += robot.play(row_of(robot, position=(*place[:2], -0.2)))
    assert counts[0, following.TOO_LOW] == 30
    assert robot.targets[0, 2] == chain.LOWEST
    assert robot.data.site_xpos[BENCH.tips[0], 2] == pytest.approx(chain.LOWEST, abs=0.002)


def test_targets_out_of_reach_are_refused_at_the_edge():
    robot = Robot(BENCH)
    told = np.repeat(row_of(robot, position=(3.0, 0.35, 0.4)), 60, axis=0)
    counts = robot.play(told)
    assert counts[0, following.UNREACHABLE] > 10
    assert 0.6 < robot.targets[0, 0] < 1.0
    assert robot.residual[0] > following.MISSED
    back = robot.play(np.repeat(row_of(robot, position=(0.5, 0.35, 0.3)), 40, axis=0))
    assert back[0, following.UNREACHABLE] < 5
    assert robot.targets[0, :3] == pytest.approx([0.5, 0.35, 0.3])


@pytest.mark.parametrize("shape", [(16,), (3, 15), (3, 17), (2, 2, 8), (0,), (1, 0)])
def test_rows_of_another_shape_are_an_error(shape):
    robot = Robot(BENCH)
    before = robot.freeze()
    with pytest.raises(ValueError, match=r"shape \(n, 16\)"):
        robot.play(np.zeros(shape))
    assert robot.freeze() == before


def test_unknown_modes_are_an_error():
    with pytest.raises(ValueError, match="pose, joint"):
        Robot(BENCH).play(np.zeros((1, 16)), "torque")


def test_no_rows_are_no_time():
    robot = Robot(BENCH)
    before = robot.freeze()
    assert not robot.play(np.zeros((0, 16))).any()
    assert robot.freeze() == before


def test_every_code_has_its_message():
    assert tuple(MESSAGES) == following.CODES


@pytest.mark.parametrize("mode", ["pose", "joint"])
@pytest.mark.parametrize("seed", [0, 1])
def test_wild_rows_leave_the_simulation_sound(mode, seed):
    robot = Robot(BENCH)
    counts = robot.play(wild_rows(np.random.default_rng(seed), 200), mode)
    assert counts.sum() > 100
    check_sound(robot)


def check_sound(robot):
    """Fail unless everything is finite, joints are in range and nothing fell through."""
    data = robot.data
    assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all() and not warned(robot)
    angles = data.qpos[BENCH.joints]
    assert (angles >= chain.RANGES[:, 0] - 0.05).all() and (
        angles <= chain.RANGES[:, 1] + 0.05
    ).all()
    fingers = data.qpos[BENCH.fingers]
    assert (fingers > -0.003).all() and (fingers < chain.OPEN + 0.003).all()
    for name in BENCH.things:
        x, y, z = data.body(name).xpos
        assert z > 0.0 or abs(x - 0.42) > 0.6 or abs(y) > 0.93, f"{name} fell through the table"
