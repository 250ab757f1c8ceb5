"""Where an agent may change something, and which features it may use: decided on what a call comes to, at
once, kept, and told to the agent."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import CANVAS, SHEET, Agent, Got, Person, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.known.authors import Authors
from chardesk.broker.desk.road import permits
from chardesk.broker.desk.rules.policy import FEATURES, Policy
from chardesk.broker.desk.rules.scope import MAX_AREAS, Area, outside, words
from chardesk.broker.wire import messages as m
from chardesk.tools.model.cell import PLAIN
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.steps import CellsChanged

HERE = m.Area(canvas=CANVAS, sheet=SHEET, rect=(0, 0, 10, 4))


def desk(*areas: m.Area) -> tuple[Playbook, Agent, Person]:
    """An agent whose scope is these areas; ten columns of four rows if none are named."""
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    narrow(person, *(areas or [HERE]))
    return play, ada, person


def narrow(person: Person, *areas: m.Area, author: str = "ada") -> None:
    person.says(m.Govern(epoch=person.epoch, author=author, scope=list(areas)))


def allow(person: Person, feature: Any, *, is_allowed: bool = False, author: str = "ada") -> None:
    person.says(m.Allow(epoch=person.epoch, author=author, feature=feature, is_allowed=is_allowed))


def name_of(person: Person) -> m.AgentName:
    governed: m.Governed = next(person.told(m.Governed))
    (name,) = governed.names
    return name


def second_canvas(play: Playbook) -> tuple[str, str]:
    got = play.tenant("cli", "cli").manages("create", kind="slides", name="Notes", size=[40, 10])
    return got["canvasId"], got["pageId"]


# -- rectangles ----------------------------------------------------------------


def test_inside_of_its_rectangle_an_agent_goes_on_and_outside_it_only_looks() -> None:
    _, ada, _ = desk()
    assert ada.writes(0, 0, "hi").code is None
    assert ada.writes(20, 0, "hi").code == "permission_denied"
    assert ada.previews(20, 0, "hi").code == "permission_denied", "a preview too is more than a look"
    assert ada.reads(20, 0, 5).code is None


def test_the_refusal_names_the_scope_and_what_lies_outside_of_it() -> None:
    _, ada, _ = desk()
    got = ada.writes(8, 3, "abcd\nefgh")
    assert got["details"] == {
        "scope": [{"canvasId": CANVAS, "pageId": SHEET, "bounds": [0, 0, 10, 4]}],
        "outside": [
            {"canvasId": CANVAS, "pageId": SHEET, "bounds": [10, 3, 2, 1]},
            {"canvasId": CANVAS, "pageId": SHEET, "bounds": [8, 4, 4, 1]},
        ],
    }
    assert got["message"] == (
        "ada may change only [0, 0, 10, 4] on Page 1 of canvas Canvas 1; "
        "this touches [10, 3, 2, 1] on Page 1 of canvas Canvas 1 and 1 more"
    )
    assert "person at the page" in got["nextStep"]


def test_the_columns_of_a_wide_glyph_count_as_one() -> None:
    _, ada, person = desk()
    person.types(9, 0, "界")
    assert ada.writes(9, 0, "x", expectedRevision="any").code == "permission_denied"
    assert ada.writes(9, 1, "界").code == "permission_denied"
    assert ada.writes(8, 1, "界").code is None


def test_several_rectangles_count_together() -> None:
    right = m.Area(canvas=CANVAS, sheet=SHEET, rect=(10, 0, 10, 1))
    _, ada, _ = desk(HERE, right)
    assert ada.writes(5, 0, "across both").code is None
    assert ada.writes(5, 1, "across both").code == "permission_denied"


def test_a_neighbour_column_is_nobodys_business() -> None:
    """The conflict rule looks one column beyond a change; the scope doesn't."""
    _, ada, _ = desk()
    assert ada.writes(0, 0, "0123456789").code is None


# -- every road ----------------------------------------------------------------

BEYOND: dict[str, dict[str, Any]] = {
    "canvas_write": {"at": [20, 0], "content": "x"},
    "canvas_erase": {"at": [20, 0], "size": [5, 1]},
    "canvas_fill": {"at": [20, 0], "size": [5, 1], "style": {"color": "#ff0000"}},
    "canvas_render": {"at": [20, 0], "source": "# x"},
    "canvas_batch": {"ops": [{"op": "write", "args": {"at": [20, 5], "content": "x"}}]},
}
MOVES = {"ops": [{"op": "move", "args": {"from": [20, 0], "size": [2, 1], "to": [0, 0]}}]}
SHAPES = {"at": [0, 0], "format": "shapes", "source": '[{"type": "box", "rect": [0, 0, 30, 3]}]'}


