"""Which build this is."""

from __future__ import annotations


def version() -> str:
    """The installed distribution's version; `0` when running from files that were never installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("chardesk")
    except PackageNotFoundError:
        return "0"
