"""The frame of a text map, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pencil import put

from chardesk.tools.look.read import text_map
from chardesk.tools.look.rulers import nice
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene

HELLO = put(Scene(), 2, 1, "Hi 世界")


def lines(scene: Scene, *rect: int) -> list[str]:
    return text_map(scene, Rect(*rect)).split("\n")


def test_the_contracts_example_is_met_byte_for_byte() -> None:
    assert text_map(HELLO, Rect(0, 0, 12, 3)) == (
        "viewport=[0,0,12,3] sampleSize=1 mode=text\n"
        "camera=100×40\n"
        "exact=unicode\n"
        "   0        10\n"
        "   ┬────┬────┬─\n"
        "0 ┤\n"
        "  │  Hi 世界\n"
        "  │"
    )


def test_without_a_label_there_is_no_label_row() -> None:
    assert lines(Scene(), 1, 1, 3, 1)[3:] == ["   ───", "  │"]


def test_ticks_are_absolute() -> None:
    assert lines(HELLO, 2, 1, 7, 1)[3:] == ["   ───┬───", "  │Hi 世界"]


def test_a_long_label_widens_the_label_column() -> None:
    assert lines(put(Scene(), -1000, 0, "你"), -1000, 0, 2, 1)[3:] == ["  -1000", "    ┬─", " 0 ┤你"]


def test_a_sampled_map_says_how_to_come_closer() -> None:
    assert lines(Scene(), 0, 0, 501, 1)[:3] == [
        "viewport=[0,0,501,1] sampleSize=6 mode=density",
        "camera=100×40",
        "next: sampleSize≤5 @ viewport≤500×200",
    ]


def test_labels_stand_at_every_second_tick() -> None:
    found = lines(Scene(), 0, 0, 501, 1)
    assert found[3].split() == ["0", "100", "200", "300", "400", "500"]
    assert [at - 3 for at, char in enumerate(found[4]) if char == "┬"] == [x // 6 for x in range(0, 501, 50)]


def test_labels_are_centred_on_their_columns() -> None:
    label, ticks = lines(Scene(), 95, 0, 20, 1)[3:5]
    middle = label.index("100") + 1
    assert ticks[middle] == "┬"


def test_rows_are_labelled_every_five_and_right_aligned() -> None:
    found = [line[:5] for line in lines(Scene(), 0, -5, 3, 11)[5:]]
    assert found == ["-5 ┤", "   │", "   │", "   │", "   │", " 0 ┤", "   │", "   │", "   │", "   │", " 5 ┤"]


def test_trailing_spaces_go_and_leading_and_inner_ones_stay() -> None:
    assert lines(put(Scene(), 0, 0, "  a b"), 0, 0, 20, 1)[-1] == "0 ┤  a b"


@pytest.mark.parametrize(
    ("value", "step"), [(1, 1), (3, 5), (5, 5), (6, 10), (30, 50), (51, 100), (100, 100)]
)
def test_intervals_are_one_two_or_five_times_a_power_of_ten(value: int, step: int) -> None:
    assert nice(value) == step


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.integers(1, 3000), st.integers(1, 3000))
def test_any_map_fits_the_camera_and_never_tears_its_margin(x: int, y: int, width: int, height: int) -> None:
    found = lines(HELLO, x, y, width, height)
    ticks = next(at for at, line in enumerate(found) if line.lstrip(" ")[:1] in ("┬", "─"))
    margin = len(found[ticks]) - len(found[ticks].lstrip(" "))
    assert ticks in (3, 4)
    assert len(found[ticks]) - margin <= 100
    assert 1 <= len(found) - ticks - 1 <= 40
    assert all(line[margin - 1] in "┤│" for line in found[ticks + 1 :])