@pytest.mark.parametrize("mode", ["preview", "apply"])
@pytest.mark.parametrize(
    ("tool", "arguments"), [*BEYOND.items(), ("canvas_batch", MOVES), ("canvas_render", SHAPES)]
)
def test_every_tool_that_draws_stays_inside(tool: str, arguments: dict[str, Any], mode: str) -> None:
    play, ada, person = desk()
    person.types(20, 0, "mine")
    before = play.state.seq
    ada.reads(0, 0, 40, 10)
    assert ada.calls(tool, mode=mode, **arguments).code == "permission_denied"
    assert (play.state.seq, play.state.previews.live()) == (before, [])


@pytest.mark.parametrize("mode", ["preview", "apply"])
def test_a_script_that_writes_outside_commits_nothing_of_it(mode: str) -> None:
    play, ada, _ = desk()
    script = ada.starts_script(mode=mode)
    script.does("write", at=[0, 0], content="in")
    script.does("write", at=[20, 0], content="out")
    assert script.ends().code == "permission_denied"
    assert play.drawn() == ""


def test_a_script_that_only_looks_outside_is_none_of_the_scopes_business() -> None:
    _, ada, _ = desk()
    script = ada.starts_script()
    script.does("read", viewport=[20, 0, 5, 1])
    script.does("write", at=[0, 0], content="in")
    assert script.ends().code is None


def test_undo_by_an_agent_stays_inside_of_what_its_scope_is_by_then() -> None:
    _, ada, person = desk()
    narrow(person)
    drawn = ada.writes(20, 0, "far")
    narrow(person, HERE)
    assert ada.undoes().code == "permission_denied"
    assert ada.undoes(drawn.operation).code == "permission_denied"
    narrow(person)
    assert ada.undoes().code is None


def test_a_preview_that_has_come_to_lie_outside_is_the_persons_to_apply_and_not_the_agents() -> None:
    play, ada, person = desk()
    narrow(person)
    ghost = ada.previews(20, 0, "far").preview
    narrow(person, HERE)
    assert ada.applies(ghost).code == "permission_denied"
    assert person.applies(ghost).refusal is None
    assert "far" in play.drawn()


def test_restore_stays_inside() -> None:
    _, ada, person = desk()
    person.types(20, 0, "far")
    assert ada.history("restore", to=1, mode="apply").code == "permission_denied"


def test_a_call_that_went_on_elsewhere_is_held_to_what_counts_when_it_comes_back() -> None:
    play, ada, person = desk()
    narrow(person)
    for gesture in (
        m.Govern(epoch=person.epoch, author="ada", scope=[HERE]),
        m.Govern(epoch=person.epoch, author="ada", scope=[], grant="observe"),
    ):
        script = ada.starts_script()
        script.does("write", at=[20, 0], content="late")
        person.says(gesture)
        assert script.ends().code == "permission_denied"
    assert play.drawn() == ""


def test_a_script_that_ends_while_all_are_paused_commits_nothing() -> None:
    play, ada, person = desk()
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="late")
    person.says(m.Pause(epoch=person.epoch, is_paused=True))
    assert script.ends().code == "disabled"
    assert play.drawn() == ""


# -- canvases and sheets ---------------------------------------------------------


def test_a_canvas_in_the_scope_is_the_agents_with_all_its_sheets() -> None:
    play = Playbook()
    canvas, page = second_canvas(play)
    ada, person = play.agent("ada"), play.person()
    narrow(person, m.Area(canvas=canvas))
    assert ada.writes(0, 0, "here", pageId=page).code is None
    assert ada.manages("create_page", canvasId=canvas).code is None
    assert ada.manages("rename", canvasId=canvas, name="Mine").code is None
    assert ada.writes(0, 0, "there", pageId=SHEET).code == "permission_denied"
    assert ada.manages("rename", canvasId=CANVAS, name="Stolen").code == "permission_denied"
    assert ada.manages("create", kind="freeform").code == "permission_denied"
    assert ada.manages("duplicate", canvasId=canvas).code == "permission_denied"
    assert ada.manages("list").code is None


def test_a_sheet_in_the_scope_is_its_cells_and_not_its_name_or_size() -> None:
    play = Playbook()
    canvas, page = second_canvas(play)
    ada, person = play.agent("ada"), play.person()
    narrow(person, m.Area(canvas=canvas, sheet=page))
    assert ada.writes(0, 0, "here", pageId=page).code is None
    for action, more in (("rename_page", {"name": "X"}), ("resize_page", {"size": [50, 20]})):
        assert ada.manages(action, pageId=page, **more).code == "permission_denied"
    refused = ada.manages("delete_page", pageId=page, mode="apply")
    assert refused.code in ("permission_denied", "last_one")


