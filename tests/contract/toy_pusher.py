"""A third-party physics task: two motors push a ball on a table to a goal, seen by a camera."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from rsi_envs.core.actions import join_chunks
from rsi_envs.core.answers import one_object
from rsi_envs.core.instance import Instance
from rsi_envs.core.results import BadAction, Event, Observation, Score, Seat, Solution, Step
from rsi_envs.core.rng import check_seed, derive
from rsi_envs.core.task import Task

ROWS, SUBSTEPS, NEAR, START = 4, 10, 0.1, 1.0
WIDTH, HEIGHT = 24, 18
MJCF = """
<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <worldbody>
    <body name="ball">
      <joint name="x" type="slide" axis="1 0 0" damping="2" range="-1.5 1.5" limited="true"/>
      <joint name="y" type="slide" axis="0 1 0" damping="2" range="-1.5 1.5" limited="true"/>
      <geom type="sphere" size="0.1" mass="0.2"/>
    </body>
  </worldbody>
  <actuator><motor joint="x" gear="2"/><motor joint="y" gear="2"/></actuator>
</mujoco>
"""


@dataclass
class Table:
    """What the episodes of an instance share: MuJoCo's model and the instance's data."""

    model: Any
    goal: Any
    calls: int
    instance: Instance


@dataclass
class Push:
    """An episode: MuJoCo's data and how many calls are played."""

    data: Any
    played: int = 0


@functools.cache
def model():
    import mujoco

    return mujoco.MjModel.from_xml_string(MJCF)


