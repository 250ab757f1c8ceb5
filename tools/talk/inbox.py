"""canvas_inbox: what people, agents and the desk have to say to one agent. Declared here, answered by the
desk."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from chardesk.tools.operation import Asked, Key, Operation, Target
from chardesk.tools.schema import Fields, Integer, Result, check_action

Action = Literal["receive", "wait", "ack", "post"]

MAX_TEXT = 4_000
"""Characters of one message: a page of text. More belongs on the canvas."""

MAX_BATCH = 50
"""Messages in one reply, ids in one `ack`."""

DEFAULT_WAIT_MS, MAX_WAIT_MS = 25_000, 50_000
"""Clients give a call up after 30 or 60 seconds."""

FIELDS: dict[Action, Fields] = {
    "receive": Fields(takes=("limit",)),
    "wait": Fields(takes=("limit", "timeout_ms")),
    "ack": Fields(needs=("message_ids",)),
    "post": Fields(needs=("to", "text"), takes=("idempotency_key",)),
}

_ALWAYS = frozenset({*Target.model_fields, "action"})


class InboxArgs(Target):
    action: Action = Field(description="receive what is there; wait for more; ack what you dealt with; post")
    limit: Integer | None = Field(None, ge=0, le=MAX_BATCH, description="receive, wait: messages; default 20")
    timeout_ms: Integer | None = Field(
        None, ge=0, le=MAX_WAIT_MS, description="wait: at most this long; default 25000"
    )
    message_ids: Annotated[list[str], Field(min_length=1, max_length=MAX_BATCH)] | None = Field(
        None, description="ack: the messages you are done with"
    )
    to: str | None = Field(None, min_length=1, max_length=40, description="post: an agent's name, or person")
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)] | None = Field(
        None, description="post: what to say"
    )
    idempotency_key: Key | None = Field(None, description="post: same key and arguments: the first result")

    @model_validator(mode="after")
    def _fields_of_the_action(self) -> Self:
        check_action(self, self.action, FIELDS[self.action], _ALWAYS)
        return self


class InboxResult(Result):
    """`messages` of messageId, from, kind, text, time, delivery, and what they are about; `ended` says why a
    wait is over. Each field belongs to some of the actions."""

    messages: list[dict[str, Any]] | None = None
    parked: int | None = None
    ended: Literal["messages", "timeout", "page_closed", "broker_restarting", "replaced"] | None = None
    acked: list[str] | None = None
    unknown: list[str] | None = None
    message_id: str | None = None


OPERATION = Operation(
    name="canvas_inbox",
    summary=(
        "What the person, agents and the desk say to you, such as what became of your previews. "
        "Messages come again after 60 s until you ack them. wait holds up none of your other calls."
    ),
    effect="talk",
    args=InboxArgs,
    result=InboxResult,
    body=Asked(),
    examples=(
        {"action": "receive"},
        {"action": "wait", "timeoutMs": 25_000},
        {"action": "ack", "messageIds": ["ms-2345abcdef"]},
        {"action": "post", "to": "person", "text": "The plan is drawn; please look."},
    ),
)
