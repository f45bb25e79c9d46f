"""What a task's class says of itself: its docstring, completed by those of its base classes."""

from __future__ import annotations

import inspect

SECTIONS = (
    "Description", "Difficulty", "Action space", "Observation space", "Starting state", "Rewards",
    "Episode end", "Score", "Reference", "Options", "Options for program agents",
)  # fmt: skip


def documentation(task: type) -> str:
    """Return a class's docstring, with those sections of its base classes' that it lacks.

    Sections begin with "## "; with some from elsewhere they stand in the order of SECTIONS.
    """
    docs = [inspect.getdoc(base) or "" for base in task.__mro__ if "__doc__" in vars(base)]
    summary, own = _sections(docs[0])
    sections = dict(own)
    for doc in docs[1:]:
        sections = {**_sections(doc)[1], **sections}
    if len(sections) == len(own):
        return docs[0]
    known = [name for name in SECTIONS if name in sections]
    others = [name for name in sections if name not in known]
    return "\n\n".join([summary, *(f"## {n}\n{sections[n]}" for n in known + others)])


def _sections(doc: str) -> tuple[str, dict[str, str]]:
    """Return what a docstring says before its first section, and its sections by name."""
    summary, *parts = doc.split("\n## ")
    found = (part.partition("\n") for part in parts)
    return summary.strip(), {name.strip(): text.strip() for name, _, text in found}
