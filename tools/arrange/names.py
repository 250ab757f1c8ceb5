"""Names of canvases and sheets: what is allowed, and what they are called by default."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from itertools import count

from chardesk.tools.errors import Refused
from chardesk.tools.model.sheet import Canvas
from chardesk.tools.model.width import ZWJ, cluster_width, graphemes

MAX_GRAPHEMES = 80

_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
"""Controls, halves of surrogate pairs, line and paragraph separators."""


def clean(name: str) -> str:
    """The name without blanks around it. Refuses `invalid_input` if it is empty, too long, or holds anything
    that can't be seen: two names that look alike must be alike."""
    trimmed = name.strip()
    clusters = graphemes(trimmed)
    if not 1 <= len(clusters) <= MAX_GRAPHEMES:
        message = f"name must have 1 to {MAX_GRAPHEMES} characters, not {len(clusters)}"
        raise Refused("invalid_input", message, field="name")
    hidden = next((cluster for cluster in clusters if _is_hidden(cluster)), None)
    if hidden is not None:
        points = " ".join(f"U+{ord(char):04X}" for char in hidden[:4])
        raise Refused("invalid_input", f"name holds something that can't be seen ({points})", field="name")
    return trimmed


def _is_hidden(cluster: str) -> bool:
    unseen = any(unicodedata.category(char) in _UNSEEN for char in cluster)
    return unseen or cluster_width(cluster) == 0 or cluster.endswith(ZWJ)


def unique(name: str, canvases: Iterable[Canvas]) -> str:
    """The clean name. Refuses `name_taken` if one of `canvases` has it; texts compare in NFC."""
    wanted = clean(name)
    if any(_same(canvas.name, wanted) for canvas in canvases):
        raise Refused("name_taken", f"another canvas is called {wanted}", field="name")
    return wanted


def numbered(word: str, taken: Collection[str]) -> str:
    """`word` with the first number that makes it a new name: "Canvas 2"."""
    return next(name for n in count(1) if (name := f"{word} {n}") not in taken)


def copied(name: str, taken: Collection[str]) -> str:
    """What a copy is called: "Plan copy", then "Plan copy 2"; a long name is cut to make room."""
    for n in count(1):
        tail = " copy" if n == 1 else f" copy {n}"
        candidate = "".join(graphemes(name)[: MAX_GRAPHEMES - len(tail)]).rstrip() + tail
        if candidate not in taken:
            return candidate
    raise AssertionError("count never ends")


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
