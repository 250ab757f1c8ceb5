"""TeX's mathematics as a tree of atoms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chardesk.tools.text.math import symbols
from chardesk.tools.text.math.atoms import (
    Accent,
    Atom,
    Fenced,
    Fraction,
    Grid,
    Root,
    Row,
    Scripts,
    Space,
    Word,
)
from chardesk.tools.text.undrawn import NotDrawn

MAX_SOURCE = 5_000
_DEEPEST = 40
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|[^A-Za-z]|$)|[{}^_&]|\s+|%[^\n]*|[^\\{}^_&\s%]")
_MATRICES = {
    "matrix": "",
    "pmatrix": "()",
    "bmatrix": "[]",
    "Bmatrix": "{}",
    "vmatrix": "||",
    "Vmatrix": "‖‖",
    "smallmatrix": "",
}
_TABLES = {
    "cases": "{",
    "aligned": "",
    "align": "",
    "align*": "",
    "gathered": "",
    "array": "",
    "equation": "",
    "equation*": "",
    "split": "",
    "gather": "",
    "gather*": "",
}
_SKIPPED = symbols.listed(
    "displaystyle textstyle limits nolimits nonumber notag big Big bigl bigr Bigl Bigr bigg Bigg rm bf it "
    "mathstrut"
)


def parse(source: str) -> Atom:
    """The tree. Raises NotDrawn for what is not closed, too long, or not known."""
    if len(source) > MAX_SOURCE:
        raise NotDrawn(f"it has {len(source)} characters; {MAX_SOURCE} can be drawn")
    parser = _Parser([token for token in _TOKEN.findall(source) if token[0] != "%"])
    found = parser.grid_or_row()
    if parser.peek():
        raise NotDrawn(f"{parser.peek()} closes nothing")
    return found


@dataclass(slots=True)
class _Parser:
    tokens: list[str]
    at: int = 0
    depth: int = field(default=0)

    def peek(self) -> str:
        """The next token that is no space; empty at the end."""
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def grid_or_row(self) -> Atom:
        """The whole source: one row, or several with `\\\\` between them, lined up at `&`."""
        rows = list(self._rows(()))
        return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else Grid(tuple(rows), "rl")

    def _rows(self, ends: tuple[str, ...]) -> Iterator[tuple[Atom, ...]]:
        while True:
            cells = [self.row((*ends, "&", "\\\\"))]
            while self.peek() == "&":
                self.take()
                cells.append(self.row((*ends, "&", "\\\\")))
            yield tuple(cells)
            if self.peek() != "\\\\":
                return
            self.take()
            if self.peek() in ends or not self.peek():
                return

    def row(self, ends: tuple[str, ...]) -> Atom:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotDrawn(f"it is nested more than {_DEEPEST} deep")
        parts: list[Atom] = []
        while (token := self.peek()) and token not in ends and token not in ("}", "\\right", "\\end"):
            parts.append(self.scripted())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def scripted(self) -> Atom:
        base = Word("") if self.peek() in ("^", "_") else self.atom()
        above: Atom | None = None
        below: Atom | None = None
        primes = ""
        while (token := self.peek()) in ("^", "_", "'"):
            self.take()
            if token == "'":
                primes += "′"
            elif token == "^":
                above = self.argument()
            else:
                below = self.argument()
        if primes:
            above = Word(primes) if above is None else Row((Word(primes), above))
        return base if above is None and below is None else Scripts(base, above, below)

    def argument(self) -> Atom:
        token = self.peek()
        if not token or token in ("}", "&", "\\\\", "^", "_"):
            raise NotDrawn(
                "something is missing at the end" if not token else f"something is missing before {token}"
            )
        return self.atom()

    def atom(self) -> Atom:
        token = self.take()
        if token == "{":
            inside = self.row(())
            self._close("}")
            return inside
        return self._command(token[1:]) if token.startswith("\\") else Word("−" if token == "-" else token)

    def _close(self, token: str) -> None:
        if self.take() != token:
            raise NotDrawn(f"{token} is missing")

    def _command(self, name: str) -> Atom:
        match name:
            case "frac" | "dfrac" | "tfrac" | "cfrac":
                return Fraction(self.argument(), self.argument())
            case "binom" | "dbinom" | "tbinom":
                return Fenced("(", Fraction(self.argument(), self.argument(), has_line=False), ")")
            case "sqrt":
                degree = self._degree()
                return Root(self.argument(), degree)
            case "left":
                left = self._delimiter()
                inside = self.row(())
                self._close("\\right")
                return Fenced(left, inside, self._delimiter())
            case "begin":
                return self._environment()
            case "overset" | "stackrel":
                above = self.argument()
                return Scripts(_operator(self.argument()), above, None)
            case "underset":
                below = self.argument()
                return Scripts(_operator(self.argument()), None, below)
            case "not":
                return Accent("\u0338", self.argument())
            case "pmod":
                return Row((Space(1), Word("(mod"), Space(1), self.argument(), Word(")")))
            case "bmod" | "mod":
                return Row((Space(1), Word("mod"), Space(1)))
            case _:
                return self._simple(name)

    def _degree(self) -> Atom | None:
        if self.peek() != "[":
            return None
        self.take()
        degree = self.row(("]",))
        self._close("]")
        return degree

    def _simple(self, name: str) -> Atom:
        if name in symbols.SYMBOLS:
            sign = symbols.SYMBOLS[name]
            return Word(sign, sign in symbols.TALL)
        if name in symbols.FUNCTIONS:
            return Word(name, name in symbols.LIMITED)
        if name in symbols.SPACES:
            return Space(symbols.SPACES[name])
        if name in symbols.ACCENTS:
            return Accent(symbols.ACCENTS[name], self.argument())
        if name in symbols.ALPHABETS:
            return _mapped(self.argument(), name)
        if name in symbols.PLAIN_WORDS:
            return Word(self._plain_words())
        if name in _SKIPPED:
            return Word("")
        if name and not name[0].isalpha():
            return Word({"|": "‖"}.get(name, name))
        raise NotDrawn(f"\\{name} is not known" if name else "a \\ stands at the end")

    def _plain_words(self) -> str:
        """A group as it is written, its spaces too."""
        self._close("{")
        words: list[str] = []
        while self.at < len(self.tokens) and self.tokens[self.at] != "}":
            words.append(self.tokens[self.at])
            self.at += 1
        self._close("}")
        return " ".join(re.sub(r"\\(.)", r"\1", "".join(words)).split(" "))

    def _delimiter(self) -> str:
        token = self.take()
        if not token or token in ("{", "}", "^", "_", "&"):
            raise NotDrawn("a bracket is missing")
        if not token.startswith("\\"):
            return "" if token == "." else token
        name = token[1:]
        return "‖" if name == "|" else symbols.SYMBOLS.get(name, name if len(name) == 1 else "")

    def _environment(self) -> Atom:
        self._close("{")
        name = ""
        while self.peek() and self.peek() != "}":
            name += self.take()
        self._close("}")
        if name not in _MATRICES and name not in _TABLES:
            raise NotDrawn(f"the environment {name[:20]} is not known")
        alignment = (
            self._array_columns() if name == "array" else "rl" if "align" in name or name == "split" else "c"
        )
        rows = tuple(self._rows(("\\end",)))
        self._close("\\end")
        self._plain_words()
        brackets = _MATRICES.get(name, "")
        if name == "cases":
            return Fenced("{", Grid(rows, "l"), "")
        grid = Grid(rows, alignment)
        return Fenced(brackets[0], grid, brackets[1]) if brackets else grid

    def _array_columns(self) -> str:
        return "".join(letter for letter in self._plain_words() if letter in "lcr") or "c"


def _operator(atom: Atom) -> Atom:
    return Word(atom.text, is_operator=True) if isinstance(atom, Word) else atom


def _mapped(atom: Atom, alphabet: str) -> Atom:
    match atom:
        case Word(text, is_operator):
            return Word(symbols.alphabet(alphabet, text), is_operator)
        case Row(parts):
            return Row(tuple(_mapped(part, alphabet) for part in parts))
        case _:
            return atom