def test_a_batch_may_add_a_page_and_draw_on_it_where_the_canvas_is_the_agents() -> None:
    play = Playbook()
    canvas, page = second_canvas(play)
    ada, person = play.agent("ada"), play.person()
    ops = [
        {"op": "manage", "args": {"action": "create_page", "canvasId": canvas}},
        {"op": "write", "args": {"at": [0, 0], "content": "new", "pageId": "$0.pageId"}},
    ]
    narrow(person, m.Area(canvas=canvas, sheet=page))
    assert ada.calls("canvas_batch", ops=ops, mode="apply").code == "permission_denied"
    narrow(person, m.Area(canvas=canvas))
    assert ada.calls("canvas_batch", ops=ops, mode="apply").code is None


def test_a_scope_whose_canvas_is_gone_allows_nothing() -> None:
    play, ada, _ = desk()
    play.state.authors.get("ada").scope = (Area("cv-gone"),)
    got = ada.writes(0, 0, "x")
    assert (got.code, "a canvas that is not there" in got["message"]) == ("permission_denied", True)


# -- who sets it, who knows of it --------------------------------------------------


def test_a_scope_counts_at_once_is_told_to_pages_and_kept() -> None:
    play, ada, person = desk()
    assert name_of(person).scope == [HERE]
    back = Authors.load({"ada": play.records["author", "ada"]}, None).known["ada"]
    assert back.scope == (Area(CANVAS, SHEET, Rect(0, 0, 10, 4)),)
    narrow(person)
    assert name_of(person).scope == []
    assert ada.writes(20, 0, "free").code is None


def test_other_changes_of_a_grant_leave_the_scope_alone() -> None:
    _, ada, person = desk()
    person.says(m.Govern(epoch=person.epoch, author="ada", grant="propose"))
    assert ada.writes(20, 0, "far").code == "permission_denied"
    assert ada.writes(0, 0, "near").code == "approval_required"


@pytest.mark.parametrize(
    ("area", "code"),
    [
        (m.Area(canvas="cv-gone"), "canvas_not_found"),
        (m.Area(canvas=CANVAS, sheet="pg-gone"), "page_not_found"),
        (m.Area(canvas=CANVAS, sheet=SHEET, rect=(0, 0, 0, 1)), "invalid_input"),
        (m.Area(canvas=CANVAS, rect=(0, 0, 1, 1)), "invalid_input"),
    ],
)
def test_a_scope_that_is_none_changes_nothing(area: m.Area, code: str) -> None:
    play, _, person = desk()
    narrow(person, area)
    assert next(person.told(m.RefusedEdit)).code == code
    assert play.state.authors.get("ada").scope == (Area(CANVAS, SHEET, Rect(0, 0, 10, 4)),)


def test_the_message_takes_as_many_areas_as_an_author_may_have() -> None:
    areas = [HERE] * MAX_AREAS
    assert len(m.Govern(epoch=1, author="ada", scope=areas).scope or ()) == MAX_AREAS
    with pytest.raises(ValueError, match="at most 16"):
        m.Govern(epoch=1, author="ada", scope=[*areas, HERE])


def you(got: Got) -> dict[str, Any]:
    found: dict[str, Any] = got.fields.get("context", got.fields)["you"]
    return found


def test_an_agent_reads_what_it_may_do_and_where() -> None:
    _, ada, person = desk()
    allow(person, "code")
    told = {
        "name": "ada",
        "grant": "apply",
        "scope": [{"canvasId": CANVAS, "pageId": SHEET, "bounds": [0, 0, 10, 4]}],
        "lacks": ["code"],
    }
    assert you(ada.calls("canvas_read", view="context")) == told
    assert you(ada.manages("status")) == told


def test_the_command_line_and_the_person_have_no_scope() -> None:
    play, _, person = desk()
    shell = play.tenant("cli", "cli")
    assert "you" not in shell.manages("status").fields
    assert shell.writes(50, 50, "free").code is None
    assert person.types(60, 60, "free").acks == 1


# -- features ------------------------------------------------------------------


def test_scripts_can_be_turned_off_for_an_agent_and_on_again() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    allow(person, "code")
    assert name_of(person).lacks == ["code"]
    got = ada.calls("canvas_code", script="return 1")
    assert (got.code, got["details"]) == ("permission_denied", {"feature": "code"})
    assert "the person can allow them" in got["message"]
    allow(person, "code", is_allowed=True)
    assert name_of(person).lacks == []
    assert ada.starts_script().ends().code is None


@pytest.mark.parametrize("representation", ["image", "both"])
def test_without_images_an_agent_reads_text_and_cells(representation: str) -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    allow(person, "images")
    assert ada.reads(0, 0, 5, representation=representation).code == "permission_denied"
    assert ada.reads(0, 0, 5).code is None


