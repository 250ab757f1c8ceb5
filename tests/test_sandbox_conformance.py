"""One corpus of scripts, every backend: the same results and byte-equal evidence.

The older engine takes part where `python tests/engines.py` has fetched it; how it differs is in the corpus.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conformance import run_all, told
from drawing import scene_of
from engines import older_engine
from scripting import Ran, run_on, started

from chardesk.broker.sandbox.host import Sandbox, engine_folder

CORPUS = json.loads((Path(__file__).parent / "vectors" / "conformance.json").read_text("utf-8"))
SCRIPTS: dict[str, dict[str, Any]] = {one["name"]: one for one in CORPUS["scripts"]}
ENGINES = {"quickjs-ng": engine_folder(), "quickjs": older_engine()}
HERE = [name for name, folder in ENGINES.items() if folder is not None]

Runs = dict[str, Ran]
_runs: dict[str, Runs] = {}


def runs_of(engine: str) -> Runs:
    """Every script of the corpus on one engine; run once."""
    if engine not in _runs:
        _runs[engine] = asyncio.run(_run_all(engine))
    return _runs[engine]


async def _run_all(engine: str) -> Runs:
    async with started(Sandbox(warm=2, find_engine=lambda: ENGINES[engine])) as backend:
        return await run_all(backend, CORPUS)


@pytest.mark.parametrize("engine", HERE)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_ends_as_the_corpus_says_with_the_same_evidence(name: str, engine: str) -> None:
    wanted = SCRIPTS[name]
    if engine == "quickjs":
        wanted = wanted.get("older", wanted)
    ends_and_evidence = {key: wanted[key] for key in ("ends", "evidence") if key in wanted}
    assert told(runs_of(engine)[name]) == ends_and_evidence, "if that is meant: python tests/conformance.py"


def test_engines_give_byte_equal_evidence_but_where_they_are_known_to_differ() -> None:
    """Where only one engine is here, it is compared with itself, run again."""
    first = runs_of("quickjs-ng")
    again = runs_of("quickjs") if "quickjs" in HERE else asyncio.run(_run_all("quickjs-ng"))
    alike = [name for name, one in SCRIPTS.items() if "older" not in one]
    differing = [name for name in alike if first[name].evidence != again[name].evidence]
    assert len(alike) >= 120 and differing == []


def test_the_corpus_is_large_and_covers_every_kind() -> None:
    kinds = Counter(name.partition(":")[0] for name in SCRIPTS)
    assert len(SCRIPTS) == len(CORPUS["scripts"]) >= 120
    assert kinds.keys() == {"language", "async", "chance", "canvas", "refusals", "results", "errors"}


def test_few_scripts_are_known_to_differ_and_none_that_draws() -> None:
    differing = [name for name, one in SCRIPTS.items() if "older" in one]
    assert 0 < len(differing) <= 8
    assert all(name.startswith(("language:", "errors:")) for name in differing)


async def test_evidence_does_not_depend_on_who_ran_before() -> None:
    name = "chance: stars"
    async with started(Sandbox(warm=1)) as backend:
        scene = scene_of("\n".join(CORPUS["scene"]))
        again = [await run_on(backend, SCRIPTS[name]["script"], scene) for _ in range(3)]
    assert {ran.evidence for ran in again} == {runs_of("quickjs-ng")[name].evidence}


async def test_other_cells_are_other_inputs_and_another_change() -> None:
    script = SCRIPTS["canvas: fill"]["script"] + ".styledCells"
    async with started() as backend:
        one = await run_on(backend, script, scene_of("         TODO"))
        other = await run_on(backend, script, scene_of("         TO"))
    assert one.evidence is not None and other.evidence is not None
    assert one.evidence.code_sha256 == other.evidence.code_sha256
    assert one.evidence.inputs_sha256 != other.evidence.inputs_sha256
    assert one.evidence.change_sha256 != other.evidence.change_sha256
