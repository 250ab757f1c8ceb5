"""Vega-Lite charts as cells."""

from __future__ import annotations

import json
from typing import Any

import pytest
from drawing import text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chardesk.tools.model.width import cluster_width
from chardesk.tools.text.charts import scale
from chardesk.tools.text.markdown.reader import read
from chardesk.tools.text.picture import Picture


def vega(spec: dict[str, Any] | str, width: int = 40) -> Picture:
    source = spec if isinstance(spec, str) else json.dumps(spec)
    return read(f"```vega-lite\n{source}\n```", width)


def shown(found: Picture) -> str:
    assert found.diagnostics == ()
    return "\n".join(row.rstrip() for row in text_of(found).split("\n"))


def chart(mark: str, rows: list[dict[str, Any]] | list[int], **encoding: Any) -> dict[str, Any]:
    return {"data": {"values": rows}, "mark": mark, "encoding": encoding}


def test_bars_stand_on_a_line_of_names() -> None:
    spec = {
        "title": "Verkauf",
        "data": {"values": [{"m": "Jan", "n": 120}, {"m": "Feb", "n": 345}, {"m": "Mär", "n": 80}]},
        "mark": "bar",
        "encoding": {"x": {"field": "m"}, "y": {"field": "n", "title": "Stück"}},
    }
    assert (
        shown(vega(spec, 40))
        == """
Verkauf

Stück
400 ┤
    │
    │              ▂▂▂▂▂▂▂▂
    │              ████████
300 ┤              ████████
    │              ████████
    │              ████████
    │              ████████
200 ┤              ████████
    │              ████████
    │              ████████
    │  ▂▂▂▂▂▂▂▂    ████████
100 ┤  ████████    ████████
    │  ████████    ████████   ▆▆▆▆▆▆▆▆
    │  ████████    ████████   ████████
    │  ████████    ████████   ████████
  0 ┤  ████████    ████████   ████████
    └─────┬───────────┬───────────┬─────
         Jan         Feb         Mär
                      m"""
    )


def test_bars_stack_by_colour() -> None:
    spec = {
        "data": {
            "values": [
                {"m": "Jan", "n": 3, "k": "世界"},
                {"m": "Feb", "n": 5, "k": "世界"},
                {"m": "Mär", "n": 2, "k": "世界"},
                {"m": "Jan", "n": 2, "k": "b"},
                {"m": "Feb", "n": 4, "k": "b"},
                {"m": "Mär", "n": 6, "k": "b"},
            ]
        },
        "mark": "bar",
        "encoding": {"x": {"field": "m", "title": None}, "y": {"field": "n"}, "color": {"field": "k"}},
    }
    assert (
        shown(vega(spec, 40))
        == """
n
10 ┤
   │              ▆▆▆▆▆▆▆▆
   │              ████████    ▇▇▇▇▇▇▇▇
   │              ████████    ████████
 5 ┤  ▄▄▄▄▄▄▄▄    ▄▄▄▄▄▄▄▄    ████████
   │  ████████    ████████    ████████
   │  ▇▇▇▇▇▇▇▇    ████████    ▁▁▁▁▁▁▁▁
   │  ████████    ████████    ████████
 0 ┤  ████████    ████████    ████████
   └──────┬───────────┬───────────┬─────
         Jan         Feb         Mär

■ 世界  ■ b"""
    )


def test_bars_stand_beside_each_other_by_offset() -> None:
    spec = {
        "data": {
            "values": [
                {"m": "Jan", "n": 3, "k": "世界"},
                {"m": "Feb", "n": 5, "k": "世界"},
                {"m": "Mär", "n": 2, "k": "世界"},
                {"m": "Jan", "n": 2, "k": "b"},
                {"m": "Feb", "n": 4, "k": "b"},
                {"m": "Mär", "n": 6, "k": "b"},
            ]
        },
        "mark": "bar",
        "encoding": {
            "x": {"field": "m", "title": None},
            "y": {"field": "n"},
            "color": {"field": "k"},
            "xOffset": {"field": "k"},
        },
    }
    assert (
        shown(vega(spec, 40))
        == """
n
6 ┤                               ▄▄▄
  │                               ███
  │               ▄▄▄             ███
  │               ███             ███
4 ┤               ███ ▄▄▄         ███
  │               ███ ███         ███
  │  ▄▄▄          ███ ███         ███
  │  ███          ███ ███         ███
2 ┤  ███ ▄▄▄      ███ ███     ▄▄▄ ███
  │  ███ ███      ███ ███     ███ ███
  │  ███ ███      ███ ███     ███ ███
  │  ███ ███      ███ ███     ███ ███
0 ┤  ███ ███      ███ ███     ███ ███
  └──────┬───────────┬───────────┬──────
        Jan         Feb         Mär

■ 世界  ■ b"""
    )


