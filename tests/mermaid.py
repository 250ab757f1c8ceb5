"""Mermaid's diagrams in tests: as pictures, and as text."""

from __future__ import annotations

from drawing import text_of

from chardesk.tools.text.markdown.reader import read
from chardesk.tools.text.picture import Picture


def mermaid(source: str, width: int = 60) -> Picture:
    return read(f"```mermaid\n{source.strip(chr(10))}\n```", width)


def picture(source: str, width: int = 60) -> str:
    """The drawing without spaces at the ends of rows. Nothing may be left out."""
    found = mermaid(source, width)
    assert found.diagnostics == ()
    return "\n".join(row.rstrip() for row in text_of(found).split("\n"))
