"""The arms in an episode: going on from saved states, contacts, grasps that hold."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

from rsi_envs.engines.arm import following
from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.chain import HOME, LOWEST
from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.paths import Path, side_by_side, top_down
from rsi_envs.engines.arm.shapes import Thing
from tests.engines.arm_grasps import (
    HIGH,
    KINDS,
    block,
    blocks,
    both,
    deepest,
    pick_and_place,
    random_shape,
    restless_rows,
    warned,
)  # fmt: skip

BENCH = blocks()


def played(count=60, seed=0):
    """Return a robot amid an episode, and rows that go on."""
    robot = Robot(BENCH)
    rows = restless_rows(np.random.default_rng(seed), robot, 2 * count)
    robot.play(rows[:count])
    return robot, rows[count:]


def copied(robot):
    other = Robot(BENCH)
    other.thaw(robot.freeze())
    return other


@pytest.mark.parametrize(
    "again", [copied, copy.deepcopy, lambda robot: pickle.loads(pickle.dumps(robot))],
    ids=["freeze", "deepcopy", "pickle"],
)  # fmt: skip
def test_copies_go_on_bit_for_bit(again):
    robot, rest = played()
    other = again(robot)
    assert other.freeze() == robot.freeze()
    assert np.array_equal(other.data.xpos, robot.data.xpos)
    robot.play(rest[:30])
    assert other.rows == 60 and other.freeze() != robot.freeze()  # they share nothing
    other.play(rest[:30])
    assert other.freeze() == robot.freeze()
    assert np.array_equal(other.data.xpos, robot.data.xpos)
    assert np.array_equal(other.data.contact.geom, robot.data.contact.geom)


@pytest.mark.parametrize("size", [1, 7, 59])
def test_rows_together_and_one_after_the_other_are_the_same(size):
    together, rest = played()
    apart, _ = played()
    total = together.play(rest)
    counts = sum(apart.play(rest[at : at + size]) for at in range(0, len(rest), size))
    assert together.freeze() == apart.freeze()
    assert np.array_equal(total, counts)


def test_two_builds_of_a_bench_are_the_same():
    robots = [Robot(bench) for bench in (BENCH, blocks(), pickle.loads(pickle.dumps(BENCH)))]
    rows = restless_rows(np.random.default_rng(1), robots[0], 80)
    for robot in robots:
        robot.play(rows)
    assert robots[0].freeze() == robots[1].freeze() == robots[2].freeze()


def test_refreshing_changes_nothing_of_the_state(monkeypatch):
    refreshed, rest = played()
    monkeypatch.setattr("rsi_envs.engines.arm.control.refresh", lambda model, data: None)
    plain, _ = played()
    for row in rest:
        plain.play(row[None])
    monkeypatch.undo()
    for row in rest:
        refreshed.play(row[None])
    assert plain.freeze() == refreshed.freeze()


def test_poses_are_up_to_date_after_a_chunk():
    robot, _ = played()
    known = mujoco.MjData(BENCH.model)
    known.qpos = robot.data.qpos
    mujoco.mj_kinematics(BENCH.model, known)
    mujoco.mj_comPos(BENCH.model, known)
    mujoco.mj_camlight(BENCH.model, known)
    for name in ("xpos", "geom_xpos", "site_xpos", "cam_xpos", "cam_xmat"):
        assert np.array_equal(getattr(robot.data, name), getattr(known, name)), name


def test_states_of_other_scenes_are_refused():
    with pytest.raises(ValueError, match="not of this scene"):
        Robot(BENCH).thaw(Robot(Bench([])).freeze())


def test_start_is_at_rest_with_arms_at_home():
    data = BENCH.fresh()
    assert np.abs(data.qvel).max() < 1e-3
    assert np.abs(data.qpos[BENCH.joints] - HOME).max() < 1e-3
    assert BENCH.opening(data) == pytest.approx([1, 1], abs=0.01)
    assert data.time == 0 and not warned(Robot(BENCH))


def test_robot_is_the_arms_whatever_things_are_called():
    bench = Bench([block("leftover"), block("right", (0.45, -0.2))])
    names = {bench.model.body(bench.model.geom_bodyid[g]).name for g in bench.robot}
    assert names and all(name.startswith(("left/", "right/")) for name in names)


def test_things_of_one_name_are_refused():
    with pytest.raises(ValueError, match="block is there twice"):
        Bench([block(), block(place=(0.5, 0))])


def hit(robot):
    """Return the pairs of what touches: "left", "right" or a body's name."""
    model, pairs = robot.bench.model, set()
    for contact in robot.data.contact:
        names = [model.body(model.geom_bodyid[g]).name.split("/")[0] for g in contact.geom]
        pairs.add(tuple(sorted(names)))
    return pairs


