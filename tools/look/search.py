"""canvas_search: where a text or a pattern stands, exactly, one or several rows high."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Annotated

from pydantic import AfterValidator, Field

from chardesk.tools.look.hunt import Clock, Found, Hunt, monotonic
from chardesk.tools.look.needles import caseless, composed, expressions, literals, longest
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Look, Note, Operation, Shown, Target
from chardesk.tools.schema import Four, Pair, PointArg, RectArg, Result

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
    query: Annotated[str, AfterValidator(_query)] = Field(
        description="text; LF splits rows that match at the same x on consecutive rows"
    )
    regex: bool = Field(False, description="each row of query is an RE2 pattern")
    ignore_case: bool = Field(False, description="compare without case")
    viewport: RectArg | None = Field(None, description="[x,y,width,height]; default: the whole sheet")
    after: PointArg | None = Field(None, description="continue behind this origin: `next` of the last reply")


class Match(Result):
    """`content` is what is stored there, its rows joined by LF."""

    origin: Pair
    bounds: Four
    content: str


class SearchResult(Result):
    matches: list[Match]
    next: Pair | None


def show(scene: Scene, size: Size | None, args: SearchArgs) -> Shown:
    """At most 20 matches by y, then x. Refuses `search_limit`, never half an answer."""
    return search(scene, args, monotonic)


def search(scene: Scene, args: SearchArgs, clock: Clock) -> Shown:
    """`show` with the clock (seconds) that its time budget is measured by."""
    found = list(islice(_matches(scene, args, clock), MAX_MATCHES + 1))
    shown = found[:MAX_MATCHES]
    more = shown[-1].origin if len(found) > MAX_MATCHES else None
    matches = [Match(origin=one.origin, bounds=one.bounds, content=one.content) for one in shown]
    return Shown(
        SearchResult(matches=matches, next=more),
        (Note(_summary(shown, more)),),
        tuple(o.bounds for o in shown),
    )


def _matches(scene: Scene, args: SearchArgs, clock: Clock) -> Iterator[Found]:
    queried = args.query.split("\n")
    if args.regex:
        needles, gap, fold = expressions(queried, args.ignore_case), None, composed
    else:
        needles, gap = literals(queried, args.ignore_case), longest(queried)
        fold = caseless if args.ignore_case else composed
    return Hunt(scene, needles, fold, gap, clock).matches(args.viewport, args.after)


def _summary(shown: list[Found], more: tuple[int, int] | None) -> str:
    tail = f"; more with after {[*more]}" if more else ""
    return f"{len(shown)} match{'' if len(shown) == 1 else 'es'} in the field matches{tail}"


OPERATION = Operation(
    name="canvas_search",
    summary=(
        "Find text or an RE2 pattern on a sheet, several rows at once if the query has several. "
        "Gives up to 20 matches with origin, bounds and content."
    ),
    effect="read",
    args=SearchArgs,
    result=SearchResult,
    body=Look(show),
    examples=({"query": "Needle"}, {"query": "v[0-9]+", "regex": True, "ignoreCase": True}),
)