def test_bars_can_run_to_the_right() -> None:
    spec = {
        "data": {"values": [{"m": "東京", "n": 14}, {"m": "Zürich", "n": 4}, {"m": "Rome", "n": 28}]},
        "mark": "bar",
        "encoding": {"y": {"field": "m", "sort": "-x", "title": None}, "x": {"field": "n"}},
    }
    assert (
        shown(vega(spec, 40))
        == """
  Rome │████████████████████████████▉
  東京 │██████████████▌
Zürich │████▏
       └┬─────────┬──────────┬─────────┬
        0        10         20        30
                       n"""
    )


def test_bars_to_the_right_stack_too() -> None:
    spec = {
        "data": {
            "values": [
                {"m": "Jan", "n": 3, "k": "世界"},
                {"m": "Feb", "n": 5, "k": "世界"},
                {"m": "Mär", "n": 2, "k": "世界"},
                {"m": "Jan", "n": 2, "k": "b"},
                {"m": "Feb", "n": 4, "k": "b"},
                {"m": "Mär", "n": 6, "k": "b"},
            ]
        },
        "mark": "bar",
        "encoding": {
            "y": {"field": "m", "title": None},
            "x": {"field": "n", "title": None},
            "color": {"field": "k"},
        },
    }
    assert (
        shown(vega(spec, 40))
        == """
Jan │██████████▎██████
Feb │██████████████████████████████▋
Mär │██████▊████████████████████▎
    └┬──────┬──────┬─────┬──────┬──────┬
     0      2      4     6      8     10

■ 世界  ■ b"""
    )


def test_a_line_is_drawn_in_braille() -> None:
    spec = {
        "data": {
            "values": [
                {"x": 0, "y": 0.0},
                {"x": 1, "y": 3.27},
                {"x": 2, "y": 6.18},
                {"x": 3, "y": 8.41},
                {"x": 4, "y": 9.72},
                {"x": 5, "y": 9.95},
                {"x": 6, "y": 9.09},
                {"x": 7, "y": 7.23},
                {"x": 8, "y": 4.57},
                {"x": 9, "y": 1.41},
                {"x": 10, "y": -1.91},
                {"x": 11, "y": -5.01},
                {"x": 12, "y": -7.57},
                {"x": 13, "y": -9.29},
                {"x": 14, "y": -9.99},
                {"x": 15, "y": -9.59},
                {"x": 16, "y": -8.13},
                {"x": 17, "y": -5.78},
                {"x": 18, "y": -2.79},
                {"x": 19, "y": 0.5},
            ]
        },
        "mark": "line",
        "encoding": {"x": {"field": "x"}, "y": {"field": "y"}},
    }
    assert (
        shown(vega(spec, 50))
        == """
y
 10 ┤       ⢀⡠⠒⠉⠑⠤⡀
    │      ⡔⠁     ⠈⢆
    │     ⡔⠁        ⠱⡀
    │    ⡔⠁          ⠱⡀
  5 ┤   ⡔⠁            ⢱
    │  ⡔⠁              ⢣
    │ ⢰⠁                ⢣
    │⢠⠃                  ⢇
  0 ┤⠎                   ⠘⡄                   ⢠⠃
    │                     ⠸⡀                 ⢠⠃
    │                      ⢣                ⢠⠃
    │                       ⢇              ⢀⠎
 -5 ┤                       ⠈⢆             ⡜
    │                        ⠈⢆           ⡜
    │                         ⠈⢆        ⢀⠎
    │                           ⠣⡀     ⡠⠊
-10 ┤                            ⠑⠢⢄⣀⠤⠔⠁
    └┬──────────┬──────────┬──────────┬──────────┬
     0          5         10         15         20
                           x"""
    )


