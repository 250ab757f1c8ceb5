"""Which font draws a cluster: the page's own fonts if they are there, else the system's, by what they hold.

Font folders are looked through once, when the first image is drawn; nothing is loaded before it is needed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont

from chardesk.tools.model.width import VS16, ZWJ, cluster_width

_PAGE = Path(__file__).parents[3] / "page"
"""The page's folder lies beside `tools` in a checkout and in an installed package."""

_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "C:/Windows/Fonts",
)

BOLD_FACE, ITALIC_FACE = 1, 2
"""A face is a sum of these; 0 is upright and regular."""

_NEVER_A_CHARACTER = "\ufffe"
_PROBE_PX = 24


class Family(NamedTuple):
    """The files of its four faces, by face; a missing one is drawn with the first. `strike` is the one size
    in pixels that a font of bitmaps has."""

    files: tuple[str, ...]
    indices: tuple[int, ...] = (0,)
    strike: int | None = None


_IOSEVKA = Family(
    tuple(f"iosevka-latin-{face}.woff2" for face in ("400-normal", "700-normal", "400-italic", "700-italic"))
)
_MONO = (
    Family(tuple(f"DejaVuSansMono{face}.ttf" for face in ("", "-Bold", "-Oblique", "-BoldOblique"))),
    Family(tuple(f"LiberationMono-{face}.ttf" for face in ("Regular", "Bold", "Italic", "BoldItalic"))),
    Family(("Menlo.ttc",) * 4, (0, 1, 2, 3)),
    Family(("consola.ttf", "consolab.ttf", "consolai.ttf", "consolaz.ttf")),
)
_CJK = (
    Family(("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc"), (2, 2)),
    Family(("NotoSansCJKsc-Regular.otf", "NotoSansCJKsc-Bold.otf")),
    Family(("PingFang.ttc",)),
    Family(("Hiragino Sans GB.ttc",)),
    Family(("msyh.ttc", "msyhbd.ttc")),
    Family(("malgun.ttf", "malgunbd.ttf")),
    Family(("wqy-zenhei.ttc",)),
)
_EMOJI = (
    Family(("NotoColorEmoji.ttf",), strike=109),
    Family(("Apple Color Emoji.ttc",), strike=160),
    Family(("seguiemj.ttf",)),
)
_REST = (Family(("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")), Family(("unifontex-latin-400-normal.woff2",)))

TEXT_FIRST = (_IOSEVKA, *_MONO, *_CJK, *_EMOJI, *_REST)
EMOJI_FIRST = (*_EMOJI, *TEXT_FIRST)


def family_for(cluster: str, face: int) -> Family | None:
    """The first family that has every character of the cluster; None if none has."""
    order = EMOJI_FIRST if _is_emoji(cluster) else TEXT_FIRST
    wanted = [char for char in cluster if char not in (VS16, ZWJ)]
    return next((family for family in order if all(_has(family, face, char) for char in wanted)), None)


def primary() -> Family | None:
    """The family that the size of the type is measured by."""
    return next((family for family in (_IOSEVKA, *_MONO) if _file(family, 0)), None)


@lru_cache(maxsize=256)
def font(family: Family, face: int, size: float) -> ImageFont.FreeTypeFont:
    """A face at a size in pixels. Raises OSError for a file that is no font."""
    path, index = _file(family, face) or ("", 0)
    return ImageFont.truetype(path, family.strike or size, index)


def _is_emoji(cluster: str) -> bool:
    """Does it ask to be shown in colour? Wide pictographs do; CJK is wide too but stands below them."""
    return VS16 in cluster or (
        cluster >= "\U0001f000" and cluster_width(cluster) == 2 and cluster < "\U00020000"
    )


@lru_cache(maxsize=65536)
def _has(family: Family, face: int, char: str) -> bool:
    """Does the font map this character to a glyph? Pillow has no window on the character map, but an unmapped
    character is drawn as the font's own sign for "missing", which a code point that can't be one shows."""
    if _file(family, face) is None or (family is _IOSEVKA and not _is_in_page_range(char)):
        return False
    return _drawn(family, face, char) != _drawn(family, face, _NEVER_A_CHARACTER)


@lru_cache(maxsize=4096)
def _drawn(family: Family, face: int, char: str) -> tuple[tuple[int, int], bytes] | None:
    """The glyph's pixels; None for a file that is no font, which then has no character at all."""
    path, index = _file(family, face) or ("", 0)
    try:
        probe = _probe(path, index, family.strike or _PROBE_PX)
    except OSError:
        return None
    mask = probe.getmask(char)
    return mask.size, bytes(mask)


@cache
def _probe(path: str, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, index, layout_engine=ImageFont.Layout.BASIC)


@cache
def _page_ranges() -> tuple[tuple[int, int], ...]:
    """What the page takes from its own font: that draws some symbols two cells wide."""
    try:
        css = (_PAGE / "styles" / "fonts.css").read_text("utf-8")
    except OSError:
        return ((0, 0x10FFFF),)
    found = re.search(r"unicode-range:([^;]+);", css)
    parts = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", found[1] if found else "")
    return tuple((int(first, 16), int(last or first, 16)) for first, last in parts)


def _is_in_page_range(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _page_ranges())


def _file(family: Family, face: int) -> tuple[str, int] | None:
    """Path and index of a face, or of the family's first one; None if it is not installed."""
    for number in (face, 0) if face < len(family.files) else (face % 2 if len(family.files) > 1 else 0, 0):
        path = _installed().get(family.files[number])
        if path is not None:
            return path, family.indices[number] if number < len(family.indices) else 0
    return None


@cache
def _installed() -> dict[str, str]:
    """The files that families name, by name; the page's own win."""
    wanted = {name for family in TEXT_FIRST for name in family.files}
    return {name: path for name, path in _walked() if name in wanted}


def _walked() -> Iterator[tuple[str, str]]:
    for folder in (*_FOLDERS, str(_PAGE / "fonts")):
        for here, _, names in os.walk(os.path.expanduser(folder)):
            yield from ((name, os.path.join(here, name)) for name in names)
