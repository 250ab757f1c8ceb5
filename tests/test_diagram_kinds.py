"""The smaller kinds of Mermaid: journeys, timelines, Git graphs, quadrants."""

from __future__ import annotations

import pytest
from drawing import text_of
from mermaid import mermaid, picture


def test_a_journey_has_scores_as_dots_and_says_who_takes_part() -> None:
    assert (
        picture("""
journey
  title My working day
  section Go to work
    Make tea: 5: Me
    Go upstairs: 3: Me
    Do work: 1: Me, 猫
  section Go home
    Sit down: 4: Me
""")
        == """
My working day

Go to work
  Make tea     ●●●●●  Me
  Go upstairs  ●●●○○  Me
  Do work      ●○○○○  Me, 猫
Go home
  Sit down     ●●●●○  Me"""
    )


def test_a_timeline_has_a_dot_for_each_period_and_its_events_wrap() -> None:
    assert (
        picture("""
timeline
  title History of Social Media
  section 2000s
  2002 : LinkedIn
  2004 : Facebook : Google goes public with a long explanation of what they do and why it matters to all of us
  section 2010s
  2010 : Instagram
       : Pinterest
  2014
""")
        == """
History of Social Media

2000s  │
  2002 ●─ LinkedIn
       │
  2004 ●─ Facebook
       ├─ Google goes public with a long explanation of what
       │  they do and why it matters to all of us
       │
2010s  │
  2010 ●─ Instagram
       ├─ Pinterest
       │
  2014 ●"""
    )


def test_a_git_graph_has_a_lane_for_each_branch_the_oldest_commit_on_top() -> None:
    assert (
        picture("""
gitGraph
  commit id: "init"
  commit tag: "v0.1"
  branch develop
  commit id: "a"
  branch feature/x
  commit id: "x1"
  checkout develop
  commit type: REVERSE id:"undo"
  checkout main
  commit type: HIGHLIGHT
  checkout feature/x
  commit msg: "done"
  checkout develop
  merge feature/x
  checkout main
  merge develop tag: "v1.0"
  cherry-pick id: "x1"
""")
        == """
╷      main
●      init
●      [v0.1]
├─╮    develop
│ ●    a
│ ├─╮  feature/x
│ │ ●  x1
│ ⊗ │  undo
■ │ │
│ │ ●  done
│ ◉─╯  merge feature/x
◉─╯    merge develop [v1.0]
◆      cherry-pick x1"""
    )


def test_a_quadrant_chart_has_fields_axes_and_points_with_names() -> None:
    assert (
        picture(
            """
quadrantChart
  title Reach and engagement of campaigns
  x-axis Low Reach --> High Reach
  y-axis Few --> Many
  quadrant-1 We should expand
  quadrant-2 Need to promote
  quadrant-3 Re-evaluate
  quadrant-4 May be improved
  Campaign A: [0.3, 0.6]
  Campaign B: [0.45, 0.23]
  Campaign C: [0.57, 0.69]
  Campaign D: [0.78, 0.34]
  世界: [0.99, 0.01]
  E: [0, 1]
""",
            50,
        )
        == """
          Reach and engagement of campaigns

Many ┌────────────────────┬────────────────────┐
     │● Need to promote   │  We should expand  │
     │ E                  │                    │
     │                    │                    │
     │                    │                    │
     │                    │  ● Campaign C      │
     │ Campaign A ●       │                    │
     ├────────────────────┼────────────────────┤
     │    Re-evaluate     │  May be improved   │
     │                    │          ●         │
     │       Campaign B ● │     Campaign D     │
     │                    │                    │
     │                    │                    │
     │                    │              世界 ●│
 Few └────────────────────┴────────────────────┘
     Low Reach                        High Reach"""
    )


def test_a_line_of_a_git_graph_passes_the_lanes_between() -> None:
    assert (
        picture("""
gitGraph LR:
  branch one
  branch two
  branch three
  commit id: "c"
  switch one
  commit id: "o"
  merge three
  commit id: "p"
  checkout main
  merge two
  merge one
""")
        == """
╷        main
├─╮      one
│ ├─╮    two
│ │ ├─╮  three
│ │ │ ●  c
│ ● │ │  o
│ ◉─┼─╯  merge three
│ ● │    p
◉─┼─╯    merge two
◉─╯      merge one"""
    )


def test_names_in_quotes_may_hold_what_else_has_a_meaning() -> None:
    quadrants = picture('quadrantChart\n  "a: b": [0.1, 0.2]\n  C:::big: [0.9, 0.9] radius: 12')
    assert "● a: b" in quadrants and "● C" in quadrants
    assert (
        picture('gitGraph\n  commit\n  branch "a b"\n  commit')
        == """
╷    main
●
╰─╮  a b
  ●"""
    )


def test_a_name_without_room_in_a_quadrant_chart_is_named() -> None:
    rows = [f"  point {number}{'x' * 20}: [0.5, 0.{number}]" for number in range(40, 60)]
    found = mermaid("quadrantChart\n" + "\n".join(rows), 40)
    assert {each.code for each in found.diagnostics} == {"markdown-diagram-label-left-out"}
    assert text_of(found).count("●") == len({round(0.01 * number * 12) for number in range(40, 60)})


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("journey", "it has 0 tasks; 1 to 500 can be drawn"),
        ("journey\n  Tea: 9: Me", "a score is 0 to 5, not 9"),
        ("journey\n  Tea", "this cannot be read: Tea"),
        ("timeline\n  : nothing", "this event has no period: : nothing"),
        ("timeline\n  title T", "it has 0 periods and events; 1 to 500 can be drawn"),
        ("gitGraph\n  checkout nowhere", "there is no branch nowhere"),
        ("gitGraph\n  branch main", "this branch has no name or is there already: main"),
        ("gitGraph\n  commit\n  merge main", "main is not merged into itself"),
        ("gitGraph\n  push", "this cannot be read: push"),
        ("gitGraph", "it has 0 commits and 1 branches"),
        ("quadrantChart\n  A: [0.3, 2]", "a point is at 0 to 1, not 2"),
        ("quadrantChart\n  A: [0.3.1, 0]", "a point is at 0 to 1, not 0.3.1"),
        ("quadrantChart\n  title T", "it has 0 points; 200 can be drawn"),
        ("quadrantChart\n  what", "this cannot be read: what"),
    ],
)
def test_what_cannot_be_read_keeps_its_source_and_says_why(source: str, said: str) -> None:
    (found,) = mermaid(source, 60).diagnostics
    assert found.message.removeprefix("mermaid is not drawn, its source is shown: ") == said
