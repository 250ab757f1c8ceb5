"""A script sees one sheet with its own writes on it; what it did becomes one operation, or nothing."""

from __future__ import annotations

import pytest
from playbook import CANVAS, SHEET, Agent, Playbook, worked

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.world import MAX_CHANGED_CELLS, OverLimit, ScriptRun
from chardesk.tools.errors import Refused


def three() -> tuple[Playbook, Agent, Agent]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob")


# -- the world ---------------------------------------------------------------------------------


def test_a_script_sees_its_own_writes_and_the_sheet_does_not() -> None:
    play, ada, _ = three()
    script = ada.starts_script()
    assert script.does("write", at=[0, 0], content="hi")["writtenCells"] == 2
    (match,) = script.does("search", query="hi")["matches"]
    assert list(match["origin"]) == [0, 0]
    assert "┤hi" in script.does("read", viewport=[0, 0, 2, 1])["content"]
    assert play.drawn() == "" and play.state.seq == 1


def test_all_writes_become_one_operation() -> None:
    """UND-05, the other way: what succeeds is one step."""
    play, ada, _ = three()
    script = ada.starts_script(why="a drawing")
    for row in range(5):
        script.does("write", at=[0, row], content=str(row))
    script.does("erase", at=[0, 2], size=[1, 1])
    got = script.ends(result={"rows": 5})
    assert (got["applied"], got["result"], got["writes"]) == (True, {"rows": 5}, 6)
    assert play.drawn() == "\n0\n1\n\n3\n4" and play.state.seq == 2
    ada.undoes()
    assert play.drawn() == ""


def test_a_script_is_a_preview_by_default() -> None:
    play, ada, _ = three()
    script = ada.starts_script(mode="preview")
    script.does("write", at=[0, 0], content="hi")
    got = script.ends(result=7)
    assert got["applied"] is False and got["result"] == 7
    assert play.drawn() == ""
    assert ada.applies(got.preview)["result"] == 7
    assert play.drawn() == "\nhi"


def test_refusals_are_values() -> None:
    _, ada, _ = three()
    script = ada.starts_script()
    for verb, arguments, code in (
        ("write", {"at": [0, 0]}, "invalid_input"),
        ("write", {"at": [0, 0], "content": "a\tb"}, "invalid_input"),
        ("paint", {}, "unsupported_action"),
        ("code", {"script": "1"}, "unsupported_action"),
        ("history", {"action": "undo"}, "unsupported_action"),
        ("manage", {"action": "create", "kind": "freeform"}, "unsupported_action"),
    ):
        got = script.does(verb, **arguments)
        assert (got["ok"], got["code"]) == (False, code)
    assert script.world.answer("write", "not an object")["code"] == "invalid_input"
    assert script.does("manage", action="list")["ok"] is True


def test_a_reply_names_the_calls_that_were_refused_whether_the_script_looked_or_not() -> None:
    play, ada, _ = three()
    script = ada.starts_script()
    script.does("write", at=[0, 0], text="x")
    script.does("write", at=[0, 0], content="seen")
    for _ in range(6):
        script.does("write", at=[0, 0], content="a\tb")
    done = script.ends()
    assert play.drawn() == "\nseen"
    assert [told["call"] for told in done["refusedCalls"]] == [1, 3, 4, 5, 6]
    first = done["refusedCalls"][0]
    assert (first["op"], first["code"]) == ("write", "invalid_input")
    assert "did you mean content" in first["message"]
    assert "7 of 8 calls refused" in done.text and first["message"] in done.text


def test_a_script_without_a_refusal_says_nothing_of_refusals() -> None:
    _, ada, _ = three()
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="x")
    done = script.ends()
    assert "refusedCalls" not in done.fields and "refused" not in done.text


def test_a_script_that_fails_after_a_refusal_is_told_of_it() -> None:
    _, ada, _ = three()
    script = ada.starts_script()
    told = script.does("read", viewport=[0, 0, 0, 1])
    failed = script.ends(refusal=Refused("execution_failed", "TypeError: no cells", details={"line": 1}))
    beginning = "TypeError: no cells; before that, call 1 (canvas.read) was refused"
    assert failed.fields["message"].startswith(beginning)
    assert told["message"] in failed.fields["message"]
    assert failed.fields["details"]["line"] == 1
    assert [one["call"] for one in failed.fields["details"]["refusedCalls"]] == [1]


