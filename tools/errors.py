"""What can go wrong, in two families.

`Refused` is the caller's doing: it goes back to the caller with a code, the reason and a next step.
`Fault` is ours: it is logged with an id, and only the id leaves the broker (code `internal`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Code:
    """One line of the closed list. `next_step` is chosen by code, never by matching text."""

    trigger: str
    next_step: str
    retryable: bool = False


CODES: Mapping[str, Code] = {
    "invalid_input": Code(
        "An argument is missing, unknown, of the wrong type or out of range.",
        "Correct the named field and call again.",
    ),
    "canvas_not_found": Code("No canvas has this canvasId.", "List canvases with canvas_manage action list."),
    "page_not_found": Code("No sheet has this pageId.", "List sheets with canvas_manage action list_pages."),
    "not_found": Code(
        "Nothing has this id (operation, preview, topic, tag).", "Look the id up with canvas_history log."
    ),
    "name_taken": Code("Another canvas already has this name.", "Choose another name."),
    "last_one": Code(
        "The last canvas can't be archived and the only sheet can't be deleted.", "Create another one first."
    ),
    "out_of_bounds": Code(
        "The change would reach over the edge of a slide.",
        "Ask for the size with canvas_manage list_pages and stay inside it.",
    ),
    "unsupported_action": Code(
        "The action exists but not for this kind of canvas, or not in this place.",
        "Use the alternative that the message names.",
    ),
    "permission_denied": Code(
        "The agent's grant, its scope or a feature that is off does not allow this, or its key was refused.",
        "Stay inside of the scope, or ask the person at the page, who sets grant, scope and features; files "
        "must lie in the working folder, CHARDESK_ROOTS or a root of the client.",
    ),
    "conflict": Code(
        "Another author changed cells that this change touches, and you have not read them since.",
        "Read the named rectangles with canvas_read, then plan again.",
    ),
    "stale_preview": Code(
        "Cells under the preview were changed after it was made, or an alternative to it was applied.",
        "Read what is there now and make a new preview.",
    ),
    "preview_expired": Code("The preview is older than ten minutes.", "Make the preview again."),
    "vetoed": Code(
        "The person dismissed this preview.", "Read the person's note, then propose something else."
    ),
    "disabled": Code(
        "The person has paused all agents.",
        "Wait and call again later; reading goes on meanwhile.",
        retryable=True,
    ),
    "revoked": Code("The person revoked this agent.", "Stop; only the person can lift it."),
    "approval_required": Code(
        "The agent's grant is propose: a person decides.", "Wait for the decision on the page."
    ),
    "operation_not_undoable": Code(
        "Later commits by others overlap what the operation wrote.",
        "Undo the later ones first, or with partial true only what still stands as it was written.",
    ),
    "revision_gone": Code(
        "The history can't be followed back to this revision.", "Ask from a later revision or tag."
    ),
    "budget_exceeded": Code(
        "Too many calls are waiting, or the minute's allowance is used up.",
        "Wait for retryAfterMs, then call again.",
        retryable=True,
    ),
    "too_large": Code(
        "An argument, a reply or a change is over its limit.", "Split it: the message names limit and actual."
    ),
    "limit_exceeded": Code(
        "A script reached one of its limits.", "Do less in one script: the message names limit and actual."
    ),
    "search_limit": Code("The search would take too long.", "Narrow the viewport or the query."),
    "timeout": Code("The call took longer than its limit.", "Do less at once, or raise timeoutMs."),
    "crashed": Code("The script's process died.", "Change the script; the cells are untouched."),
    "cancelled": Code("The call was cancelled before it had an effect.", "Call again if it is still wanted."),
    "execution_failed": Code("The script threw an error or never settled.", "Correct the script."),
    "runtime_unavailable": Code(
        "The script engine is missing on this machine.", "Use the tools in fallbackTools instead."
    ),
    "sandbox_unenforceable": Code(
        "The policy for scripts requires more than this computer can enforce; nothing was started.",
        "Use the tools in fallbackTools instead, or tell the person what `chardesk backend show` says.",
    ),
    "replaced": Code(
        "A newer connection with the same token took over.", "Stop; the newer connection goes on."
    ),
    "incompatible_broker": Code(
        "The broker speaks another protocol version.",
        "Update chardesk on both sides, then restart this agent.",
    ),
    "broker_unavailable": Code(
        "No broker answers for this desk.",
        "Start one with `chardesk serve`, then call again.",
        retryable=True,
    ),
    "store_failed": Code(
        "The disk refused the write; nothing was changed.",
        "Free disk space or fix the folder's permissions, then call again.",
        retryable=True,
    ),
    "corrupt": Code(
        "The desk's database is damaged.", "Run `chardesk log verify` and restore from a backup."
    ),
    "internal": Code("A fault of ours; details are in the broker's log under the id.", "Report the id."),
}
"""Every code that this version can raise. A code is added with the feature that raises it."""


class Refused(Exception):
    """A request that can't be met, by the caller's doing.

    `details` are the refusal's own fields (rectangles, limits, nearest names); plain JSON values, camelCase.
    Raises KeyError for a code that is not in `CODES`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        retry_after_ms: int | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.entry = CODES[code]
        self.message = message
        self.field = field
        self.retry_after_ms = retry_after_ms
        self.details = dict(details or {})

    def fields(self) -> dict[str, Any]:
        """The refusal as it goes on the wire."""
        found: dict[str, Any] = {"ok": False, "code": self.code, "message": self.message}
        if self.field is not None:
            found["field"] = self.field
        found["retryable"] = self.entry.retryable
        if self.retry_after_ms is not None:
            found["retryAfterMs"] = self.retry_after_ms
        found["nextStep"] = self.entry.next_step
        if self.details:
            found["details"] = self.details
        return found


class Fault(Exception):
    """Something of ours broke. The broker logs it and answers `internal` with an id, no more."""
