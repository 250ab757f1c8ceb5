"""A large paste is read elsewhere; to its page, and to everybody else, it is an edit like others."""

from __future__ import annotations

from playbook import Playbook
from playbook_cast import Person

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.wire import messages as m
from chardesk.tools.operation import QUICK_CHARS

ROWS = QUICK_CHARS // 100 + 1
BLOCK = "\n".join(["x" * 100] * ROWS)


def begun() -> tuple[Playbook, Person]:
    """A desk whose threads have not come to the paste yet."""
    play = Playbook()
    person = play.person()
    play.are_threads_busy = True
    pastes(person, "paste")
    return play, person


def pastes(person: Person, name: str, *, x: int = 0, material: str = BLOCK) -> None:
    person.edits(m.PasteOp(at=(x, 0), material=material, format="text"), name=name)


def jobs(play: Playbook) -> list[fx.Work]:
    return [one for one in play.heard if isinstance(one, fx.Work)]


def works(play: Playbook, work: fx.Work) -> list[str]:
    """A thread has done it; what the desk makes of that."""
    play.feed(e.Worked(work.job, work.work(), play.at))
    return play.words


def acks(play: Playbook) -> list[str]:
    """Which edits the last event confirmed, in order."""
    told = [one.message for one in play.heard if isinstance(one, fx.TellPage)]
    confirmed = [one for one in told if isinstance(one, m.Change | m.Done)]
    named = [one.ack if isinstance(one, m.Change) else one.id for one in confirmed]
    return [one for one in named if one]


def test_a_large_paste_is_planned_elsewhere_and_lands_as_one_commit() -> None:
    play, _ = begun()
    (work,) = jobs(play)
    assert play.state.seq == 1
    works(play, work)
    assert (acks(play), play.state.seq) == (["paste"], 2)
    assert play.drawn().split("\n")[1:] == ["x" * 100] * ROWS


def test_what_the_page_does_meanwhile_comes_after_it() -> None:
    play, person = begun()
    (work,) = jobs(play)
    assert person.types(0, 0, "typed", name="typed").effects == []
    person.edits(m.UndoOp(), name="undo")
    works(play, work)
    assert acks(play) == ["paste", "typed", "undo"]
    assert play.drawn().split("\n")[1] == "x" * 100, "the typing lay over the paste, and is undone"


def test_a_second_large_paste_waits_for_the_first() -> None:
    play, person = begun()
    (first,) = jobs(play)
    pastes(person, "second", x=200)
    person.types(0, 0, "typed", name="typed")
    assert jobs(play) == []
    works(play, first)
    (second,) = jobs(play)
    assert acks(play) == ["paste"]
    works(play, second)
    assert acks(play) == ["second", "typed"]


def test_others_go_on_meanwhile_and_what_they_draw_stays_beside_it() -> None:
    play, _ = begun()
    (work,) = jobs(play)
    ada = play.agent("ada")
    assert ada.writes(500, 0, "mine")["applied"]
    works(play, work)
    assert acks(play) == ["paste"]
    assert play.drawn().split("\n")[1].endswith("mine")


def test_a_paste_whose_page_went_is_done_once_when_it_is_sent_again() -> None:
    play, person = begun()
    (lost,) = jobs(play)
    play.feed(e.PageLeft(person.link, play.at))
    again = play.person()
    pastes(again, "paste")
    (work,) = jobs(play)
    works(play, lost)
    assert play.state.seq == 1
    works(play, work)
    assert (acks(play), play.state.seq) == (["paste"], 2)


def test_a_paste_that_the_disk_or_the_loss_of_the_seat_overtakes_is_refused_and_the_rest_goes_on() -> None:
    play, person = begun()
    (work,) = jobs(play)
    play.disk_refuses()
    assert "refused store_failed" in " ".join(works(play, work))
    play.disk_heals()
    pastes(person, "again")
    (work,) = jobs(play)
    other = play.person(take_seat=True)
    person.types(0, 0, "late", name="late")
    words = " ".join(works(play, work))
    assert words.count("refused replaced") == 2
    assert other.types(0, 0, "mine").acks == 1


def test_a_paste_that_changes_nothing_is_done() -> None:
    play, person = begun()
    works(play, jobs(play)[0])
    pastes(person, "same")
    works(play, jobs(play)[0])
    assert (acks(play), play.state.seq) == (["same"], 2)


def test_a_small_paste_is_done_at_once() -> None:
    play = Playbook()
    person = play.person()
    play.are_threads_busy = True
    pastes(person, "small", material="x" * 100)
    assert acks(play) == ["small"]


def left_out(play: Playbook) -> list[tuple[list[str], int]]:
    """What the last event told the page to be left out of its edit."""
    told = [one.message for one in play.heard if isinstance(one, fx.TellPage)]
    kinds = [kind for one in told if isinstance(one, m.Change) for kind in one.dropped or []]
    done = [kind for one in told if isinstance(one, m.Done) for kind in one.result.get("dropped", [])]
    return [(kind.code_points, kind.count) for kind in [*kinds, *map(m.LeftOut.model_validate, done)]]


def test_what_no_cell_can_hold_of_terminal_text_or_markdown_is_told_with_the_answer() -> None:
    play = Playbook()
    person = play.person()
    ansi = m.PasteOp(at=(0, 0), material="\x1b[31mr\u202eed\u202e\x1b[0m", format="ansi")
    person.edits(ansi, name="ansi")
    assert (play.drawn(), left_out(play)) == ("\nred", [(["U+202E"], 2)])
    person.edits(ansi, name="ansi")
    assert left_out(play) == [(["U+202E"], 2)], "asked again, it is said again"
    person.edits(m.PasteOp(at=(0, 2), material="**b\u200b**", format="markdown"), name="markdown")
    assert left_out(play) == [(["U+200B"], 1)]
    person.edits(m.PasteOp(at=(0, 4), material="\x1b[0m\u202e", format="ansi"), name="nothing")
    assert left_out(play) == [(["U+202E"], 1)], "and when nothing is left at all"
    person.edits(m.PasteOp(at=(0, 4), material="t\u202e", format="text"), name="text")
    assert left_out(play) == [], "of text the page knows it by itself"


def test_what_is_left_out_of_a_large_paste_is_told_too() -> None:
    play = Playbook()
    person = play.person()
    play.are_threads_busy = True
    person.edits(m.PasteOp(at=(0, 0), material=BLOCK + "\u202e", format="ansi"), name="paste")
    (work,) = jobs(play)
    works(play, work)
    assert left_out(play) == [(["U+202E"], 1)]


def test_what_a_tool_of_the_persons_leaves_out_is_told_once() -> None:
    play = Playbook()
    person = play.person()
    person.calls("canvas_render", at=[0, 0], source="x\u202e", format="raw", mode="apply")
    assert left_out(play) == [(["U+202E"], 1)]
