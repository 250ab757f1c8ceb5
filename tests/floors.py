"""Reads the floor plan out of docs/floor-plan.md and finds what in a checkout breaks it.

Files and rooms are named by their paths from the checkout's root, in Python and in the page alike. Every
check returns its faults as sentences that name the offender; no faults, an empty list.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path

from house import House

MAX_LINES = 300
WITHOUT_DOM = ("page/model/", "page/edit/")

JS_ASIDE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
DOM = re.compile(
    r"(?<![.\w$])(document|window|navigator|localStorage|sessionStorage|indexedDB|requestAnimationFrame"
    r"|WebSocket|HTML\w*Element)\b(?!\s*:)"
)


@dataclass(frozen=True, slots=True)
class Outside:
    """What a room may import that is not ours: packages (None: any declared one), less the banned modules."""

    packages: frozenset[str] | None
    banned: frozenset[str]


@dataclass(frozen=True, slots=True)
class Plan:
    """`floor` counts from the top; `may` holds rooms or folders of rooms, None for everything below."""

    floor: Mapping[str, int]
    may: Mapping[str, frozenset[str] | None]
    outside: Mapping[str, Outside]

    def room_of(self, file: str) -> str | None:
        """The room a file lives in: the longest that is the file or a folder above it."""
        return max((room for room in self.floor if within(file, room)), key=len, default=None)

    def allows(self, here: str, there: str) -> bool:
        may = self.may[here]
        return may is None or any(within(there, each) for each in may)


def within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def read_plan(text: str) -> Plan:
    """The plan as the docs have it. A room without a row, or a row without a room, is a ValueError."""
    picture = text.split("```picture\n")[1].split("```")[0]
    floor = {room: n for n, line in enumerate(picture.splitlines()) for room in re.findall(r"\S+", line[10:])}
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in text.splitlines() if re.match(r"\| `", line)]
    table = {named(row[0]).pop(): row for row in rows}
    if odd := floor.keys() ^ table.keys():
        raise ValueError(f"in the picture or in the table, but not in both: {', '.join(sorted(odd))}")
    may = {
        room: None if row[2] == "everything below" else frozenset(named(row[2]))
        for room, row in table.items()
    }
    pure = text.partition("```pure\n")[2].partition("```")[0]
    return Plan(floor, may, {room: outside(row[3], pure) for room, row in table.items()})


def outside(cell: str, pure: str) -> Outside:
    """`pure`: what that word stands for in a cell."""
    if cell == "pure":
        return outside(pure, "")
    if cell == "declared packages":
        return Outside(None, frozenset())
    kept, _, taken = cell.partition("without")
    return Outside(frozenset(named(kept)), frozenset(named(taken)))


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def plan_faults(plan: Plan) -> list[str]:
    """Rows that allow an import the picture forbids."""
    return [
        f"the table lets {here} import {there}, which is not below it"
        for here, may in plan.may.items()
        for there in plan.floor
        if may is not None and plan.allows(here, there) and plan.floor[there] <= plan.floor[here]
    ] + [
        f"the table lets {here} import {each}, which is no room"
        for here, may in plan.may.items()
        for each in may or ()
        if not any(within(room, each) for room in plan.floor)
    ]


def homeless(plan: Plan, code: House) -> list[str]:
    """Files in no room. A top folder's own `__init__.py` needs none as long as it holds only words."""
    return [
        f"{file} lives in no room: add it to docs/floor-plan.md or move it"
        for file, text in code.texts.items()
        if plan.room_of(file) is None and not (file.endswith("__init__.py") and only_words(text))
    ]


def only_words(text: str) -> bool:
    return all(
        isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in ast.parse(text).body
    )


def unbuilt(plan: Plan, root: Path) -> list[str]:
    return [
        f"{room} is in the picture but not in the checkout"
        for room in plan.floor
        if not (root / room).exists()
    ]


def upward(plan: Plan, code: House) -> list[str]:
    return [
        f"{file} imports {target}: {why}"
        for file, targets in code.ours.items()
        for target in targets
        if (why := why_not(plan, plan.room_of(file), plan.room_of(target)))
    ]


def why_not(plan: Plan, here: str | None, there: str | None) -> str | None:
    """Why a room may not import another; None if it may. A file in no room is `homeless`'s to report."""
    if here is None or here == there:
        return None
    if there is None:
        return "that is in no room"
    if plan.floor[there] <= plan.floor[here]:
        return f"{there} is {'beside' if plan.floor[there] == plan.floor[here] else 'above'} {here}"
    return None if plan.allows(here, there) else f"the table does not let {here} import {there}"


def foreign(plan: Plan, code: House, declared: Iterable[str]) -> list[str]:
    """Imports from outside that a file's room does not allow. `declared`: the packages of pyproject.toml."""
    known = packages_distributions()
    names = {name for name, packages in known.items() if {plain(each) for each in packages} & set(declared)}
    return [
        f"{file} imports {name}: {plan.room_of(file)} may not"
        for file, targets in code.others.items()
        for name in targets
        if (room := plan.room_of(file))
        and not welcome(name.partition(".")[0], file, plan.outside[room], names)
    ]


def welcome(name: str, file: str, rule: Outside, declared: set[str]) -> bool:
    if name in rule.banned:
        return False
    if file.endswith(".py") and name in sys.stdlib_module_names:
        return True
    return name in (declared if rule.packages is None else rule.packages)


def plain(package: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def circles(code: House) -> list[str]:
    done: set[str] = set()
    faults: list[str] = []

    def visit(file: str, trail: tuple[str, ...]) -> None:
        if file in trail:
            faults.append("a circle: " + " → ".join([*trail[trail.index(file) :], file]))
        elif file not in done:
            for target in code.ours.get(file, ()):
                visit(target, (*trail, file))
            done.add(file)

    for file in code.ours:
        visit(file, ())
    return faults


def impure(code: House) -> list[str]:
    """What in the desk waits or opens something."""
    return [
        f"{file}:{getattr(node, 'lineno', '?')} {what}: the desk is pure"
        for file, text in code.texts.items()
        if within(file, "broker/desk")
        for node in ast.walk(ast.parse(text, file))
        if (what := side_effect(node))
    ]


def side_effect(node: ast.AST) -> str | None:
    match node:
        case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            return "awaits"
        case ast.Call(func=ast.Name(id="open" | "input" | "print" as name)):
            return f"calls {name}"
        case _:
            return None


def names_dom(code: House) -> list[str]:
    return [
        f"{file} names {name}: model and edit know no DOM"
        for file, text in code.texts.items()
        if file.startswith(WITHOUT_DOM)
        for name in dict.fromkeys(DOM.findall(JS_ASIDE.sub("", text)))
    ]


def too_long(code: House) -> list[str]:
    lengths = {file: len(text.splitlines()) for file, text in code.texts.items() if not is_written(text)}
    return [
        f"{file} has {n} lines: split the room at {MAX_LINES}" for file, n in lengths.items() if n > MAX_LINES
    ]


def is_written(text: str) -> bool:
    """A file that a program wrote says so at its top, in words that no person's file starts with."""
    return any("Do not edit" in line for line in text.splitlines()[:3])
