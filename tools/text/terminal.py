"""The sheet that a terminal prints on: rows of columns, a cursor, and what moves and erases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.change import Strip
from chardesk.tools.text.clusters import Drops, stored
from chardesk.tools.text.escapes import Control
from chardesk.tools.text.plain import TAB_STOP

DEEPEST = 999
"""The lowest row a cursor can be sent to, unless text has gone on further down."""

_MOST_WORK = 20_000_000
"""Columns that erasing and shifting may touch in all, about a second: an erasure costs few bytes to write."""


class Screen:
    """Rows are two sequences of equal length, clusters and styles. `''` is the right half of a wide cluster.
    A row that was printed at once is two tuples until something is printed over it: most are never touched
    again, and the collector of garbage walks through lists only.

    Art `wraps`: what reaches column `width` goes on in the next row. A log does not; there the cursor moves
    up to the column `width` - 1, or to the last column of the row's text if that is further right.
    """

    def __init__(self, width: int, drops: Drops, *, wraps: bool) -> None:
        self._width, self._drops, self._wraps = width, drops, wraps
        self._chars: list[list[str] | tuple[str, ...]] = [()]
        self._styles: list[list[Style] | tuple[Style, ...]] = [()]
        self._x = self._y = 0
        self._saved = (0, 0)
        self._work_left = _MOST_WORK

    @property
    def has_work_left(self) -> bool:
        """False once erasures were left out because there were too many."""
        return self._work_left > 0

    @property
    def is_at_fresh_row(self) -> bool:
        """Is the cursor at the beginning of an empty row that does not wrap?"""
        return self._x == 0 and not self._wraps and not self._chars[self._y]

    def print_row(self, text: str, styles: Sequence[Style]) -> None:
        """Printable ASCII on a fresh row."""
        self._chars[self._y] = tuple(text)
        self._styles[self._y] = tuple(styles)
        self._x = len(text)

    def print(self, text: str, style: Style) -> None:
        """Text without controls. What it lands on is replaced, whole glyphs at a time."""
        if self._wraps:
            self._print_wrapped(text, style)
        elif text.isascii():
            self._put(text, style)
        else:
            self._put(self._columns(text), style)

    def move(self, control: str) -> None:
        """LF, CR, tab, backspace."""
        match control:
            case "\n":
                self._y += 1
                self._x = 0
                self._reach(self._y)
            case "\r":
                self._x = 0
            case "\b":
                self._x = max(0, self._x - 1)
            case _:
                self._x = self._within(self._x + TAB_STOP - self._x % TAB_STOP)

    def control(self, control: Control, paper: Style) -> None:
        """A sequence of `_CONTROLS`; `paper` is the style that erased columns get."""
        _CONTROLS[control.final](self, control.numbers, paper)

    def rows(self) -> tuple[Strip, ...]:
        """The rows as printed; empty ones at the end are left out."""
        while self._chars and not self._chars[-1]:
            self._chars.pop()
        return tuple(
            Strip(tuple(chars), tuple(styles))
            for chars, styles in zip(self._chars, self._styles, strict=False)
        )

    def _columns(self, text: str) -> list[str]:
        found: list[str] = []
        for char, width in stored(text, self._drops):
            found += (char,) if width == 1 else (char, "")
        return found

    def _print_wrapped(self, text: str, style: Style) -> None:
        columns: Sequence[str] = text if text.isascii() else self._columns(text)
        while columns:
            room = self._width - self._x
            if 0 < room < len(columns) and columns[room] == "":
                room -= 1
            if room > 0 or self._x == 0:
                room = max(2 if columns[1:2] == [""] else 1, room)
                self._put(columns[:room], style)
                columns = columns[room:]
            if columns or self._x >= self._width:
                self.move("\n")

    def _put(self, columns: Sequence[str], style: Style) -> None:
        chars, styles = self._row()
        start, end = self._x, self._x + len(columns)
        if start < len(chars):
            self._tear(start)
            self._tear(end)
        elif start > len(chars):
            styles += [PLAIN] * (start - len(chars))
            chars += " " * (start - len(chars))
        chars[start:end] = columns
        styles[start:end] = [style] * len(columns)
        self._x = end

    def _row(self) -> tuple[list[str], list[Style]]:
        """The cursor's row, as lists that may be changed."""
        chars, styles = self._chars[self._y], self._styles[self._y]
        if isinstance(chars, list) and isinstance(styles, list):
            return chars, styles
        self._chars[self._y], self._styles[self._y] = fresh = list(chars), list(styles)
        return fresh

    def _tear(self, at: int) -> None:
        """Make column `at` a border between glyphs: a wide one across it becomes two blanks."""
        chars, styles = self._row()
        if at < len(chars) and chars[at] == "":
            chars[at - 1 : at + 1] = "  "
            styles[at - 1 : at + 1] = PLAIN, PLAIN

    def _reach(self, y: int) -> None:
        while len(self._chars) <= y:
            self._chars.append(())
            self._styles.append(())

    def _within(self, x: int) -> int:
        """A column the cursor can go to."""
        return max(0, min(x, max(self._width, len(self._chars[self._y]) * (not self._wraps)) - 1))

    def _go(self, x: int, y: int) -> None:
        self._y = max(0, min(y, max(DEEPEST, len(self._chars) - 1)))
        self._reach(self._y)
        self._x = self._within(x)

    def _can(self, work: int) -> bool:
        self._work_left -= work + 1
        return self._work_left > 0

    def _wipe(self, start: int, end: int, paper: Style) -> None:
        """Erase columns of the row: blanks on coloured paper, nothing at the row's end on plain."""
        chars, styles = self._row()
        if not self._can(max(0, end - start)):
            return
        self._tear(start)
        self._tear(end)
        if paper == PLAIN and end >= len(chars):
            del chars[start:], styles[start:]
            return
        if start > len(chars):
            styles += [PLAIN] * (start - len(chars))
            chars += " " * (start - len(chars))
        chars[start:end] = " " * (end - start)
        styles[start:end] = [paper] * (end - start)

    def _erase_in_row(self, numbers: _Numbers, paper: Style) -> None:
        end = max(self._width, len(self._chars[self._y]))
        starts = {0: (self._x, end), 1: (0, self._x + 1), 2: (0, end)}
        if (span := starts.get(_first(numbers, 0))) is not None:
            self._wipe(*span, paper)

    def _erase_in_sheet(self, numbers: _Numbers, paper: Style) -> None:
        match _first(numbers, 0):
            case 0:
                del self._chars[self._y + 1 :], self._styles[self._y + 1 :]
                self._erase_in_row((0,), paper)
            case 1 if self._can(self._y):
                self._chars[: self._y] = [()] * self._y
                self._styles[: self._y] = [()] * self._y
                self._erase_in_row((1,), paper)
            case 2 | 3 if self._can(len(self._chars)):
                self._y = 0 if self._wraps else self._y
                self._x = 0 if self._wraps else self._x
                self._chars = [()] * (self._y + 1)
                self._styles = [()] * (self._y + 1)
            case _:
                pass

    def _erase_columns(self, numbers: _Numbers, paper: Style) -> None:
        end = min(self._x + _count(numbers), max(self._width, len(self._chars[self._y])))
        self._wipe(self._x, max(self._x, end), paper)

    def _delete_columns(self, numbers: _Numbers, _: Style) -> None:
        chars, styles = self._row()
        end = self._x + _count(numbers)
        if self._can(len(chars)):
            self._tear(self._x)
            self._tear(end)
            del chars[self._x : end], styles[self._x : end]

    def _insert_columns(self, numbers: _Numbers, _: Style) -> None:
        chars, styles = self._row()
        count = min(_count(numbers), self._width)
        end = max(self._width, len(chars))
        if self._x < len(chars) and self._can(len(chars)):
            self._tear(self._x)
            chars[self._x : self._x] = " " * count
            styles[self._x : self._x] = [PLAIN] * count
            self._tear(end)
            del chars[end:], styles[end:]

    def _insert_rows(self, numbers: _Numbers, _: Style) -> None:
        most = max(DEEPEST + 1, len(self._chars))
        count = min(_count(numbers), most - self._y)
        if self._can(len(self._chars) + count):
            self._chars[self._y : self._y] = [()] * count
            self._styles[self._y : self._y] = [()] * count
            del self._chars[most:], self._styles[most:]

    def _delete_rows(self, numbers: _Numbers, _: Style) -> None:
        if self._can(len(self._chars)):
            end = self._y + _count(numbers)
            del self._chars[self._y : end], self._styles[self._y : end]
            self._reach(self._y)

    def _address(self, numbers: _Numbers, _: Style) -> None:
        row, column = (*numbers, None, None)[:2]
        self._go((column or 1) - 1, (row or 1) - 1)

    def _save(self, _: _Numbers, __: Style) -> None:
        self._saved = self._x, self._y

    def _restore(self, _: _Numbers, __: Style) -> None:
        self._go(*self._saved)


