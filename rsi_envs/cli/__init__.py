"""Layer 7: the command line, `rsi-envs`."""

from __future__ import annotations

import sys
import traceback
from typing import Annotated

import gymnasium as gym
import typer

from rsi_envs.cli import playing, recording, reporting, running, tasks
from rsi_envs.cli.playing import words_to_answer
from rsi_envs.cli.terminal import complain
from rsi_envs.testing import ConformanceError

__all__ = ["app", "main", "words_to_answer"]

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
app.command("list")(tasks.list_tasks)
for command in (
    tasks.show, playing.play, recording.record, running.run, running.work, reporting.report,
    tasks.check, tasks.warmup,
):  # fmt: skip
    app.command()(command)


@app.callback()
def rsi_envs(
    debug: Annotated[bool, typer.Option("--debug", help="show where an error came from")] = False,
) -> None:
    """Environments for agents that improve themselves."""


def main() -> None:
    """Run the command line; bad input ends with one message and exit code 2."""
    try:
        code = app(standalone_mode=False)
    except (ValueError, OSError, ImportError, gym.error.Error) as error:
        code = _fail(str(error) or type(error).__name__)
    except ConformanceError as error:
        code = _fail(str(error), 1)
    except typer.Abort:
        code = running.INTERRUPTED
    except Exception as error:
        # Usage errors come from the vendored or installed click; both have format_message.
        if not hasattr(error, "format_message"):
            raise
        code = _fail(error.format_message())
    sys.exit(code)


def _fail(message: str, code: int = 2) -> int:
    if "--debug" in sys.argv[1:2]:
        traceback.print_exc()
    if message:  # none where the help was shown instead
        complain(message)
    return code
