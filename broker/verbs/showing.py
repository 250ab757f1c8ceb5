"""What a tool answered, as the command line shows it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

_LOOKED_FOR = (
    *("canvases", "pages", "counts", "matches", "empty", "parts", "issues", "cells", "changed", "context"),
    *("tags", "messages", "result", "console", "dropped", "diagnostics"),
)
"""Fields that a call is made for: an agent reads them beside the text, a person has the text alone."""


def counted(number: int, noun: str) -> str:
    """ "1 commit", "2 commits"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def show(result: dict[str, Any], as_json: bool) -> None:
    """Print it: as one JSON object; else as text, refusals on stderr."""
    content = "\n".join(block["text"] for block in result.get("content", []) if block["type"] == "text")
    if as_json:
        told = {**result.get("structuredContent", {}), "content": content, **_image(result)}
        print(json.dumps(told, ensure_ascii=False))
    elif result.get("isError"):
        print(content, file=sys.stderr)
    else:
        print("\n".join(filter(None, (content, *_listed(result)))))


def _listed(result: dict[str, Any]) -> Iterator[str]:
    """The fields that are looked for as lines under their names, each item of a list a line."""
    fields = result.get("structuredContent", {})
    for name in _LOOKED_FOR:
        if (value := fields.get(name)) not in (None, "", []):
            yield f"{name}:"
            for item in value if isinstance(value, list) else [value]:
                yield "  " + (item if isinstance(item, str) else json.dumps(item, ensure_ascii=False))
    if _image(result):
        yield "a picture; --json prints it in base64, in the field image"


def _image(result: dict[str, Any]) -> dict[str, str]:
    """The PNG of a reply, in base64; a reply has one at most."""
    images = [block["data"] for block in result.get("content", []) if block["type"] == "image"]
    return {"image": images[0]} if images else {}
