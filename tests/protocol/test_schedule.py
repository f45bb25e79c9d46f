"""Replay insertion against hand-computed orders and a literal reading of papers/000 A.2."""

from hypothesis import given
from hypothesis import strategies as st

from rsi_envs.protocol.schedule import insert_replays


def test_hand_computed_order():
    # e = 2, l = 1: after tasks 2 and 4 (1-based) come replays of tasks 1 and 3.
    assert insert_replays([True] * 4, 2, 1) == [
        (0, False), (1, False), (0, True), (2, False), (3, False), (2, True),
    ]  # fmt: skip


def test_no_history_no_replay():
    assert insert_replays([True] * 3, 1, 3) == [(0, False), (1, False), (2, False)]
    assert insert_replays([True] * 4, 1, 3)[-1] == (0, True)


def test_only_the_current_block_decides():
    # The lag reaches back into a block without replays: what counts is the block just placed.
    order = insert_replays([False, False, True, True], 1, 2)
    assert order == [(0, False), (1, False), (2, False), (0, True), (3, False), (1, True)]


def test_zero_disables():
    for interval, lag in ((0, 0), (0, 2), (2, 0)):
        assert not any(replay for _, replay in insert_replays([True] * 9, interval, lag))


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 6), st.integers(0, 6))
def test_equals_the_papers_rule(allowed, interval, lag):
    expected = []
    for n in range(1, len(allowed) + 1):
        expected.append((n - 1, False))
        if allowed[n - 1] and interval > 0 and lag > 0 and n % interval == 0 and n > lag:
            expected.append((n - lag - 1, True))
    order = insert_replays(allowed, interval, lag)
    assert order == expected
    assert [task for task, replay in order if not replay] == list(range(len(allowed)))
