"""What runs scripts, what a policy requires of it, and that nothing starts where the two don't meet."""

from __future__ import annotations

import json
import os
from typing import Any

import anyio
import pytest
from drawing import scene_of
from scripting import run_on, started, world_on

from chardesk.broker.desk.effects import RunScript
from chardesk.broker.desk.events import Event, Ran
from chardesk.broker.sandbox import backends, child, confine, probe
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.none import NoScripts
from chardesk.broker.sandbox.outcome import Failed
from chardesk.broker.service.calm import Calm
from chardesk.broker.service.scripts import FALLBACK_TOOLS, Scripts
from chardesk.broker.verbs import exits, service
from chardesk.tools.errors import CODES
from chardesk.tools.registry import BY_NAME
from chardesk.tools.run import policy
from chardesk.tools.run.backend import (
    DIMENSIONS,
    Descriptor,
    Level,
    Policy,
    Shortfall,
    refusal,
    shortfalls,
    unenforceable,
)

ENFORCED, ATTESTED = policy.POLICIES["enforced"], policy.POLICIES["attested"]


def giving(level: Level, **others: Level) -> Descriptor:
    return Descriptor("test", "1", {**dict.fromkeys(DIMENSIONS, level), **others})  # type: ignore[dict-item]


# The contract


@pytest.mark.parametrize("given", ["enforce", "attest", "unsupported"])
@pytest.mark.parametrize("required", ["enforce", "attest", "unsupported"])
def test_a_stronger_level_serves_for_a_weaker_one_and_never_the_other_way(
    required: Level, given: Level
) -> None:
    order = ["unsupported", "attest", "enforce"]
    wanted = Policy("one", {**dict.fromkeys(DIMENSIONS, "unsupported"), "network": required})
    missing = shortfalls(wanted, giving("unsupported", network=given).levels)
    is_enough = order.index(given) >= order.index(required)
    assert missing == (() if is_enough else (Shortfall("network", required, given),))


def test_a_dimension_that_a_backend_does_not_mention_is_unsupported() -> None:
    assert [one.given for one in shortfalls(ENFORCED, {})] == ["unsupported"] * len(DIMENSIONS)


def test_the_refusal_names_policy_backend_and_every_dimension_that_is_missing() -> None:
    refused = refusal(ENFORCED, giving("enforce", network="attest", memory="unsupported"))
    assert refused.code == "sandbox_unenforceable"
    assert refused.message == (
        "policy enforced requires what backend test does not give here: "
        "network (enforce, given: attest), memory (enforce, given: unsupported)"
    )
    assert [one["dimension"] for one in refused.details["missing"]] == ["network", "memory"]


def test_every_policy_speaks_of_every_dimension() -> None:
    for each in policy.POLICIES.values():
        assert set(each.requires) == set(DIMENSIONS)


def test_the_defaults_are_strict_where_a_kernel_can_enforce_and_where_nothing_is_known() -> None:
    names = {name: policy.default(name).name for name in ("linux", "darwin", "win32", "plan9")}
    assert names == {"linux": "enforced", "darwin": "attested", "win32": "attested", "plan9": "enforced"}


def test_the_attested_policy_takes_no_ones_word_for_what_the_host_holds_itself() -> None:
    assert unenforceable(ATTESTED, giving("attest")) is not None
    assert unenforceable(ATTESTED, giving("attest", env="enforce", cpu="enforce", output="enforce")) is None


# The backends


async def test_where_the_policy_requires_more_than_there_is_nothing_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confine, "_ACTIONS", "/nonexistent")
    monkeypatch.setattr(child, "start", None)
    async with started(Sandbox(ENFORCED, warm=2)) as backend:
        ran = await run_on(backend, "return 1", scene_of(""))
        problem = backend.descriptor().problem
    assert isinstance(ran.outcome, Failed)
    assert (ran.outcome.code, ran.outcome.phase) == ("sandbox_unenforceable", "load")
    assert ran.outcome.message == problem and "network (enforce, given: attest)" in ran.outcome.message


