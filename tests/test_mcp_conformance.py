"""The public MCP conformance suite against `chardesk-mcp --http`: what fails is listed with its reason."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from brokers import RunningBroker
from over_http import serving, token

TESTS = Path(__file__).resolve().parent
SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
EXPECTED = "mcp_conformance.yml"
PATIENCE_S = 60
"""The whole suite takes 4 s."""


def test_every_expected_failure_has_its_reason() -> None:
    lines = (TESTS / EXPECTED).read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if line.startswith("  - ")]
    assert listed and all(re.fullmatch(r"  - [a-z0-9-]+ # .{12,}", line) for line in listed)


def test_the_conformance_suite_finds_nothing_that_is_not_expected(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("conformance")
    with RunningBroker(folder / "desk") as broker, serving(broker) as address:
        done = suite(address, folder, token(broker))
    assert done.returncode == 0, done.stdout[-3_000:]
    passed = set(re.findall(r"^✓ ([\w-]+): ", done.stdout, re.MULTILINE))
    assert {
        "server-initialize",
        "ping",
        "tools-list",
        "resources-subscribe",
        "dns-rebinding-protection",
    } <= passed


def suite(address: str, folder: Path, shown: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *("node", "--import", "./mcp_conformance_token.mjs", SUITE),
            *("server", "--url", address, "--suite", "all"),
            *("--expected-failures", EXPECTED, "--output-dir", str(folder / "results")),
        ],
        cwd=TESTS,
        env={**os.environ, "CHARDESK_HTTP_TOKEN": shown},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )
