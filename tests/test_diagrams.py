"""Mermaid diagrams as cells."""

from __future__ import annotations

import pytest
from drawing import text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from mermaid import mermaid, picture

from chardesk.tools.model.cell import DEFAULT_COLOR, At
from chardesk.tools.model.region import Rect
from chardesk.tools.model.width import cluster_width
from chardesk.tools.text.diagrams import draw, flowchart
from chardesk.tools.text.diagrams.rows import width, wrapped
from chardesk.tools.text.picture import Findings


def test_a_flowchart_has_boxes_by_layer_labels_and_a_frame() -> None:
    assert (
        picture("""
flowchart TD
  A[開始 start] --> B{ok?}
  B -->|はい yes| C[Done]
  B -->|no| D([retry])
  D --> A
  subgraph S[Group 世界]
    C --> E[(db)]
  end
""")
        == """
                ┌────────────┐
                │ 開始 start │
                └───┬────────┘
                    │   ▲
              ┌─────┘   │
              ▼         │
         ┌─────────┐    │
         │ ◇ ok? ◇ │    │
         └────┬────┘    │
              │         │
              │         └─────┐
      ┌───────┴───────────┐   │
      │はい yes           │no │
      │                   ▼   │
┌─────┼ Group 世界 ┐    ╭─────┴─╮
│     ▼            │    │ retry │
│  ┌──────┐        │    ╰───────╯
│  │ Done │        │
│  └──┬───┘        │
│     │            │
│     ▼            │
│ ╭────────╮       │
│ │ ≡ db ≡ │       │
│ ╰────────╯       │
└──────────────────┘"""
    )


def test_a_flowchart_can_run_sideways() -> None:
    assert (
        picture("""
graph LR
  A[Parse] -->|tokens| B[Build] ==> C[Run]
  A -.-> C
  C --> A
""")
        == """
              tokens  ┌───────┐
           ┌─────────►│ Build ┝━━┓   ┌─────┐
┌───────┐  │          └───────┘  ┗━━►│     │
│       ├──┘                         │     │
│       │  ┌┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄►│ Run │
│ Parse ├┄┄┘                         │     │
│       │  ┌─────────────────────────┤     │
│       │◄─┘                         └─────┘
└───────┘"""
    )


def test_every_shape_has_a_border_of_its_own() -> None:
    assert (
        picture(
            """
flowchart LR
  a[[double]] --> b{{heavy}} --> c((round)) --> d>flag] --> e[/slanted/] --> f((( stop )))
""",
            80,
        )
        == """
╔════════╗    ┏━━━━━━━┓    ╭───────╮    ┌──────┐    ┌─────────────┐    ╔══════╗
║ double ╟───►┃ heavy ┠───►│ round ├───►│ flag ├───►│ / slanted / ├───►║ stop ║
╚════════╝    ┗━━━━━━━┛    ╰───────╯    └──────┘    └─────────────┘    ╚══════╝"""
    )


def test_ends_of_lines_can_be_rings_crosses_and_heads_on_both_sides() -> None:
    assert (
        picture("""
flowchart LR
  a --o b
  a --x c
  b <--> d
  c --- d
""")
        == """
           ┌───┐
       ┌──○│ b │◄─┐   ┌───┐
┌───┐  │   └───┘  └──►│   │
│ a ├──┤              │ d │
└───┘  │   ┌───┐  ┌───┤   │
       └──×│ c ├──┘   └───┘
           └───┘"""
    )


def test_a_chain_of_sets_joins_each_with_each() -> None:
    assert (
        picture("""
flowchart TD
  a & b --> c & d
""")
        == """
┌───┐    ┌───┐
│ a │    │ b │
└─┬─┘    └─┬─┘
  │        │
  │┌───────┴┐
 ┌┴┼──────┐ │
 ▼ ▼      ▼ ▼
┌───┐    ┌───┐
│ c │    │ d │
└───┘    └───┘"""
    )


def test_a_diagram_can_run_upwards() -> None:
    assert (
        picture("""
flowchart BT
  a --> b
  c -- up --> b
""")
        == """
     ┌───┐
     │ b │
     └───┘
      ▲ ▲
      │ │up
  ┌───┘ └──┐
  │        │
┌─┴─┐    ┌─┴─┐
│ a │    │ c │
└───┘    └───┘"""
    )


def test_groups_stand_in_each_other_and_keep_off_the_lines_beside_them() -> None:
    assert (
        picture("""
flowchart LR
  subgraph out [Outer]
    subgraph in1 [Inner]
      a --> b
    end
    b --> c
  end
  c --> d[end]
  d -->|again| a
""")
        == """
┌ Outer ──────────────────────────┐
│ ┌ Inner ────────────┐           │
│ │            ┌───┐  │    ┌───┐  │
│ │ ┌───┐  ┌──►│ b ├──┼───►│ c ├──┼──┐         ┌─────┐
│ │ │   ├──┘   └───┘  │    └───┘  │  └────────►│     │
│ │ │ a │             │           │    again   │ end │
│ │ │   │◄────────────┼───────────┼────────────┤     │
│ │ └───┘             │           │            └─────┘
│ └───────────────────┘           │
└─────────────────────────────────┘"""
    )


def test_a_state_diagram_begins_and_ends() -> None:
    assert (
        picture("""
stateDiagram-v2
  [*] --> Idle
  Idle --> Run : go
  Run --> Idle : stop
  Run --> [*]
""")
        == """
   ●
   │
   ▼
╭──────╮
│ Idle │
╰┬─────╯
 │   ▲
 │go │stop
 ▼   │
╭────┴╮
│ Run │
╰──┬──╯
   │
   ▼
   ◉"""
    )


def test_a_composite_state_is_a_frame() -> None:
    assert (
        picture("""
stateDiagram-v2
  state Busy {
    [*] --> read
    read --> write
  }
""")
        == """
┌ Busy ─────┐
│     ●     │
│     │     │
│     ▼     │
│  ╭──────╮ │
│  │ read │ │
│  ╰──┬───╯ │
│     │     │
│     ▼     │
│ ╭───────╮ │
│ │ write │ │
│ ╰───────╯ │
└───────────┘"""
    )


def test_a_class_diagram_has_compartments_and_kinds_of_ends() -> None:
    assert (
        picture("""
classDiagram
  class Animal {
    <<abstract>>
    +String name
    +eat() void
  }
  Animal <|-- Dog
  Animal "1" --> "*" Food : eats
  Dog *-- Leg
  Dog : +bark()
""")
        == """
    ┌──────────────┐
    │  «abstract»  │
    │    Animal    │
    ├──────────────┤
    │ +String name │
    ├──────────────┤
    │ +eat() void  │
    └────────┬─────┘
         △   │
     ┌───┘   └────┐
     │            │1 eats *
     │            ▼
┌────┴────┐    ┌──────┐
│   Dog   │    │ Food │
├─────────┤    └──────┘
│ +bark() │
└─────────┘
     ◆
     │
  ┌──┴──┐
  │ Leg │
  └─────┘"""
    )


def test_an_entity_diagram_has_attributes_and_cardinalities() -> None:
    assert (
        picture("""
erDiagram
  CUSTOMER ||--o{ ORDER : places
  CUSTOMER {
    string name PK
    string 住所
  }
""")
        == """
┌────────────────┐
│    CUSTOMER    │
├────────────────┤
│ string name PK │
│ string 住所    │
└───────┬────────┘
        │
        │places 1 : 0..*
        │
    ┌───┴───┐
    │ ORDER │
    └───────┘"""
    )


