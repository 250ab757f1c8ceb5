"""Every test runs on a clean machine: no Chardesk settings from outside, a home of its own, and Ctrl+C that
ends what it starts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

KEPT = {"CHARDESK_CHROMIUM"}  # says where the browser is: a fact about the machine, not a setting of the desk
HOMES = {
    "HOME": "home",
    "USERPROFILE": "home",
    "LOCALAPPDATA": "home/local",
    "XDG_DATA_HOME": "home/data",
    "XDG_CONFIG_HOME": "home/config",
    "XDG_CACHE_HOME": "home/cache",
    "XDG_STATE_HOME": "home/state",
    "XDG_RUNTIME_DIR": "home/run",
}


def move_in(house: Path, patch: pytest.MonkeyPatch) -> None:
    """Points home and the XDG folders, all of them made, into `house`, and removes what configures a desk."""
    for name in os.environ.keys() - KEPT:
        if name.startswith("CHARDESK_"):
            patch.delenv(name)
    for name, folder in HOMES.items():
        (house / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        patch.setenv(name, str(house / folder))


@pytest.fixture(scope="session", autouse=True)
def clean_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The ground under fixtures that outlive one test, such as a broker that a whole file shares."""
    with pytest.MonkeyPatch.context() as patch:
        move_in(tmp_path_factory.mktemp("machine"), patch)
        hear_interrupts()
        yield


def hear_interrupts() -> None:
    """A shell starts what runs in the background with interrupts ignored; all that it starts inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def clean_home(tmp_path_factory: pytest.TempPathFactory, clean_machine: None) -> Iterator[None]:
    """A home for this test alone. It is beside `tmp_path`, which stays empty for the test's own use."""
    with pytest.MonkeyPatch.context() as patch:
        move_in(tmp_path_factory.mktemp("house"), patch)
        yield
