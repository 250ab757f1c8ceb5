"""What a change does to what was there before: counts and bounds, in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chardesk.tools.model.change import Change, Run
from chardesk.tools.model.region import Region, Span
from chardesk.tools.schema import Four, Result


class Impact(Result):
    """Overwritten: held a visible character and holds another one now. Cleared: was occupied and is empty.
    Styled: the same character in another style. Bounds are None at 0."""

    overwritten_cells: int
    overwritten_bounds: Four | None
    cleared_cells: int
    cleared_bounds: Four | None
    styled_cells: int
    styled_bounds: Four | None


def impact(change: Change) -> Impact:
    """The impact of applying `change`. A column that stays as it is counts nowhere."""
    found: dict[str, list[Span]] = {"overwritten": [], "cleared": [], "styled": []}
    for run in change.runs:
        for kind, x in _columns(run):
            found[kind].append(Span(run.y, x, x + 1))
    overwritten, cleared, styled = (Region(spans) for spans in found.values())
    return Impact(
        overwritten_cells=overwritten.columns,
        overwritten_bounds=overwritten.bounds(),
        cleared_cells=cleared.columns,
        cleared_bounds=cleared.bounds(),
        styled_cells=styled.columns,
        styled_bounds=styled.bounds(),
    )


def _columns(run: Run) -> Iterator[tuple[str, int]]:
    glyphs = zip(_owners(run.before.chars), _owners(run.after.chars), strict=True)
    for column, (was, now) in enumerate(glyphs):
        old, new = run.before.styles[column], run.after.styles[column]
        if was == now:
            if was is not None and old != new:
                yield "styled", run.x + column
        elif now is None:
            if _is_visible(was) or old.marks_blank:
                yield "cleared", run.x + column
        elif _is_visible(was):
            yield "overwritten", run.x + column


_Owner = tuple[str, int] | None


def _owners(chars: Sequence[str | None]) -> Iterator[_Owner]:
    """For each column the cluster it belongs to, and whether it is the left (0) or right (1) half."""
    owner = ""
    for char in chars:
        if char == "":
            yield owner, 1
        else:
            owner = char or ""
            yield None if char is None else (char, 0)


def _is_visible(owner: _Owner) -> bool:
    return owner is not None and not owner[0].isspace()