async def test_an_agent_is_told_what_is_missing_and_what_draws_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confine, "_ACTIONS", "/nonexistent")
    heard: list[Event] = []
    async with started(Sandbox(ENFORCED, warm=2)) as backend, anyio.create_task_group() as tasks:
        wanted = RunScript("jb-1", world_on(scene_of("")), "return 1", 500, 1)
        Scripts(backend, tasks, Calm(), lambda: 7.0).run(wanted, heard.append)
    (ran,) = heard
    assert isinstance(ran, Ran) and ran.run.refusal is not None
    refused = ran.run.refusal.fields()
    assert (refused["code"], refused["details"]["policy"]) == ("sandbox_unenforceable", "enforced")
    missing = {one["dimension"] for one in refused["details"]["missing"]}
    assert missing == {"read", "write", "command", "network"}
    assert refused["details"]["fallbackTools"] == FALLBACK_TOOLS


async def test_a_weaker_policy_runs_scripts_on_the_same_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine, "_ACTIONS", "/nonexistent")
    async with started(Sandbox(ATTESTED, warm=0)) as backend:
        ran = await run_on(backend, "return 1 + 1", scene_of(""))
        assert backend.descriptor().provenance()["levels"]["network"] == "attest"
    assert ran.evidence is not None


async def test_the_backend_none_refuses_before_anything_starts() -> None:
    async with started(NoScripts()) as backend:
        ran = await run_on(backend, "return 1", scene_of(""))
    assert isinstance(ran.outcome, Failed)
    assert (ran.outcome.code, ran.outcome.phase) == ("runtime_unavailable", "load")


def test_the_tools_to_fall_back_on_exist_and_batch_stands_first() -> None:
    assert FALLBACK_TOOLS[0] == "canvas_batch"
    assert set(FALLBACK_TOOLS) <= BY_NAME.keys() - {"canvas_code"}


def test_the_environment_chooses_backend_and_policy() -> None:
    assert isinstance(backends.chosen({}), Sandbox)
    assert backends.chosen({}).policy == policy.default()
    assert isinstance(backends.chosen({"CHARDESK_BACKEND": "none"}), NoScripts)
    assert backends.chosen({"CHARDESK_POLICY": "attested"}).policy == ATTESTED


@pytest.mark.parametrize("name", ["CHARDESK_BACKEND", "CHARDESK_POLICY"])
def test_a_misspelt_name_is_never_a_weaker_choice(name: str) -> None:
    with pytest.raises(ValueError, match="enforcd is unknown; there are"):
        backends.chosen({name: "enforcd"})


def test_both_refusals_are_in_the_list_of_codes() -> None:
    assert {"runtime_unavailable", "sandbox_unenforceable"} <= CODES.keys()


# The verb


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = service.run("backend", [*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_list_names_all_backends_and_marks_the_one_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "list")
    assert code == exits.OK
    assert {one["name"]: one["used"] for one in told["backends"]} == {"quickjs-process": True, "none": False}
    assert service.run("backend", ["list"]) == exits.OK
    assert "* quickjs-process" in capsys.readouterr().out


def test_show_puts_the_levels_beside_what_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "show")
    assert (code, told["problem"]) == (exits.OK, None)
    assert list(told["levels"]) == list(DIMENSIONS) == list(told["requires"])
    assert service.run("backend", ["show"]) == exits.OK
    assert "network  enforce     required: enforce" in capsys.readouterr().out


def test_show_fails_where_nothing_can_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(capsys, "show", "none")[0] == exits.REFUSED
    monkeypatch.setattr(confine, "_ACTIONS", "/nonexistent")
    code, told = said(capsys, "show")
    assert code == exits.REFUSED and told["problem"].startswith("policy enforced requires")
    monkeypatch.setenv("CHARDESK_POLICY", "attested")
    assert said(capsys, "show")[0] == exits.OK


def test_an_unknown_backend_is_named_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert service.run("backend", ["show", "docker"]) == exits.REFUSED
    assert "docker is unknown; there are quickjs-process, none" in capsys.readouterr().err


def test_probe_attacks_every_dimension_and_all_are_held(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "probe")
    assert code == exits.OK, told
    assert sorted(one["dimension"] for one in told["findings"]) == sorted(DIMENSIONS)
    assert all(one["held"] for one in told["findings"])


def test_probe_notices_a_fence_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault: a filter that lets everything pass."""
    monkeypatch.setattr(probe, "_TAKEN_OVER", probe._TAKEN_OVER.replace("confine(int(sys.argv[3]))", "pass"))
    code, told = said(capsys, "probe")
    assert code == exits.REFUSED
    assert told["problem"] == "not held: read, write, command, network"


def test_probe_tries_nothing_where_nothing_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "probe", "none")
    assert (code, told["findings"]) == (exits.REFUSED, [])


def test_the_verb_leaves_no_process_behind(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "probe")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
