"""canvas_manage: what each action plans, refuses, and leaves alone."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from pencil import put

from chardesk.tools.arrange.forms import FIELDS, ManageArgs
from chardesk.tools.arrange.manage import OPERATION, PLANS, is_previewed, plan
from chardesk.tools.errors import Refused
from chardesk.tools.model import steps as s
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Arranged, Look
from chardesk.tools.schema import parse


class Desk:
    """Contents that carry out what is planned. `cv-1` "Sketch" is freeform and active, `cv-2` "Deck" has two
    pages, `pg-2` and `pg-3`, of 20×5."""

    def __init__(self) -> None:
        self.contents = Contents()
        self._ids = count(100)
        for step in (
            s.CanvasAdded("cv-1", "Sketch", "freeform"),
            s.SheetAdded("cv-1", 0, "pg-1", "Page 1", None),
            s.CanvasAdded("cv-2", "Deck", "slides"),
            s.SheetAdded("cv-2", 0, "pg-2", "Page 1", Size(20, 5)),
            s.SheetAdded("cv-2", 1, "pg-3", "Page 2", Size(20, 5)),
        ):
            self.contents.apply(step)

    def plan(self, action: str, **raw: Any) -> Arranged:
        args = parse(ManageArgs, {"action": action, **raw})
        return plan(self.contents, "cv-1", lambda prefix: f"{prefix}-{next(self._ids)}", args)

    def do(self, action: str, **raw: Any) -> dict[str, Any]:
        planned = self.plan(action, **raw)
        for step in planned.steps:
            self.contents.apply(step)
        return planned.result.fields()

    def undo(self, planned: Arranged) -> None:
        for step in s.inverses(planned.steps):
            self.contents.apply(step)

    def refusal(self, action: str, **raw: Any) -> Refused:
        with pytest.raises(Refused) as caught:
            self.plan(action, **raw)
        return caught.value

    def pages(self, canvas: str = "cv-2") -> list[str]:
        return [sheet.id for sheet in self.contents.canvases[canvas].sheets]

    def draw(self, sheet_id: str, x: int, y: int, text: str) -> None:
        sheet = self.contents.sheet(sheet_id)
        assert sheet is not None
        put(sheet.scene, x, y, text)


@pytest.fixture
def desk() -> Desk:
    return Desk()


# -- looking -------------------------------------------------------------------


def test_list_gives_every_canvas_with_what_it_holds(desk: Desk) -> None:
    desk.draw("pg-2", 1, 1, "hi")
    desk.draw("pg-3", 4, 2, "世")
    desk.contents.canvases["cv-2"].updated_at = 1_700_000_000.5
    found = desk.do("list")
    assert found["currentCanvasId"] == "cv-1"
    assert found["canvases"][0]["active"] is True
    assert found["canvases"][1] == {
        "canvasId": "cv-2",
        "name": "Deck",
        "kind": "slides",
        "active": False,
        "archived": False,
        "editable": True,
        "cells": 4,
        "bounds": [1, 1, 5, 2],
        "updatedAt": "2023-11-14T22:13:20.500Z",
    }


def test_archived_canvases_are_listed_only_if_asked_for(desk: Desk) -> None:
    desk.do("archive", canvasId="cv-2")
    assert [one["canvasId"] for one in desk.do("list")["canvases"]] == ["cv-1"]
    archived = desk.do("list", includeArchived=True)["canvases"][1]
    assert (archived["archived"], archived["editable"]) == (True, False)


def test_list_pages_gives_their_order_and_size(desk: Desk) -> None:
    pages = desk.do("list_pages", canvasId="cv-2")["pages"]
    assert [(one["pageId"], one["index"], one["size"]) for one in pages] == [
        ("pg-2", 0, [20, 5]),
        ("pg-3", 1, [20, 5]),
    ]
    (endless,) = desk.do("list_pages")["pages"]
    assert (endless["pageId"], endless["size"], endless["bounds"]) == ("pg-1", None, None)


def test_status_counts_what_the_desk_holds(desk: Desk) -> None:
    desk.draw("pg-1", 0, 0, "abc")
    assert desk.do("status")["counts"] == {"canvases": 2, "sheets": 3, "cells": 3}


def test_looking_plans_nothing(desk: Desk) -> None:
    assert [desk.plan(action).steps for action in ("list", "list_pages", "status")] == [(), (), ()]


# -- creating ------------------------------------------------------------------


def test_a_canvas_is_created_with_one_sheet_and_does_not_take_over(desk: Desk) -> None:
    planned = desk.plan("create", kind="freeform")
    assert [type(step) for step in planned.steps] == [s.CanvasAdded, s.SheetAdded]
    assert planned.activate is None
    assert planned.result.fields() == {
        "canvasId": "cv-100",
        "pageId": "pg-101",
        "name": "Canvas 1",
        "kind": "freeform",
        "size": None,
    }


def test_only_create_with_activate_takes_over(desk: Desk) -> None:
    planned = desk.plan("create", kind="freeform", activate=True)
    assert planned.activate == planned.result.fields()["canvasId"]


def test_default_names_take_the_first_free_number(desk: Desk) -> None:
    names = [desk.do("create", kind="freeform")["name"] for _ in range(2)]
    desk.do("rename", canvasId="cv-1", name="Canvas 4")
    assert names == ["Canvas 1", "Canvas 2"]
    assert [desk.do("create", kind="slides")["name"] for _ in range(2)] == ["Canvas 3", "Canvas 5"]


def test_slides_have_a_size_and_freeform_refuses_one(desk: Desk) -> None:
    assert desk.do("create", kind="slides")["size"] == [100, 27]
    assert desk.do("create", kind="slides", size=["80", 24])["size"] == [80, 24]
    refused = desk.refusal("create", kind="freeform", size=[80, 24])
    assert (refused.code, refused.field) == ("unsupported_action", "size")


@pytest.mark.parametrize("size", [[0, 1], [1001, 1], [1, 1001], [-1, 5], [1.5, 2], [1]])
def test_a_size_out_of_range_is_refused(desk: Desk, size: Any) -> None:
    refused = desk.refusal("create", kind="slides", size=size)
    assert (refused.code, refused.field) == ("invalid_input", "size")


def test_a_copy_has_its_own_sheets_with_the_same_cells(desk: Desk) -> None:
    desk.draw("pg-3", 2, 2, "世界")
    found = desk.do("duplicate", canvasId="cv-2")
    copy = desk.contents.canvases[found["canvasId"]]
    source = desk.contents.canvases["cv-2"]
    assert (copy.name, copy.kind) == ("Deck copy", "slides")
    assert [sheet.scene for sheet in copy.sheets] == [sheet.scene for sheet in source.sheets]
    assert not {sheet.id for sheet in copy.sheets} & {sheet.id for sheet in source.sheets}
    assert desk.do("duplicate", canvasId="cv-2")["name"] == "Deck copy 2"


def test_undoing_a_creation_leaves_nothing(desk: Desk) -> None:
    before = list(desk.contents.canvases)
    planned = desk.plan("duplicate", canvasId="cv-2")
    for step in planned.steps:
        desk.contents.apply(step)
    desk.undo(planned)
    assert list(desk.contents.canvases) == before


# -- names ---------------------------------------------------------------------


def test_names_are_trimmed_and_unique_on_the_desk(desk: Desk) -> None:
    assert desk.do("rename", name="  Plan  ")["name"] == "Plan"
    assert desk.refusal("create", kind="freeform", name="Plan ").code == "name_taken"
    assert desk.refusal("rename", canvasId="cv-2", name="Plan").code == "name_taken"
    desk.do("archive", canvasId="cv-1")
    assert desk.refusal("create", kind="freeform", name="Plan").code == "name_taken"


def test_names_that_look_alike_are_alike(desk: Desk) -> None:
    desk.do("rename", name="Cafe\u0301")
    assert desk.refusal("rename", canvasId="cv-2", name="Caf\u00e9").code == "name_taken"


def test_renaming_to_the_same_name_changes_nothing(desk: Desk) -> None:
    assert desk.plan("rename", name="Sketch").steps == ()


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 81, "a\nb", "a\u200db\u200d", "\u200b", "a\u202eb", "a\x07", "\ud800", "a\ufeff"],
)
def test_names_that_are_empty_too_long_or_unseen_are_refused(desk: Desk, name: str) -> None:
    refused = desk.refusal("rename", name=name)
    assert (refused.code, refused.field) == ("invalid_input", "name")


@pytest.mark.parametrize("name", ["x" * 80, "👩‍👩‍👧‍👦" * 80, "設計 案", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 plan"])
def test_names_are_counted_in_characters_as_they_are_seen(desk: Desk, name: str) -> None:
    assert desk.do("rename", name=name)["name"] == name


def test_a_copy_of_a_long_name_is_not_too_long(desk: Desk) -> None:
    desk.do("rename", name="x" * 80)
    assert desk.do("duplicate")["name"] == "x" * 75 + " copy"


# -- archiving -----------------------------------------------------------------


def test_the_last_open_canvas_stays(desk: Desk) -> None:
    desk.do("archive", canvasId="cv-2")
    assert desk.refusal("archive", canvasId="cv-1").code == "last_one"
    assert desk.plan("archive", canvasId="cv-2").steps == ()


def test_archiving_the_active_canvas_names_the_next(desk: Desk) -> None:
    assert desk.plan("archive").activate == "cv-2"
    assert desk.plan("archive", canvasId="cv-2").activate is None


def test_an_archived_canvas_refuses_edits_until_it_is_back(desk: Desk) -> None:
    desk.do("archive", canvasId="cv-2")
    for action, raw in (("rename", {"name": "x"}), ("create_page", {}), ("delete_page", {"pageId": "pg-2"})):
        refused = desk.refusal(action, canvasId="cv-2", **raw)
        assert refused.code == "unsupported_action"
        assert "unarchive" in refused.message
    desk.do("unarchive", canvasId="cv-2")
    assert desk.do("rename", canvasId="cv-2", name="x")["name"] == "x"
    assert desk.plan("unarchive", canvasId="cv-2").steps == ()


# -- pages ---------------------------------------------------------------------


def test_a_page_comes_behind_the_one_named_and_takes_its_size(desk: Desk) -> None:
    found = desk.do("create_page", canvasId="cv-2", afterPageId="pg-2")
    assert desk.pages() == ["pg-2", found["pageId"], "pg-3"]
    assert (found["index"], found["size"], found["name"]) == (1, [20, 5], "Page 3")
    last = desk.do("create_page", canvasId="cv-2", size=[120, 40], name="Wide")
    assert (last["index"], last["size"], last["name"]) == (3, [120, 40], "Wide")


def test_a_page_alone_says_which_canvas_is_meant(desk: Desk) -> None:
    assert desk.do("rename_page", pageId="pg-3", name="End")["canvasId"] == "cv-2"


def test_a_page_keeps_a_note_for_its_speaker_and_its_copies_have_it_too(desk: Desk) -> None:
    assert desk.do("note_page", pageId="pg-2", note=" say hello\n")["note"] == "say hello"
    copy = desk.do("duplicate_page", pageId="pg-2")["pageId"]
    canvas = desk.do("duplicate", canvasId="cv-2")["canvasId"]
    assert [page.get("note") for page in desk.do("list_pages", canvasId=canvas)["pages"]] == [
        "say hello"
    ] * 2 + [None]
    assert desk.plan("note_page", pageId=copy, note="say hello").steps == ()
    desk.do("note_page", pageId=copy, note="")
    listed = desk.do("list_pages", canvasId="cv-2")["pages"]
    assert [page.get("note") for page in listed] == ["say hello", None, None]


def test_a_list_of_pages_holds_so_many_characters_of_notes(desk: Desk) -> None:
    for _ in range(5):
        desk.do("note_page", pageId=desk.do("create_page", canvasId="cv-2")["pageId"], note="n" * 4_000)
    notes = [len(page.get("note", "")) for page in desk.do("list_pages", canvasId="cv-2")["pages"]]
    assert notes == [0, 0, 4_000, 4_000, 4_000, 4_000, 0]


def test_a_page_is_copied_right_behind_itself(desk: Desk) -> None:
    desk.draw("pg-2", 0, 0, "hello")
    found = desk.do("duplicate_page", pageId="pg-2")
    assert desk.pages() == ["pg-2", found["pageId"], "pg-3"]
    one, two = (desk.contents.sheet(page) for page in ("pg-2", found["pageId"]))
    assert one is not None and two is not None
    assert one.scene == two.scene


def test_deleting_a_page_keeps_its_cells_for_the_undo(desk: Desk) -> None:
    desk.draw("pg-2", 3, 1, "世界!")
    sheet = desk.contents.sheet("pg-2")
    assert sheet is not None
    before = sheet.scene.fork()
    planned = desk.plan("delete_page", pageId="pg-2")
    for step in planned.steps:
        desk.contents.apply(step)
    assert desk.pages() == ["pg-3"]
    desk.undo(planned)
    assert desk.pages() == ["pg-2", "pg-3"]
    back = desk.contents.sheet("pg-2")
    assert back is not None
    assert (back.scene, back.size, back.name) == (before, Size(20, 5), "Page 1")


def test_the_only_page_stays(desk: Desk) -> None:
    desk.do("delete_page", pageId="pg-2")
    assert desk.refusal("delete_page", pageId="pg-3").code == "last_one"


def test_pages_change_places(desk: Desk) -> None:
    desk.do("reorder_page", pageId="pg-3", index=0)
    assert desk.pages() == ["pg-3", "pg-2"]
    assert desk.plan("reorder_page", pageId="pg-3", index=0).steps == ()
    assert desk.refusal("reorder_page", pageId="pg-3", index=2).field == "index"
    assert desk.refusal("reorder_page", pageId="pg-3", index=-1).field == "index"


def test_resizing_crops_only_when_told_and_says_how_much(desk: Desk) -> None:
    desk.draw("pg-2", 8, 0, "ab世界")
    refused = desk.refusal("resize_page", pageId="pg-2", size=[11, 5])
    assert (refused.code, refused.field, refused.details) == ("invalid_input", "crop", {"croppedCells": 4})
    planned = desk.plan("resize_page", pageId="pg-2", size=[11, 5], crop=True)
    for step in planned.steps:
        desk.contents.apply(step)
    sheet = desk.contents.sheet("pg-2")
    assert sheet is not None
    assert (sheet.size, sheet.scene.bounds()) == (Size(11, 5), Rect(8, 0, 2, 1))
    desk.undo(planned)
    assert (sheet.size, sheet.scene.bounds()) == (Size(20, 5), Rect(8, 0, 6, 1))


def test_growing_and_keeping_a_size_need_no_crop(desk: Desk) -> None:
    desk.draw("pg-2", 19, 4, "x")
    assert [type(step) for step in desk.plan("resize_page", pageId="pg-2", size=[30, 9]).steps] == [
        s.SheetResized
    ]
    assert desk.plan("resize_page", pageId="pg-2", size=[20, 5]).steps == ()


@pytest.mark.parametrize(
    ("action", "raw"),
    [
        ("create_page", {}),
        ("rename_page", {"name": "x"}),
        ("note_page", {"note": "x"}),
        ("duplicate_page", {}),
        ("delete_page", {}),
        ("reorder_page", {"index": 0}),
        ("resize_page", {"size": [1, 1]}),
    ],
)
def test_freeform_has_no_pages_to_arrange(desk: Desk, action: str, raw: dict[str, Any]) -> None:
    refused = desk.refusal(action, canvasId="cv-1", **raw)
    assert refused.code == "unsupported_action"
    assert "slides" in refused.message


def test_what_is_not_there_is_named(desk: Desk) -> None:
    assert desk.refusal("rename", canvasId="cv-9", name="x").code == "canvas_not_found"
    assert desk.refusal("delete_page", pageId="pg-9").code == "page_not_found"
    assert desk.refusal("delete_page", canvasId="cv-2", pageId="pg-1").code == "page_not_found"
    assert desk.refusal("create_page", canvasId="cv-2", afterPageId="pg-1").field == "afterPageId"


def test_a_page_must_be_named_where_there_are_several(desk: Desk) -> None:
    refused = desk.refusal("delete_page", canvasId="cv-2")
    assert (refused.code, refused.field) == ("invalid_input", "pageId")
    found = desk.do("create", kind="slides")
    assert desk.do("rename_page", canvasId=found["canvasId"], name="One")["pageId"] == found["pageId"]


# -- the form ------------------------------------------------------------------


def test_every_action_has_a_plan_and_a_line_in_the_table() -> None:
    assert set(PLANS) == set(FIELDS)
    assert not isinstance(OPERATION.body, Look)


@pytest.mark.parametrize(
    ("action", "field"), [(action, field) for action, fields in FIELDS.items() for field in fields.needs]
)
def test_a_field_that_an_action_needs_is_asked_for_by_name(desk: Desk, action: str, field: str) -> None:
    refused = desk.refusal(action)
    wire = str(ManageArgs.model_fields[field].alias)
    assert (refused.code, refused.field) == ("invalid_input", wire)
    assert action in refused.message


@pytest.mark.parametrize(
    ("action", "field", "value"),
    [
        ("list", "name", "x"),
        ("rename", "size", [1, 1]),
        ("archive", "includeArchived", True),
        ("create_page", "index", 1),
        ("delete_page", "crop", True),
        ("status", "kind", "slides"),
    ],
)
def test_a_field_that_means_nothing_to_an_action_is_refused_by_name(
    desk: Desk, action: str, field: str, value: Any
) -> None:
    needed = {"rename": {"name": "x"}}.get(action, {})
    refused = desk.refusal(action, **needed, **{field: value})
    assert (refused.code, refused.field) == ("invalid_input", field)


def test_every_action_takes_what_changing_tools_take(desk: Desk) -> None:
    common = {"mode": "apply", "why": "tidy", "idempotencyKey": "k", "expectedRevision": "any"}
    assert desk.do("rename", name="Plan", **common)["name"] == "Plan"
    assert desk.do("list", **common)["currentCanvasId"] == "cv-1"


def test_only_what_takes_something_away_is_previewed() -> None:
    previewed = {
        action
        for action, raw in (
            ("archive", {}),
            ("delete_page", {}),
            ("resize_page", {"size": [1, 1]}),
            ("create", {"kind": "slides"}),
            ("list", {}),
        )
        if is_previewed(parse(ManageArgs, {"action": action, **raw}))
    }
    assert previewed == {"archive", "delete_page"}
    assert is_previewed(parse(ManageArgs, {"action": "resize_page", "size": [1, 1], "crop": True}))


def test_a_misspelt_action_is_told_the_nearest(desk: Desk) -> None:
    assert "create_page" in desk.refusal("createpage").message
