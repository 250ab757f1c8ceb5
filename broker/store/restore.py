"""A desk's store put back from a backup, while no broker runs."""

from __future__ import annotations

import shutil
from pathlib import Path

from chardesk.broker.store import files, head
from chardesk.broker.store.verify import Verdict, verify
from chardesk.tools.errors import Refused

_PARTS = (files.NAME, files.NAME + "-wal", files.NAME + "-shm", head.NAME)


def restore(desk: Path, source: Path, aside: str) -> Verdict:
    """Make the backup in the folder `source` the desk's store; what was there is moved into the folder
    `aside` within the desk, never deleted. The answer is what `verify` finds afterwards.

    The caller holds the desk's lock. Raises Refused `not_found` for a folder without a backup and `corrupt`
    for one that is not sound; the desk is untouched then.
    """
    if not (source / files.NAME).exists():
        raise Refused("not_found", f"{source.name} holds no backup: there is no {files.NAME} in it")
    found = verify(source)
    if not found.is_sound:
        raise Refused("corrupt", f"the backup is damaged: {found.faults[0]}")
    desk.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = [_copy(source, desk, name) for name in (files.NAME, head.NAME) if (source / name).exists()]
    _move_aside(desk, desk / aside)
    for copied in fresh:
        copied.replace(copied.with_suffix(""))
    files.sync_folder(desk)
    return verify(desk)


def _copy(source: Path, desk: Path, name: str) -> Path:
    """First all bytes, then the names: a disk that is full leaves the desk as it was."""
    target = desk / f"{name}.restored"
    files.create_private(target)
    try:
        shutil.copyfile(source / name, target)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise Refused("store_failed", f"the backup can't be copied: {error.strerror}") from error
    return target


def _move_aside(desk: Path, aside: Path) -> None:
    present = [name for name in _PARTS if (desk / name).exists()]
    if present:
        aside.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in present:
        (desk / name).replace(aside / name)