def test_a_sequence_has_life_lines_messages_notes_and_frames() -> None:
    assert (
        picture("""
sequenceDiagram
  participant A as Alice
  participant B as ボブ
  A->>B: こんにちは
  B-->>A: hi
  Note over A,B: 注意
  alt yes
    A->>A: think
  else no
    B-)A: later
    A-xB: lost
  end
""")
        == """
  ┌───────┐     ┌──────┐
  │ Alice │     │ ボブ │
  └───────┘     └──────┘
      ┆  こんにちは ┆
      ┆────────────►┆
      ┆      hi     ┆
      ┆◄┄┄┄┄┄┄┄┄┄┄┄┄┆
    ╭─────────────────╮
    │       注意      │
    ╰─────────────────╯
┌─ alt yes ─────────┼─────┐
│     ┆ think       ┆     │
│     ┆───┐         ┆     │
│     ┆   │         ┆     │
│     ┆◄──┘         ┆     │
├┄ else no ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┤
│     ┆    later    ┆     │
│     ┆<────────────┆     │
│     ┆     lost    ┆     │
│     ┆────────────×┆     │
└─────┼─────────────┼─────┘
      ┆             ┆"""
    )


def test_a_frame_holds_what_the_last_participant_says_to_itself() -> None:
    assert (
        picture("""
sequenceDiagram
  A->>B: hi
  loop often
    B->>B: write it all down
  end
""")
        == """
  ┌───┐   ┌───┐
  │ A │   │ B │
  └───┘   └───┘
    ┆   hi  ┆
    ┆──────►┆
┌─ loop often ────────────────────┐
│   ┆       ┆ write it all down   │
│   ┆       ┆───┐                 │
│   ┆       ┆   │                 │
│   ┆       ┆◄──┘                 │
└───┼───────┼─────────────────────┘
    ┆       ┆"""
    )


def test_a_gantt_chart_has_bars_over_days() -> None:
    assert (
        picture("""
gantt
  title 計画
  dateFormat YYYY-MM-DD
  section A
  Task one :done, a1, 2024-01-01, 10d
  Task 二 :crit, after a1, 5d
  ship :milestone, 2024-01-20, 0d
""")
        == """
                               計画

A          │
  Task one │████████████████████████
  Task 二  │                        ████████████
  ship     │                                            ◆
           └┬──────────────┬──────────────┬──────────────┬
          01-01          01-07          01-13          01-20"""
    )


def test_a_gantt_chart_is_as_wide_as_it_may_be_with_the_last_date() -> None:
    chart = "gantt\n dateFormat YYYY-MM-DD\n section S\n a : 2024-01-01, 10d"
    assert [max(map(len, picture(chart, width).split("\n"))) for width in (40, 57, 60)] == [40, 57, 60]


def test_days_that_a_gantt_chart_excludes_make_its_tasks_longer_and_are_shown() -> None:
    assert (
        picture("""
gantt
  excludes weekends, 2024-01-10
  section Build
  Design :done, a, 2024-01-04, 3d
  Code :b, after a, 5d
  section Ship
  Fixed :2024-01-05, 2024-01-12
""")
        == """
Build    │       ░░░░░░░        ░░░        ░░░░░░░
  Design │██████████████████    ░░░        ░░░░░░░
  Code   │       ░░░░░░░    █████████████████████████████
Ship     │       ░░░░░░░        ░░░        ░░░░░░░
  Fixed  │    █████████████████████████    ░░░░░░░
         └┬───────────────┬──────────────┬───────────────┬
        01-04           01-08          01-12           01-17"""
    )


def test_a_date_format_that_names_a_part_twice_reads_no_date_and_fails_nothing() -> None:
    found = mermaid("gantt\n dateFormat YYYY-YYYY%\n a : 2024-01-04, 2d")
    assert [each.code for each in found.diagnostics] == ["markdown-diagram-render-failed"]


