"""Fetches the older engine (the distribution `quickjs`) into a folder of its own, where it meets no other,
and says which engines there are to compare.

    python tests/engines.py

It has no wheels for every Python and machine, and there may be no network; then there is none to compare
with, and this says so.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

OLDER = Path(__file__).resolve().parents[1] / "build" / "engines" / "quickjs"
_VERSION = "1.19.4"
_FETCH_S = 60
_ALONE = f"no quickjs {_VERSION} here: scripts are compared on quickjs-ng alone"


def older_engine() -> Path | None:
    """The folder with the older engine's module; None if it was not fetched."""
    return OLDER if any(OLDER.glob("_quickjs*")) else None


def fetch() -> str | None:
    """Have the older engine. What kept it away, if anything did."""
    if older_engine() is not None:
        return None
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1")
    where = ("--only-binary", ":all:", "--no-deps", "--target", str(OLDER), f"quickjs=={_VERSION}")
    try:
        done = subprocess.run([*pip, *where], capture_output=True, text=True, timeout=_FETCH_S, check=False)
    except subprocess.TimeoutExpired:
        return f"pip took over {_FETCH_S} s"
    return None if older_engine() else (done.stderr.strip().splitlines() or ["pip gave nothing"])[-1]


def main() -> int:
    why = fetch()
    sys.stdout.write(f"engine: quickjs-ng {importlib.metadata.version('quickjs-ng')}\n")
    sys.stdout.write(f"{_ALONE} ({why})\n" if why else f"engine: quickjs {_VERSION}, the older one\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
