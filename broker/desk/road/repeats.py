"""The same request again: relays resend what is unanswered, and callers retry with their own keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from chardesk.broker.desk.effects import Reply
from chardesk.broker.desk.known.state import State
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import Commit
from chardesk.tools.operation import Text

_ENCODER = json.JSONEncoder(sort_keys=True, default=str)


def scoped(author: str, key: str) -> str:
    """A call key as commits keep it: authors never meet each other's."""
    return f"{author}\0{key}"


def digest(tool: str, arguments: Mapping[str, Any]) -> str:
    """What the arguments were, but for the key that they came under."""
    plain = {name: value for name, value in arguments.items() if name != "idempotencyKey"}
    text = _ENCODER.encode([tool, plain])
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def repeated(state: State, key: str | None, arguments_digest: str) -> Reply | None:
    """The first result of the commit that was made under this key; None for a new key. Raises
    `invalid_input` when the arguments were others."""
    found = state.timeline.by_key(key) if key is not None else None
    if found is None:
        return None
    if found.digest != arguments_digest:
        raise Refused("invalid_input", "this key was used for other arguments", field="idempotencyKey")
    return first_result(state, found)


def first_result(state: State, commit: Commit) -> Reply:
    """What the call that made this commit was told, marked as a repeat."""
    common = state.common_fields(*state.shown_place(commit.sheet))
    fields = {**common, **(commit.result or {}), "repeated": True, "revision": commit.seq}
    return Reply(fields, (Text(f"repeated: {commit.operation_id} was applied already"),))
