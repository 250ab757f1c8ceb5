"""The folder of a desk: which one is meant, and what lies where in it."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MARKER = ".chardesk"


class Place:
    """One desk's folder. Two places are equal when their folders are; nothing is created until `make`."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and other.root == self.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __repr__(self) -> str:
        return f"Place({self.root!r})"

    def _at(self, name: str) -> str:
        return os.path.join(self.root, name)

    @property
    def database(self) -> str:
        return self._at("desk.sqlite")

    @property
    def discovery(self) -> str:
        """Where the running broker says how to reach it."""
        return self._at("broker.json")

    @property
    def broker_lock(self) -> str:
        """Held by the broker for its whole life: a broker runs exactly when this is held."""
        return self._at("broker.lock")

    @property
    def start_lock(self) -> str:
        """Held by whoever is starting a broker."""
        return self._at("start.lock")

    @property
    def key(self) -> str:
        return self._at("key")

    @property
    def policy(self) -> str:
        """What the operator decided for all agents; written by people only."""
        return self._at("policy.json")

    @property
    def stop_mark(self) -> str:
        return self._at("stopped")

    @property
    def log(self) -> str:
        return self._at("log")

    def make(self) -> None:
        """Create the folder and its log folder, open to this user only. Again: nothing happens."""
        os.makedirs(self.root, mode=0o700, exist_ok=True)
        os.makedirs(self.log, mode=0o700, exist_ok=True)

    def unwritable(self, problem: OSError) -> str:
        """What to tell a person when the system refuses a file in here that a broker needs."""
        return (
            f"the desk's folder {self.root} can't be written ({problem.strerror}). Free space on its disk, "
            "make it writable for this user, or name another folder with --desk"
        )

    def mark_stopped(self) -> None:
        """A person stopped the broker: running relays wait instead of starting another."""
        os.close(os.open(self.stop_mark, os.O_WRONLY | os.O_CREAT, 0o600))

    def clear_stop(self) -> None:
        """A person or a new agent wants the broker again. Without a mark: nothing happens."""
        try:
            os.unlink(self.stop_mark)
        except FileNotFoundError:
            return

    def is_stopped(self) -> bool:
        return os.path.exists(self.stop_mark)


def user_data_folder(env: Mapping[str, str], platform: str = sys.platform) -> str:
    """The platform's folder for Chardesk's own data of this user."""
    home = os.path.expanduser("~")
    if platform == "win32":
        local = env.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "chardesk")
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "chardesk")
    # A relative XDG path is to be ignored, says the XDG base directory specification.
    shared = env.get("XDG_DATA_HOME", "")
    return os.path.join(
        shared if os.path.isabs(shared) else os.path.join(home, ".local", "share"), "chardesk"
    )


def _nearest(folder: str) -> str | None:
    """The `.chardesk` folder of `folder` or of its nearest parent that has one."""
    while True:
        marked = os.path.join(folder, MARKER)
        if os.path.isdir(marked):
            return marked
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def find(flag: str | None, env: Mapping[str, str], cwd: str) -> Place:
    """The desk meant: `--desk`, else `CHARDESK_DESK`, else the nearest `.chardesk`, else the user's own.

    Relative names count from `cwd`. The folder need not exist yet.
    """
    said = flag or env.get("CHARDESK_DESK")
    if said:
        return Place(os.path.join(cwd, os.path.expanduser(said)))
    return Place(_nearest(cwd) or user_data_folder(env))