def test_a_weekend_may_begin_on_friday_and_no_working_day_is_no_chart() -> None:
    chart = "gantt\n excludes weekends\n weekend friday\n a : 2024-01-04, 2d"
    assert picture(chart, 40).split("\n")[-1].split() == ["01-04", "01-06", "01-08"]
    never = mermaid(
        "gantt\n excludes weekends monday tuesday wednesday thursday friday\n a : 2024-01-04, 2d", 40
    )
    assert [each.code for each in never.diagnostics] == ["markdown-diagram-render-failed"]


def test_who_is_busy_in_a_sequence_has_a_bar_on_the_life_line() -> None:
    assert (
        picture("""
sequenceDiagram
  A->>+B: ask
  B->>+B: look
  B-->>-A: part
  B-->>-A: rest
  activate A
  A->>C: go
  deactivate A
""")
        == """
┌───┐   ┌───┐   ┌───┐
│ A │   │ B │   │ C │
└───┘   └───┘   └───┘
  ┆  ask  ┆       ┆
  ┆──────►┃       ┆
  ┆       ┃ look  ┆
  ┆       ┃───┐   ┆
  ┆       ┃   │   ┆
  ┆       ┃◄──┘   ┆
  ┆  part ┃       ┆
  ┆◄┄┄┄┄┄┄┃       ┆
  ┆  rest ┃       ┆
  ┃◄┄┄┄┄┄┄┃       ┆
  ┃       go      ┆
  ┃──────────────►┆
  ┆       ┆       ┆"""
    )


def test_regions_of_a_state_stand_beside_each_other_in_dashed_frames() -> None:
    assert (
        picture("""
stateDiagram-v2
  state Keys {
    [*] --> Off
    Off --> On : press
    On --> Off : press
    --
    [*] --> Idle
    --
    [*] --> 待
  }
""")
        == """
┌ Keys ─────────────────────────────────────────────┐
│ ┌┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┐    ┌┄┄┄┄┄┄┄┄┄┄┐    ┌┄┄┄┄┄┄┄┄┐ │
│ ┆        ●        ┆    ┆    ●     ┆    ┆   ●    ┆ │
│ ┆        │        ┆    ┆    │     ┆    ┆   │    ┆ │
│ ┆        ▼        ┆    ┆    ▼     ┆    ┆   ▼    ┆ │
│ ┆     ╭─────╮     ┆    ┆ ╭──────╮ ┆    ┆ ╭────╮ ┆ │
│ ┆     │ Off │     ┆    ┆ │ Idle │ ┆    ┆ │ 待 │ ┆ │
│ ┆     ╰┬────╯     ┆    ┆ ╰──────╯ ┆    ┆ ╰────╯ ┆ │
│ ┆      │   ▲      ┆    └┄┄┄┄┄┄┄┄┄┄┘    └┄┄┄┄┄┄┄┄┘ │
│ ┆      └┐  │      ┆                               │
│ ┆  press│  │press ┆                               │
│ ┆       ▼  │      ┆                               │
│ ┆      ╭───┴╮     ┆                               │
│ ┆      │ On │     ┆                               │
│ ┆      ╰────╯     ┆                               │
│ └┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘                               │
└───────────────────────────────────────────────────┘"""
    )


def test_a_pie_is_bars_with_shares() -> None:
    assert (
        picture("""
pie showData title Pets
  "Dogs" : 386
  "猫" : 85
""")
        == """
Pets

Dogs ███████████████████████████████████████████  82.0%  386
猫   █████████▌                                   18.0%  85"""
    )


def test_a_mind_map_branches_to_the_right() -> None:
    assert (
        picture("""
mindmap
  root((中心))
    A
      A1
      A2
    B 世界
    C[see]
""")
        == """
      ╭─ A ─┬─ A1
中心 ─┤     ╰─ A2
      ├─ B 世界
      ╰─ see"""
    )


def test_an_edge_from_a_node_to_itself_is_a_mark_on_its_border() -> None:
    assert picture("flowchart TD\n a -->|again| a") == "\n┌───┐\n│ a │\n└───↺again"


