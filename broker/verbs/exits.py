"""How the command line ends."""

from __future__ import annotations

OK, REFUSED, USAGE, NO_BROKER, INTERRUPTED = 0, 1, 2, 3, 130

EXITS = {
    OK: "done",
    REFUSED: "refused, or the check found a fault; the text says why and what to do",
    USAGE: "wrong usage; nothing was done",
    NO_BROKER: "no broker answers for this desk, or it went away",
    INTERRUPTED: "ended by Ctrl+C",
}
