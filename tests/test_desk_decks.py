"""Decks at the desk: Markdown becomes sheets, all of them or none."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import Agent, Got, Playbook

TWO = "# One\n\nfirst\n\n---\n\n# Two\n\nsecond"


class Stage:
    """An agent with a canvas of slides."""

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.play = Playbook()
        self.ada: Agent = self.play.agent("ada")
        made = self.ada.manages("create", kind="slides", size=list(size))
        self.canvas, self.first = str(made["canvasId"]), str(made["pageId"])

    def deck(self, source: str, **more: Any) -> Got:
        arguments = {"at": [0, 0], "format": "deck", "mode": "apply", "canvasId": self.canvas, **more}
        return self.ada.calls("canvas_render", source=source, **arguments)

    def names(self) -> list[str]:
        return [sheet.name for sheet in self.play.state.contents.canvases[self.canvas].sheets]

    def notes(self) -> list[str]:
        return [sheet.note for sheet in self.play.state.contents.canvases[self.canvas].sheets]

    def drawn(self, got: Got) -> list[str]:
        return [self.play.drawn(page["pageId"]) for page in got["pages"]]


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_a_deck_is_one_operation_and_one_undo(stage: Stage) -> None:
    got = stage.deck(TWO)
    assert got["applied"] and got["format"] == "deck" and got["bounds"] == [0, 0, 5, 3]
    assert got["pageId"] == got["pages"][0]["pageId"]
    assert [(page["name"], page["index"]) for page in got["pages"]] == [("One", 1), ("Two", 2)]
    assert stage.drawn(got) == ["\n# One\n\nfirst", "\n# Two\n\nsecond"]
    assert stage.names() == ["Page 1", "One", "Two"]
    assert [one.tool for one in stage.play.journal][-1] == "canvas_render"
    stage.ada.undoes()
    assert stage.names() == ["Page 1"]
    stage.ada.redoes()
    assert stage.drawn(got) == ["\n# One\n\nfirst", "\n# Two\n\nsecond"]


def test_a_preview_of_a_deck_is_applied_as_it_was_shown(stage: Stage) -> None:
    got = stage.deck(TWO, mode="preview")
    assert not got["applied"] and stage.names() == ["Page 1"]
    assert "first" in got.reply.blocks[1].text
    done = stage.ada.applies(got.preview)
    assert done["applied"] and done["pages"] == got["pages"]
    assert stage.names() == ["Page 1", "One", "Two"]


def test_slides_come_behind_the_page_that_is_named_and_begin_at_the_corner(stage: Stage) -> None:
    stage.ada.manages("create_page", canvasId=stage.canvas, name="Last")
    got = stage.deck(TWO, pageId=stage.first, at=[4, 2], width=20)
    assert stage.names() == ["Page 1", "One", "Two", "Last"]
    assert got["bounds"] == [4, 2, 5, 3]


def test_code_with_dashes_is_shown_word_for_word(stage: Stage) -> None:
    """MDS-05."""
    one = "# One\n\n```yaml\na: 1\n---\nb: 2\n---\n```"
    got = stage.deck(one + "\n\n---\n\n# Two\n\n~~~\n---\n~~~\n\n    x\n    ---\n\n```\nopen\n---\n")
    assert stage.drawn(got) == ["\n# One\n\na: 1\n---\nb: 2\n---", "\n# Two\n\n---\n\nx\n---\n\nopen\n---"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n"])
def test_front_matter_is_no_slide_and_an_underlined_title_stays_a_heading(stage: Stage, end: str) -> None:
    """MDS-06."""
    words = [
        "---",
        "title: x",
        "---",
        "",
        "Title",
        "---",
        "one",
        "",
        "---",
        "",
        "two",
        "",
        "***",
        "",
        "three",
    ]
    got = stage.deck(end.join(words))
    assert stage.drawn(got) == ["\n## Title\none", "\ntwo\n\n———\n\nthree"]


def test_what_does_not_fit_goes_on_on_a_further_sheet_and_is_reported(stage: Stage) -> None:
    """MDS-10."""
    text = "\n\n".join(f"line {n}" for n in range(40))
    table = "| a | " + "b" * 100 + " |\n|---|---|\n| 1 | 2 |"
    got = stage.deck(f"# Big\n\n{text}\n\n```\n{'x' * 120}\n```\n\n{table}")
    assert [page["name"] for page in got["pages"]][:2] == ["Big", "Big (2)"]
    whole = "".join(stage.drawn(got))
    assert all(f"line {n}" in whole for n in range(40))
    assert whole.count("x") == 120 and whole.count("b") == 100
    codes = [one["code"] for one in got["diagnostics"]]
    assert codes == ["deck-columns-continued", "deck-rows-continued"]


def test_notes_are_in_the_reply_and_stay_on_their_sheets(stage: Stage) -> None:
    got = stage.deck("# A\n\n<!-- say hello -->\n\nhi\n\n<!-- wave -->\n\n---\n\n# B")
    assert [page.get("notes") for page in got["pages"]] == [["say hello", "wave"], None]
    assert "diagnostics" not in got.fields
    assert stage.notes() == ["", "say hello\n\nwave", ""]


def test_notes_beyond_the_limit_are_counted(stage: Stage) -> None:
    got = stage.deck(f"<!-- {'n' * 20_000} -->")
    assert len(got["pages"][0]["notes"][0]) == 16_000
    in_reply, on_sheet = (one["message"] for one in got["diagnostics"])
    assert "4000 characters of notes are left out of this reply" in in_reply
    assert "a sheet keeps 4000 characters of notes" in on_sheet
    assert [len(note) for note in stage.notes()] == [0, 4_000]


def test_a_heading_that_is_no_name_gives_way_to_a_number(stage: Stage) -> None:
    got = stage.deck("# \u200b")
    assert got["pages"][0]["name"] == "Slide 1"


def test_invisible_text_is_dropped_and_counted_over_all_slides(stage: Stage) -> None:
    got = stage.deck("a\u202eb\n\n---\n\nc\u202ed")
    assert got["dropped"] == [{"codePoints": ["U+202E"], "count": 2}]


def test_a_deck_needs_slides_and_room(stage: Stage) -> None:
    free = stage.ada.manages("create", kind="freeform")
    assert stage.deck(TWO, canvasId=free["canvasId"]).code == "unsupported_action"
    assert stage.deck(TWO, at=[80, 0]).code == "out_of_bounds"
    assert stage.deck("x" * 524_289).code == "too_large"
    assert stage.names() == ["Page 1"]


def test_a_preview_of_a_deck_has_as_few_cells_as_any(stage: Stage) -> None:
    many = "\n\n---\n\n".join("```\n" + ("x" * 80 + "\n") * 20 + "```" for _ in range(13))
    assert stage.deck(many, mode="preview").code == "too_large"
    assert len(stage.deck(many)["pages"]) == 13


def test_batches_and_scripts_have_no_decks(stage: Stage) -> None:
    arguments = {"at": [0, 0], "source": TWO, "format": "deck"}
    ops = [{"op": "render", "args": arguments}]
    assert stage.ada.calls("canvas_batch", ops=ops, canvasId=stage.canvas).code == "unsupported_action"
    told = stage.ada.starts_script(canvasId=stage.canvas).does("render", **arguments)
    assert told["code"] == "unsupported_action"
