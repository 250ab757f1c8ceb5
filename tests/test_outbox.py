"""What leaves the broker, and when: never before it is on disk, and never so late that nobody waits."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk import effects as fx
from chardesk.broker.service.outbox import PATIENCE_S, Outbox
from chardesk.broker.wire import messages as m
from chardesk.tools.model.commit import Commit


class Post:
    """An outbox with a clock to turn; `sent` is what has left."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sent: list[Any] = []
        self.box = Outbox(self.sent.append, lambda: self.now, durable_seq=1)

    def commits(self, seq: int) -> int:
        commit = Commit(seq, f"op-{seq}", "ada", "ada", "canvas_write", 0.0, ())
        return self.box.wrote(fx.Persist((commit,)))

    def answers(self, call: str, after: int, tenant: str = "tn", **fields: Any) -> None:
        self.box.put(fx.Answer(tenant, call, fx.Reply(fields), after))

    @property
    def calls(self) -> list[str]:
        return [one.call for one in self.sent if isinstance(one, fx.Answer)]

    def is_written(self, ticket: int) -> None:
        self.box.written(ticket)
        self.box.release()


def test_an_answer_waits_for_its_commit_and_later_ones_of_the_tenant_behind_it() -> None:
    post = Post()
    ticket = post.commits(2)
    post.answers("write", 2)
    post.answers("read elsewhere", 1)
    post.answers("read", 1, tenant="other")
    assert post.calls == ["read"]
    post.is_written(ticket)
    assert post.calls == ["read", "write", "read elsewhere"]


def test_an_answer_that_waits_too_long_for_the_disk_says_that_its_outcome_is_unknown() -> None:
    post = Post()
    ticket = post.commits(2)
    post.answers("write", 2, operationId="op-2")
    post.answers("read", 2)
    post.now = PATIENCE_S - 1
    post.box.overdue()
    assert post.sent == []
    post.now = PATIENCE_S
    post.box.overdue()
    assert [(one.reply.fields["code"], one.reply.fields.get("outcomeUnknown")) for one in post.sent] == [
        ("timeout", True),
        ("timeout", None),
    ]
    assert post.sent[0].reply.fields["details"] == {"operationId": "op-2"}, "what to ask for"
    post.is_written(ticket)
    assert post.calls == ["write", "read"] and post.box.late == 2
    post.answers("next", 2)
    assert post.calls[-1] == "next"


def test_a_refused_write_tells_everybody_who_waited_for_it() -> None:
    post = Post()
    post.commits(2)
    post.answers("write", 2)
    post.box.put(fx.TellPage(m.Done(id="e-1", result={}), "page"))
    post.box.put(fx.TellPage(m.SeatLost(), "page"))
    post.box.put(fx.Welcomed("tn", "ada"))
    post.box.refused()
    answer, edit, welcome = post.sent
    assert answer.reply.fields["code"] == "store_failed"
    assert isinstance(edit.message, m.RefusedEdit) and edit.message.id == "e-1"
    assert welcome == fx.Welcomed("tn", "ada")


def test_a_welcome_waits_for_the_write_that_keeps_its_token() -> None:
    post = Post()
    ticket = post.box.wrote(fx.Persist(records=(fx.Record("tenant", "x", {}),)))
    post.box.put(fx.Welcomed("tn", "ada"))
    assert post.sent == []
    post.is_written(ticket)
    assert post.sent == [fx.Welcomed("tn", "ada")]
