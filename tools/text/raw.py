"""Material that is only text: `canvas_render` with format raw."""

from __future__ import annotations

from chardesk.tools.text.picture import Picture
from chardesk.tools.text.plain import expanded


def read(source: str, width: int) -> Picture:
    """The text as it is, tabs expanded. `width` has no meaning here: raw text is never wrapped."""
    del width
    return expanded(source)
