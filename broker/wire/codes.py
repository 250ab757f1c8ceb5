"""Why a link is closed: WebSocket close codes, once."""

from __future__ import annotations

AUTH = 4401
"""Wrong key or token, or no hello in time. Don't retry with the same."""
REVOKED = 4403
REPLACED = 4409
"""A newer connection with the same token took over, or another page took the seat."""
SLOW = 4413
"""The peer read too slowly; it may come back and gets a fresh snapshot."""
INCOMPATIBLE = 4426
TRY_LATER = 1013
RESTARTING = 1012
TOO_BIG = 1009
PROTOCOL_ERROR = 1002
