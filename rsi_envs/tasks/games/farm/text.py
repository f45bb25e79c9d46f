"""Farm in text: the prompt of a language agent and the calendar for a terminal."""

from __future__ import annotations

from typing import Any

from rsi_envs.core.kernel_task import KernelProblem, Rows
from rsi_envs.tasks.games.farm.catalog import NAMES

RULES = """\
You run a farm for {days} days. It has {plots} plots, and you start with {cash} in cash.

Rules
- "buy" seeds for cash. "plant" a seed on a free plot. A crop planted on day t is ripe on day
  t + growth and stays ripe. "harvest" counts plots, not units: each ripe plot harvested gives
  the crop's units and is free again. "sell" counts units.
- Within a day all buying comes first, then planting, then harvesting, then selling. So money
  from sales can be spent from the next day on, and a plot harvested today can be planted again
  from tomorrow on; what is harvested can be sold on the same day.
- After day {days} the farm closes: unsold units, unused seeds and unharvested crops are worth
  nothing.
- What cannot be done (too little cash, no seed, no free plot, nothing ripe, nothing in stock) is
  skipped unit by unit; the rest is still done, crops in the order of the list.
- Your score grows with your profit: the cash at the end minus {cash}.

Crops (seed price; growth in days; units a plot; price of a unit):
{crops}
"""

PLAN = """
Answer with one JSON object: the whole plan by day, from "1" to "{days}". Days, entries and crops
that are left out mean nothing to do. For example:
{{"plan": {{"1": {{"buy": {{"{first}": 2}}, "plant": {{"{first}": 2}}}}, \
"{ripe}": {{"harvest": {{"{first}": 2}}, "sell": {{"{first}": {units}}}}}}}}}
"""

DAY = """
{state}

Answer with one JSON object for this day alone. What is left out means nothing to do. For example:
{{"day": {{"buy": {{"{first}": 2}}, "plant": {{"{first}": 2}}, "harvest": {{"{second}": 1}}, \
"sell": {{"{second}": 1}}}}}}
"""


def crop_names(problem: KernelProblem) -> list[str]:
    """Return the crops' names by number; padding, which holds no crop, is "crop 5" and so on."""
    p = problem.params[0]
    names = [NAMES[crop] for crop in p["crop"][: p["crops"]]]
    return names + [f"crop {c + 1}" for c in range(len(names), len(p["crop"]))]


def table(problem: KernelProblem) -> str:
    """Return the crops with their numbers, one a line."""
    p, names = problem.params[0], crop_names(problem)
    return "\n".join(
        f"- {names[c]}: {p['price'][c]}; {p['growth'][c]}; {p['units'][c]}; {p['value'][c]}"
        for c in range(p["crops"])
    )


def _counts(names: list[str], counts: Any) -> str:
    found = [f"{count} {name}" for name, count in zip(names, counts.tolist()) if count]
    return ", ".join(found) or "none"


def situation(problem: KernelProblem, state: Rows) -> str:
    """Return day, cash, seeds, stock and what grows."""
    p, s, names = problem.params[0], state.record("s")[0], crop_names(problem)
    days, day = int(p["days"]), int(s["day"])
    title = f"Day {day + 1} of {days}." if day < days else "The farm is closed."
    free = int((s["plot"][: p["plots"]] == 0).sum())
    seeds, stock = _counts(names, s["seeds"]), _counts(names, s["stock"])
    lines = [
        f"{title} Cash: {s['cash']}. Free plots: {free} of {p['plots']}.",
        f"Seeds in hand: {seeds}. Units in stock: {stock}.",
    ]
    grown = state.obs["growing"][0]
    for c, name in enumerate(names):
        ripening = [
            f"{count} {'ripe' if left == 0 else f'ripe on day {day + left + 1}'}"
            for left, count in enumerate(grown[c].tolist())
            if count
        ]
        if ripening:
            lines.append(f"Growing {name}: {', '.join(ripening)}.")
    return "\n".join(lines)


def prompt(problem: KernelProblem, state: Rows, mode: str) -> str:
    """Return rules, instance, state and the form of an answer."""
    p, names = problem.params[0], crop_names(problem)
    sizes = {name: int(p[name]) for name in ("days", "plots", "cash")}
    rules = RULES.format(crops=table(problem), **sizes)
    if mode == "daily":
        shown = situation(problem, state)
        return rules + DAY.format(state=shown, first=names[0], second=names[1])
    quick = int(p["growth"][: p["crops"]].argmin())  # one that ripens in time, in every instance
    ripe, units = int(p["growth"][quick]) + 1, 2 * int(p["units"][quick])
    return rules + PLAN.format(first=names[quick], ripe=ripe, units=units, **sizes)


def ansi(problem: KernelProblem, state: Rows) -> str:
    """Return the calendar, a line for each plot and a column for each day, and the situation."""
    p, s, names = problem.params[0], state.record("s")[0], crop_names(problem)
    letters = [chr(ord("a") + c) if c < 26 else chr(ord("A") + c - 26) for c in range(p["crops"])]
    legend = " ".join(f"{letter}={name}" for letter, name in zip(letters, names))
    lines = [legend, "plot  day 1" + f"{p['days']:>{max(int(p['days']) - 5, 3)}}"]
    for plot in range(p["plots"]):
        cells = s["calendar"][: s["day"], plot].tolist()
        row = "".join("." if cell == 0 else letters[cell - 1] for cell in cells)
        lines.append(f"{plot + 1:4d}  {row}{' ' * (int(p['days']) - len(cells))}|")
    curve = " ".join(str(cash) for cash in s["curve"][: s["day"]].tolist())
    lines.append(f"cash by day: {p['cash']} {curve}".rstrip())
    return "\n".join([*lines, situation(problem, state)])
