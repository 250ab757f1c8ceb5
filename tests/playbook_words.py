"""Effects in words: what a playbook compares."""

from __future__ import annotations

from typing import Any, assert_never

from chardesk.broker.desk import effects as fx
from chardesk.broker.wire import messages as m


def in_words(effect: fx.Effect) -> str:
    """An effect as a short line."""
    match effect:
        case fx.Persist(commits, records):
            done = [f"#{one.seq} {one.tool} by {one.author}" for one in commits]
            return "persist " + " ".join(done or [f"{one.kind} {one.key}" for one in records])
        case fx.TellPage(message, link):
            return f"tell {link or 'all'} {_message(message)}"
        case fx.Answer(tenant, _, reply, _):
            return f"answer {tenant} {_reply(reply)}"
        case fx.Welcomed(tenant, author):
            return f"welcome {tenant} as {author}"
        case fx.Disconnect(link, code, _):
            return f"disconnect {link} {code}"
        case fx.RunScript(job):
            return f"run {job}"
        case fx.StopScript(job):
            return f"stop {job}"
        case fx.Work(job):
            return f"work {job}"
        case fx.Alarm(after_s):
            return f"alarm in {after_s:g} s"
        case fx.Fetch(_, seq):
            return f"fetch #{seq}"
        case fx.ReadSource(_, tenant, path, _):
            return f"ask {tenant} for {path}"
        case fx.Past(_, after, upto):
            return f"look back from #{upto} to #{after + 1}"
        case _:
            assert_never(effect)


def _reply(reply: fx.Reply) -> str:
    if reply.is_error:
        return f"refused {reply.fields['code']}"
    if reply.fields.get("repeated"):
        return "repeated"
    if "previewId" in reply.fields and not reply.fields.get("applied"):
        return "preview"
    return "applied" if reply.fields.get("operationId") else "looked"


def _message(message: Any) -> str:
    match message:
        case m.Change(seq=seq):
            return f"change #{seq}"
        case m.Activity(seq=seq):
            return f"activity #{seq}"
        case m.Preview(id=name):
            return f"ghost {name}"
        case m.PreviewGone(id=name, reason=reason):
            return f"ghost {name} is gone: {reason}"
        case m.RefusedEdit(code=code):
            return f"refused {code}"
        case _:
            return str(message.type)
