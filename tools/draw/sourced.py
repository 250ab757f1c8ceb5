"""Text that comes with a call, or from a file of the caller's."""

from __future__ import annotations

from chardesk.tools.errors import Refused

MAX_SOURCE_BYTES = 512 * 1024
"""Of a file, and of all files of one call."""

TEXT_OF = {"write": "content", "render": "source"}
"""By verb: the field whose text may come from a file."""

FILE_FIELD = "UTF-8 file instead of {}, read by your own chardesk-mcp, in its folders; ≤ 512 KiB"


def check_one_of(text: str | None, source_ref: str | None, field: str) -> None:
    """Raises Refused `invalid_input` unless exactly one of the two is given."""
    if text is None and source_ref is None:
        raise Refused("invalid_input", f"{field} is required, or sourceRef", field=field)
    if text is not None and source_ref is not None:
        raise Refused("invalid_input", f"give {field} or sourceRef, not both", field="sourceRef")


def text_of(text: str | None, field: str) -> str:
    """The text to draw. Raises Refused `unsupported_action` where nobody reads the file for the call."""
    if text is None:
        raise Refused("unsupported_action", f"files are not read here; send {field}", field="sourceRef")
    return text
