"""The desk key: who may read this file may join the desk."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chardesk.broker.door.place import Place

KEY_BYTES = 32


class DamagedKey(Exception):
    """The key file is there but holds no key. Deleting it makes a new one, which ends all sessions."""


def read_key(place: Place) -> str:
    """The key as it stands in the file, `""` if there is none. Checking it is the broker's to do."""
    try:
        with open(place.key, encoding="ascii", errors="replace") as file:
            return file.read(1024).strip()
    except OSError:
        return ""


def desk_key(place: Place) -> str:
    """The desk's key, made on the first call: 32 random bytes in hex, readable by this user only.

    Any number of processes may call this at once; all get the same key. `DamagedKey` if the file holds
    something else.
    """
    if not os.path.exists(place.key):
        _make(place)
    key = read_key(place)
    if len(key) != 2 * KEY_BYTES or not all(c in "0123456789abcdef" for c in key):
        raise DamagedKey("the desk's key file holds no key; delete it to have a new one made")
    os.chmod(place.key, 0o600)
    return key


def _make(place: Place) -> None:
    """Written whole under another name, then linked: the first link wins, and nobody reads half a key."""
    draft = f"{place.key}.{os.urandom(6).hex()}"
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(fd, "w", encoding="ascii") as file:
        file.write(os.urandom(KEY_BYTES).hex() + "\n")
    try:
        os.link(draft, place.key)
    except FileExistsError:
        return
    finally:
        os.unlink(draft)
