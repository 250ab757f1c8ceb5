"""How a browser gets in: a one-time code in the address, traded for a token that the browser keeps.

Tokens are kept as digests only, so a copy of the desk's database opens nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable

CODE_S = 60.0
"""A code opens the desk once, within a minute."""


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Passes:
    """`keep` remembers a token's digest beyond this process."""

    def __init__(self, clock: Callable[[], float], known: Iterable[str], keep: Callable[[str], None]) -> None:
        self._clock = clock
        self._known = set(known)
        self._keep = keep
        self._codes: dict[str, float] = {}

    def new_code(self) -> str:
        """A code for the fragment of an address."""
        now = self._clock()
        self._codes = {code: until for code, until in self._codes.items() if until > now}
        code = secrets.token_urlsafe(12)
        self._codes[code] = now + CODE_S
        return code

    def trade(self, code: str) -> str | None:
        """A fresh browser token for a code that is still good; None otherwise. A code works once."""
        until = self._codes.pop(code, 0.0)
        if until <= self._clock():
            return None
        token = secrets.token_urlsafe(24)
        self._known.add(digest(token))
        self._keep(digest(token))
        return token

    def opens(self, token: str) -> bool:
        return digest(token) in self._known
