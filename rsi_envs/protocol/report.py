"""The ladder as a table."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table

from rsi_envs.protocol.ladder import Ladder, Row

COLUMNS = ("rung", "target", "initial", "final", "reference", "gain", "HCI", "n")


def table(ladder: Ladder) -> Table:
    """Return the ladder as a rich table; intervals are 95 %."""
    where = "over runs and instances" if ladder.runs > 1 else "conditional on this run"
    made = Table(
        title=f"{ladder.method}: {ladder.runs} runs, {ladder.evaluations} evaluations",
        caption=f"95 % intervals {where}; HCI = (final - initial) / (reference - initial)",
    )
    for name in COLUMNS:
        made.add_column(name, justify="left" if name in ("rung", "target") else "right")
    for row in ladder.rows:
        made.add_row(*_cells(row))
    return made


def _cells(row: Row) -> tuple[str, ...]:
    hci = "undefined"
    if row.hci is not None:
        hci = f"{row.hci:+.2f} [{row.hci_low:+.2f}, {row.hci_high:+.2f}]"
    return (
        row.rung,
        f"{row.game} d={row.difficulty}",
        f"{row.initial:.3f}",
        f"{row.final:.3f}",
        f"{row.reference:.3f}",
        f"{row.gain:+.3f} [{row.gain_low:+.3f}, {row.gain_high:+.3f}]",
        hci,
        f"{row.n} ({row.failed} failed)" if row.failed else str(row.n),
    )


def as_text(ladder: Ladder) -> str:
    """Return the table as plain text, 120 columns wide."""
    buffer = io.StringIO()
    Console(file=buffer, width=120).print(table(ladder))
    return buffer.getvalue()
