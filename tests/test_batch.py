"""canvas_batch: all or nothing, one preview, one operation, one undo; it needs no script engine (R67)."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playbook import CANVAS, SHEET, Agent, Got, Person, Playbook, contents_of, worked

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.calls.batching import MAX_RESULTS_BYTES
from chardesk.broker.desk.calls.trying import VERBS
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.operation import Asked
from chardesk.tools.registry import BY_VERB, SCRIPT_ONLY
from chardesk.tools.run.batch import MAX_OPS, Verb
from chardesk.tools.run.references import resolved

Step = tuple[str, dict[str, Any]]


def three() -> tuple[Playbook, Agent, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob"), play.person()


def batch(agent: Agent, *steps: Step, **more: Any) -> Got:
    ops = [{"op": op, "args": args} for op, args in steps]
    return agent.calls("canvas_batch", **{"ops": ops, "mode": "apply", **more})


def write(x: int, y: int, content: str, **more: Any) -> Step:
    return "write", {"at": [x, y], "content": content, **more}


# -- one operation ----------------------------------------------------------------------


def test_a_batch_is_one_operation_and_one_undo() -> None:
    play, ada, _, _ = three()
    got = batch(
        ada,
        write(0, 0, "hello"),
        ("erase", {"at": [0, 0], "size": [1, 1]}),
        ("fill", {"at": [1, 0], "size": [4, 1], "style": {"attrs": {"bold": True}}}),
        ("render", {"at": [0, 1], "source": "x", "format": "raw"}),
        ("move", {"from": [0, 1], "size": [1, 1], "to": [4, 2]}),
    )
    assert got["applied"] and got["operations"] == 5 and got["bounds"] == [0, 0, 5, 3]
    assert [one.tool for one in play.journal] == ["desk", "canvas_batch"]
    assert play.drawn() == "\nello\n\n   x"
    ada.undoes()
    assert play.drawn() == "" and play.sheet().scene.stored_cells() == 0
    ada.redoes()
    assert play.drawn() == "\nello\n\n   x"


def test_a_batch_is_told_once() -> None:
    """R86: one event for a commit."""
    play, ada, _, _ = three()
    batch(ada, write(0, 0, "a"), write(5, 0, "b"), write(0, 9, "c"))
    assert play.words.count("tell all activity #2") == 1
    assert [word for word in play.words if "change #2" in word] == ["tell page-1 change #2"]


def test_a_batch_is_one_preview_and_is_applied_as_shown() -> None:
    play, ada, _, person = three()
    got = batch(ada, write(0, 0, "one"), write(0, 1, "two"), mode="preview")
    assert got["applied"] is False and play.state.seq == 1
    assert "┤one" in got.reply.blocks[1].text and "│two" in got.reply.blocks[1].text
    (ghost,) = person.told(m.Preview)
    assert ghost.bounds == (0, 0, 3, 2)
    person.applies(got.preview)
    assert play.drawn() == "\none\ntwo"
    person.undoes()
    assert play.drawn() == ""


def test_under_grant_propose_a_batch_asks_once() -> None:
    play = Playbook()
    ada = play.agent("ada", "propose")
    got = batch(ada, write(0, 0, "a"), write(0, 1, "b"))
    assert got.code == "approval_required" and play.state.seq == 1
    play.person().applies(got["details"]["previewId"])
    assert play.drawn() == "\na\nb"


def test_impact_is_what_all_steps_together_did_to_what_was_there() -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "abcde")
    got = batch(ada, write(0, 0, "X"), write(0, 0, "Y"), ("erase", {"at": [4, 0], "size": [1, 1]}))
    assert (got["overwrittenCells"], got["clearedCells"]) == (1, 1)
    assert list(got["clearedBounds"]) == [4, 0, 1, 1] and play.drawn() == "\nYbcd"


def test_a_batch_without_effect_leaves_no_trace() -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "a")
    got = batch(ada, write(0, 0, "a"), ("erase", {"at": [9, 9], "size": [5, 5]}))
    assert got["bounds"] is None and "operationId" not in got.fields and play.state.seq == 2
    there_and_back = batch(ada, write(3, 3, "x"), ("erase", {"at": [3, 3], "size": [1, 1]}))
    assert "operationId" not in there_and_back.fields


def test_a_repeated_batch_gets_its_first_result() -> None:
    play, ada, _, _ = three()
    first = batch(ada, write(0, 0, "a"), idempotencyKey="k")
    again = batch(ada, write(0, 0, "a"), idempotencyKey="k")
    assert again["repeated"] and again.operation == first.operation and play.state.seq == 2
    assert again["results"] == first["results"]
    assert batch(ada, write(0, 0, "b"), idempotencyKey="k").code == "invalid_input"


# -- all or nothing -----------------------------------------------------------------------


def test_an_error_names_the_step_and_nothing_is_applied() -> None:
    """UND-06, R12."""
    play = Playbook()
    ada = play.agent("ada")
    canvas = ada.manages("create", kind="slides", name="Deck", size=[20, 5])["canvasId"]
    before = play.state.seq
    steps = [write(0, row % 5, str(row)) for row in range(10)]
    steps[7] = write(19, 0, "over the edge")
    got = batch(ada, *steps, canvasId=canvas)
    assert got.code == "out_of_bounds" and got["field"] == "ops.7.args.at"
    assert got["message"].startswith("ops[7] write: ") and "nothing was changed" in got["message"]
    assert (got["details"]["index"], got["details"]["op"]) == (7, "write")
    assert play.state.seq == before and play.drawn() == ""


@pytest.mark.parametrize(
    ("step", "field"),
    [
        (("write", {"at": [0, 0]}), "ops.1.args.content"),
        (("write", {"at": [0, 0], "content": "x", "mode": "apply"}), "ops.1.args.mode"),
        (("write", {"at": [0, 0], "content": "x", "why": "so"}), "ops.1.args.why"),
        (("write", {"at": [0, 0], "contents": "x"}), "ops.1.args.contents"),
        (("write", {"at": "$1.bounds", "content": "x"}), "ops.1.args.at"),
        (("write", {"at": "$0.nothing", "content": "x"}), "ops.1.args.at"),
        (("move", {"from": [0, 0], "size": [1, 1]}), "ops.1.args.to"),
        (("manage", {"action": "create", "kind": "freeform", "activate": True}), "ops.1.args.activate"),
        (("manage", {"action": "show", "rect": [0, 0, 1, 1]}), "ops.1"),
        (("manage", {"action": "delete_page"}), "ops.1.args.action"),
        (("write", {"at": [0, 0], "content": "x", "pageId": "pg-none"}), "ops.1.args.pageId"),
        (("search", {"query": "(", "regex": True}), "ops.1.args.query"),
        (("history", {"action": "undo"}), "ops.1.op"),
        (("write", {"at": [0, 0], "content": None}), "ops.1.args.content"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_step_is_named(step: Step, field: str) -> None:
    play, ada, _, _ = three()
    got = batch(ada, write(0, 0, "a"), step)
    assert got.code in ("invalid_input", "unsupported_action", "page_not_found")
    assert got["field"] == field
    assert play.state.seq == 1 and play.drawn() == ""


def test_a_batch_has_one_to_a_hundred_steps() -> None:
    play, ada, _, _ = three()
    assert batch(ada).code == "invalid_input"
    assert batch(ada, *[write(0, row, "x") for row in range(MAX_OPS + 1)]).code == "invalid_input"
    assert batch(ada, *[write(0, row, "x") for row in range(MAX_OPS)])["operations"] == MAX_OPS
    assert play.state.seq == 2


def test_results_are_bounded() -> None:
    _, ada, _, _ = three()
    ada.writes(0, 0, "\n".join(["x" * 100] * 40))
    look = ("read", {"viewport": [0, 0, 100, 40], "representation": "cells"})
    got = batch(ada, look, write(0, 50, "x"))
    assert got.code == "too_large" and got["details"]["limit"] == MAX_RESULTS_BYTES


# -- others -------------------------------------------------------------------------------


def test_a_batch_conflicts_like_any_change_and_then_writes_nothing() -> None:
    play, ada, bob, _ = three()
    bob.writes(0, 1, "theirs")
    got = batch(ada, write(0, 0, "mine"), write(0, 1, "mine"))
    assert got.code == "conflict" and "revision" not in got.fields
    assert got["details"]["conflicts"] == [{"rect": [0, 1, 5, 1], "author": "bob"}]
    assert play.drawn() == "\ntheirs"
    ada.reads(0, 0, 10, 3)
    assert batch(ada, write(0, 0, "mine"), write(0, 1, "mine"))["applied"]


def test_what_a_batch_reads_does_not_license_its_own_writes_but_later_ones() -> None:
    play, ada, bob, _ = three()
    bob.writes(0, 0, "theirs")
    look = ("read", {"viewport": [0, 0, 10, 1]})
    assert batch(ada, look, write(0, 0, "mine")).code == "conflict"
    assert batch(ada, look, write(0, 5, "mine"))["applied"]
    assert ada.writes(0, 0, "mine").code is None
    assert play.drawn(rect=(0, 0, 6, 1)) == "\nminers"


def test_later_edits_elsewhere_do_not_keep_a_batch_from_being_undone() -> None:
    play, ada, bob, _ = three()
    batch(ada, write(0, 0, "aa"), write(0, 0, "b"), write(0, 2, "c"))
    bob.writes(0, 1, "x")
    ada.undoes()
    assert play.drawn() == "\nx"


def test_edits_on_a_batch_keep_it_from_being_undone() -> None:
    play, ada, bob, _ = three()
    done = batch(ada, write(0, 0, "aa"), write(0, 0, "b"), write(0, 2, "c")).operation
    bob.reads(0, 0, 5, 5)
    bob.writes(1, 0, "X")
    assert ada.undoes(done).code == "operation_not_undoable"
    assert play.drawn() == "\nbX\n\nc"


# -- later steps see earlier ones -----------------------------------------------------------


def test_later_steps_see_earlier_ones_in_preview_too() -> None:
    play, ada, _, _ = three()
    steps = (write(0, 0, "find me"), ("search", {"query": "me"}), write(0, 1, "$$0.bounds"))
    for mode in ("preview", "apply"):
        got = batch(ada, *steps, mode=mode)
        assert got["results"][1]["matches"][0]["origin"] == [5, 0]
    assert play.drawn() == "\nfind me\n$0.bounds"


def test_a_result_can_be_a_later_steps_argument() -> None:
    play, ada, _, _ = three()
    got = batch(
        ada,
        write(2, 1, "title"),
        write(0, 3, "see title"),
        ("search", {"query": "title", "viewport": [0, 3, 20, 1]}),
        write("$2.matches.0.origin.0", 4, "^"),  # type: ignore[arg-type]
        ("erase", {"at": ["$0.bounds.0", "$0.bounds.1"], "size": [1, 1]}),
    )
    assert got.code is None
    assert play.drawn() == "\n   itle\n\nsee title\n    ^"


def test_move_in_a_batch_takes_whole_glyphs() -> None:
    play, ada, _, _ = three()
    batch(ada, write(0, 0, "世界"), ("move", {"from": [1, 0], "size": [1, 1], "to": [9, 0]}))
    assert play.drawn(rect=(0, 0, 12, 1)) == "\n  界    世"


# -- canvases and pages -----------------------------------------------------------------------


def test_a_batch_makes_a_deck_and_draws_on_it() -> None:
    play, ada, _, _ = three()
    got = batch(
        ada,
        ("manage", {"action": "create", "kind": "slides", "name": "Deck", "size": [20, 5]}),
        write(0, 0, "one", canvasId="$0.canvasId"),
        ("manage", {"action": "create_page", "canvasId": "$0.canvasId", "name": "Second"}),
        write(0, 0, "two", pageId="$2.pageId"),
        ("manage", {"action": "reorder_page", "pageId": "$2.pageId", "index": 0}),
        ("manage", {"action": "list_pages", "canvasId": "$0.canvasId"}),
        write(0, 0, "home"),
    )
    first, second = got["results"][0]["pageId"], got["results"][2]["pageId"]
    assert [play.drawn(sheet) for sheet in (first, second, SHEET)] == ["\none", "\ntwo", "\nhome"]
    assert [page["pageId"] for page in got["results"][5]["pages"]] == [second, first]
    assert got["pageId"] == SHEET and {one["pageId"] for one in got["sheets"]} == {first, second, SHEET}
    assert play.state.seq == 2 and len(play.state.contents.canvases) == 2
    ada.undoes()
    assert list(play.state.contents.canvases) == [CANVAS] and play.drawn() == ""
    ada.redoes()
    assert [play.drawn(sheet) for sheet in (first, second, SHEET)] == ["\none", "\ntwo", "\nhome"]
    assert play.from_the_journal().canvases.keys() == play.state.contents.canvases.keys()


def test_a_preview_of_a_deck_is_applied_as_shown() -> None:
    play, ada, _, person = three()
    got = batch(
        ada,
        ("manage", {"action": "create", "kind": "slides", "name": "Deck"}),
        write(0, 0, "one", canvasId="$0.canvasId"),
        write(0, 1, "two", canvasId="$0.canvasId"),
        mode="preview",
    )
    assert list(play.state.contents.canvases) == [CANVAS]
    assert person.applies(got.preview).refusal is None
    assert play.drawn(got["results"][0]["pageId"]) == "\none\ntwo"


def test_a_page_is_drawn_on_copied_cropped_and_deleted_in_one_batch() -> None:
    play, ada, _, _ = three()
    first = ada.manages("create", kind="slides", name="Deck", size=[20, 5])["pageId"]
    got = batch(
        ada,
        write(0, 0, "wide as a house"),
        ("manage", {"action": "duplicate_page", "pageId": first}),
        ("manage", {"action": "resize_page", "pageId": "$1.pageId", "size": [4, 2], "crop": True}),
        write(0, 1, "ok", pageId="$1.pageId"),
        ("manage", {"action": "delete_page", "pageId": first}),
        pageId=first,
    )
    copy = got["results"][1]["pageId"]
    assert got["results"][2]["croppedCells"] == 8
    assert play.drawn(copy) == "\nwide\nok" and play.state.contents.sheet(first) is None
    ada.undoes()
    assert play.state.contents.sheet(copy) is None and play.drawn(first) == ""
    ada.redoes()
    assert play.drawn(copy) == "\nwide\nok"
    ada.undoes()
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)


def test_a_batch_on_an_archived_canvas_is_refused() -> None:
    _, ada, _, _ = three()
    other = ada.manages("create", kind="freeform", name="Other")["canvasId"]
    got = batch(ada, ("manage", {"action": "archive", "canvasId": other}), write(0, 0, "x", canvasId=other))
    assert got.code == "unsupported_action" and got["details"]["index"] == 1


def test_a_disk_that_refuses_takes_a_whole_batch_back() -> None:
    play = Playbook(is_disk_slow=True)
    ada = play.agent("ada")
    batch(
        ada,
        write(0, 0, "a"),
        ("manage", {"action": "create", "kind": "slides", "name": "Deck"}),
        write(0, 0, "b", canvasId="$1.canvasId"),
        write(0, 0, "c"),
    )
    assert play.state.seq == 2
    play.disk_refuses()
    assert play.state.seq == 1 and list(play.state.contents.canvases) == [CANVAS] and play.drawn() == ""


# -- what there is ------------------------------------------------------------------------------


def test_every_operation_that_plans_can_be_a_step() -> None:
    """R30: a new operation is a step too, or says here why not."""
    plans = {verb for verb, one in BY_VERB.items() if not isinstance(one.body, Asked)}
    assert set(get_args(Verb)) == plans | SCRIPT_ONLY.keys() == VERBS.keys()


@given(st.recursive(st.integers() | st.text() | st.booleans(), lambda part: st.lists(part, max_size=3)))
def test_arguments_without_references_are_left_as_they_are(node: Any) -> None:
    assert resolved(node, []) == node


@pytest.mark.parametrize("text", ["$1.50", "$0", "$0.", "costs $0.bounds", "$a.b", "$$", "$$1.50", "$0.b c"])
def test_text_that_is_no_reference_is_left_as_it_is(text: str) -> None:
    assert resolved(text, [{"bounds": 1}]) == text


def test_a_reference_keeps_the_type_of_what_it_stands_for() -> None:
    results = [{"bounds": [1, 2, 3, 4], "n": 7, "deep": [{"name": "x"}]}]
    assert resolved({"at": ["$0.n", "$0.bounds.3"], "t": "$0.deep.0.name"}, results) == {
        "at": [7, 4],
        "t": "x",
    }
    assert resolved("$0.bounds", results) == [1, 2, 3, 4]


def test_a_reference_to_what_is_not_there_says_what_is() -> None:
    with pytest.raises(Refused, match=r"\$0 has no b; it has a") as refused:
        resolved(["$0.b"], [{"a": 1}])
    assert refused.value.field == "args.0"
    with pytest.raises(Refused, match=r"\$0\.a has no 5; it has 2 items"):
        resolved("$0.a.5", [{"a": [1, 2]}])


# -- long texts -----------------------------------------------------------------------------------

LONG = "\n".join(["x" * 90] * 60)


def test_long_texts_are_drawn_on_another_thread() -> None:
    play, ada, bob, _ = three()
    play.are_threads_busy = True
    ops = [{"op": op, "args": args} for op, args in (write(0, 0, LONG), write(0, 70, "end"))]
    call = ada.asks("canvas_batch", ops=ops, mode="apply")
    play.turn()
    (work,) = [one for one in play.heard if isinstance(one, fx.Work)]
    assert bob.writes(200, 0, "beside").code is None
    play.feed(e.Worked(work.job, worked(work), play.at))
    got = ada.answer(call)
    assert got is not None and got["applied"] and got["bounds"] == [0, 0, 90, 71]
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)


def test_what_others_write_meanwhile_is_not_written_over() -> None:
    play, ada, bob, _ = three()
    play.are_threads_busy = True
    call = ada.asks("canvas_batch", ops=[{"op": "write", "args": write(0, 0, LONG)[1]}], mode="apply")
    play.turn()
    (work,) = [one for one in play.heard if isinstance(one, fx.Work)]
    bob.writes(3, 0, "mine")
    play.feed(e.Worked(work.job, worked(work), play.at))
    got = ada.answer(call)
    assert got is not None and got.code == "conflict" and play.drawn() == "\nmine"


def test_a_step_that_is_refused_on_another_thread_is_named_too() -> None:
    play, ada, _, _ = three()
    got = batch(ada, write(0, 0, LONG), write(0, 0, "a\tb"))
    assert (got.code, got["details"]["index"]) == ("invalid_input", 1) and play.state.seq == 1