@dataclass(frozen=True)
class Pusher(Task):
    """Push a ball to a goal; the left motor pushes along x, the right one along y.

    An action is a chunk float (4, 3): use, left force, right force in each row.
    """

    calls: int = 80

    name: ClassVar[str] = "ToyPusher"
    suite: ClassVar[str] = "flex"
    area: ClassVar[str] = "action"
    difficulties: ClassVar[tuple[int, ...]] = (1, 2)
    hardest: ClassVar[int | None] = 3
    physics: ClassVar[bool] = True
    brief: ClassVar[Mapping[str, Any]] = {"calls": 8}
    reward_scale: ClassVar[float] = 100.0

    def generate(self, difficulty: int, seed: int) -> Instance:
        difficulty, seed = self.check_difficulty(difficulty), check_seed(seed)
        turn = derive("pusher", difficulty, seed) % 6283 / 1000
        goal = [round(START * float(f(turn)), 3) for f in (np.cos, np.sin)]
        data = {"goal": goal, "calls": self.calls}
        return Instance(self.name, difficulty, seed, data, self.rules_version)

    def named(self) -> Mapping[str, Instance]:
        return {f"{part}/{k}": self.generate(1, k) for part in ("test", "pool") for k in range(5)}

    def prepare(self, instance: Instance) -> Table:
        data = self.check_instance(instance).data
        goal, calls = data.get("goal"), data.get("calls")
        if not isinstance(goal, tuple) or len(goal) != 2 or type(calls) is not int:
            raise ValueError("the data of this instance is wrong")
        return Table(model(), np.array(goal), calls, instance)

    def start(self, problem: Table) -> Push:
        import mujoco

        data = mujoco.MjData(problem.model)
        mujoco.mj_kinematics(problem.model, data)
        return Push(data)

    def step(self, problem: Table, state: Push, action: Any) -> Step:
        import mujoco

        before = self.score(problem, state).raw
        chunk, events = np.asarray(action, np.float64), []
        if not (np.isfinite(chunk).all() and (abs(chunk) <= 1).all()):
            events.append(Event("limited", "numbers outside [-1, 1] were limited to it"))
            chunk = np.clip(np.nan_to_num(chunk), -1, 1)
        for number, (use, *forces) in enumerate(chunk):
            if number and use < 0.5:
                break
            state.data.ctrl[:] = forces
            mujoco.mj_step(problem.model, state.data, SUBSTEPS)
        mujoco.mj_kinematics(problem.model, state.data)
        state.played += 1
        raw, success, _ = self.score(problem, state)
        done = success or state.played == problem.calls
        return Step((raw - before) / 100.0, int(done), tuple(events))

    def observe(self, problem: Table, state: Push) -> Observation:
        return {
            "picture": self.pixels(problem, state),
            "ball": np.clip([*state.data.qpos, *state.data.qvel], -10, 10).astype(np.float32),
            "goal": problem.goal.astype(np.float32),
            "left": np.array([problem.calls - state.played], np.int64),
        }

    def spaces(self, difficulty: int) -> tuple[spaces.Dict, spaces.Space[Any]]:
        seen = {
            "picture": spaces.Box(0, 255, (HEIGHT, WIDTH, 3), np.uint8),
            "ball": spaces.Box(-10, 10, (4,), np.float32),
            "goal": spaces.Box(-2, 2, (2,), np.float32),
            "left": spaces.Box(0, 99, (1,), np.int64),
        }
        return spaces.Dict(seen), spaces.Box(-1, 1, (ROWS, 3), np.float32)

    def seats(self, difficulty: int) -> Mapping[str, Seat]:
        space = spaces.Box(-1, 1, (ROWS, 2), np.float32)
        return {"left": Seat(space), "right": Seat(space, ("ball", "goal"))}

    def join(self, actions: Mapping[str, Any]) -> Any:
        return join_chunks([actions["left"], actions["right"]])

    def score(self, problem: Table, state: Push) -> Score:
        distance = float(np.hypot(*(problem.goal - state.data.qpos)))
        near = distance <= NEAR
        raw = 100.0 if near else 100.0 * max(0.0, 1.0 - distance / START)
        raw = raw if state.played else 0.0  # the goal is rounded
        return Score(raw, bool(near), {"distance": distance, "calls": float(state.played)})

    def reference(self, instance: Instance, effort: str = "paper") -> Solution:
        problem = self.prepare(instance)
        state, actions, done = self.start(problem), [], 0
        while not done:
            force = np.clip(3 * (problem.goal - state.data.qpos) - state.data.qvel, -1, 1)
            actions.append(np.tile(np.float32([1, *force]), (ROWS, 1)))
            done = self.step(problem, state, actions[-1]).done
        return Solution(tuple(actions), self.score(problem, state).raw, "heuristic")

    def prompt(self, problem: Table, state: Push) -> str:
        at = [round(float(x), 2) for x in state.data.qpos]
        return f'The ball is at {at}, the goal at {problem.goal}. Answer {{"rows": [[...], ...]}}.'

    def parse(self, problem: Table, state: Push, text: str) -> Any:
        rows = one_object(text, ("rows",))["rows"]
        try:
            found = np.array(rows, np.float32)
        except (TypeError, ValueError, OverflowError, RecursionError):
            found = np.zeros(0, np.float32)
        if found.shape != (ROWS, 3) or not (np.isfinite(found).all() and (abs(found) <= 1).all()):
            raise BadAction(f'"rows" must be {ROWS} rows of 3 numbers from -1 to 1')
        return found

    def format(self, problem: Table, state: Push, action: Any) -> str:
        return json.dumps({"rows": np.asarray(action, np.float64).tolist()})

    def answer_schema(self, difficulty: int) -> Mapping[str, Any]:
        return {
            "type": "object",
            "properties": {"rows": {"type": "array"}},
            "required": ["rows"],
            "additionalProperties": False,
        }

    def pixels(self, problem: Table, state: Push) -> Any:
        from rsi_envs.engines.render.camera import camera, intrinsics, looking_at
        from rsi_envs.engines.render.raycast import blank_frame, cast
        from rsi_envs.engines.render.scene import Geom, build

        eye = np.array([0.0, -2.5, 2.5])
        view = camera(intrinsics(60, WIDTH, HEIGHT), looking_at(eye, (0, 0, 0)), eye, WIDTH, HEIGHT)
        ball = Geom("sphere", (0.1,), tuple(state.data.xpos[1]))
        goal = Geom("box", (0.1, 0.1, 0.02), (*problem.goal, 0.0))
        frame = blank_frame(HEIGHT, WIDTH)
        cast(build([Geom("plane", (0, 0), (0, 0, -0.2)), ball, goal]), view, *frame, False)
        return frame[0]

    def freeze(self, problem: Table, state: Push) -> bytes:
        import mujoco

        kind = mujoco.mjtState.mjSTATE_INTEGRATION
        values = np.empty(mujoco.mj_stateSize(problem.model, kind))
        mujoco.mj_getState(problem.model, state.data, values, kind)
        return np.append(values, state.played).tobytes()

    def thaw(self, problem: Table, blob: bytes, into: Any = None) -> Push:
        import mujoco

        kind = mujoco.mjtState.mjSTATE_INTEGRATION
        if len(blob) != 8 * (mujoco.mj_stateSize(problem.model, kind) + 1):
            raise ValueError("these bytes are no frozen state")
        *values, played = np.frombuffer(blob)
        state = into if into is not None else self.start(problem)
        mujoco.mj_setState(problem.model, state.data, np.array(values), kind)
        mujoco.mj_kinematics(problem.model, state.data)
        state.played = int(played)
        return state