def test_lines_over_time_have_dates() -> None:
    spec = {
        "data": {
            "values": [
                {"d": "2024-01-01", "y": 0, "k": "a"},
                {"d": "2024-02-01", "y": 1, "k": "a"},
                {"d": "2024-03-01", "y": 4, "k": "a"},
                {"d": "2024-04-01", "y": 9, "k": "a"},
                {"d": "2024-05-01", "y": 16, "k": "a"},
                {"d": "2024-06-01", "y": 25, "k": "a"},
                {"d": "2024-01-01", "y": 0, "k": "b"},
                {"d": "2024-02-01", "y": 1, "k": "b"},
                {"d": "2024-03-01", "y": 4, "k": "b"},
                {"d": "2024-04-01", "y": 9, "k": "b"},
                {"d": "2024-05-01", "y": 16, "k": "b"},
                {"d": "2024-06-01", "y": 25, "k": "b"},
            ]
        },
        "mark": "line",
        "encoding": {"x": {"field": "d"}, "y": {"field": "y"}, "color": {"field": "k"}},
    }
    assert (
        shown(vega(spec, 50))
        == """
y
30 ┤
   │
   │                                           ⢀⠔⠁
   │                                         ⡠⠊⠁
20 ┤                                       ⡠⠊
   │                                    ⢀⠔⠉
   │                                 ⢀⡠⠒⠁
   │                              ⢀⡠⠒⠁
10 ┤                           ⢀⡠⠒⠁
   │                       ⢀⡠⠔⠊⠁
   │                   ⣀⠤⠒⠉⠁
   │            ⣀⡠⠤⠔⠒⠊⠉
 0 ┤⣀⣀⡠⠤⠤⠤⠤⠒⠒⠒⠉⠉
   └┬──────────────┬──────────────┬──────────────┬
    01-01        02-20          04-11        06-01
                          d

■ a  ■ b"""
    )


def test_an_area_is_filled() -> None:
    spec = {
        "data": {
            "values": [
                {"x": 0, "y": 0},
                {"x": 1, "y": 7},
                {"x": 2, "y": 3},
                {"x": 3, "y": 10},
                {"x": 4, "y": 6},
                {"x": 5, "y": 2},
                {"x": 6, "y": 9},
                {"x": 7, "y": 5},
            ]
        },
        "mark": "area",
        "encoding": {"x": {"field": "x"}, "y": {"field": "y"}},
    }
    assert (
        shown(vega(spec, 40))
        == """
y
10 ┤             ▄
   │             █▇▁          ▆▁
   │    ▁       ████▃        ▁██▃
   │    █▅     ▆█████▅       ████▆
 5 ┤   ▃██▇▁  ▄███████▇▂    ▇██████▄
   │   █████▄▂██████████▄  ▄████████
   │  ███████████████████▆▂█████████
   │ ▆██████████████████████████████
 0 ┤ ███████████████████████████████
   └┬────────┬────────┬───────┬────────┬
    0        2        4       6        8
                     x"""
    )


def test_points_are_points() -> None:
    spec = {
        "data": {"values": [{"x": 1, "y": 100}, {"x": 2, "y": 1900}, {"x": 3, "y": 1200}]},
        "mark": "point",
        "encoding": {"x": {"field": "x"}, "y": {"field": "y"}},
    }
    assert (
        shown(vega(spec, 40))
        == """
y
2000 ┤
     │                ●
     │
     │
1500 ┤
     │
     │                                 ●
     │
1000 ┤
     │
     │
     │
 500 ┤
     │
     │
     │●
   0 ┤
     └┬───────┬───────┬────────┬───────┬
      1      1.5      2       2.5      3
                      x"""
    )


def test_a_sparkline_is_one_row() -> None:
    spec = {"data": {"values": [1, 5, 2, 8, 3, 9, 4]}, "mark": "sparkline"}
    assert (
        shown(vega(spec, 40))
        == """
▁▅▂▇▃█▄ 4"""
    )


