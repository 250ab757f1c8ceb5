"""The same request again has its effect once: relays resend, and callers retry."""

from __future__ import annotations

import pytest
from playbook import Playbook

from chardesk.broker.desk import effects as fx


def test_the_same_key_and_arguments_get_the_first_result() -> None:
    play = Playbook()
    ada = play.agent("ada")
    first = ada.writes(0, 0, "hi", key="nonce-1")
    ada.writes(0, 5, "elsewhere", key="nonce-2")
    again = ada.writes(0, 0, "hi", key="nonce-1")
    assert again["repeated"] is True
    kept = ("applied", "operationId", "revision", "bounds", "writtenCells", "persisted", "canvasId", "pageId")
    assert {name: again[name] for name in kept} == {name: first[name] for name in kept}
    assert [type(one) for one in again.effects] == [fx.Answer]
    assert play.state.seq == 3


def test_the_same_key_with_other_arguments_is_a_mistake() -> None:
    """R23."""
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi", idempotencyKey="k")
    got = ada.writes(0, 0, "ho", idempotencyKey="k")
    assert (got.code, got["field"]) == ("invalid_input", "idempotencyKey")
    assert ada.erases(0, 0, 2, idempotencyKey="k").code == "invalid_input"
    assert play.drawn() == "\nhi"


def test_keys_of_two_authors_never_meet() -> None:
    play = Playbook()
    ada, bob = play.agent("ada"), play.agent("bob")
    ada.writes(0, 0, "hi", idempotencyKey="k")
    assert bob.writes(0, 5, "ho", idempotencyKey="k").fields.get("repeated") is None
    assert play.drawn() == "\nhi\n\n\n\n\nho"


def test_the_authors_next_connection_knows_its_keys() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi", key="nonce-1")
    ada.leaves()
    assert play.agent("ada").writes(0, 0, "hi", key="nonce-1")["repeated"] is True


def test_an_explicit_key_overrides_the_one_that_the_relay_stamped() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi", key="nonce-1", idempotencyKey="mine")
    assert ada.writes(0, 0, "hi", key="nonce-2", idempotencyKey="mine")["repeated"] is True
    assert ada.writes(0, 5, "ho", key="nonce-1").fields.get("repeated") is None


@pytest.mark.parametrize("action", ["undo", "redo", "apply_preview"])
def test_history_has_its_effect_once_too(action: str) -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "a")
    ada.writes(0, 1, "b")
    more = {"previewId": ada.previews(5, 5, "x").preview} if action == "apply_preview" else {}
    if action == "redo":
        ada.undoes()
        ada.undoes()
    first = ada.history(action, idempotencyKey="k", **more)
    seq = play.state.seq
    again = ada.history(action, idempotencyKey="k", **more)
    assert (again["repeated"], again.operation, play.state.seq) == (True, first.operation, seq)


def test_a_refusal_is_not_kept() -> None:
    play = Playbook()
    ada, bob = play.agent("ada"), play.agent("bob")
    bob.writes(0, 0, "theirs")
    assert ada.writes(0, 0, "mine", idempotencyKey="k").code == "conflict"
    ada.reads(0, 0, 9)
    got = ada.writes(0, 0, "mine", idempotencyKey="k")
    assert (got.code, got.fields.get("repeated")) == (None, None)


def test_a_result_without_a_change_is_not_kept() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.erases(0, 0, 1, idempotencyKey="k")
    ada.writes(0, 0, "x")
    assert ada.erases(0, 0, 1, idempotencyKey="k")["erasedCells"] == 1


def test_a_key_on_a_look_means_nothing() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi", key="nonce-1")
    assert ada.reads(0, 0, 2, key="nonce-1").code is None


def test_a_script_that_is_sent_again_is_not_run_again() -> None:
    play = Playbook()
    ada = play.agent("ada")
    script = ada.starts_script(idempotencyKey="k")
    script.does("write", at=[0, 0], content="hi")
    first = script.ends(result=7)
    again = ada.calls("canvas_code", script="…", mode="apply", idempotencyKey="k")
    assert (again["repeated"], again["result"], again.operation) == (True, 7, first.operation)


def test_a_repeat_is_not_answered_before_its_commit_is_durable() -> None:
    play = Playbook(is_disk_slow=True)
    ada = play.agent("ada")
    ada.writes(0, 0, "hi", key="nonce-1")
    (answer,) = ada.writes(0, 0, "hi", key="nonce-1").effects
    assert isinstance(answer, fx.Answer) and answer.after == 2
