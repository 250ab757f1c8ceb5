"""The one port as an attacker meets it: raw requests, handshakes from elsewhere, and what pages are told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import RunningBroker
from parties import faultless, way_in
from raw_http import UPGRADE, ask, upgrade

from chardesk.broker.door.build import fingerprint
from chardesk.broker.door.key import read_key

SOCKETS = ("/agent", "/page")
PATHS = ("/", "/health", "/desk", "/read/cv-2345abcdef", *SOCKETS)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("http") / "desk", CHARDESK_LOG="debug") as running:
        yield running


def port_of(broker: RunningBroker) -> int:
    return int(broker.address.rpartition(":")[2])


# -- Host and Origin


OUR_HOSTS = ("127.0.0.1:{port}", "localhost:{port}", "LocalHost:{port}")
FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:{other}",
    "localhost.evil.example:{port}",
    "127.0.0.1:{port}@evil.example",
    "127.0.0.1:{port}, evil.example",
    "0.0.0.0:{port}",
    "",
)
FOREIGN_ORIGINS = (
    "https://evil.example",
    "null",
    "http://127.0.0.1:{other}",
    "http://127.0.0.1",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://localhost.evil.example:{port}",
    "file://",
    "",
)


def _filled(template: str, broker: RunningBroker) -> str:
    port = port_of(broker)
    return template.format(port=port, other=port % 65535 + 1)


@pytest.mark.parametrize("host", OUR_HOSTS)
def test_the_desk_answers_to_its_own_names(broker: RunningBroker, host: str) -> None:
    """CON-11"""
    ours = ("Host", _filled(host, broker))
    origin = ("Origin", f"http://{ours[1]}")
    assert ask(broker.address, "/", ours).status == 200
    assert ask(broker.address, "/", ours, origin).status == 200
    for path in SOCKETS:
        assert upgrade(broker.address, path, ours).status == 101
        assert upgrade(broker.address, path, ours, origin).status == 101


@pytest.mark.parametrize("path", ["/", *SOCKETS])
@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_another_host_is_refused_before_the_upgrade(broker: RunningBroker, host: str, path: str) -> None:
    """SEC-01; a page of another name that was made to point at us."""
    theirs = ("Host", _filled(host, broker))
    for reply in (ask(broker.address, path, theirs), upgrade(broker.address, path, theirs)):
        assert reply.status == 403
        assert b"http://127.0.0.1:" in reply.body, "it says where the desk is"


@pytest.mark.parametrize("path", ["/", *SOCKETS])
def test_no_host_or_two_are_refused(broker: RunningBroker, path: str) -> None:
    """SEC-01"""
    ours = ("Host", broker.address)
    assert upgrade(broker.address, path).status in (400, 403)
    assert upgrade(broker.address, path, ours, ours).status in (400, 403)
    assert upgrade(broker.address, path, ours, ("Host", "evil.example")).status in (400, 403)


@pytest.mark.parametrize("path", ["/", *SOCKETS])
@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_another_origin_is_refused_before_the_upgrade_whatever_it_knows(
    broker: RunningBroker, origin: str, path: str
) -> None:
    """SEC-01"""
    ours, theirs = ("Host", broker.address), ("Origin", _filled(origin, broker))
    known = ("Authorization", f"Bearer {read_key(broker.place)}")
    assert ask(broker.address, path, ours, theirs).status == 403
    assert upgrade(broker.address, path, ours, theirs).status == 403
    assert upgrade(broker.address, path, ours, theirs, known).status == 403


def test_a_foreign_origin_beside_our_own_is_refused(broker: RunningBroker) -> None:
    """SEC-01"""
    headers = [("Host", broker.address), ("Origin", f"http://{broker.address}"), ("Origin", "null")]
    for path in SOCKETS:
        assert upgrade(broker.address, path, *headers).status == 403


# -- methods and bodies


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"])
def test_only_get_is_answered(broker: RunningBroker, method: str, path: str) -> None:
    """SEC-02"""
    ours = ("Host", broker.address)
    assert ask(broker.address, path, ours, method=method).status == 405
    assert ask(broker.address, path, ours, *UPGRADE.items(), method=method).status == 405


@pytest.mark.parametrize("path", PATHS)
def test_a_form_of_another_site_has_no_effect(broker: RunningBroker, path: str) -> None:
    """SEC-02; a request with a body is not even read to its end: the connection is closed."""
    body = b'{"tool":"canvas_write","arguments":{"at":[0,0],"content":"evil","mode":"apply"}}'
    before = broker.call("status")["seq"]
    reply = ask(
        broker.address,
        path,
        ("Host", broker.address),
        ("Origin", "https://evil.example"),
        ("Content-Type", "text/plain"),
        ("Content-Length", str(len(body))),
        method="POST",
        body=body,
    )
    assert reply.status in (0, 403, 404, 405)
    assert broker.call("status")["seq"] == before


def test_a_plain_get_of_a_socket_says_what_it_is(broker: RunningBroker) -> None:
    for path in SOCKETS:
        assert ask(broker.address, path, ("Host", broker.address)).status == 426


# -- files


ESCAPES = (
    "../broker/cli.py",
    "../../etc/passwd",
    "model/../../broker/cli.py",
    "%2e%2e/broker/cli.py",
    "..%2fbroker%2fcli.py",
    "..\\broker\\cli.py",
    "//etc/passwd",
    "/etc/passwd",
    "./main.js",
    "model//cell.js",
    "model/",
    "",
    ".",
    "package.json",
    "tsconfig.json",
    "wire/messages.d.ts",
    "main.js\x00.css",
    "main.js%00",
    "main.js/",
    "MAIN.JS",
    "a" * 4000,
)


@pytest.mark.parametrize("name", ESCAPES)
def test_nothing_but_the_pages_own_files_is_served(broker: RunningBroker, name: str) -> None:
    """Package files are no secret, but what is not part of the page has no address."""
    reply = ask(broker.address, f"/page/{fingerprint()}/{name}", ("Host", broker.address))
    assert reply.status in (0, 400, 404)
    assert b"import" not in reply.body and b"root:" not in reply.body


def test_files_of_another_build_are_not_served(broker: RunningBroker) -> None:
    ours = ("Host", broker.address)
    assert ask(broker.address, f"/page/{fingerprint()}/main.js", ours).status == 200
    assert ask(broker.address, "/page/0000/main.js", ours).status == 404
    assert ask(broker.address, "/page/main.js", ours).status == 404


def test_the_first_page_is_never_cached_and_its_modules_for_ever(broker: RunningBroker) -> None:
    ours = ("Host", broker.address)
    index = ask(broker.address, "/", ours)
    assert index.headers["cache-control"] == "no-store"
    modules = re.findall(rb'src="(/page/[^"]+\.js)"', index.body)
    assert modules
    for module in modules:
        reply = ask(broker.address, module.decode(), ours)
        assert reply.status == 200 and "immutable" in reply.headers["cache-control"]
        assert reply.headers["content-type"] == "text/javascript; charset=utf-8"


# -- what the browser is told


def test_every_answer_forbids_the_page_everything_but_this_desk(broker: RunningBroker) -> None:
    port, ours = port_of(broker), ("Host", broker.address)
    module = f"/page/{fingerprint()}/main.js"
    replies = [ask(broker.address, path, ours) for path in ("/", "/health", "/nothing", module, *SOCKETS)]
    replies.append(ask(broker.address, "/", ("Host", "evil.example")))
    for reply in replies:
        policy = _directives(reply.headers["content-security-policy"])
        assert policy["default-src"] == {"'self'"}
        assert policy["connect-src"] == {"'self'", f"ws://127.0.0.1:{port}", f"ws://localhost:{port}"}
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == {"'none'"}
        assert not {"'unsafe-inline'", "'unsafe-eval'"} & set().union(*policy.values())
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in reply.headers
        assert "set-cookie" not in reply.headers


def _directives(policy: str) -> dict[str, set[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {part[0]: set(part[1:]) for part in parts}


def test_the_first_page_holds_no_inline_script(broker: RunningBroker) -> None:
    index = ask(broker.address, "/", ("Host", broker.address)).body
    assert not re.search(rb"<script(?![^>]*\bsrc=)", index)
    assert not re.search(rb"\son[a-z]+=", index)


# -- secrets


def test_the_key_is_readable_by_its_owner_only(broker: RunningBroker) -> None:
    assert Path(broker.place.key).stat().st_mode & 0o077 == 0
    assert Path(broker.place.root).stat().st_mode & 0o077 == 0


def test_a_query_opens_nothing(broker: RunningBroker) -> None:
    """A code in a query is not traded, and still works where it belongs."""
    code = way_in(broker)
    reply = ask(broker.address, f"/?code={code}", ("Host", broker.address))
    assert reply.status == 200 and code.encode() not in reply.body
    assert all("token" not in f"{name}{value}" for name, value in reply.headers.items())
