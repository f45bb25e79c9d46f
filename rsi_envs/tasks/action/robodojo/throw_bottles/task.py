"""ThrowBottles: the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rsi_envs.core.registry import register
from rsi_envs.tasks.action.robodojo.dojo import RoboDojoTask


@register
@dataclass(frozen=True)
class RoboDojoThrowBottles(RoboDojoTask):
    """Put bottles into a bin that one arm cannot reach (papers/002 A.1, RoboDojo)."""

    name: ClassVar[str] = "RoboDojoThrowBottles"
    horizon: ClassVar[int] = 700
    card: ClassVar[int] = 4

    def layout(self, difficulty: int, seed: int) -> list[dict[str, Any]]:
        from rsi_envs.tasks.action.robodojo.throw_bottles.layout import layout

        return layout(difficulty, seed)

    def things(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.throw_bottles.layout import things

        return things(objects)

    def rubric(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.throw_bottles.layout import rubric

        return rubric(objects)

    def oracle(self, problem: Any) -> Any:
        from rsi_envs.tasks.action.robodojo.throw_bottles.oracle import oracle

        return oracle(problem, problem.objects)

    def policies(self) -> Mapping[str, Any]:
        from rsi_envs.tasks.action.robodojo.throw_bottles.vision import plan

        return self.players(plan)