def test_ampersands_quotes_breaks_and_entities_are_read() -> None:
    assert picture('flowchart TD\n a["x (y)<br/>#quot;z#quot; &amp; #9829;"]') == (
        '\n┌─────────┐\n│  x (y)  │\n│ "z" & ♥ │\n└─────────┘'
    )


def test_comments_directives_and_front_matter_draw_nothing() -> None:
    source = "---\ntitle: T\n---\n%%{init: {}}%%\nflowchart TD %% here\n a %% there\n"
    assert picture(source) == "\n┌───┐\n│ a │\n└───┘"


@pytest.mark.parametrize(
    ("source", "why", "line"),
    [
        ("flowchart TD\n A[open --> B", "a [ is not closed", 3),
        ("flowchart TD\n A -->|open B", "a label is not closed", 3),
        ("flowchart TD\n A B", "this cannot be read: B", 3),
        ("flowchart TD\n subgraph x\n A", "the subgraph x has no end", 1),
        ("flowchart TD\n end", "no subgraph to end", 3),
        ("flowchart TD", "it has no nodes", 1),
        ("stateDiagram\n a -> b", "this cannot be read", 3),
        ("classDiagram\n class a {", "the class a is not closed", 1),
        ("erDiagram\n a -- b", "this cannot be read", 3),
        ("sequenceDiagram\n loop x", "a frame has no end", 1),
        ("sequenceDiagram\n what", "this cannot be read", 3),
        ("gantt\n a : soon", "needs a date", 3),
        ("pie", "it has no slices", 1),
        ("mindmap\n a\n b", "a second root", 4),
        ("zenuml\n title x", "this kind of diagram is not drawn: zenuml", 2),
        ("", "it is empty", 1),
        ("flowchart TD\n" + "a-->b\n" * 4000, "20000 can be drawn", 1),
        (
            "flowchart TD\n" + "".join(f"a{n}-->a{n + 1}\na{n}-->a99\n" for n in range(99)),
            "5049 layers; 3000 can be drawn",
            1,
        ),
        ("flowchart TD\n" + "\n".join(f"a{n}" for n in range(301)), "300 and 600 can be drawn", 1),
    ],
)
def test_what_cannot_be_drawn_keeps_its_source_and_says_why(source: str, why: str, line: int) -> None:
    found = mermaid(source)
    assert text_of(found).startswith("\n```mermaid")
    (note,) = found.diagnostics
    assert (note.code, note.line) == ("markdown-diagram-render-failed", line)
    assert why in note.message


def test_statements_that_draw_nothing_are_named() -> None:
    (note,) = mermaid("flowchart TD\n a\n classDef x fill:red\n click a b").diagnostics
    assert (note.code, note.message) == ("markdown-diagram-statements-left-out", "not drawn: classDef, click")


def test_a_line_to_a_group_ends_at_its_frame() -> None:
    assert (
        picture("""
flowchart LR
  subgraph one
    a --> b
  end
  subgraph two
    c
  end
  one -->|then| two
  x --> c
""")
        == """
┌ one ───────────┐
│ ┌───┐    ┌───┐ │
│ │ a ├───►│ b │ ├──┐
│ └───┘    └───┘ │  │  then  ┌ two ───┐
└────────────────┘  └───────►│  ┌───┐ │
                    ┌────────┼─►│ c │ │
┌───┐               │        │  └───┘ │
│ x ├───────────────┘        └────────┘
└───┘"""
    )


def test_the_nodes_of_a_group_stand_together_whatever_their_lines_pass_through() -> None:
    assert (
        picture("""
flowchart TD
  subgraph g [Group]
    a --> c
  end
  a --> b --> c
""")
        == """
┌ Group ──────┐
│ ┌───┐       │
│ │ a │       │
│ └─┬─┘       │
│   │         │
│  ┌┴─────┐   │
│  │      ▼   │
│  │    ┌───┐ │
│  │    │ c │ │
│  │    └───┘ │
│  │      ▲   │
└──┼──────┼───┘
   │      │
   └──┐ ┌─┘
      ▼ │
     ┌──┴┐
     │ b │
     └───┘"""
    )