def test_without_files_no_agents_process_is_asked_for_one() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    allow(person, "files")
    step = {"op": "write", "args": {"at": [0, 0], "sourceRef": "a.txt"}}
    for tool, more in (
        ("canvas_write", {"at": [0, 0], "sourceRef": "a.txt"}),
        ("canvas_render", {"at": [0, 0], "sourceRef": "a.md"}),
        ("canvas_batch", {"ops": [step]}),
    ):
        got = ada.calls(tool, **more)
        assert (got.code, got["details"]) == ("permission_denied", {"feature": "files"})
        assert not [one for one in play.heard if isinstance(one, fx.ReadSource)]


def test_without_pages_canvases_and_sheets_neither_come_nor_go() -> None:
    play = Playbook()
    canvas, page = second_canvas(play)
    ada, person = play.agent("ada"), play.person()
    allow(person, "pages")
    denied = [
        ada.manages("create", kind="freeform"),
        ada.manages("archive", canvasId=canvas, mode="apply"),
        ada.manages("create_page", canvasId=canvas),
        ada.calls("canvas_render", at=[0, 0], source="# A", format="deck", pageId=page, mode="apply"),
        ada.calls("canvas_batch", ops=[{"op": "manage", "args": {"action": "create", "kind": "freeform"}}]),
    ]
    assert {got.code for got in denied} == {"permission_denied"}
    assert ada.manages("rename", canvasId=canvas, name="Named").code is None
    assert ada.writes(0, 0, "cells").code is None


# -- policy ----------------------------------------------------------------------


def policy(play: Playbook, **what: Any) -> None:
    play.feed(e.PolicyRead(Policy(**what)))


def test_the_operators_policy_is_what_newcomers_get_and_the_person_wins_over_it() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    policy(play, grant="propose", scope=(Area("Canvas 1", "Page 1", Rect(0, 0, 10, 4)),))
    assert next(person.told(m.Governed)).newcomers == "propose"
    link = play.mint("tn")
    play.feed(e.Joined(link, "token", "bob", "agent", None, play.at))
    bob = Agent(play, link, "bob")
    assert bob.writes(0, 0, "x").code == "approval_required"
    assert bob.writes(20, 0, "x").code == "permission_denied"
    assert ada.writes(20, 0, "x").code is None, "who was here keeps what it has"
    person.says(m.Newcomers(epoch=person.epoch, grant="apply"))
    assert next(person.told(m.Governed)).newcomers == "apply"


def test_features_of_the_policy_hold_for_all_but_those_the_person_decided_about() -> None:
    play = Playbook()
    ada, bob, person = play.agent("ada"), play.agent("bob"), play.person()
    allow(person, "code", is_allowed=True)
    policy(play, features={**FEATURES, "code": False})
    assert bob.calls("canvas_code", script="return 1").code == "permission_denied"
    assert ada.starts_script().ends().code is None
    policy(play)
    assert bob.starts_script().ends().code is None


def test_under_a_policy_that_cant_be_followed_agents_only_look_and_pages_say_so() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    policy(play, problem="line 1 is no JSON")
    assert next(person.told(m.Governed)).policy_problem == "line 1 is no JSON"
    got = ada.writes(0, 0, "x")
    assert (got.code, "policy.json" in got["message"]) == ("permission_denied", True)
    assert ada.reads(0, 0, 5).code is None
    assert play.tenant("cli", "cli").writes(0, 1, "shell").code is None
    assert person.types(0, 2, "me").acks == 1
    policy(play)
    assert ada.writes(0, 0, "x").code is None


# -- laws ------------------------------------------------------------------------


def test_what_lies_outside_are_exactly_the_cells_that_no_rectangle_has() -> None:
    play = Playbook()
    draft = Draft(Scene())
    for y in range(6):
        draft.restyle(0, y, ["x"] * 12, [PLAIN] * 12)
    steps = (CellsChanged(SHEET, draft.change()),)
    rects = [Rect(1, 1, 4, 3), Rect(3, 2, 6, 2), Rect(-5, -5, 3, 3), Rect(10, 0, 90, 9)]
    scope = tuple(Area(CANVAS, SHEET, rect) for rect in rects)
    found = {
        (x, y)
        for area in outside(play.state.contents, scope, steps)
        if area.rect is not None
        for y in range(area.rect.y, area.rect.bottom)
        for x in range(area.rect.x, area.rect.right)
    }
    every = {(x, y) for x in range(12) for y in range(6)}
    inside = {(x, y) for x, y in every for r in rects if r.x <= x < r.right and r.y <= y < r.bottom}
    assert found == every - inside
    assert words(play.state.contents, scope).endswith("and 3 more")


def test_without_a_scope_nothing_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def noted(*about: Any) -> list[Area]:
        asked.append(about)
        return outside(*about)

    monkeypatch.setattr(permits, "outside", noted)
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    ada.writes(0, 0, "free")
    assert asked == []
    narrow(person, HERE)
    ada.writes(0, 1, "held")
    assert len(asked) == 1
