"""What a run was, in digests that do not depend on who ran it.

The same script on the same cells gives the same evidence on every backend. What does depend on the backend
(its name, version, levels, the time it took) is provenance and stands apart.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from chardesk.tools.model.change import Change
from chardesk.tools.model.packed import pack_change


@dataclass(frozen=True, slots=True)
class Evidence:
    """SHA-256 in hex: of the script's text; of all that it was given (the seed and the answers to its calls,
    in order); of the change it planned, before and after. `operations` counts its calls."""

    code_sha256: str
    inputs_sha256: str
    change_sha256: str
    operations: int

    def fields(self) -> dict[str, Any]:
        return {
            "codeSha256": self.code_sha256,
            "inputsSha256": self.inputs_sha256,
            "changeSha256": self.change_sha256,
            "operations": self.operations,
        }


def evidence(script: str, inputs_sha256: str, change: Change, operations: int) -> Evidence:
    """Costs what the change holds: about 1 µs a column."""
    return Evidence(_sha256(script), inputs_sha256, _sha256(_canonical(change)), operations)


def _canonical(change: Change) -> str:
    """What really changes, as the journal spells it; columns that stay as they are do not count."""
    return json.dumps(pack_change(change.essence()), sort_keys=True, separators=(",", ":"))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seed_of(script: str) -> int:
    """Math.random's seed, 32 bits: the same script draws the same, as a preview, applied, and run again."""
    return int(_sha256(script)[:8], 16)
