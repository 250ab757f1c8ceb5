"""canvas_search: where a text or a pattern stands, exactly, one or several rows high."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Annotated

from pydantic import AfterValidator, Field

from chardesk.tools.errors import Refused
from chardesk.tools.look.budget import Budget, Clock, monotonic
from chardesk.tools.look.hunt import Found, Hunt
from chardesk.tools.look.needles import caseless, composed, expressions, literals, longest
from chardesk.tools.look.vacant import MARGIN, vacant
from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import QUICK_CELLS, Look, Note, Operation, Shown, Target
from chardesk.tools.schema import Four, Pair, PointArg, RectArg, Result, SizeArg

MAX_QUERY_UNITS, MAX_QUERY_ROWS = 4096, 64
MAX_MATCHES = 20


def _query(value: str) -> str:
    units = len(value.encode("utf-16-le", "surrogatepass")) // 2
    if not 1 <= units <= MAX_QUERY_UNITS:
        raise ValueError(f"must have 1 to {MAX_QUERY_UNITS} UTF-16 units, not {units}")
    rows = value.split("\n")
    if len(rows) > MAX_QUERY_ROWS:
        raise ValueError(f"must have at most {MAX_QUERY_ROWS} rows, not {len(rows)}")
    if any(unicodedata.category(char) == "Cc" for char in value if char != "\n"):
        raise ValueError("must not hold control characters other than LF")
    if not all(map(str.strip, rows)):
        raise ValueError("must have a visible character in every row")
    return value


class SearchArgs(Target):
    query: Annotated[str, AfterValidator(_query)] | None = Field(
        None, description="text; LF splits rows that match at the same x on consecutive rows"
    )
    regex: bool = Field(False, description="each row of query is an RE2 pattern")
    ignore_case: bool = Field(False, description="compare without case")
    viewport: RectArg | None = Field(None, description="[x,y,width,height]; default: the whole sheet")
    after: PointArg | None = Field(None, description="continue behind this origin: `next` of the last reply")
    empty: SizeArg | None = Field(None, description="instead of query: find free space of [columns, rows]")
    near: PointArg | None = Field(None, description="with empty: as near as possible to [x, y]")


class Match(Result):
    """`content` is what is stored there, its rows joined by LF."""

    origin: Pair
    bounds: Four
    content: str


class SearchResult(Result):
    """`empty` only if free space was asked for: up to 5 rectangles, nearest first."""

    matches: list[Match]
    next: Pair | None
    empty: list[Four] | None = None


def is_slow(scene: Scene, args: SearchArgs) -> bool:
    return scene.stored_cells() > QUICK_CELLS


def show(scene: Scene, size: Size | None, args: SearchArgs) -> Shown:
    """At most 20 matches by y, then x, or 5 free rectangles. Refuses `search_limit`, never half an answer."""
    return search(scene, size, args, monotonic)


def search(scene: Scene, size: Size | None, args: SearchArgs, clock: Clock) -> Shown:
    """`show` with the clock (seconds) that its time budget is measured by."""
    _check_form(args)
    budget = Budget(clock)
    return _text(scene, args, budget) if args.empty is None else _space(scene, size, args.empty, args, budget)


_OF_QUERY, _OF_EMPTY = ("query", "regex", "ignore_case", "after"), ("near",)


def _check_form(args: SearchArgs) -> None:
    """Raises Refused `invalid_input` unless it is a search for a text or one for space."""
    if args.query is None and args.empty is None:
        raise Refused("invalid_input", "query is required, or empty for free space", field="query")
    other, means = (_OF_EMPTY, "query") if args.empty is None else (_OF_QUERY, "empty")
    for name in other:
        if name in args.model_fields_set:
            field = str(SearchArgs.model_fields[name].alias)
            raise Refused("invalid_input", f"{field} can't be given together with {means}", field=field)


def _space(scene: Scene, size: Size | None, wanted: Size, args: SearchArgs, budget: Budget) -> Shown:
    sheet = None if size is None else Rect(0, 0, *size)
    view = args.viewport
    within = sheet.clip(view) if sheet and view else sheet or view
    if sheet and view and within is None:
        places = []
    else:
        places = vacant(scene, within, wanted, args.near or _corner(scene, within), budget)
    found = SearchResult(matches=[], next=None, empty=list(places))
    told = f"{len(places)} free place{'' if len(places) == 1 else 's'} in the field empty, nearest first"
    return Shown(found, (Note(told),), tuple(places))


def _corner(scene: Scene, within: Rect | None) -> At:
    """Where to look first when nothing is said: the corner of the view, else under what is drawn."""
    if within is not None:
        return At(within.x, within.y)
    drawn = scene.bounds()
    return At(0, 0) if drawn is None else At(drawn.x, drawn.bottom + MARGIN)


def _text(scene: Scene, args: SearchArgs, budget: Budget) -> Shown:
    found = list(islice(_matches(scene, args, budget), MAX_MATCHES + 1))
    shown = found[:MAX_MATCHES]
    more = shown[-1].origin if len(found) > MAX_MATCHES else None
    matches = [Match(origin=one.origin, bounds=one.bounds, content=one.content) for one in shown]
    return Shown(
        SearchResult(matches=matches, next=more),
        (Note(_summary(shown, more)),),
        tuple(o.bounds for o in shown),
    )


def _matches(scene: Scene, args: SearchArgs, budget: Budget) -> Iterator[Found]:
    queried = (args.query or "").split("\n")
    if args.regex:
        needles, gap, fold = expressions(queried, args.ignore_case), None, composed
    else:
        needles, gap = literals(queried, args.ignore_case), longest(queried)
        fold = caseless if args.ignore_case else composed
    return Hunt(scene, needles, fold, gap, budget).matches(args.viewport, args.after)


def _summary(shown: list[Found], more: tuple[int, int] | None) -> str:
    tail = f"; more with after {[*more]}" if more else ""
    return f"{len(shown)} match{'' if len(shown) == 1 else 'es'} in the field matches{tail}"


OPERATION = Operation(
    name="canvas_search",
    summary=(
        "Find text or an RE2 pattern on a sheet, several rows at once if the query has several. "
        "Gives up to 20 matches with origin, bounds and content. Or find free space (empty)."
    ),
    effect="read",
    args=SearchArgs,
    result=SearchResult,
    body=Look(show, is_slow),
    examples=(
        {"query": "Needle"},
        {"query": "v[0-9]+", "regex": True, "ignoreCase": True},
        {"empty": [30, 8]},
    ),
)
