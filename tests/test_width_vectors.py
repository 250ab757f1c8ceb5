"""The width vectors that the page's tests read say what the broker measures.

python tests/test_width_vectors.py    # write tests/vectors/width.json anew
"""

from __future__ import annotations

import json
from pathlib import Path

from chardesk.tools.model.width import VS16, ZWJ, cluster_width, code_point_width, graphemes
from chardesk.tools.text.clusters import Drops, stored

VECTORS = Path(__file__).parent / "vectors" / "width.json"

SPOKEN = """
A é ą ß ñ 世 界 橋 月 日 本 語 ｱ Ａ か が ㍿ 한 글 ก กำ ษ नि क्ष ज्ञ த மி ਪ ខ្មែ မြ
א ב שׁ ع لا عَ ① → ■ □ ░ ▒ ▓ █ ─ │ ┌ ┐ └ ┘ ┼ ━ ┃ ╬ ╭ ╯ ▘ ▝ ▖ ▗ ⠿ ⡇ 🮕 ☺ ⚠ ✓ ✗ ★ ☆ … — “ ” ° ± × ÷ € £ ¥ ∞ ≤ ≥ ∑ √
😀 😂 🎉 🚀 🐍 🧑 👩 👨 👧 👦 💻 🔧 🏳 🏴 ⌚ ⏰ ⚡ ☔ ♈ ⚽ ⛄ ✅ ❌ ➕ 🀄 🃏 🈚 🉐 ＄ ￦ 　 ꥠ ힰ 𠀀 𓀀 𝒜 🯰
"""
"""Single clusters of many scripts."""

SEQUENCES = (
    *(base + VS16 for base in "⚠☺❤✈☎#1*A世"),
    *(base + "\ufe0e" for base in "⚠☺😀"),
    *(key + VS16 + "\u20e3" for key in "0123456789#*"),
    *("🇩🇪", "🇫🇷", "🇯🇵", "🇺🇸", "🇪🇺", "🇩", "🇽🇽"),
    *(base + tone for base in ("👍", "👩", "🧑", "✊") for tone in "🏻🏼🏽🏾🏿"),
    ZWJ.join("👩🔧"),
    "👩🏿" + ZWJ + "🔧",
    ZWJ.join("👨👩👧👦"),
    "🏴" + ZWJ + "☠" + VS16,
    "🏳" + VS16 + ZWJ + "🌈",
    "❤" + VS16 + ZWJ + "🔥",
    "👁" + VS16 + ZWJ + "🗨" + VS16,
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "e\u0301",
    "o\u0302\u0323",
    "世\u0301",
    "a" + ZWJ,
    "a\u200c",
    "क" + "\u094d" + ZWJ + "ष",
    "ക\u0d4d" + ZWJ,
    "\u1100\u1161\u11a8",
    "\u1100",
    "\u1161",
)
"""Clusters of several code points; some are never stored as they are, but both sides measure them alike."""

UNSEEN = (
    "\u0301",
    ZWJ,
    "\u200b",
    "\u200c",
    VS16,
    "\u202e",
    "\u2066",
    "\u00ad",
    "\u2060",
    "\ufeff",
    "\x00",
    "\t",
    "\x1b",
    "\x9b",
    "\U000e0041",
)
"""What takes no column."""

TEXTS = (
    "Hi 世界",
    "café cafe\u0301 ąb",
    "👩🏿\u200d🔧|👨\u200d👩\u200d👧\u200d👦|🏴\u200d☠\ufe0f|",
    "⚠\ufe0f|⚠|1\ufe0f\u20e3|",
    "🇩🇪🇫🇷🇯",
    "a\r\nb\rc\n\td",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "\u0301abc\u200d",
    "┌─┐①→■|",
)
"""Texts and the clusters they fall into."""


HIDING = (
    "safe\u202etxt.exe",
    "a\u200bb",
    "x\U000e0041\U000e0042\U000e005ay",
    "\u0301abc",
    "a\u200d",
    "a\u200d b",
    "\u200d",
    "\ufe0f",
    "A\x1b]52;c;QUJD\x07B\x9b2J\x07C",
    "soft\u00adhyphen",
    "\u845b\U000e0100",
    "\u2268\ufe00 a\ufe00",
    "\u1820\u180b",
    "a \ufe0f|\u3000\ufe0e|\u00a0\u200d|",
    "\u115f\u1161 \u115f",
    "\u3164x",
    "e" + "\u0301" * 40,
    "\ud83d alone",
)
"""Texts with something in them that is not stored."""


def clusters() -> list[str]:
    """Everything above, and characters where the table goes from one width to another."""
    return sorted(
        {*SPOKEN.split(), *SEQUENCES, *UNSEEN, *run_edges()}, key=lambda it: [ord(char) for char in it]
    )


def run_edges() -> list[str]:
    """The characters on both sides of every tenth border between widths."""
    points = [chr(point) for point in (*range(0xA1, 0xD800), *range(0xE000, 0x32000))]
    widths = [code_point_width(point) for point in points]
    borders = [at for at in range(1, len(points)) if widths[at - 1] != widths[at]]
    return [points[near] for at in borders[::10] for near in (at - 1, at)]


def vectors() -> str:
    """The file as it stands on disk: clusters with their columns, texts with their clusters, and with what of
    them is stored."""
    widths = [json.dumps([cluster, cluster_width(cluster)]) for cluster in clusters()]
    texts = [json.dumps([text, graphemes(text)]) for text in TEXTS]
    kept = [json.dumps([text, [char for char, _ in stored(text, Drops())]]) for text in (*TEXTS, *HIDING)]
    parts = {"widths": widths, "texts": texts, "stored": kept}
    return (
        "{"
        + ",".join(f'\n"{name}": [\n' + ",\n".join(lines) + "\n]" for name, lines in parts.items())
        + "\n}\n"
    )


def test_the_vectors_say_what_the_broker_measures() -> None:
    assert VECTORS.read_text(encoding="ascii") == vectors(), "run python tests/test_width_vectors.py"


def test_there_are_vectors_of_every_width() -> None:
    pairs = json.loads(VECTORS.read_text(encoding="ascii"))["widths"]
    assert len(pairs) > 250
    assert {width for _, width in pairs} == {0, 1, 2}


if __name__ == "__main__":
    VECTORS.write_text(vectors(), encoding="ascii")