@pytest.mark.parametrize("mode", ["preview", "apply"])
def test_ten_thousand_scattered_cells_are_weighed_elsewhere_and_nobody_waits_for_it(mode: str) -> None:
    play, ada, bob = three()
    script = ada.starts_script(mode=mode)
    for row in range(50):
        script.does("write", at=[0, 2 * row], content="x " * 200)
    play.are_threads_busy = True
    play.feed(e.Ran(script.run.job, ScriptRun(result=1), play.at))
    (work,) = [one for one in play.heard if isinstance(one, fx.Work)]
    assert bob.reads(0, 0, 5)["mode"] == "text"
    play.feed(e.Worked(work.job, worked(work), play.at))
    done = ada.answer(script.call)
    assert done is not None and (done["applied"], done["writes"]) == (mode == "apply", 50)
    assert done["bounds"] == [0, 0, 399, 99]
    if mode == "preview":
        assert "viewport=[0,0,399,99] sampleSize=4 mode=projection" in done.text


def test_what_others_did_while_a_script_was_weighed_is_a_conflict_or_stays() -> None:
    for column, code in ((0, "conflict"), (3000, None)):
        play, ada, bob = three()
        script = ada.starts_script()
        script.does("write", at=[0, 0], content="x" * 1000)
        play.are_threads_busy = True
        play.feed(e.Ran(script.run.job, ScriptRun(result=1), play.at))
        (work,) = [one for one in play.heard if isinstance(one, fx.Work)]
        bob.writes(column, 0, "bob")
        play.feed(e.Worked(work.job, worked(work), play.at))
        done = ada.answer(script.call)
        assert done is not None and done.code == code
        assert "bob" in play.drawn()
        assert ("xxx" in play.drawn()) is (code is None)


def test_a_script_works_on_one_sheet() -> None:
    _, ada, _ = three()
    other = ada.manages("create", kind="freeform")
    script = ada.starts_script()
    for place in ({"canvasId": other["canvasId"]}, {"pageId": other["pageId"]}):
        assert script.does("write", at=[0, 0], content="x", **place)["code"] == "unsupported_action"
    assert script.does("write", at=[0, 0], content="x", canvasId=CANVAS, pageId=SHEET)["ok"] is True


def test_a_script_does_not_see_what_others_do_meanwhile() -> None:
    _, ada, bob = three()
    script = ada.starts_script()
    bob.writes(0, 0, "later")
    assert script.does("search", query="later")["matches"] == []


def test_a_write_past_the_limit_of_cells_ends_the_script() -> None:
    play, ada, _ = three()
    script = ada.starts_script()
    row = "x" * 1000
    for number in range(MAX_CHANGED_CELLS // 1000):
        assert script.does("write", at=[0, number], content=row)["ok"] is True
    with pytest.raises(OverLimit) as over:
        script.does("write", at=[0, 100], content="x")
    assert over.value.actual == MAX_CHANGED_CELLS + 1
    assert script.ends(refusal=Refused("limit_exceeded", str(over.value))).code == "limit_exceeded"
    assert play.drawn() == ""


def test_a_write_that_is_refused_half_way_has_written_nothing() -> None:
    play, ada, _ = three()
    page = ada.manages("create", kind="slides", size=[5, 3])["pageId"]
    script = ada.starts_script(pageId=page)
    assert script.does("write", at=[0, 0], content="ab\nabcdefgh")["code"] == "out_of_bounds"
    script.does("write", at=[0, 2], content="ok")
    script.ends()
    assert play.drawn(page) == "\nok"


def test_a_script_reads_the_log_and_can_do_nothing_else_to_the_history() -> None:
    play, ada, _ = three()
    done = ada.writes(0, 0, "hi")
    script = ada.starts_script()
    log = script.does("history", action="log", limit=1)
    assert log["ok"] is True and [one["operationId"] for one in log["entries"]] == [done["operationId"]]
    for action in ("undo", "redo"):
        assert script.does("history", action=action)["code"] == "unsupported_action"
    assert play.drawn() == "\nhi"


def test_what_only_the_journal_knows_is_no_business_of_a_script() -> None:
    play, ada, _ = three()
    for number in range(3):
        ada.writes(0, number, "x")
    script = ada.starts_script()
    jobs = dict(play.state.jobs)
    for seq in list(play.state.timeline.headers):
        del play.state.timeline.headers[seq]
    assert script.does("history", action="log")["code"] == "unsupported_action"
    assert play.state.jobs == jobs


# -- the end of a run ---------------------------------------------------------------------------


def test_a_run_that_fails_commits_nothing() -> None:
    """UND-05."""
    play, ada, _ = three()
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="hi")
    got = script.ends(refusal=Refused("execution_failed", "Error: no"))
    assert got.code == "execution_failed"
    assert play.drawn() == "" and play.state.seq == 1