_Numbers = tuple[int | None, ...]
_Do = Callable[[Screen, _Numbers, Style], None]


def _first(numbers: _Numbers, default: int) -> int:
    found = numbers[0] if numbers else None
    return default if found is None else found


def _count(numbers: _Numbers) -> int:
    """How often or how far: 1 if nothing or 0 is said."""
    return max(1, _first(numbers, 1))


def _by(columns: int, rows: int) -> _Do:
    return lambda on, n, _: on._go(on._x + columns * _count(n), on._y + rows * _count(n))


_CONTROLS: Mapping[str, _Do] = {
    "A": _by(0, -1),
    "B": _by(0, 1),
    "C": _by(1, 0),
    "D": _by(-1, 0),
    "E": lambda on, n, _: on._go(0, on._y + _count(n)),
    "F": lambda on, n, _: on._go(0, on._y - _count(n)),
    "G": lambda on, n, _: on._go(_count(n) - 1, on._y),
    "H": Screen._address,
    "J": Screen._erase_in_sheet,
    "K": Screen._erase_in_row,
    "L": Screen._insert_rows,
    "M": Screen._delete_rows,
    "P": Screen._delete_columns,
    "@": Screen._insert_columns,
    "X": Screen._erase_columns,
    "`": lambda on, n, _: on._go(_count(n) - 1, on._y),
    "a": _by(1, 0),
    "d": lambda on, n, _: on._go(on._x, _count(n) - 1),
    "e": _by(0, 1),
    "f": Screen._address,
    "s": Screen._save,
    "u": Screen._restore,
}
"""What each final byte of a sequence does. `escapes` makes Control tokens of these only."""
