"""Contact sheets: which pictures are on them, and where."""

import io

import numpy as np
from PIL import Image

from rsi_envs.cli.sheets import chosen, sheet


def opened(pictures, **options):
    with Image.open(io.BytesIO(sheet(pictures, **options))) as image:
        return np.asarray(image)


def test_first_and_last_are_shown_and_evenly_between():
    assert chosen(1) == [0] and chosen(12) == list(range(12))
    for count in (13, 80, 1001):
        numbers = chosen(count)
        assert len(numbers) == 12 and (numbers[0], numbers[-1]) == (0, count - 1)
        assert np.ptp(np.diff(numbers)) <= 1


def test_pictures_stand_in_rows():
    pictures = [np.full((30, 40, 3), 10 * number, np.uint8) for number in range(7)]
    found = opened(pictures)
    high, wide = 30 + 19, 40 + 8  # 7 of a number, 3 margins of 4
    assert found.shape == (3 * high, 3 * wide, 3)
    for number, picture in enumerate(pictures):
        top, left = number // 3 * high, number % 3 * wide
        assert np.array_equal(found[top + 15 : top + 45, left + 4 : left + 44], picture)
        assert (found[top + 4 : top + 11, left + 4 : left + 9] < 60).any()  # its number
    assert (found[2 * high :, wide:] == found[0, 0]).all()  # nothing after the last


def test_numbers_are_never_cut():
    assert opened([np.zeros((4, 1, 3), np.uint8)] * 200).shape == (3 * 23, 4 * (17 + 8), 3)
    assert opened([np.zeros((4, 1, 3), np.uint8)], scale=3).shape == (12 + 33, 15 + 8, 3)
