"""HTTP: the page and its modules, and the checks that come before any upgrade."""

from __future__ import annotations

import http
import mimetypes
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from chardesk.broker.faces.modules import preloads

SOCKETS = ("/agent", "/page", "/read")

_DOCUMENTS = (
    (re.compile(r"/"), "index.html", "main.js", b"canvas"),
    (re.compile(r"/read/cv-[a-z2-7]{10}"), "index.html", "main.js", b"reader"),
    (re.compile(r"/desk"), "desk.html", "desk.js", b"desk"),
)
"""The pages: addresses, documents, first modules, and of what kind they are (contract, section 4)."""

_CSP = (
    "default-src 'self'; connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The page talks to this port and nowhere else. Older browsers don't take 'self' for our WebSocket."""

_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
}
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".woff2": "font/woff2"}
_NOT_SERVED = {"node_modules", "__pycache__"}
"""Folders that a checkout may have and a wheel has not."""

_FOREVER = "public, max-age=31536000, immutable"


def hosts(port: int) -> frozenset[str]:
    """The names that the broker answers to."""
    return frozenset({f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"})


def gate(port: Callable[[], int], build: str) -> Callable[[ServerConnection, Request], Response | None]:
    """What `websockets` asks before each upgrade: a response to give, or None to go on as a WebSocket."""

    def check(connection: ServerConnection, request: Request) -> Response | None:
        response = _refusal(request, hosts(port())) or _answer(request, build)
        if response is not None:
            response.headers["Content-Security-Policy"] = _CSP.format(port=port())
        return response

    return check


def _answer(request: Request, build: str) -> Response | None:
    path = request.path.partition("?")[0]
    if path not in SOCKETS:
        return _page(path, build)
    if request.headers.get("Upgrade", "").lower() == "websocket":
        return None
    return _text(http.HTTPStatus.UPGRADE_REQUIRED, "this is a WebSocket")


def _refusal(request: Request, known: frozenset[str]) -> Response | None:
    """Host and Origin must be ours; only GET is answered."""
    if request.method != "GET":
        return _text(http.HTTPStatus.METHOD_NOT_ALLOWED, "only GET")
    host = request.headers.get_all("Host")
    if len(host) != 1 or host[0].lower() not in known:
        where = sorted(known)[0]
        return _text(http.HTTPStatus.FORBIDDEN, f"not the address of this desk; it is http://{where}/")
    origins = request.headers.get_all("Origin")
    ours = {f"http://{name}" for name in known}
    if any(origin.lower() not in ours for origin in origins):
        return _text(http.HTTPStatus.FORBIDDEN, "another site may not talk to this desk")
    return None


def _page(path: str, build: str) -> Response:
    if path == "/health":
        return _text(http.HTTPStatus.OK, "ok")
    document = _document(path, build)
    if document is not None:
        return _respond(http.HTTPStatus.OK, document, ".html", "no-store")
    prefix = f"/page/{build}/"
    if path.startswith(prefix):
        found = asset(path.removeprefix(prefix))
        if found is not None:
            return _respond(http.HTTPStatus.OK, found, _suffix(path), _FOREVER)
    return _text(http.HTTPStatus.NOT_FOUND, "nothing here; the desk is at /")


def _document(path: str, build: str) -> bytes | None:
    """The page at this address, told of which kind and build it is."""
    for address, name, entry, kind in _DOCUMENTS:
        body = asset(name) if address.fullmatch(path) else None
        if body is not None:
            body = body.replace(b"<!-- modules -->", preloads(entry, build, asset))
            return body.replace(b"__VERSION__", build.encode()).replace(b"__KIND__", kind)
    return None


def asset(name: str) -> bytes | None:
    """A file of the page by its path below `page/`; None for anything that is not one of its files."""
    return _content(name) if name in _assets() else None


@cache
def _content(name: str) -> bytes:
    return _assets()[name].read_bytes()


@cache
def _assets() -> dict[str, Traversable]:
    """Every file that is served. Whatever else a path may spell is not in this table."""
    return dict(_walk(files("chardesk.page"), ""))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_file() and _suffix(name) in _TYPES:
            yield name, entry
        elif entry.is_dir() and entry.name not in _NOT_SERVED:
            yield from _walk(entry, f"{name}/")


def _suffix(path: str) -> str:
    return "." + path.rpartition(".")[2]


def _text(status: http.HTTPStatus, text: str) -> Response:
    return _respond(status, (text + "\n").encode(), ".txt", "no-store")


def _respond(status: http.HTTPStatus, body: bytes, suffix: str, caching: str) -> Response:
    kind = _TYPES.get(suffix) or mimetypes.types_map.get(suffix, "text/plain")
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return Response(status, status.phrase, _headers(kind + charset, len(body), caching, _SAFE.items()), body)


def _headers(kind: str, length: int, caching: str, more: Iterable[tuple[str, str]]) -> Headers:
    headers = Headers()
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(length)
    headers["Cache-Control"] = caching
    headers["Connection"] = "close"
    for name, value in more:
        headers[name] = value
    return headers
