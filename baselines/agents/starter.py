"""The starter of robot tasks: a model is asked once a chunk (papers/002 A.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from rsi_envs.protocol.agents import View
from rsi_envs.protocol.feedback import AgentCall

Model = Callable[[str, Sequence[NDArray[Any]]], str]

MARK = "NOTES:"  # begins the line from which on an answer holds notes
LONGEST_NOTES = 4_000  # characters that are kept, the last ones [ours]
ROWS = 10  # of a chunk that are asked for, papers/002 A.1


class Starter:
    """Asks a model for one chunk of targets at a time and keeps the notes that it writes itself.

    It shows the prompt, one camera's picture and the notes of all earlier calls of the episode;
    how long a chunk may be is asked for, not enforced. Its answers are played as text.

    Args:
        model: ``model(prompt, pictures) -> answer``, pictures uint8 (height, width, 3).
        camera: the name in the observation of the picture that is shown.
        rows: targets that a chunk should have at most.
    """

    def __init__(self, model: Model, camera: str = "head", rows: int = ROWS) -> None:
        self.model, self.camera, self.rows = model, camera, rows
        self.notes: list[str] = []

    def act(self, view: View) -> str:
        if view.step == 0:
            self.notes = []
        text = self.model(self._prompt(view), [view.observation[self.camera]])
        self.call = AgentCall(response=text)
        answer, _, notes = text.partition(MARK)
        if notes.strip():
            self.notes.append(f"after call {view.step + 1}: {notes.strip()}")
        return answer

    def _prompt(self, view: View) -> str:
        kept = "\n".join(self.notes)[-LONGEST_NOTES:]
        return (
            f"{view.prompt}\n\nYou are shown the picture of the {self.camera} camera only. Give at "
            f"most {self.rows} rows now; you are asked again when they have been played. Below the "
            f"JSON object you may write a line that begins with {MARK} and say there what you will "
            f"need to know later: where things are, what is done, what comes next.\n\n"
            f"Your notes from earlier calls:\n{kept or 'none yet'}"
        )
