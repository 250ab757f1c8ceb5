"""Fetches the older engine (the distribution `quickjs`) into a folder of its own, where it meets no other.

    python tests/engines.py

It has no wheels for every Python and machine; then there is none to compare with, and this says so.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OLDER = Path(__file__).resolve().parents[1] / "build" / "engines" / "quickjs"
_VERSION = "1.19.4"


def older_engine() -> Path | None:
    """The folder with the older engine's module; None if it was not fetched."""
    return OLDER if any(OLDER.glob("_quickjs*")) else None


def main() -> int:
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    where = ("--only-binary", ":all:", "--no-deps", "--upgrade", "--target", str(OLDER))
    done = subprocess.run([*pip, *where, f"quickjs=={_VERSION}"], check=False)
    sys.stdout.write(f"{OLDER}\n" if older_engine() else "there is no wheel of it for this Python\n")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
