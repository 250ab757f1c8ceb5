"""Trees from indented words, paths and JSON."""

from __future__ import annotations

import pytest
from drawing import text_of
from hypothesis import given
from hypothesis import strategies as st

from chardesk.tools.text.markdown.reader import read

TREE = """
src/
├── main.py
├── tools/
│   ├── draw.py  # draws
│   └── 世界.py
└── README"""


@pytest.mark.parametrize(
    "source",
    [
        "src/\n  main.py\n  tools/\n    draw.py  # draws\n    世界.py\n  README",
        "src/\n\tmain.py\n\ttools/\n\t\tdraw.py  # draws\n\t\t世界.py\n\tREADME",
        "src/\n├── main.py\n├── tools/\n│   ├── draw.py  # draws\n│   └── 世界.py\n└── README",
        "src/main.py\nsrc/tools/draw.py  # draws\nsrc/tools/世界.py\nsrc/README",
    ],
)
def test_a_tree_is_drawn_from_indents_branches_or_paths(source: str) -> None:
    assert text_of(read(f"```tree\n{source}\n```", 80)) == TREE


def test_json_can_be_a_tree() -> None:
    found = read('```json tree\n{"a": 1, "b": [true, {"c": "世"}], "d": {}}\n```', 80)
    assert (
        text_of(found) == '\n{}\n├── a: 1\n├── b\n│   ├── [0]: true\n│   └── [1]\n│       └── c: "世"\n└── d'
    )


def test_json_is_code_unless_it_is_asked_to_be_a_tree() -> None:
    assert text_of(read('```json\n{"a": 1}\n```', 80)) == '\n{"a": 1}'


@pytest.mark.parametrize(
    ("fence", "source", "why"),
    [
        ("tree", "", "it is empty"),
        ("tree", "a\n" * 5001, "5000 can be drawn"),
        ("tree", "\n".join(" " * n + "a" for n in range(70)), "60 deep"),
        ("tree", "a/" * 70 + "\n" + "a/" * 70, "60 deep"),
        ("json tree", "{", "no JSON"),
        ("json tree", "[" * 70 + "]" * 70, "60 deep"),
    ],
)
def test_what_is_no_tree_keeps_its_source_and_says_why(fence: str, source: str, why: str) -> None:
    (note,) = read(f"```{fence}\n{source}\n```", 80).diagnostics
    assert note.code == "markdown-tree-render-failed"
    assert why in note.message


@given(st.text("ab/│├└─ \t\n世-#", max_size=60))
def test_nothing_makes_a_tree_fail(source: str) -> None:
    read(f"~~~tree\n{source}\n~~~", 20)
