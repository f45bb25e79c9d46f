"""The folder of an evolution run: what was asked, what happened, every workspace by content."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from rsi_envs.core.registry import TASKS
from rsi_envs.protocol.agents import Workspace
from rsi_envs.protocol.feedback import FeedbackResult
from rsi_envs.protocol.manifest import Manifest


class RunStore:
    """Writes one evolution run as it happens; each line is on disk before the next step starts.

    Files: config.resolved.json, task_manifest.json, environment.json, executions.jsonl,
    feedback.jsonl, workspaces/<digest>/.

    Raises:
        ValueError: the folder holds files already.
    """

    def __init__(self, path: Path) -> None:
        if path.exists() and any(path.iterdir()):
            raise ValueError(f"the folder {str(path)!r} is not empty; choose another")
        path.mkdir(parents=True, exist_ok=True)
        self.path = path

    def begin(self, config: BaseModel, manifest: Manifest, method: str) -> None:
        """Write what the run is going to do."""
        self._write("config.resolved.json", config.model_dump(mode="json"))
        self._write("task_manifest.json", manifest.model_dump(mode="json"))
        tasks = {entry.parsed.task for entry in (*manifest.held_in, *manifest.held_out)}
        self._write(
            "environment.json",
            {
                "method": method,
                "isolation": "none",
                "rules_versions": {name: TASKS[name].rules_version for name in sorted(tasks)},
                "python": platform.python_version(),
                "packages": {name: metadata.version(name) for name in ("numpy", "numba")},
            },
        )

    def execution(self, record: BaseModel, feedback: FeedbackResult) -> None:
        """Append one held-in execution and its feedback."""
        self._append("executions.jsonl", record.model_dump_json())
        self._append("feedback.jsonl", feedback.model_dump_json())

    def workspace(self, workspace: Workspace) -> None:
        """Keep a workspace under its digest; a known one costs nothing."""
        folder = self.path / "workspaces" / workspace.digest
        if folder.exists():
            return
        for name, text in workspace.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def _write(self, name: str, values: Mapping[str, Any]) -> None:
        text = json.dumps(values, indent=1) + "\n"
        (self.path / name).write_text(text, encoding="utf-8")

    def _append(self, name: str, line: str) -> None:
        with (self.path / name).open("a", encoding="utf-8") as file:
            file.write(line + "\n")
