"""HCI and intervals against hand-computed cases."""

import numpy as np
import pytest

from rsi_envs.protocol.statistics import gain, hci, headroom

HALF = np.array([0.0, 1.0, 0.0, 1.0])


def test_hci_is_on_means():
    # s_b = .5, s_a = .75, s_r = 1.5: a quarter of the headroom.
    assert hci(HALF, np.array([0.5, 1.0]), 1.5) == pytest.approx(0.25)


def test_hci_can_exceed_one_and_be_negative():
    assert hci(np.zeros(4), np.full(4, 1.3), 1.0) == pytest.approx(1.3)
    assert hci(np.full(4, 0.5), np.full(4, 0.4), 1.0) == pytest.approx(-0.2)


def test_no_change_is_exactly_zero():
    assert hci(HALF, HALF, 1.5) == 0.0


@pytest.mark.parametrize(
    ("baseline", "reference", "defined"),
    [
        (np.full(9, 0.97), 1.0, True),  # .03 > .02
        (np.full(9, 0.985), 1.0, False),  # .015 <= .02 * 1
        (np.full(9, 0.99), 0.5, False),  # above the reference
        (HALF, 0.75, False),  # standard error .289 > .25
        (HALF, 0.80, True),  # .30 > .289
    ],
)
def test_undefined_where_the_headroom_is_small(baseline, reference, defined):
    assert (headroom(baseline, reference) is not None) == defined
    assert (hci(baseline, baseline, reference) is not None) == defined


def test_gain_of_a_constant_difference_has_no_width():
    before = [np.arange(6.0), np.arange(6.0)]
    found = gain(before, [values + 0.25 for values in before], seed=1, shared=True)
    assert found == pytest.approx((0.25, 0.25, 0.25))


def test_intervals_cover_the_spread_between_runs():
    rng = np.random.default_rng(0)
    before = [np.zeros(200) for _ in range(5)]
    same = [rng.normal(0.1, 0.1, 200) for _ in range(5)]
    apart = [values + shift for values, shift in zip(same, (-0.3, -0.15, 0.0, 0.15, 0.3))]
    narrow, wide = gain(before, same, 3, True), gain(before, apart, 3, True)
    assert narrow.low > 0.05 and narrow.high < 0.15
    assert wide.low < 0 < wide.high


def test_the_nominal_coverage_is_about_right():
    rng = np.random.default_rng(1)
    hits = 0
    for trial in range(60):
        runs = [rng.normal(rng.normal(0.2, 0.05), 0.3, 60) for _ in range(12)]
        found = gain([np.zeros(60)] * 12, runs, trial, False)
        hits += found.low <= 0.2 <= found.high
    assert 50 <= hits <= 60


def test_reproducible():
    values = [np.arange(9.0) % 2, np.arange(9.0) % 3]
    assert gain(values, values[::-1], 5, True) == gain(values, values[::-1], 5, True)