def test_arms_meet_each_other_and_things_but_not_themselves():
    robot, pairs = Robot(BENCH), set()
    ways = [Path(robot.targets[arm], 0.0).to((0.45, 0.0, 0.25), top_down()) for arm in range(2)]
    for row in side_by_side(*ways):
        robot.play(row[None])
        pairs |= hit(robot)
    assert ("left", "right") in pairs
    assert np.abs(robot.data.site_xpos[BENCH.tips, 1]).max() > 0.03  # they do not pass through
    robot = Robot(BENCH)
    way = Path(robot.targets[0], 0.0).to((0.45, 0.4, 0.03), top_down()).to((0.45, 0.1, 0.03))
    for row in both(robot, 0, way):
        robot.play(row[None])
        pairs |= hit(robot)
    assert ("block", "left") in pairs
    assert not pairs & {("left", "left"), ("right", "right")}
    assert robot.data.body("block").xpos[1] < 0.12  # it was pushed aside


@pytest.mark.parametrize("grip", [0.0, 1.0])
def test_pressing_on_the_table_goes_no_deeper_than_3_mm(grip):
    """Joint angles have no lowest height: with them the hand can press with all its force."""
    robot, worst = Robot(Bench([])), 0.0
    low = Path(robot.targets[0], grip).to((0.45, 0.3, LOWEST), top_down())
    robot.play(both(robot, 0, low))
    told = np.array([*robot.angles[0], grip, *robot.angles[1], 1.0])
    for k in range(25):
        told[1] += 0.01  # the shoulder bends forward, and the hand with it down
        robot.play(told[None], "joint")
        worst = max(worst, deepest(robot)) if k > 3 else worst
    assert robot.data.ncon > 0 and robot.targets[0, 2] < -0.03  # it does press
    assert worst < 0.003
    assert not warned(robot)


def test_hands_stop_where_they_are_told():
    robot = Robot(Bench([]))
    way = Path(robot.targets[0], 1.0).to((0.5, 0.3, 0.05), top_down(0.3)).hold(10)
    robot.play(both(robot, 0, way))
    assert np.linalg.norm(robot.data.site_xpos[robot.bench.tips[0]] - way.pose[:3]) < 0.0005
    assert robot.residual[0] < 0.0003


def test_closed_pads_meet_and_do_not_overlap():
    robot = Robot(Bench([]))
    robot.play(both(robot, 0, Path(robot.targets[0], 0.0).hold(20)))
    assert np.abs(robot.data.qpos[robot.bench.fingers[0]]).max() < 0.0005
    assert robot.bench.opening(robot.data)[0] < 0.01


def check_carried(seed, kind):
    robot, body, goal, counts = pick_and_place(seed, kind)
    robot.play(both(robot, 0, Path(robot.targets[0], robot.grips[0]).hold(10)))
    data, at = robot.data, robot.data.xpos[body]
    gap = np.linalg.norm(at[:2] - goal)
    assert gap < 0.01, f"{gap * 1000:.1f} mm off"
    joint = int(robot.bench.model.body_dofadr[body])
    assert np.abs(data.qvel[joint : joint + 3]).max() < 0.005
    touching = {name for pair in hit(robot) if "thing" in pair for name in pair}
    assert touching == {"thing", "world"}, touching
    assert not counts[:, [following.UNREACHABLE, following.NOT_FINITE, following.GRIP]].any()
    assert not warned(robot)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_things_are_carried(seed, kind):
    check_carried(seed, kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_things_of_each_kind_are_carried(kind):
    lost = {}
    for seed in range(100):
        try:
            check_carried(seed, kind)
        except AssertionError as error:
            lost[seed] = str(error).splitlines()[0]
    assert not lost


def in_hand(robot):
    """Return where the thing is in the left hand's frame, metres."""
    tip = robot.bench.tips[0]
    apart = robot.data.body("thing").xpos - robot.data.site_xpos[tip]
    return robot.data.site_xmat[tip].reshape(3, 3).T @ apart


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_held_creeps_less_than_2_mm_in_10_s(kind):
    shape, half = random_shape(np.random.default_rng(0), kind)
    bench = Bench([Thing("thing", (shape,), (0.45, 0.25, half), mass=0.4)])
    robot = Robot(bench)
    place = robot.data.body("thing").xpos[:2].copy()
    way = Path(robot.targets[0], 1.0).to((*place, HIGH), top_down()).to((*place, max(half, 0.013)))
    robot.play(both(robot, 0, way.hold(3).close().to((*place, HIGH)).hold(10)))
    before = in_hand(robot)
    robot.play(both(robot, 0, Path(robot.targets[0], 0.0).hold(250)))
    assert robot.data.body("thing").xpos[2] > HIGH - 0.01
    assert np.linalg.norm(in_hand(robot) - before) < 0.002
