"""The child's code, compiled once in the host instead of at each start in the child.

Without a bytecode cache (a checkout, or PYTHONDONTWRITEBYTECODE) compiling would double a child's start. It
also leaves the child no file of ours to look for.
"""

from __future__ import annotations

import marshal
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_PACKAGE = "chardesk.broker.sandbox"
# Each after those it imports. The packages above them are empty shells in the child: what the real ones load
# is not its business.
_MODULES = ("limits", "frames", "seccomp", "confine", "worker")

# The program of `python -c`. Its first argument is the number of the socket that the payload comes through.
# Reading ahead is safe: nothing more is sent until the worker says it is ready.
BOOT = f"""
import marshal, sys
with open(int(sys.argv[1]), "rb", closefd=False) as socket:
    prelude, modules = marshal.load(socket)
for name, code in modules:
    sys.modules[name] = module = type(sys)(name)
    if code:
        exec(code, module.__dict__)
    else:
        module.__path__ = []
sys.modules["{_PACKAGE}.worker"].main(prelude)
"""


@cache
def payload() -> bytes:
    """What `BOOT` reads: the prelude, and names with code, in order of execution. No code: a package."""
    parents = [(name, None) for name in ("chardesk", "chardesk.broker", _PACKAGE)]
    modules = [(f"{_PACKAGE}.{name}", _compiled(name)) for name in _MODULES]
    prelude = (_HERE / "prelude.js").read_text("utf-8")
    return marshal.dumps((prelude, [*parents, *modules]))


def _compiled(module: str) -> object:
    path = _HERE / f"{module}.py"
    return compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
