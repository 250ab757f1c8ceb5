"""Entering the MCP SDK by the doors that a session needs, since agents wait for it when a broker starts.

Importing any part of the SDK first runs its packages' `__init__`, which import its client, its HTTP server
and the web frameworks behind them: 0.1 s for what a session never touches. And its models, some 500, are
each compiled when they are made, though a session uses a few dozen.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from pydantic import BaseModel

LATE = ("mcp", "mcp.server")
USED = ("mcp.server.lowlevel", "mcp.server.subscriptions", "mcp.types", "mcp.shared.message")


def load() -> None:
    """Import what sessions use. Slow (0.3 s); call it on a thread, once."""
    for package in LATE:
        _enter(package)
    with _compiling_late():
        for name in USED:
            importlib.import_module(name)


class _Late(ModuleType):
    """A package whose `__init__` runs when it is first asked for something that is not there yet."""

    def __getattr__(self, name: str) -> Any:
        object.__setattr__(self, "__class__", ModuleType)
        assert self.__spec__ and self.__spec__.loader
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def _enter(package: str) -> None:
    if package in sys.modules:
        return
    spec = find_spec(package)
    assert spec is not None
    module = module_from_spec(spec)
    object.__setattr__(module, "__class__", _Late)
    sys.modules[package] = module
    parent, _, name = package.rpartition(".")
    if parent:
        setattr(sys.modules[parent], name, module)


@contextmanager
def _compiling_late() -> Iterator[None]:
    """Models made meanwhile are compiled at their first use: pydantic's `defer_build`, for everybody's."""
    BaseModel.model_config["defer_build"] = True
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