def test_sparklines_have_names() -> None:
    spec = {
        "data": {
            "values": [
                {"y": 1, "k": "cpu"},
                {"y": 2, "k": "cpu"},
                {"y": 3, "k": "cpu"},
                {"y": 9, "k": "世"},
                {"y": 2, "k": "世"},
                {"y": 4, "k": "世"},
            ]
        },
        "mark": "sparkline",
        "encoding": {"y": {"field": "y"}, "color": {"field": "k"}},
    }
    assert (
        shown(vega(spec, 40))
        == """
cpu ▁▅█ 3
世  █▁▃ 4"""
    )


def test_values_can_be_counted() -> None:
    spec = {
        "data": {"values": [{"a": "x"}, {"a": "y"}, {"a": "x"}]},
        "mark": "bar",
        "encoding": {"y": {"field": "a", "title": None}, "x": {"aggregate": "count"}},
    }
    assert (
        shown(vega(spec, 30))
        == """
x │██████████████████████████
y │█████████████
  └┬─────┬──────┬──────┬─────┬
   0    0.5     1     1.5    2
              count"""
    )


def test_the_ticks_of_0_to_2000_stand_four_rows_apart() -> None:
    spec = chart("point", [{"x": 1, "y": 150}, {"x": 2, "y": 1900}], x={"field": "x"}, y={"field": "y"})
    rows = shown(vega(spec)).split("\n")
    assert any("●" in row for row in rows)
    ticks = {number: row.split("┤")[0].strip() for number, row in enumerate(rows) if "┤" in row}
    assert list(ticks.values()) == ["2000", "1500", "1000", "500", "0"]
    assert [later - one for one, later in zip(ticks, [*ticks][1:], strict=False)] == [4] * 4


def test_negative_values_hang_from_zero() -> None:
    spec = chart(
        "bar", [{"a": "x", "n": 5}, {"a": "y", "n": -5}], x={"field": "a"}, y={"field": "n", "title": None}
    )
    rows = shown(vega(spec, 24)).split("\n")
    assert [("█" in row[:15], "█" in row[15:]) for row in (rows[4], rows[-5])] == [
        (True, False),
        (False, True),
    ]


def test_normalized_stacks_reach_one() -> None:
    data = [{"a": "x", "n": 1, "k": "p"}, {"a": "x", "n": 3, "k": "q"}]
    spec = chart("bar", data, x={"field": "a"}, y={"field": "n", "stack": "normalize"}, color={"field": "k"})
    assert "\n  1 ┤" in shown(vega(spec))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"transform": []}, "transform is not supported"),
        ({"layer": []}, "layer is not supported"),
        ({"mark": "arc"}, "mark arc is not supported"),
        ({"mark": None}, "mark None is not supported"),
        ({"data": {"url": "https://a.b"}}, "nothing is fetched"),
        ({"data": 3}, "data must be an object"),
        ({"data": {"values": []}}, "no data that can be drawn"),
        ({"data": {"values": [1] * 5001}}, "at most 5000"),
        ({"encoding": {"x": {"field": "x", "bin": True}}}, "encoding.x.bin is not supported"),
        ({"encoding": {"size": {"field": "x"}}}, "encoding.size is not supported"),
        ({"encoding": {"x": {"field": "x", "scale": {"type": "log"}}}}, "scale.type log is not supported"),
        ({"encoding": {"x": {"field": "x", "aggregate": "variance"}}}, "aggregate variance is not supported"),
        ({"encoding": {}}, "neither x nor y"),
        ({"encoding": {"y": {"field": "k"}}}, "needs numbers on y"),
    ],
)
def test_what_is_not_supported_keeps_its_source_and_is_named(change: dict[str, Any], why: str) -> None:
    spec = chart("point", [{"x": 1, "y": 2, "k": "a"}], x={"field": "x"}, y={"field": "y"}) | change
    found = vega(spec)
    assert text_of(found).startswith("\n```vega-lite")
    (note,) = found.diagnostics
    assert note.code == "markdown-chart-render-failed"
    assert why in note.message


