"""Scripts that attack the sandbox end as they must and in time, and the next run is clean."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from sandboxes import (
    echo,
    sandbox,
    script_processes,
)

from chardesk.broker.sandbox import limits
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome

VECTORS = json.loads((Path(__file__).parent / "vectors" / "sandbox_attacks.json").read_text("utf-8"))
ATTACKS: dict[str, dict[str, Any]] = {attack["name"]: attack for attack in VECTORS["attacks"]}


async def attack(box: Sandbox, name: str) -> tuple[Outcome, Outcome]:
    """The outcome of the attack and that of a decent script just after it."""
    how = ATTACKS[name]
    script = how.get("script") or "".join(text * times for text, times in how["parts"])
    loops = how["ends"].get("fails") == "timeout"
    timeout_ms = VECTORS["limits"]["loopTimeoutMs" if loops else "timeoutMs"]
    decent = "return [1 + 1, JSON.stringify([1]), typeof pwn, ({}).value]"
    return await box.run(script, timeout_ms, 1, echo), await box.run(decent, 2_000, 1, echo)


@pytest.fixture(scope="module")
def aftermath() -> dict[str, tuple[Outcome, Outcome]]:
    """All attacks, four at a time."""

    async def all_of_them() -> dict[str, tuple[Outcome, Outcome]]:
        found: dict[str, tuple[Outcome, Outcome]] = {}
        room = asyncio.Semaphore(4)

        async def one(box: Sandbox, name: str) -> None:
            async with room:
                found[name] = await attack(box, name)

        async with sandbox(warm=2) as box, anyio.create_task_group() as tasks:
            for name in ATTACKS:
                tasks.start_soon(one, box, name)
        assert script_processes() == set()
        return found

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_as_it_must(name: str, aftermath: dict[str, tuple[Outcome, Outcome]]) -> None:
    match aftermath[name][0], ATTACKS[name]["ends"]:
        case Finished(result), {"returns": expected}:
            assert (result["args"] if isinstance(result, dict) else result) == expected
        case Failed(code), {"fails": expected}:
            assert code == expected
        case outcome, expected:
            pytest.fail(f"{outcome} instead of {expected}")


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_in_time(name: str, aftermath: dict[str, tuple[Outcome, Outcome]]) -> None:
    assert aftermath[name][0].duration_ms <= VECTORS["limits"]["timeoutMs"] + VECTORS["limits"]["overrunMs"]


@pytest.mark.parametrize("name", ATTACKS)
def test_the_run_after_an_attack_is_clean(name: str, aftermath: dict[str, tuple[Outcome, Outcome]]) -> None:
    after = aftermath[name][1]
    assert isinstance(after, Finished)
    assert after.result == [2, "[1]", "undefined", None]


def test_no_child_can_hold_more_memory_than_an_attack_may() -> None:
    assert limits.KERNEL_LIMITS["AS"] <= VECTORS["limits"]["rssBytes"]
