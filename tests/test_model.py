"""The ground keeps its laws: scenes, changes, regions, traces, and what is written of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from drawings import (
    AUTHORS,
    GLYPHS,
    commit,
    contents_of,
    everything,
    histories,
    laws,
    planned,
    put,
    rects,
    scenes,
    strokes,
)
from hypothesis import given
from hypothesis import strategies as st

from chardesk.tools.errors import Fault
from chardesk.tools.model import chunk as chunk_module
from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.change import Change, Strip
from chardesk.tools.model.chunk import CHUNK_SIZE, Chunk
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.packed import pack_change, pack_step, unpack_change, unpack_step
from chardesk.tools.model.region import Rect, Region, Span, union_of
from chardesk.tools.model.replay import take, take_back
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.steps import (
    CanvasAdded,
    CanvasRemoved,
    CellsChanged,
    SheetAdded,
    SheetRemoved,
    inverse,
)
from chardesk.tools.model.trace import Trace
from chardesk.tools.model.width import cluster_width, graphemes

todo = st.lists(strokes(), min_size=1, max_size=6)
spans = st.builds(
    lambda y, x, n: Span(y, x, x + n), st.integers(-2, 2), st.integers(-6, 6), st.integers(1, 5)
)
regions = st.lists(spans, max_size=6).map(Region)


def cells_of(region: Region) -> set[tuple[int, int]]:
    return {(x, span.y) for span in region.spans for x in range(span.x, span.end)}


def has_only_whole_glyphs(scene: Scene) -> bool:
    for y, x, end in scene.spans():
        chars = (*scene.strip(y, x, end).chars, None)
        wide = [char is not None and char != "" and cluster_width(char) == 2 for char in chars]
        if chars[0] == "" or any(wide[at] != (chars[at + 1] == "") for at in range(len(chars) - 1)):
            return False
    return True


# -- scenes and changes ----------------------------------------------------


@laws
@given(scenes(), todo)
def test_a_change_and_then_its_inverse_give_the_old_scene_back(scene: Scene, strokes: list[Any]) -> None:
    before, change = scene.fork(), planned(scene, strokes)
    scene.apply(change)
    scene.apply(change.inverse())
    assert scene == before


@laws
@given(scenes(), todo)
def test_a_plan_leaves_its_base_alone_and_fits_it(scene: Scene, strokes: list[Any]) -> None:
    before = scene.fork()
    change = planned(scene, strokes)
    assert scene == before
    assert scene.fits(change)


@laws
@given(scenes(), todo, todo)
def test_two_changes_as_one_do_what_both_do(scene: Scene, first: list[Any], second: list[Any]) -> None:
    apart, at_once = scene.fork(), scene.fork()
    one = planned(apart, first)
    apart.apply(one)
    two = planned(apart, second)
    apart.apply(two)
    both = one.then(two)
    assert at_once.fits(both)
    at_once.apply(both)
    assert at_once == apart
    at_once.apply(both.inverse())
    assert at_once == scene


@laws
@given(scenes(), todo)
def test_a_change_alters_what_differs_afterwards_in_whole_glyphs(scene: Scene, strokes: list[Any]) -> None:
    change, after = planned(scene, strokes), scene.fork()
    after.apply(change)
    assert cells_of(change.altered()) <= cells_of(change.footprint())

    def differs(x: int, y: int) -> bool:
        return scene.strip(y, x, x + 1) != after.strip(y, x, x + 1)

    for x, y in cells_of(Region([*scene.spans(), *after.spans()])):
        is_right_half = scene.char(x, y) == after.char(x, y) == ""
        expected = differs(x, y) or (is_right_half and differs(x - 1, y))
        assert expected == ((x, y) in cells_of(change.altered()))


@laws
@given(scenes(), todo)
def test_a_changes_essence_does_the_same_and_writes_nothing_else(scene: Scene, strokes: list[Any]) -> None:
    change, after = planned(scene, strokes), scene.fork()
    essence = change.essence()
    assert essence.footprint() == essence.altered() == change.altered()
    assert scene.fits(essence)
    after.apply(essence)
    scene.apply(change)
    assert after == scene
    assert all("" not in (run.before.chars[0], run.after.chars[0]) for run in essence.runs)


@laws
@given(scenes(), todo)
def test_no_stroke_leaves_half_a_wide_glyph(scene: Scene, strokes: list[Any]) -> None:
    scene.apply(planned(scene, strokes))
    assert has_only_whole_glyphs(scene)


@laws
@given(scenes(), todo)
def test_a_fork_and_its_origin_do_not_see_each_others_writes(scene: Scene, strokes: list[Any]) -> None:
    fork, third = scene.fork(), scene.fork()
    change = planned(scene, strokes)
    fork.apply(change)
    assert scene == third
    scene.apply(change)
    assert scene == fork
    scene.apply(change.inverse())
    assert scene == third


@laws
@given(scenes(), rects)
def test_spans_within_a_rectangle_are_the_stored_columns_inside(scene: Scene, rect: Rect) -> None:
    within = cells_of(Region(scene.spans(rect)))
    everywhere = cells_of(Region(scene.spans()))
    assert within == {(x, y) for x, y in everywhere if rect.covers(Rect(x, y, 1, 1))}


@laws
@given(scenes(), todo)
def test_shared_chunks_tell_by_their_owner_what_was_written_since(scene: Scene, strokes: list[Any]) -> None:
    shared = scene.share()
    owners = {key: chunk.owner for key, chunk in shared.items()}
    change = planned(scene, strokes)
    scene.apply(change)
    now = scene.share()
    unwritten = {key for key, chunk in now.items() if owners.get(key) is chunk.owner}
    written = {(x // 128, y // 64) for x, y in cells_of(change.footprint())}
    assert unwritten == set(owners) - written


@laws
@given(scenes())
def test_a_chunk_survives_being_packed(scene: Scene) -> None:
    packed = {key: chunk.pack() for key, chunk in scene.share().items()}
    again = Scene.of({key: Chunk.unpack(chunk, object()) for key, chunk in packed.items()})
    assert again == scene
    assert again.bounds() == scene.bounds()


def test_a_packed_chunk_of_the_wrong_length_or_with_a_missing_style_is_refused() -> None:
    packed = Chunk(object()).pack()
    with pytest.raises(ValueError, match="wrong length"):
        Chunk.unpack(packed._replace(chars=packed.chars[:-1]), object())
    with pytest.raises(IndexError, match="style"):
        Chunk.unpack(packed._replace(palette=[]), object())


def test_styles_stay_right_when_a_chunk_has_seen_more_of_them_than_it_keeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chunk_module, "_PALETTE_LIMIT", 8)
    scene = Scene()
    styles = [Style(f"#{number:06x}") for number in range(40)]
    for y in range(10):
        scene.put(y, 0, Strip(("x",) * 4, tuple(styles[4 * y : 4 * y + 4])))
    assert [scene.strip(y, 0, 4).styles for y in range(10)] == [
        tuple(styles[4 * y : 4 * y + 4]) for y in range(10)
    ]
    scene.put(0, 0, Strip(("y",) * 3, (styles[39], Style("#ffffff"), PLAIN)))
    assert scene.strip(0, 0, 4).styles == (styles[39], Style("#ffffff"), PLAIN, styles[3])


def test_a_chunk_that_holds_nothing_any_more_is_gone() -> None:
    scene = Scene()
    scene.put(0, 0, Strip(("a",), (PLAIN,)))
    scene.put(0, 0, Strip.empty(1))
    assert scene.share() == {}
    assert len(Chunk(object()).chars) == CHUNK_SIZE


# -- regions ---------------------------------------------------------------


@laws
@given(st.lists(spans, max_size=8))
def test_a_region_is_the_union_of_its_spans_sorted_apart(parts: list[Span]) -> None:
    region = Region(parts)
    assert cells_of(region) == {(x, span.y) for span in parts for x in range(span.x, span.end)}
    assert region.columns == len(cells_of(region))
    for one, two in zip(region.spans, region.spans[1:], strict=False):
        assert (one.y, one.end) < (two.y, two.x)


@laws
@given(regions, regions)
def test_regions_unite_and_meet_as_sets_do(one: Region, two: Region) -> None:
    assert cells_of(one | two) == cells_of(one) | cells_of(two)
    assert one.meets(two) == two.meets(one) == bool(cells_of(one) & cells_of(two))
    assert one | two == two | one


@laws
@given(regions)
def test_a_regions_rectangles_are_its_cells_each_once(region: Region) -> None:
    found = region.rects()
    assert Region(span for rect in found for span in Region.of(rect).spans) == region
    assert sum(rect.area for rect in found) == region.columns
    assert found == sorted(found, key=lambda rect: (rect.y, rect.x))


@laws
@given(regions)
def test_a_regions_bounds_are_tight(region: Region) -> None:
    bounds = region.bounds()
    cells = cells_of(region)
    assert (bounds is None) == (not cells)
    if bounds is not None:
        xs, ys = {x for x, _ in cells}, {y for _, y in cells}
        assert bounds == Rect(min(xs), min(ys), max(xs) + 1 - min(xs), max(ys) + 1 - min(ys))


@laws
@given(regions, st.integers(0, 2))
def test_a_widened_region_reaches_to_both_sides(region: Region, by: int) -> None:
    wide = {(x + step, y) for x, y in cells_of(region) for step in range(-by, by + 1)}
    assert cells_of(region.widened(by)) == wide


# -- traces ----------------------------------------------------------------

marks = st.lists(st.tuples(regions, st.sampled_from(AUTHORS)), max_size=8)


@laws
@given(marks, regions, st.sampled_from((*AUTHORS, "stranger")), st.integers(0, 8))
def test_a_trace_answers_as_a_full_history_would(
    marks: list[tuple[Region, str]], asked: Region, author: str, since: int
) -> None:
    trace, naive = Trace(), dict[tuple[int, int], list[tuple[str, int]]]()
    for seq, (region, who) in enumerate(marks, 1):
        trace.mark(region, who, seq)
        for at in cells_of(region):
            naive.setdefault(at, []).append((who, seq))
    expected = set()
    for at in cells_of(asked):
        others = [(who, seq) for who, seq in naive.get(at, []) if who != author and seq > since]
        if others:
            expected.add((*at, *others[-1]))
    found = {
        (touch.span.x, touch.span.y, touch.author, touch.seq) for touch in trace.others(asked, author, since)
    }
    assert found == expected
    assert all(trace.latest(*at) == naive.get(at, [None])[-1] for at in cells_of(asked))


@laws
@given(marks, marks)
def test_marks_that_are_taken_back_newest_first_leave_no_trace(
    kept: list[tuple[Region, str]], lost: list[tuple[Region, str]]
) -> None:
    trace = Trace()
    for seq, (region, who) in enumerate(kept, 1):
        trace.mark(region, who, seq)
    before = {key: trace.dump(key) for key in trace.epochs()}
    undo = [trace.mark(region, who, seq) for seq, (region, who) in enumerate(lost, 100)]
    for taken in reversed(undo):
        trace.unmark(taken)
    blank = Trace()
    blank.mark(Region([Span(0, 0, 1)]), "ada", 0)
    empty = bytes(len(blank.dump((0, 0))))
    assert {key: trace.dump(key) for key in trace.epochs()} == {
        key: before.get(key, empty) for key in trace.epochs()
    }


@laws
@given(marks, regions)
def test_a_trace_survives_being_dumped_and_its_epochs_tell_what_was_marked(
    marks: list[tuple[Region, str]], more: Region
) -> None:
    trace = Trace()
    for seq, (region, who) in enumerate(marks, 1):
        trace.mark(region, who, seq)
    known = trace.epochs()
    again = Trace.load(trace.authors, [(key, trace.dump(key)) for key in known])
    assert again.authors == trace.authors
    assert {key: again.dump(key) for key in again.epochs()} == {key: trace.dump(key) for key in known}
    trace.mark(more, "ada", 99)
    now = trace.epochs()
    assert {key for key in now if now[key] is not known.get(key)} == {
        (x // 128, y // 64) for x, y in cells_of(more)
    }


def test_a_dumped_tile_of_the_wrong_length_is_refused() -> None:
    trace = Trace()
    trace.mark(Region([Span(0, 0, 1)]), "ada", 1)
    raw = trace.dump((0, 0))
    for wrong in (raw[:-1], raw + b"\0", b""):
        with pytest.raises(ValueError, match=r"tile|bytes"):
            Trace.load(["ada"], [((0, 0), wrong)])


# -- steps, commits, and what is written of them ---------------------------


@laws
@given(scenes(), todo)
def test_a_change_survives_being_packed_as_json(scene: Scene, strokes: list[Any]) -> None:
    change = planned(scene, strokes)
    assert unpack_change(json.loads(json.dumps(pack_change(change)))) == change


@laws
@given(histories())
def test_every_step_survives_being_packed_and_being_inverted_twice(history: list[Commit]) -> None:
    for step in (step for one in history for step in one.steps):
        assert unpack_step(json.loads(json.dumps(pack_step(step)))) == step
        assert inverse(inverse(step)) == step


def test_a_sheet_without_a_note_is_packed_as_it_was_before_there_were_notes() -> None:
    bare, noted = (SheetAdded("cv", 0, "pg", "Page", None, note=note) for note in ("", "hi"))
    assert {**pack_step(noted), "note": ""} == {**pack_step(bare), "note": ""}
    assert "note" not in pack_step(bare)


@laws
@given(histories(max_size=8), st.integers(0, 8))
def test_commits_taken_back_newest_first_leave_the_contents_as_they_were(
    history: list[Commit], kept: int
) -> None:
    contents = contents_of(history[:kept])
    before = everything(contents)
    taken = [take(contents, one) for one in history[kept:]]
    for one in reversed(taken):
        take_back(contents, one)
    assert everything(contents) == before


def test_taking_back_the_removal_of_a_sheet_brings_back_who_touched_it() -> None:
    change = planned(Scene(), [put(0, 0, "a")])
    first = (CanvasAdded("cv", "one", "slides"), SheetAdded("cv", 0, "pg", "s", None, change))
    contents = contents_of([commit(1, (*first, SheetAdded("cv", 1, "pg2", "t", None)), canvas="cv")])
    taken = [
        take(
            contents,
            commit(2, (CellsChanged("pg", change.inverse()),), author="bob", canvas="cv", sheet="pg"),
        ),
        take(contents, commit(3, (SheetRemoved("cv", 0, "pg", "s", None),), canvas="cv", sheet="pg")),
    ]
    for one in reversed(taken):
        take_back(contents, one)
    sheet = contents.sheet("pg")
    assert sheet is not None
    assert (sheet.trace.latest(0, 0), sheet.revision) == (("ada", 1), 1)


def test_steps_on_what_is_not_there_are_faults() -> None:
    for step in (
        CellsChanged("pg", Change()),
        CanvasRemoved("cv", "n", "slides"),
        SheetAdded("cv", 0, "pg", "n", None),
    ):
        with pytest.raises(Fault, match="no "):
            Contents().apply(step)


@laws
@given(st.text(), st.lists(st.sampled_from(GLYPHS)).map("".join))
def test_graphemes_joined_are_the_text_again(any_text: str, drawn: str) -> None:
    assert "".join(graphemes(any_text)) == any_text
    assert "".join(graphemes(drawn)) == drawn


@given(todo)
def test_what_a_chunk_remembers_of_its_cells_is_what_a_look_at_each_of_them_finds(strokes: list[Any]) -> None:
    scene = Scene()
    for number in range(len(strokes)):
        scene.apply(planned(scene, strokes[number : number + 1]))
        seen = {
            (x, y) for y, left, end in scene.spans() for x in range(left, end) if is_occupied(scene, x, y)
        }
        assert scene.occupied_cells() == len(seen)
        assert scene.bounds() == union_of(Rect(x, y, 1, 1) for x, y in seen)


def is_occupied(scene: Scene, x: int, y: int) -> bool:
    (char,), (style,) = scene.strip(y, x, x + 1)
    owner = scene.char(x - 1, y) if char == "" else char
    return bool(owner and not owner.isspace()) or style.marks_blank


def test_a_right_half_beyond_a_chunk_border_is_occupied_like_its_left_half() -> None:
    seen, blank = Scene(), Scene()
    seen.put(0, 127, Strip(("世", ""), (PLAIN, PLAIN)))
    blank.put(0, 127, Strip(("\u3000", ""), (PLAIN, PLAIN)))
    assert (seen.bounds(), seen.occupied_cells()) == (Rect(127, 0, 2, 1), 2)
    assert (blank.bounds(), blank.occupied_cells()) == (None, 0)


def test_a_trace_lists_what_was_touched_since_a_commit_and_by_whom() -> None:
    trace = Trace()
    trace.mark(Region([Span(0, 120, 140)]), "ada", 1)
    trace.mark(Region([Span(0, 130, 132), Span(-5, 0, 2)]), "bob", 2)
    assert set(trace.since(1)) == {(Span(0, 130, 132), "bob", 2), (Span(-5, 0, 2), "bob", 2)}
    assert {touch.author for touch in trace.since(0)} == {"ada", "bob"}
    assert list(trace.since(2)) == []


@given(scenes(), rects, st.integers(1, 5))
def test_spans_closer_than_a_gap_are_one(scene: Scene, rect: Rect, gap: int) -> None:
    merged: list[Span] = []
    for span in scene.spans(rect):
        if merged and merged[-1].y == span.y and span.x - merged[-1].end < gap:
            merged[-1] = Span(span.y, merged[-1].x, span.end)
        else:
            merged.append(span)
    assert list(scene.spans(rect, gap)) == merged
