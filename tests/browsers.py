"""Chromium for tests: one browser a module, a fresh profile a test, and the page as a person has it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-features=WebMCPTesting",
)

PATIENCE_MS = 15_000
"""How long a test waits for something that must come: generous, since these machines are noisy."""


def chromium() -> str:
    """The browser's path. Raises FileNotFoundError with what to install."""
    named = os.environ.get("CHARDESK_CHROMIUM")
    found = named or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise FileNotFoundError("these tests need Chromium: apt-get install chromium")
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def way_in(desk: str) -> str:
    """A fresh one-time address, as `chardesk open --print` gives it."""
    command = [sys.executable, "-m", "chardesk.broker.cli", "open", "--print", "--desk", desk]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def profile(
    browser: Browser, *, dark: bool = False, size: tuple[int, int] = (1280, 800), **more: Any
) -> Iterator[BrowserContext]:
    """A fresh browser profile; faults of the page's own scripts fail the test that closes it."""
    scheme: Literal["dark", "light"] = "dark" if dark else "light"
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        locale="en-GB",
        bypass_csp=True,  # Playwright's waiting evaluates strings, which the page's own policy forbids
        **more,
    )
    context.set_default_timeout(PATIENCE_MS)
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    try:
        yield context
    finally:
        context.close()
    assert not faults, faults


def opened(context: BrowserContext, desk: str) -> Page:
    """The page of this desk, live."""
    page = context.new_page()
    page.goto(way_in(desk))
    until_live(page)
    return page


def until_live(page: Page) -> None:
    page.wait_for_function("document.documentElement.dataset.state === 'live'", timeout=PATIENCE_MS)


def row_of(page: Page, y: int, x: int, end: int) -> str:
    """Columns `x .. end` of a row as the page has them, predictions included; empty ones as spaces."""
    script = "([y, x, end]) => window.chardesk.replica.strip(y, x, end).chars.map(c => c ?? ' ').join('')"
    found: str = page.evaluate(script, [y, x, end])
    return found.rstrip()


def until_row(page: Page, y: int, x: int, end: int, wanted: str) -> None:
    """Wait until the page shows this text there."""
    script = (
        "([y, x, end, wanted]) => window.chardesk.replica.strip(y, x, end)"
        ".chars.map(c => c ?? ' ').join('').trimEnd() === wanted"
    )
    page.wait_for_function(script, arg=[y, x, end, wanted], timeout=PATIENCE_MS)


def until_settled(page: Page) -> None:
    """Wait until every edit of this page was acknowledged."""
    page.wait_for_function("window.chardesk.replica.pendingCount === 0", timeout=PATIENCE_MS)


class HeldBack:
    """A link on which nothing that the page says arrives before `flow`: as slow as a link can be."""

    def __init__(self, page: Page) -> None:
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        self._flows = True
        page.route_web_socket(lambda url: url.endswith("/page"), self._carry)

    def hold(self) -> None:
        self._flows = False

    def flow(self) -> None:
        self._flows = True
        for server, message in self._held:
            server.send(message)
        self._held.clear()

    def _carry(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(lambda message: self._say(server, message))

    def _say(self, server: WebSocketRoute, message: str | bytes) -> None:
        if self._flows:
            server.send(message)
        else:
            self._held.append((server, message))
