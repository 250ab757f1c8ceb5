"""The table of all operations. Adding a tool is adding a line here; every surface is made from it."""

from __future__ import annotations

import difflib

from chardesk.tools.arrange import manage
from chardesk.tools.draw import erase, fill, move, render, write
from chardesk.tools.errors import Refused
from chardesk.tools.look import materials, read, search
from chardesk.tools.operation import Operation
from chardesk.tools.run import batch, code
from chardesk.tools.talk import history, inbox

OPERATIONS: tuple[Operation, ...] = (
    manage.OPERATION,
    read.OPERATION,
    search.OPERATION,
    write.OPERATION,
    erase.OPERATION,
    fill.OPERATION,
    render.OPERATION,
    batch.OPERATION,
    code.OPERATION,
    history.OPERATION,
    inbox.OPERATION,
    materials.OPERATION,
)

BY_NAME = {operation.name: operation for operation in OPERATIONS}
BY_VERB = {operation.verb: operation for operation in OPERATIONS}

SCRIPT_ONLY = {"move": move.OPERATION}
"""By verb, what batches and scripts can do beside the tools; no agent sees these in its list."""

_NOT_IN_A_PAGE = (batch.OPERATION, history.OPERATION, inbox.OPERATION)

WEBMCP = tuple(operation for operation in OPERATIONS if operation not in _NOT_IN_A_PAGE)
"""The nine that the canvas page registers, in this order (contract, section 4)."""


def operation(name: str) -> Operation:
    """The operation of this tool name. Raises Refused `invalid_input` naming the nearest one."""
    found = BY_NAME.get(name)
    if found is None:
        near = difflib.get_close_matches(name, BY_NAME, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else f"; tools: {', '.join(BY_NAME)}"
        raise Refused("invalid_input", f"unknown tool {name[:60]}{hint}", field="name")
    return found