def test_a_group_has_a_direction_of_its_own_if_no_line_enters_it() -> None:
    assert (
        picture("""
flowchart TD
  subgraph g [Group]
    direction LR
    a --> b
  end
  g --> c
""")
        == """
┌ Group ─────────┐
│ ┌───┐    ┌───┐ │
│ │ a ├───►│ b │ │
│ └───┘    └───┘ │
└────────┬───────┘
         │
         ▼
       ┌───┐
       │ c │
       └───┘"""
    )


def test_a_line_to_a_composite_state_ends_at_its_frame() -> None:
    assert (
        picture("""
stateDiagram-v2
  Idle --> Busy : go
  state Busy {
    [*] --> read
  }
  Busy --> Idle
""")
        == """
  ╭──────╮
  │ Idle │
  ╰┬─────╯
   │   ▲
   └┐  │
    │go│
    ▼  │
┌ Busy ┴───┐
│    ●     │
│    │     │
│    ▼     │
│ ╭──────╮ │
│ │ read │ │
│ ╰──────╯ │
└──────────┘"""
    )


def test_a_line_between_a_group_and_what_is_in_it_is_named() -> None:
    (told,) = mermaid("flowchart TD\n subgraph g [G]\n a --> b\n end\n g --> a").diagnostics
    assert told.code == "markdown-diagram-edge-left-out"
    assert told.message == "a line between the group G and what is in it is not drawn"


def test_groups_stand_in_each_other_up_to_a_depth() -> None:
    def nested(depth: int) -> str:
        return "flowchart TD\n" + "subgraph s\n" * depth + "a\n" + "end\n" * depth

    assert mermaid(nested(12)).diagnostics == ()
    (told,) = mermaid(nested(13)).diagnostics
    assert "stand 13 deep in each other; 12 can be drawn" in told.message


def frame_of(rows: list[str], title: str) -> Rect | None:
    """The frame with this title, found by its corners."""
    y = next((y for y, row in enumerate(rows) if f" {title} " in row), None)
    if y is None:
        return None
    x = rows[y].rindex("┌", 0, rows[y].index(f" {title} "))
    right = rows[y].index("┐", x)
    bottom = next(below for below in range(y, len(rows)) if rows[below][x] == "└")
    return Rect(x, y, right - x + 1, bottom - y + 1)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcdefgPQR"), st.sampled_from("abcdefgPQR")), max_size=14),
    st.lists(st.sampled_from("PQR-"), min_size=7, max_size=7),
    st.sampled_from(["TD", "BT", "LR", "RL"]),
    st.booleans(),
)
def test_a_frame_holds_the_nodes_of_its_group_and_no_others(
    edges: list[tuple[str, str]], homes: list[str], direction: str, is_nested: bool
) -> None:
    members = {
        name: [node for node, home in zip("abcdefg", homes, strict=True) if home == name] for name in "PQR-"
    }
    source = [f"flowchart {direction}", *members["-"]]
    for name in "PQR":
        source += [f"subgraph {name} [group {name}]", *members[name], *([] if is_nested else ["end"])]
    source += ["end"] * 3 if is_nested else []
    source += [f"{one} --> {other}" for one, other in edges]
    held = {
        name: {node for each in ("PQR"[at:] if is_nested else name) for node in members[each]}
        for at, name in enumerate("PQR")
    }
    found = draw.Drawing(flowchart.read("\n".join(source), Findings(), None)).lines()
    rows = ["".join(glyph.char for glyph in row) for row in found]
    places = {
        node: At(row.index(f" {node} ") + 1, y)
        for y, row in enumerate(rows)
        for node in "abcdefg"
        if f" {node} " in row
    }
    assert places.keys() == set("abcdefg")
    for name, nodes in held.items():
        frame = frame_of(rows, f"group {name}")
        assert (frame is not None) == bool(nodes)
        assert frame is None or {node for node, at in places.items() if frame.clip(Rect(*at, 1, 1))} == nodes


