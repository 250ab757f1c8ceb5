"""A person's hands on the page: places of cells on the screen, presses and drags, tools, fingers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from browsers import PATIENCE_MS, row_of, until_settled
from playwright.sync_api import CDPSession, Page

Place = tuple[int, int]

GREETED = """
if (location.protocol === 'http:')
    localStorage.setItem('chardesk/preferences', JSON.stringify({greeting: 'done'}));
"""
"""The first run's welcome has been seen: it would lie over the canvas."""


def fresh_sheet(page: Page) -> None:
    """Turn to a new, empty canvas; the cursor is at its origin, text is typed."""
    before = page.evaluate("window.chardesk.replica.sheetId")
    page.evaluate(
        "window.chardesk.link.callTool('canvas_manage', {action: 'create', kind: 'freeform', activate: true})"
    )
    script = "before => window.chardesk.replica.sheetId !== before && window.chardesk.replica.seq > 0"
    page.wait_for_function(script, arg=before, timeout=PATIENCE_MS)
    page.locator("#field").focus()


def point(page: Page, place: Place) -> tuple[float, float]:
    """The middle of a cell, in CSS pixels of the window."""
    script = """([x, y]) => {
        const { left, top } = window.chardesk.viewport.place(x, y);
        const { width, height } = window.chardesk.viewport.cell;
        const box = document.querySelector('#cells').getBoundingClientRect();
        const ratio = devicePixelRatio;
        return [box.left + (left + width / 2) / ratio, box.top + (top + height / 2) / ratio];
    }"""
    left, top = page.evaluate(script, list(place))
    return left, top


def click(page: Page, place: Place) -> None:
    page.mouse.click(*point(page, place))


@contextmanager
def dragging(page: Page, start: Place, *way: Place) -> Iterator[None]:
    """Press at the start and go along the way; inside the button is still down."""
    page.mouse.move(*point(page, start))
    page.mouse.down()
    for place in way:
        page.mouse.move(*point(page, place), steps=3)
    yield
    page.mouse.up()


def drag(page: Page, start: Place, *way: Place) -> None:
    with dragging(page, start, *way):
        pass


def choose(page: Page, tool: str) -> None:
    """Take a tool by its button."""
    page.get_by_role("toolbar", name="Tools", exact=True).get_by_role("button", name=tool).click()


def rows(page: Page, width: int = 12, height: int = 6) -> list[str]:
    return [row_of(page, y, 0, width) for y in range(height)]


def drawn(page: Page, width: int = 12, height: int = 6) -> str:
    """What the page shows, once the broker has answered: one line a row, empty ones at the end left out."""
    until_settled(page)
    return "\n".join(rows(page, width, height)).rstrip("\n")


def picture(text: str) -> str:
    """A picture as a test draws it: the first line end is not part of it."""
    return text.removeprefix("\n").rstrip("\n")


def undo(page: Page) -> None:
    page.keyboard.press("Control+z")
    until_settled(page)


def touch(cdp: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """`kind` is touchStart, touchMove or touchEnd; the points are the fingers that are down."""
    fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def swipe(cdp: CDPSession, way: Sequence[tuple[float, float]]) -> None:
    """One finger along the way. It rests at the end: a fling would swallow the next tap."""
    touch(cdp, "touchStart", way[0])
    left, top = way[-1]
    for place in (*way[1:], *((left, top + rest) for rest in (1, 0, 1, 0))):
        touch(cdp, "touchMove", place)
    touch(cdp, "touchEnd")