def test_a_run_without_writes_is_no_commit() -> None:
    play, ada, _ = three()
    got = ada.starts_script().ends(result=2)
    assert (got["result"], got["writes"], got["bounds"]) == (2, 0, None)
    assert "operationId" not in got.fields and play.state.seq == 1


def test_what_others_did_elsewhere_meanwhile_is_kept() -> None:
    play, ada, bob = three()
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="mine")
    bob.writes(0, 1, "theirs")
    assert script.ends()["applied"] is True
    assert play.drawn() == "\nmine\ntheirs"


def test_what_others_did_in_the_same_cells_meanwhile_is_a_conflict() -> None:
    play, ada, bob = three()
    script = ada.starts_script()
    script.does("read", viewport=[0, 0, 9, 1])
    script.does("write", at=[0, 0], content="mine")
    bob.writes(0, 0, "theirs")
    got = script.ends()
    assert got.code == "conflict" and got["details"]["conflicts"][0]["author"] == "bob"
    assert play.drawn() == "\ntheirs"


def test_as_a_preview_the_same_script_shows_what_it_would_write_over() -> None:
    _, ada, bob = three()
    script = ada.starts_script(mode="preview")
    script.does("write", at=[0, 0], content="mine")
    bob.writes(0, 0, "theirs")
    got = script.ends()
    assert [one["author"] for one in got["overwrites"]] == ["bob"]
    assert ada.applies(got.preview).code == "conflict"


def test_a_scripts_reads_grant_a_base() -> None:
    play, ada, bob = three()
    bob.writes(0, 0, "theirs")
    blind = ada.starts_script()
    blind.does("write", at=[0, 0], content="mine")
    assert blind.ends().code == "conflict"
    seeing = ada.starts_script()
    seeing.does("read", viewport=[0, 0, 9, 1])
    seeing.does("write", at=[0, 0], content="mine")
    assert seeing.ends().code is None
    assert play.drawn() == "\nminers"


def test_a_glyph_that_came_to_stand_across_the_border_goes_whole() -> None:
    """With the check opted out of; no half is ever stored."""
    play, ada, bob = three()
    script = ada.starts_script(expectedRevision="any")
    script.does("write", at=[1, 0], content="x")
    bob.writes(0, 0, "世界")
    assert script.ends()["applied"] is True
    assert play.drawn(rect=(0, 0, 4, 1)) == "\n x界"


def test_a_sheet_that_went_meanwhile_is_not_found() -> None:
    _, ada, bob = three()
    deck = ada.manages("create", kind="slides")
    page = ada.manages("create_page", canvasId=deck["canvasId"])["pageId"]
    script = ada.starts_script(pageId=page)
    script.does("write", at=[0, 0], content="x")
    bob.manages("delete_page", pageId=page, mode="apply")
    assert script.ends().code == "page_not_found"


def test_a_canvas_that_was_archived_meanwhile_refuses() -> None:
    _, ada, bob = three()
    other = ada.manages("create", kind="freeform")
    script = ada.starts_script(canvasId=other["canvasId"])
    script.does("write", at=[0, 0], content="x")
    bob.manages("archive", canvasId=other["canvasId"], mode="apply")
    assert script.ends().code == "unsupported_action"


def test_the_same_call_has_the_same_seed() -> None:
    _, ada, bob = three()
    seeds = [agent.starts_script(script="return 1").ends()["seed"] for agent in (ada, bob, ada)]
    assert len(set(seeds)) == 1
    assert ada.starts_script(script="return 2").ends()["seed"] != seeds[0]
