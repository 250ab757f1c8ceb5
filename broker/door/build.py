"""The build fingerprint: two installations that behave alike have the same one."""

from __future__ import annotations

import os

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOMS = ("broker", "materials", "page", "tools")
KINDS = (".css", ".html", ".js", ".json", ".md", ".py", ".sql", ".svg")
SKIPPED = ("__pycache__", "node_modules")
LENGTH = 16


def shipped(root: str) -> list[str]:
    """Paths under the rooms, relative to `root`, with `/`, in byte order."""
    found = []
    for room in ROOMS:
        for folder, inside, names in os.walk(os.path.join(root, room)):
            inside[:] = [name for name in inside if name not in SKIPPED]
            here = os.path.relpath(folder, root).replace(os.sep, "/")
            found += [f"{here}/{name}" for name in names if name.endswith(KINDS)]
    return sorted(found)


def fingerprint(root: str = PACKAGE) -> str:
    """16 hex digits of a SHA-256 over names and contents of every shipped source file (times can lie).

    Reads about 1 MB: the broker asks at its start and about each new agent, the relay never.
    """
    from hashlib import sha256

    digest = sha256()
    for path in shipped(root):
        with open(os.path.join(root, path), "rb") as file:
            content = file.read()
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:LENGTH]
