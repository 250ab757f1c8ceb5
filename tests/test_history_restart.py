"""What history keeps over a restart of the broker: all of it, read back from the journal."""

from __future__ import annotations

from pathlib import Path

from parties import Caller, faultless, sheet_of


def test_history_goes_on_after_a_restart(tmp_path: Path) -> None:
    with faultless(tmp_path / "desk") as broker:
        with Caller(broker.place.root) as ada:
            where = sheet_of(ada)
            done = ada.put(0, 0, "first", **where)
            ada.ok("canvas_history", action="tag", name="first", why="as it began")
            ada.put(0, 0, "second", **where)
            ghosts = [
                ada.ok("canvas_write", at=[0, row], content="x", altGroup="g", **where)["previewId"]
                for row in (5, 6)
            ]
        broker.restart()
        with Caller(broker.place.root) as ada:
            tags = ada.ok("canvas_history", action="list_tags")["tags"]
            assert [(one["name"], one["revision"], one["why"]) for one in tags] == [
                ("first", done["revision"], "as it began")
            ]
            shown = ada.tool("canvas_history", action="show", operationId=done["operationId"], **where)
            assert shown.fields["stands"] is True and "┤first" in shown.text
            gone = ada.tool("canvas_history", action="show", operationId="op-000000000000")
            assert gone.code == "not_found"
            diff = ada.ok("canvas_history", action="diff", **{"from": "first"}, **where)
            assert diff["bounds"] == [0, 0, 6, 1] and diff["authors"] == ["ada"]
            ada.ok("canvas_read", viewport=[0, 0, 10, 1], **where)
            ada.ok("canvas_history", action="restore", to="first", mode="apply", **where)
            assert ada.rows((0, 0, 6, 1), **where) == ["first"]
            assert ada.ok("canvas_history", action="apply_preview", previewId=ghosts[0])["applied"]
            told = ada.tool("canvas_history", action="apply_preview", previewId=ghosts[1])
            assert told.code == "stale_preview"
            whole = ada.ok("canvas_history", action="log", limit=100)
            assert whole["next"] is None and [one["seq"] for one in whole["entries"]][-1] == 1
