"""The disk refused: back to the last durable commit, as if what came after had never been."""

from __future__ import annotations

from chardesk.broker.desk.effects import Answer, Effect, Persist, StopScript, TellPage, refused
from chardesk.broker.desk.known.previews import Ended, Live, Preview
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.road import ghosts, telling, told
from chardesk.broker.desk.road.fitting import refit
from chardesk.tools.errors import Refused
from chardesk.tools.model import replay


def take_back(state: State) -> list[Effect]:
    """Undo what is not durable, newest first; the desk takes no changes until the store has healed.

    Cells, traces, revisions, `seq`, the timeline, the active canvas and the previews that those commits ended
    go back, and tags on what is gone go; what tenants read of them is forgotten, since the same numbers will
    be given again. Jobs that have seen lost cells are answered `store_failed`.
    """
    state.is_store_ok = False
    lost, state.undurable = state.undurable, []
    if not lost:
        return telling.disk(state)
    ghosts = [ghost for one in reversed(lost) for ghost in one.ended]
    for one in reversed(lost):
        replay.take_back(state.contents, one.taken)
        state.timeline.take_back(one.taken.commit.seq)
        state.seq = one.taken.commit.seq - 1
        state.canvas, state.sheet = one.active
    state.typing = None
    state.letters.forget_after(state.seq)
    state.tags = {name: tag for name, tag in state.tags.items() if tag.seq <= state.seq}
    for tenant in state.tenants.all.values():
        tenant.knowledge.forget_after(state.seq)
    answers = _stop_jobs(state)
    anew = telling.everything_anew(state)
    return [*answers, *telling.disk(state), *anew, *_revived(state, ghosts)]


def heal(state: State) -> list[Effect]:
    """A write succeeded: changes are taken again, and small records that were refused are written anew."""
    state.is_store_ok = True
    return [Persist(records=state.records()), *telling.disk(state)]


def _stop_jobs(state: State) -> list[Effect]:
    lost = Refused("store_failed", "the disk refused what this call had seen; nothing was changed")
    effects: list[Effect] = []
    for name, job in list(state.jobs.items()):
        if job.seq > state.seq:
            del state.jobs[name]
            effects += [StopScript(name), *_answer(state, job, lost)]
    return effects


def _answer(state: State, job: Job, lost: Refused) -> list[Effect]:
    if job.tenant in state.pages.all:
        return [TellPage(told.refused_edit(job.call, lost), job.tenant)]
    tenant = state.tenants.all.get(job.tenant)
    if tenant is None or not tenant.runs(job.call):
        return []
    tenant.running = None
    return [Answer(tenant.id, job.call, refused(lost), 0)]


def _revived(state: State, ended: list[Preview]) -> list[Effect]:
    """Previews that lost commits had ended live again; those that were planned on lost cells are stale."""
    for ghost in ended:
        if state.previews.all.get(ghost.id) is ghost:
            ghost.state = Live()
    told_again: list[Effect] = []
    for ghost in state.previews.live():
        try:
            refit(state.contents, ghost.steps, "stale_preview")
        except Refused:
            ghost.state = Ended("stale_preview")
            told_again.append(telling.gone(ghost))
        else:
            told_again.append(ghosts.shown(state, ghost))
    return told_again
