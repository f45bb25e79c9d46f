"""NestingDolls: the task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rsi_envs.core.registry import register
from rsi_envs.tasks.action.robodojo.dojo import RoboDojoTask


@register
@dataclass(frozen=True)
class RoboDojoNestingDolls(RoboDojoTask):
    """Line nesting dolls up by size (papers/002 A.1, RoboDojo)."""

    name: ClassVar[str] = "RoboDojoNestingDolls"
    horizon: ClassVar[int] = 1050
    card: ClassVar[int] = 4
    randomised: ClassVar[bool] = True

    def layout(self, difficulty: int, seed: int) -> list[dict[str, Any]]:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import layout

        return layout(difficulty, seed)

    def things(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import things

        return things(objects)

    def rubric(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import rubric

        return rubric(objects)

    def oracle(self, problem: Any) -> Any:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import oracle

        return oracle(problem, problem.objects)