PARTS = st.sampled_from(
    [
        *("flowchart TD\n", "graph LR\n", "stateDiagram-v2\n", "classDiagram\n", "erDiagram\n", "pie\n"),
        *(
            "sequenceDiagram\n",
            "gantt\n",
            "mindmap\n",
            "a",
            "b",
            "世",
            " --> ",
            "-.->",
            "==>",
            "|x|",
            "[",
            "]",
        ),
        *(
            "(",
            ")",
            "{",
            "}",
            "\n",
            "  ",
            ":",
            "end\n",
            "subgraph s\n",
            "state x {\n",
            "[*]",
            "<|--",
            "||--o{",
        ),
        *(
            "->>",
            "loop\n",
            "alt\n",
            "else\n",
            "note over a: x\n",
            "1d",
            "2024-01-01",
            ",",
            "after a",
            '"',
            "&",
        ),
        *("%%", "---\n", "@{label: x}", ":::c", "dateFormat X\n", "class a {\n", "<br>", "\x1b", "9" * 20),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PARTS, max_size=30).map("".join))
def test_nothing_makes_a_diagram_fail_and_widths_add_up(source: str) -> None:
    for row in mermaid(source).rows:
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars)


def test_a_line_that_leaves_a_box_keeps_the_colour_of_its_border() -> None:
    (row,) = [row for row in mermaid("flowchart TD\n  A --> B").rows if "┬" in row.chars]
    assert {style.color for style in row.styles if style.color != "muted"} == {DEFAULT_COLOR}
    assert row.styles[row.chars.index("┬")].color == DEFAULT_COLOR


def test_a_diagram_wider_than_the_width_is_turned_if_that_helps() -> None:
    found = mermaid("flowchart LR\n  one --> two --> three --> four", 20)
    (told,) = found.diagnostics
    assert (told.code, told.line) == ("markdown-diagram-turned", 1)
    assert "turned to TB to fit 20" in told.message
    assert found.width <= 20 and all(word in text_of(found) for word in ("one", "two", "three", "four"))


def test_a_state_diagram_has_forks_choices_and_notes() -> None:
    assert (
        picture("""
stateDiagram-v2
  state f <<fork>>
  state j <<join>>
  state c <<choice>>
  [*] --> f
  f --> A
  f --> B
  A --> j
  B --> j
  j --> c
  c --> D : ok
  c --> [*] : bad
  note right of D : the end
  note left of A
    two
    rows
  end note
""")
        == """
          ●
          │
          ▼
         ━━━
          │
      ┌───┴────┐
      ▼        ▼
    ╭───╮    ╭───╮
    │ A │    │ B │
    ╰┬─┬╯    ╰─┬─╯
     ┆ │       │
     ┆ └─────┐ │
     ┆       ▼ ▼
╭────┴─╮    ━━━━━
│ two  │      │
│ rows │      │
╰──────╯      │
              │
              ▼
              ◇
              │
         ┌────┴────┐
         │ok       │bad
         ▼         ▼
       ╭───╮       ◉
       │ D │
       ╰─┬─╯
         ┆
         ┆
    ╭────┴────╮
    │ the end │
    ╰─────────╯"""
    )


def test_classes_have_namespaces_notes_and_bodies_in_one_line() -> None:
    assert (
        picture("""
classDiagram
  namespace Shapes {
    class Box { +int width }
    class Line
  }
  Box --> Line : has 4
  note for Box "joins others"
""")
        == """
┌ Shapes ─────────────────────────┐
│       ┌────────────┐            │
│       │    Box     │            │
│       ├────────────┤            │
│       │ +int width │            │
│       └───┬───┬────┘            │
│           │   ┆                 │
│    ┌──────┘   └┄┄┄┄┄┄┄┐         │
│    │has 4             ┆         │
│    ▼                  ┆         │
│ ┌──────┐       ╭──────┴───────╮ │
│ │ Line │       │ joins others │ │
│ └──────┘       ╰──────────────╯ │
└─────────────────────────────────┘"""
    )


