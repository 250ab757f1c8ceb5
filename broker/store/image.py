"""An image of all contents at one seq, for a checkpoint: only what changed since the last one is copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from chardesk.broker.store.rows import canonical
from chardesk.tools.model.chunk import Chunk
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.sheet import Canvas, Sheet

Key = tuple[int, int]


class Known(NamedTuple):
    """What a checkpoint holds of one sheet: of each chunk and trace tile the token of its last writing."""

    chunks: Mapping[Key, object]
    tiles: Mapping[Key, object]


NOTHING = Known({}, {})


@dataclass(frozen=True, slots=True)
class Image:
    """What has to be written, and what is `known` to the database once it is.

    Chunks are shared with the live scenes, which write to copies from now on; tiles are bytes already. None
    stands for a piece that is gone. `gone` are sheets of which nothing is left.
    """

    seq: int
    outline: str
    chunks: tuple[tuple[str, Key, Chunk | None], ...]
    tiles: tuple[tuple[str, Key, bytes | None], ...]
    gone: tuple[str, ...]
    known: Mapping[str, Known]


def image_of(contents: Contents, seq: int, before: Mapping[str, Known]) -> Image:
    """Cheap enough for the event loop: a dictionary per sheet, and 96 KiB copied per tile that changed."""
    chunks: list[tuple[str, Key, Chunk | None]] = []
    tiles: list[tuple[str, Key, bytes | None]] = []
    known: dict[str, Known] = {}
    for sheet in _sheets(contents):
        old = before.get(sheet.id, NOTHING)
        shared, new = shared_of(sheet)
        chunks += [(sheet.id, key, shared.get(key)) for key in _changed(old.chunks, new.chunks)]
        fresh = [(key, key in new.tiles) for key in _changed(old.tiles, new.tiles)]
        tiles += [(sheet.id, key, sheet.trace.dump(key) if is_there else None) for key, is_there in fresh]
        known[sheet.id] = new
    gone = tuple(before.keys() - known.keys())
    return Image(seq, outline_of(contents), tuple(chunks), tuple(tiles), gone, known)


def shared_of(sheet: Sheet) -> tuple[dict[Key, Chunk], Known]:
    """The chunks as they are now, and the tokens by which a later image finds what was written since."""
    shared = sheet.scene.share()
    return shared, Known({key: chunk.owner for key, chunk in shared.items()}, sheet.trace.epochs())


def outline_of(contents: Contents) -> str:
    """All but the cells, as canonical JSON: `load.checkpoint` reads it."""
    return canonical([_canvas(canvas) for canvas in contents.canvases.values()])


def _sheets(contents: Contents) -> Iterator[Sheet]:
    for canvas in contents.canvases.values():
        yield from canvas.sheets


def _changed(old: Mapping[Key, object], new: Mapping[Key, object]) -> list[Key]:
    gone = [key for key in old if key not in new]
    return gone + [key for key, token in new.items() if key not in old or old[key] is not token]


def _canvas(canvas: Canvas) -> dict[str, Any]:
    return {
        "id": canvas.id,
        "name": canvas.name,
        "kind": canvas.kind,
        "archived": canvas.archived,
        "updatedAt": canvas.updated_at,
        "sheets": [_sheet(sheet) for sheet in canvas.sheets],
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "size": None if sheet.size is None else list(sheet.size),
        "revision": sheet.revision,
        "authors": sheet.trace.authors,
        "note": sheet.note,
    }
