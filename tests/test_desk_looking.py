"""Looks that go on elsewhere, and what of canvas_read only the desk can tell."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import CANVAS, SHEET, Agent, Playbook, worked

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.wire import messages as m

IMAGE: dict[str, Any] = {"representation": "both", "viewport": [0, 0, 10, 2], "detail": "low"}
LONG = "# Words\n\n" + "word " * 1_000


@pytest.fixture
def play() -> Playbook:
    return Playbook()


def started(play: Playbook, agent: Agent, tool: str, **arguments: Any) -> tuple[str, fx.Work]:
    """A call that went to a thread: its name, and the work that is not done yet."""
    play.are_threads_busy = True
    call = agent.asks(tool, **arguments)
    play.turn()
    (work,) = [one for one in play.heard if isinstance(one, fx.Work)]
    return call, work


def done(play: Playbook, work: fx.Work) -> None:
    play.feed(e.Worked(work.job, worked(work), play.at))


def test_an_image_is_painted_elsewhere_and_nobody_waits_for_it(play: Playbook) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    call, work = started(play, ada, "canvas_read", **IMAGE)
    assert bo.reads(0, 0, 5)["mode"] == "text"
    done(play, work)
    got = ada.answer(call)
    assert got is not None and got["imageSize"] == [80, 32]


def test_what_was_seen_elsewhere_counts_as_read_at_the_forks_revision(play: Playbook) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    bo.writes(0, 0, "first")
    call, work = started(play, ada, "canvas_read", **IMAGE)
    bo.writes(0, 0, "later")
    done(play, work)
    got = ada.answer(call)
    assert got is not None and got["revision"] == 2 and "first" in got.reply.blocks[0].text
    assert ada.writes(0, 0, "mine!").code == "conflict"
    ada.reads(0, 0, 10)
    assert ada.writes(0, 0, "mine!").code is None


def test_a_refusal_elsewhere_is_the_calls_refusal(play: Playbook) -> None:
    ada = play.agent("ada")
    got = ada.calls("canvas_read", representation="image", viewport=[0, 0, 4_000, 4_000])
    assert got.code == "too_large"


def test_a_long_render_is_planned_elsewhere_and_laid_on_the_sheet_as_it_is_then(play: Playbook) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    call, work = started(play, ada, "canvas_render", at=[0, 0], source=LONG, mode="apply")
    bo.writes(200, 0, "beside")
    done(play, work)
    got = ada.answer(call)
    assert got is not None and got["applied"] and got["revision"] == 3
    assert play.sheet().scene.char(200, 0) == "b"


@pytest.mark.parametrize(
    "material",
    [
        {"source": "```mermaid\nflowchart TD\na --> b\n```"},
        {"source": '[{"type": "box", "rect": [0, 0, 4, 3]}]', "format": "shapes"},
        {"source": ">" * 400 + "x", "format": "markdown"},
    ],
)
def test_what_is_drawn_from_few_words_is_planned_elsewhere_too(
    play: Playbook, material: dict[str, Any]
) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    call, work = started(play, ada, "canvas_render", at=[0, 0], mode="apply", **material)
    assert bo.reads(0, 0, 5)["mode"] == "text"
    done(play, work)
    got = ada.answer(call)
    assert got is not None and got["applied"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("canvas_fill", {"at": [0, 0], "size": [1_000, 1_000], "style": {"color": "accent"}}),
        ("canvas_erase", {"at": [0, 0], "size": [1_000, 1_000]}),
        ("canvas_batch", {"ops": [{"op": "render", "args": {"at": [0, 0], "source": "[" * 400}}]}),
    ],
)
def test_what_goes_through_many_cells_or_much_material_is_planned_elsewhere(
    play: Playbook, tool: str, arguments: dict[str, Any]
) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    for row in range(0, 30):
        ada.writes(0, row, "x" * 1_000)
    call, work = started(play, ada, tool, mode="apply", **arguments)
    assert bo.reads(0, 0, 5)["mode"] == "text"
    done(play, work)
    got = ada.answer(call)
    assert got is not None and got["applied"], got


def test_a_script_is_answered_elsewhere_where_its_call_would_be() -> None:
    script = Playbook().agent("ada").starts_script()
    slow: dict[str, dict[str, Any]] = {
        "write": {"at": [0, 0], "content": "x" * 5_000},
        "render": {"at": [0, 0], "source": ">" * 400},
        "measure": {"text": "x" * 5_000},
    }
    for verb, args in slow.items():
        assert script.world.call(verb, args).is_slow
        short = {name: value[:9] if isinstance(value, str) else value for name, value in args.items()}
        assert not script.world.call(verb, short).is_slow


def test_a_long_render_meets_the_conflict_rule_when_it_is_done(play: Playbook) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    call, work = started(play, ada, "canvas_render", at=[0, 0], source=LONG, mode="apply")
    bo.writes(3, 0, "mine")
    done(play, work)
    got = ada.answer(call)
    assert got is not None and got.code == "conflict"
    assert play.sheet().scene.char(3, 0) == "m"


def test_a_call_that_takes_too_long_times_out_and_its_late_result_is_counted(play: Playbook) -> None:
    ada = play.agent("ada")
    call, work = started(play, ada, "canvas_render", at=[0, 0], source=LONG, mode="apply")
    play.ticks(10.0)
    got = ada.answer(call)
    assert got is not None and got.code == "timeout"
    done(play, work)
    assert play.state.late_results == 1 and play.sheet().revision == 1
    assert ada.writes(0, 0, "next")["applied"]


def test_a_cancelled_call_lets_the_next_one_go_on_at_once(play: Playbook) -> None:
    ada = play.agent("ada")
    call, work = started(play, ada, "canvas_read", **IMAGE)
    play >> e.Cancelled(ada.link, call, play.at)
    assert ada.reads(0, 0, 5)["mode"] == "text"
    done(play, work)
    assert ada.answer(call) is None and play.state.late_results == 1


# -- sinceRevision -------------------------------------------------------------------


def test_since_revision_lists_what_changed_and_by_whom(play: Playbook) -> None:
    ada, bo = play.agent("ada"), play.agent("bo")
    ada.writes(0, 0, "one")
    before = ada.writes(0, 5, "two")["revision"]
    bo.writes(10, 5, "three")
    got = ada.calls("canvas_read", sinceRevision=before)
    assert [(one["author"], one["revision"]) for one in got["changed"]] == [("bo", before + 1)]
    x, y, width, _ = got["changed"][0]["bounds"]
    assert x <= 10 and y == 5 and x + width >= 15


def test_since_revision_tells_of_the_viewport_only(play: Playbook) -> None:
    ada = play.agent("ada")
    ada.writes(0, 0, "near")
    ada.writes(500, 0, "far")
    got = ada.reads(0, 0, 10, sinceRevision=0)
    assert len(got["changed"]) == 1


def test_a_revision_that_this_desk_never_had_is_gone(play: Playbook) -> None:
    got = play.agent("ada").calls("canvas_read", sinceRevision=99)
    assert got.code == "revision_gone"


# -- context -------------------------------------------------------------------------


def test_context_tells_what_the_person_pinned_selected_and_sees(play: Playbook) -> None:
    ada, person = play.agent("ada"), play.person()
    ada.writes(0, 0, "hi")
    ghost = ada.previews(4, 4, "there", why="to greet")
    person.says(m.Viewport(sheet=SHEET, rect=(0, 0, 80, 24), selection=(2, 3, 4, 5)))
    person.says(m.Pin(epoch=person.epoch, sheet=SHEET, rect=(1, 1, 2, 2), note="here"))
    found = ada.calls("canvas_read", view="context")["context"]
    place = {"canvasId": CANVAS, "pageId": SHEET}
    assert found["person"] == {**place, "viewport": [0, 0, 80, 24], "selection": [2, 3, 4, 5]}
    assert found["pins"] == [{**place, "bounds": [1, 1, 2, 2], "note": "here"}]
    assert [(one["previewId"], one["why"]) for one in found["previews"]] == [(ghost.preview, "to greet")]
    assert [one["name"] for one in found["agents"]] == ["ada"]


def test_context_tells_which_previews_are_alternatives(play: Playbook) -> None:
    ada = play.agent("ada")
    for row, group in enumerate(("plan", "plan", None)):
        ada.calls("canvas_write", at=[0, row], content="x", **({"altGroup": group} if group else {}))
    found = ada.calls("canvas_read", view="context")["context"]["previews"]
    assert [one.get("altGroup") for one in found] == ["plan", "plan", None]


def test_context_without_a_page_has_no_person(play: Playbook) -> None:
    assert play.agent("ada").calls("canvas_read", view="context")["context"]["person"] is None
