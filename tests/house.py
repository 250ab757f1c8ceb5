"""The code of a checkout, read for its imports: what each file takes from us and what from outside.

Files are named by their paths from the checkout's root, in Python and in the page alike.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CODE = (
    "tools/**/*.py",
    "broker/**/*.py",
    "broker/**/*.js",
    "materials/**/*.py",
    "page/**/*.js",
    "page/**/*.mjs",
    "page/**/*.ts",
)
NOT_OURS = {"node_modules", "fonts", "__pycache__"}

JS_IMPORT = re.compile(
    r"""^\s*import\s*["']([^"']+)["']"""  # import "x"
    r"""|^\s*(?:import|export)\s[\w$*{},\s]*?\bfrom\s*["']([^"']+)["']"""
    r"""|@import\s[\w$*{},\s]*?\bfrom\s*["']([^"']+)["']"""  # in JSDoc: a type is a dependency too
    r"""|\bimport\(\s*["']([^"']+)["']\s*\)""",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class House:
    """The code of a checkout: every file's text, and what each imports of ours and from outside."""

    texts: Mapping[str, str]
    ours: Mapping[str, tuple[str, ...]]
    others: Mapping[str, tuple[str, ...]]


def read_house(root: Path) -> House:
    paths = sorted(path for pattern in CODE for path in root.glob(pattern))
    files = [path for path in paths if not NOT_OURS & set(path.relative_to(root).parts)]
    return house({path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files})


def house(texts: Mapping[str, str]) -> House:
    ours: dict[str, tuple[str, ...]] = {}
    others: dict[str, tuple[str, ...]] = {}
    for file, text in texts.items():
        split = python_imports if file.endswith(".py") else page_imports
        ours[file], others[file] = (tuple(dict.fromkeys(found)) for found in split(file, text, texts))
    return House(texts, ours, others)


def python_imports(file: str, text: str, texts: Mapping[str, str]) -> tuple[list[str], list[str]]:
    names = [name for node in ast.walk(ast.parse(text, file)) for name in imported(node)]
    ours = [file_of(name.split(".")[1:], texts) for name in names if name.startswith("chardesk.")]
    return ours, [name for name in names if name.partition(".")[0] != "chardesk"]


def imported(node: ast.AST) -> Iterator[str]:
    """The dotted names a statement may load: `from a.b import c` gives a.b.c; `file_of` finds the module."""
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=str(module), names=names):
            yield from (f"{module}.{each.name}" for each in names)
        case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
            yield name


def file_of(parts: list[str], texts: Mapping[str, str]) -> str:
    """The file of the longest module that the name begins with; the name as a path if there is none."""
    for end in range(len(parts), 0, -1):
        stem = "/".join(parts[:end])
        for file in (f"{stem}.py", f"{stem}/__init__.py"):
            if file in texts:
                return file
    return "/".join(parts)


def page_imports(file: str, text: str, texts: Mapping[str, str]) -> tuple[list[str], list[str]]:
    names = ["".join(groups) for groups in JS_IMPORT.findall(text)]
    near = [
        posixpath.normpath(posixpath.join(posixpath.dirname(file), n)) for n in names if n.startswith(".")
    ]
    typed = [name.removesuffix(".js") + ".d.ts" if name not in texts else name for name in near]
    return typed, [name for name in names if not name.startswith(".")]
