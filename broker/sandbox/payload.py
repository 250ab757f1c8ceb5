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
# What the worker stands on, each after those it imports. The packages above them are empty shells in the
# child: what the real ones load is not its business.
_BELOW = ("limits", "frames", "seccomp", "confine")

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
    return packed((_HERE / "worker.py").read_bytes())


def packed(worker: bytes) -> bytes:
    """The same with this source in the worker's place. It need not be honest."""
    parents = [(name, None) for name in ("chardesk", "chardesk.broker", _PACKAGE)]
    sources = {name: (_HERE / f"{name}.py").read_bytes() for name in _BELOW} | {"worker": worker}
    modules = [(f"{_PACKAGE}.{name}", _compiled(name, source)) for name, source in sources.items()]
    prelude = (_HERE / "prelude.js").read_text("utf-8")
    return marshal.dumps((prelude, [*parents, *modules]))


def _compiled(module: str, source: bytes) -> object:
    return compile(source, str(_HERE / f"{module}.py"), "exec", dont_inherit=True)
