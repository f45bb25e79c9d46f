import enum

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from rsi_envs.core.actions import check_action, check_actions

FIVE = spaces.Discrete(5)
FROM_TEN = spaces.Discrete(5, start=10)
PAIR = spaces.MultiDiscrete([3, 4])
BOX = spaces.Box(-1, 1, (2,), np.float32)


class Kind(enum.IntEnum):
    OPEN = 1


@given(st.integers())
def test_every_integer_is_an_action_or_minus_one(number):
    assert check_action(FIVE, number) == (number if 0 <= number < 5 else -1)
    assert check_action(FROM_TEN, number) == (number if 10 <= number < 15 else -1)


@pytest.mark.parametrize(
    "kind", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.array, Kind]
)
def test_integers_of_every_kind_are_taken(kind):
    found = check_action(FIVE, kind(1))
    assert found == 1
    assert int(found) == 1


@pytest.mark.parametrize("value", [2**63, 2**64 - 1, 2**63 - 1])
def test_large_unsigned_integers_lie_outside(value):
    assert not FIVE.contains(int(check_action(FIVE, np.uint64(value))))
    assert not FIVE.contains(int(check_action(FIVE, np.array(value, np.uint64))))


WRONG = [
    None, 3.7, 1.0, float("nan"), True, False, np.True_, np.float64(1), np.float32(np.nan),
    [1, 2], (), [], {}, {"action": 1}, b"1", object(), 1j, np.array([1]), np.array(1.0),
    np.array(True), np.array("1"), np.array(None), [[1], [1, 2]], np.array([1, 2, 3]), slice(1),
]  # fmt: skip


@pytest.mark.parametrize("action", WRONG, ids=lambda action: f"{action!r:.20}")
@pytest.mark.parametrize("space", [FIVE, FROM_TEN], ids=str)
def test_wrong_types_and_shapes_name_the_space(space, action):
    with pytest.raises(ValueError) as error:
        check_action(space, action)
    assert str(space) in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("action", [*WRONG, 1, np.int64(1), "x"], ids=lambda a: f"{a!r:.20}")
def test_multi_discrete_takes_integer_arrays_only(action):
    if isinstance(action, list) and action == [1, 2]:
        assert check_action(PAIR, action).tolist() == [1, 2]
        return
    with pytest.raises(ValueError) as error:
        check_action(PAIR, action)
    assert str(PAIR) in str(error.value)


@pytest.mark.parametrize("action", [[-1, 9], (0, 3), np.array([2, 3], np.uint8)])
def test_multi_discrete_takes_values_outside(action):
    found = check_action(PAIR, action)
    assert found.dtype == np.int64
    assert found.tolist() == list(action)


@pytest.mark.parametrize("action", [[0.5, -9.0], [1, 2], np.array([np.nan, np.inf], np.float16)])
def test_boxes_take_all_numbers(action):
    found = check_action(BOX, action)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.asarray(action, np.float64))


@pytest.mark.parametrize(
    "action", [None, 1, 0.5, "x", [1], [1, 2, 3], [[1, 2]], [True, False], ["a", "b"], [1j, 2], {}]
)
def test_boxes_refuse_the_rest(action):
    with pytest.raises(ValueError) as error:
        check_action(BOX, action)
    assert str(BOX) in str(error.value)


def test_actions_are_copied():
    given = np.array([1, 2])
    found = check_action(PAIR, given)
    found[:] = 0
    assert given.tolist() == [1, 2]


def test_batches_are_checked_by_shape():
    batch = spaces.MultiDiscrete([5, 5, 5])
    assert check_actions(batch, [0, -1, 99], (3,)).tolist() == [0, -1, 99]
    big = np.array([1, 2**63, 2**64 - 1], np.uint64)
    assert check_actions(batch, big, (3,)).tolist() == [1, -1, -1]
    for wrong in (
        [0, 1],
        [[0, 1, 2]],
        1,
        [0, 1, 2.0],
        [True] * 3,
        None,
        ["a"] * 3,
        [[1], [1, 2], 3],
    ):
        with pytest.raises(ValueError) as error:
            check_actions(batch, wrong, (3,))
        assert str(batch) in str(error.value)