def test_a_source_that_is_no_json_names_its_line() -> None:
    (note,) = vega('{\n"mark": }').diagnostics
    assert (note.line, "no JSON" in note.message) == (3, True)


def test_ticks_are_one_two_or_five() -> None:
    assert scale.nice([0, 7], None, True, 4).ticks == (0, 2, 4, 6, 8)
    assert scale.nice([10, 11], None, False, 4).ticks == (10, 10.5, 11)
    assert scale.nice([3], None, False, 4).ticks[0] < 3
    assert [scale.number(value) for value in (0, 1500, 2.5e6, 0.1 + 0.2)] == ["0", "1500", "2.5M", "0.3"]


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["a", "世", "2024-01-01", ""])
)
ROWS = st.lists(
    st.fixed_dictionaries({"x": VALUES, "y": VALUES, "k": VALUES}) | st.integers(-9, 9), max_size=8
)
CHANNEL = st.fixed_dictionaries(
    {"field": st.sampled_from(["x", "y", "k", "none"])},
    optional={
        "type": st.sampled_from(["quantitative", "nominal", "temporal"]),
        "aggregate": st.sampled_from(["count", "sum", "mean", "max"]),
        "stack": st.sampled_from([None, False, "zero", "normalize"]),
        "sort": st.sampled_from([None, "-y", "x", ["a"]]),
        "scale": st.fixed_dictionaries(
            {"domain": st.lists(st.integers(-5, 5), max_size=2), "zero": st.booleans()}
        ),
    },
)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(["bar", "line", "area", "point", "sparkline"]),
    ROWS,
    st.dictionaries(st.sampled_from(["x", "y", "color", "xOffset"]), CHANNEL),
    st.integers(1, 50),
)
def test_nothing_makes_a_chart_fail_and_widths_add_up(
    mark: str, rows: list[Any], encoding: dict[str, Any], width: int
) -> None:
    for row in vega(chart(mark, rows, **encoding), width).rows:
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars)


def test_a_legend_and_a_title_wrap_within_the_width() -> None:
    rows = [{"x": at, "y": at, "s": f"series {at}"} for at in range(6)]
    spec = chart("point", rows, x={"field": "x"}, y={"field": "y"}, color={"field": "s"})
    found = vega({**spec, "title": "A title that is longer than the chart is wide"}, 30)
    assert found.width <= 30
    text = shown(found)
    assert text.startswith("\nA title that is longer than\nthe chart is wide\n\n")
    assert text.endswith("\n■ series 0  ■ series 1\n■ series 2  ■ series 3\n■ series 4  ■ series 5")


def test_names_that_have_no_room_are_said() -> None:
    rows = [{"k": f"name {at}", "n": at} for at in range(9)]
    (told,) = vega(chart("bar", rows, x={"field": "k"}, y={"field": "n"})).diagnostics
    assert (told.code, told.line) == ("markdown-chart-names-left-out", 1)
    assert told.message.startswith("4 of 9 names have no room below the axis")
    long = [{"k": "a name of very many characters 世界", "n": 1}]
    found = vega(chart("bar", long, y={"field": "k"}, x={"field": "n"}))
    assert [each.code for each in found.diagnostics] == ["markdown-chart-names-cut"]
    assert found.width <= 40 and "a name of very many…" in text_of(found)


def test_values_that_a_sparkline_has_no_room_for_are_said() -> None:
    (told,) = vega(chart("sparkline", list(range(50))), 20).diagnostics
    assert told.message == "the sparkline shows the last 16 of 50 values at this width"


def test_rows_without_a_number_are_left_out_and_counted() -> None:
    rows: list[dict[str, Any]] = [{"k": "x", "n": 1}, {"k": "gone", "n": None}, {"k": "no", "n": "much"}]
    spec = chart("bar", rows, x={"field": "k"}, y={"field": "n", "type": "quantitative"})
    (told,) = vega(spec).diagnostics
    assert (told.code, told.line) == ("markdown-chart-rows-left-out", 1)
    assert told.message.startswith("2 of the rows lack a number")
