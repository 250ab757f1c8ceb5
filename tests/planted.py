"""Something planted in the processes of a test: a few lines that run when their Python starts."""

from __future__ import annotations

import os
from pathlib import Path


def planted(folder: Path, lines: str) -> dict[str, str]:
    """The environment in which Python runs these lines first. `folder` is made."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(lines, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}
