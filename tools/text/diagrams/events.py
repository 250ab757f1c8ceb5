"""What happens in a sequence, as it was read: participants, messages, notes, frames."""

from __future__ import annotations

from dataclasses import dataclass, field

OPENING = ("loop", "alt", "opt", "par", "critical", "break", "rect", "box")
"""Words that open a frame."""


@dataclass(slots=True)
class Plan:
    """Actors in order, by id; and events: a message, a note, the edge of a frame, or
    that a participant begins or ends to be busy."""

    title: str = ""
    is_numbered: bool = False
    actors: dict[str, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def numbered(self, text: str) -> str:
        """The text of the next message, with its number if messages have one."""
        if not self.is_numbered:
            return text
        number = 1 + sum(isinstance(event, Message) for event in self.events)
        return f"{number}. {text}".strip()

    def actor(self, id: str) -> str:
        self.actors.setdefault(id, id)
        return id


@dataclass(frozen=True, slots=True)
class Message:
    start: str
    end: str
    arrow: str
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    first: str
    last: str
    side: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """`kind` opens a frame; `else` and the like divide it; `end` closes it."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Activation:
    """A participant begins or ends to be busy, with the message before."""

    id: str
    begins: bool


Event = Message | Note | Frame | Activation
