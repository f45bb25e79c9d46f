"""The command play."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from rsi_envs.cli.terminal import EnvId, Named, Seed, begin, console, plain

LONGEST = 1_000  # characters of an agent's answer that are shown


def play(
    env_id: EnvId,
    seed: Seed = 0,
    instance: Named = None,
    agent: Annotated[str | None, typer.Option(help="watch an agent instead of playing")] = None,
    blocks: Annotated[
        bool, typer.Option("--blocks/--text", help="show the picture in coloured blocks [text]")
    ] = False,
) -> None:
    """Play an episode in the terminal, or watch an agent."""
    env, observation = begin(env_id, seed, instance)
    show = _shower(env, blocks)
    player = None
    if agent is not None:
        from rsi_envs.baselines import agents

        player = agents.make(agent, env.instance, seed)
    else:
        plain(env.task.prompt(env.problem, env.state))
        if show is not _show_text:
            show(env)
        console.print("(also as plain words, e.g. the values in order; end with ctrl-D)")
    done = False
    step = 0
    while not done:
        action = _ask(env) if player is None else _watch(env, player, observation, step)
        if action is None:
            return
        observation, _, done, _, info = env.step(action)
        step += 1
        show(env)
        for event in info.get("events", ()):
            console.print(f"! {event['message']}", markup=False)
    console.print(
        f"score {info['score']:.4f}, success {info['success']}, {info['metrics']}", markup=False
    )


def _show_text(env: Any) -> None:
    plain(env.task.ansi(env.problem, env.state))


def _show_blocks(env: Any) -> None:
    from rsi_envs.cli.blocks import blocks

    # Not by the console, which takes the colours away in a pipe; then nothing would be left.
    print(blocks(env.task.pixels(env.problem, env.state), console.width))


def _shower(env: Any, as_blocks: bool) -> Callable[[Any], None]:
    """Return what prints a state: its picture if that is asked for and drawn, else its text."""
    if not as_blocks:
        return _show_text
    if "rgb_array" in env.metadata["render_modes"]:
        return _show_blocks
    console.print(f"({env.task.name} draws no picture; it is shown as text)", markup=False)
    return _show_text


def _ask(env: Any) -> str | None:
    try:
        line = input("> ").strip()
    except EOFError:
        return None
    return words_to_answer(line, env.task.answer_schema(env.difficulty))


def words_to_answer(line: str, schema: Any) -> str:
    """Return the JSON answer for plain words, in the order of the schema's required keys.

    The start of a word is enough where it is that of one choice only. A line that is JSON
    already, or that does not fit, is returned as it is.
    """
    names = list((schema or {}).get("required", ()))
    properties = [schema["properties"][name] for name in names]
    one_choice = len(names) == 1 and "enum" in properties[0]  # its words may hold blanks
    words = [line] if one_choice and line else line.split()
    if line.startswith("{") or len(words) != len(names):
        return line
    whole = [each.get("type") == "integer" for each in properties]
    if not all(word.lstrip("-").isdecimal() for word, number in zip(words, whole) if number):
        return line
    values = [
        int(word) if number else _completed(word, each)
        for word, number, each in zip(words, whole, properties)
    ]
    return json.dumps(dict(zip(names, values)))


def _completed(word: str, described: Mapping[str, Any]) -> str:
    """Return the one choice that starts with `word`; the word itself if that is not clear."""
    choices = described.get("enum", ())
    found = [each for each in choices if isinstance(each, str) and each.startswith(word)]
    return found[0] if len(found) == 1 and word not in choices else word


def _watch(env: Any, player: Any, observation: Any, step: int) -> Any:
    from rsi_envs.protocol.agents import View

    action = player.act(View(env, observation, step))
    answer = env.task.format(env.problem, env.state, action)
    plain(answer if len(answer) <= LONGEST else f"{answer[:LONGEST]} ...")
    return action
