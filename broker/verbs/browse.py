"""Opening the page."""

from __future__ import annotations

import os
import sys


def browse(address: str) -> None:
    """Open it where there is a browser and a screen; elsewhere nothing happens, quietly."""
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    if has_screen:
        webbrowser.open(address)
