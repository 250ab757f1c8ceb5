"""What was done, in order: commits by id, by call key, and the steps of the recent ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from chardesk.tools.model.commit import Commit
from chardesk.tools.model.steps import CellsChanged, Step

STEPS_KEPT_CELLS = 2_000_000
"""Steps of recent commits stay in memory up to this many columns, so that undo seldom asks the disk."""

HEADERS_KEPT = 20_000
"""Commits that can be listed, undone and answered again without the disk. Older ones stay in the journal."""


@dataclass(slots=True)
class Timeline:
    """Newest last. A header is a commit without its steps."""

    headers: OrderedDict[int, Commit] = field(default_factory=OrderedDict)
    _by_id: dict[str, int] = field(default_factory=dict)
    _by_key: dict[str, int] = field(default_factory=dict)
    _steps: OrderedDict[int, tuple[Step, ...]] = field(default_factory=OrderedDict)
    _cells: int = 0

    @classmethod
    def load(cls, headers: Iterable[Commit]) -> Timeline:
        timeline = cls()
        for header in headers:
            timeline._note(header)
        return timeline

    def add(self, commit: Commit) -> None:
        self._note(replace(commit, steps=()))
        self._steps[commit.seq] = commit.steps
        self._cells += _size(commit.steps)
        while self._cells > STEPS_KEPT_CELLS and len(self._steps) > 1:
            self._cells -= _size(self._steps.popitem(last=False)[1])

    def take_back(self, seq: int) -> None:
        """Forget the newest commit, which the disk refused."""
        self._forget(self.headers.pop(seq))
        self._cells -= _size(self._steps.pop(seq, ()))

    def by_id(self, operation_id: str) -> Commit | None:
        seq = self._by_id.get(operation_id)
        return None if seq is None else self.headers.get(seq)

    def by_key(self, key: str) -> Commit | None:
        seq = self._by_key.get(key)
        return None if seq is None else self.headers.get(seq)

    def steps(self, seq: int) -> tuple[Step, ...] | None:
        """The steps of a commit, or None when only the journal has them."""
        return self._steps.get(seq)

    def _note(self, header: Commit) -> None:
        self.headers[header.seq] = header
        self._by_id[header.operation_id] = header.seq
        if header.call_key is not None:
            self._by_key[header.call_key] = header.seq
        while len(self.headers) > HEADERS_KEPT:
            self._forget(self.headers.popitem(last=False)[1])

    def _forget(self, header: Commit) -> None:
        self._by_id.pop(header.operation_id, None)
        if header.call_key is not None:
            self._by_key.pop(header.call_key, None)


def _size(steps: tuple[Step, ...]) -> int:
    return sum(
        run.end - run.x for step in steps if isinstance(step, CellsChanged) for run in step.change.runs
    )