def test_lines_that_go_both_ways_between_two_layers_do_not_cross() -> None:
    assert (
        picture("""
flowchart TD
  a --> b & c
  b --> a
  a ==> d
""")
        == """
        ┌─────┐
        │  a  │
        └──┬─┰┘
         ▲ │ ┃
 ┌───────┘ │ ┗━━━━━━┓
 │ ┌───────┤        ┃
 │ ▼       ▼        ▼
┌┴──┐    ┌───┐    ┌───┐
│ b │    │ c │    │ d │
└───┘    └───┘    └───┘"""
    )


def test_styles_in_labels_are_let_go() -> None:
    text = text_of(mermaid('flowchart LR\n a["Is it <b>ready</b>?"] --> b["`so **very** _good_`"]'))
    assert "Is it ready?" in text and "so very good" in text
    assert "a < b > c" in text_of(mermaid("flowchart LR\n x[a < b > c]"))


def test_words_wrap_in_a_graph_that_would_be_too_wide() -> None:
    assert (
        picture(
            """
flowchart TD
  a[a box of many words] --> b[読むものがここにたくさんあります] & c[short]
""",
            40,
        )
        == """
          ┌───────────────┐
          │ a box of many │
          │     words     │
          └───────┬───────┘
                  │
         ┌────────┴─────────┐
         ▼                  ▼
┌──────────────────┐    ┌───────┐
│ 読むものがここに │    │ short │
│ たくさんあります │    └───────┘
└──────────────────┘"""
    )


def test_members_of_a_class_go_on_indented() -> None:
    assert (
        picture(
            """
classDiagram
  class Desk {
    +open(path: Path, create: bool) Canvas
  }
""",
            30,
        )
        == """
┌────────────────────────┐
│          Desk          │
├────────────────────────┤
│ +open(path: Path,      │
│   create: bool) Canvas │
└────────────────────────┘"""
    )


def test_words_wrap_in_a_sequence_that_would_be_too_wide() -> None:
    assert (
        picture(
            """
sequenceDiagram
  title Sign in
  autonumber
  participant U as The person at the page
  participant S as Session service
  U->>S: here is the word of the day
  S->>S: compare
  Note over U,S: nobody else is told
  S-->>U: come in
""",
            44,
        )
        == """
Sign in

┌───────────────┐ ┌─────────────────┐
│ The person at │ │ Session service │
│    the page   │ │                 │
└───────────────┘ └─────────────────┘
        ┆  1. here is the  ┆
        ┆  word of the day ┆
        ┆─────────────────►┆
        ┆                  ┆ 2. compare
        ┆                  ┆───┐
        ┆                  ┆   │
        ┆                  ┆◄──┘
      ╭──────────────────────╮
      │    nobody else is    │
      │         told         │
      ╰──────────────────────╯
        ┆    3. come in    ┆
        ┆◄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┆
        ┆                  ┆"""
    )


def test_wrapping_keeps_every_character_and_no_row_is_empty() -> None:
    for text in ("a bc def", "読む、もの。ここ", "one 二三 four", "verylongword x", "  a"):
        for limit in range(1, 12):
            rows = wrapped(text, limit)
            assert "".join("".join(rows).split()) == "".join(text.split())
            assert all(rows)
            assert all(width(row) <= max(limit, 12) for row in rows)


def test_a_diagram_that_fits_in_neither_direction_is_shown_whole_and_said() -> None:
    found = mermaid("flowchart TD\n  a[a box of many words] --> b[another one of as many]", 12)
    assert [told.code for told in found.diagnostics] == ["markdown-diagram-wide"]
    assert found.width > 12 and "another one" in text_of(found)
