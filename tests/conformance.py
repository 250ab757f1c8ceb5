"""Writes anew what the scripts of the conformance corpus come to. What changes is to be looked at first.

    python tests/conformance.py

Needs the older engine: `python tests/engines.py`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "importroot"))

from drawing import scene_of
from engines import older_engine
from scripting import Ran, run_on, started

from chardesk.broker.sandbox.backends import Backend
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Failed, Finished
from chardesk.tools.model.scene import Scene

CORPUS = Path(__file__).parent / "vectors" / "conformance.json"


def told(ran: Ran) -> dict[str, Any]:
    """A run as the corpus spells it: `ends`, and `evidence` if it returned.

    Without the digest of the inputs, which holds every word of every reply: engines are compared by it, but a
    better sentence in a refusal is no other behaviour.
    """
    more: dict[str, Any]
    match ran.outcome:
        case Finished(result, truncated, console):
            ends, more = {"returns": result}, {"truncated": truncated, "console": console}
        case Failed(code=code, name=name, line=line):
            ends, more = {"fails": code}, {"name": name, "line": line}
    ends |= {name: value for name, value in more.items() if value}
    if ran.evidence is None:
        return {"ends": ends}
    kept = {name: value for name, value in ran.evidence.fields().items() if name != "inputsSha256"}
    return {"ends": ends, "evidence": kept}


async def run_all(backend: Backend, corpus: dict[str, Any]) -> dict[str, Ran]:
    """Every script of the corpus over its scene, one after the other."""
    scene: Scene = scene_of("\n".join(corpus["scene"]))
    return {one["name"]: await run_on(backend, one["script"], scene) for one in corpus["scripts"]}


async def _written(corpus: dict[str, Any]) -> list[dict[str, Any]]:
    async with (
        started(Sandbox(warm=2)) as new,
        started(Sandbox(warm=2, find_engine=older_engine)) as older,
    ):
        runs, others = await run_all(new, corpus), await run_all(older, corpus)
    found = []
    for one in corpus["scripts"]:
        here, there = told(runs[one["name"]]), told(others[one["name"]])
        differs = {} if here == there else {"older": there}
        found.append({"name": one["name"], "script": one["script"], **here, **differs})
    return found


def main() -> None:
    corpus = json.loads(CORPUS.read_text("utf-8"))
    lines = ",\n  ".join(json.dumps(one) for one in asyncio.run(_written(corpus)))
    head = json.dumps({"note": corpus["note"], "scene": corpus["scene"]}, indent=1).removesuffix("\n}")
    CORPUS.write_text(f'{head},\n "scripts": [\n  {lines}\n ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
