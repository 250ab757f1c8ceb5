"""May this agent do it, here and now? Asked when a call begins, and again of what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chardesk.broker.desk.known.state import Actor, State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.rules.scope import outside, words
from chardesk.broker.wire.parts import Feature
from chardesk.tools.errors import Refused
from chardesk.tools.model import steps as s

MAX_LISTED = 20
"""Areas outside of a scope that a refusal lists."""

FEATURE_WORDS: Mapping[Feature, str] = {
    "code": "scripts",
    "images": "pictures",
    "files": "files by sourceRef",
    "pages": "changes to which canvases and pages there are",
}

_ADDS_OR_TAKES_AWAY = (
    s.SheetAdded,
    s.SheetRemoved,
    s.CanvasAdded,
    s.CanvasRemoved,
    s.CanvasArchived,
    s.CanvasUnarchived,
)


def later(state: State, ask: Ask, at: float) -> Ask:
    """The call as it goes on after it was elsewhere: what its agent may do by now is what counts."""
    return replace(ask, at=at, actor=state.again(ask.actor, at))


def permit_change(state: State, actor: Actor, tool: str = "this") -> None:
    """Raises `permission_denied` for who may only look, `disabled` while the person has all agents hold
    still. Looking goes on."""
    if not actor.is_agent:
        return
    if actor.grant == "observe":
        raise Refused("permission_denied", f"{_looks_only(state, actor)}; {tool} changes")
    if state.is_paused:
        raise Refused("disabled", "the person has paused all agents")


def permit_steps(state: State, actor: Actor, steps: Sequence[s.Step]) -> None:
    """The same for what a call comes to, and `permission_denied` for what lies outside of the agent's scope
    or needs a feature that it lacks. Previews too: outside of its scope an agent only looks."""
    if not actor.is_agent:
        return
    permit_change(state, actor)
    if any(isinstance(step, _ADDS_OR_TAKES_AWAY) for step in steps):
        permit_feature(state, actor, "pages")
    if actor.scope and (beyond := outside(state.contents, actor.scope, steps)):
        raise Refused(
            "permission_denied",
            f"{actor.author} may change only {words(state.contents, actor.scope)}; "
            f"this touches {words(state.contents, beyond)}",
            details={
                "scope": [area.fields() for area in actor.scope],
                "outside": [area.fields() for area in beyond[:MAX_LISTED]],
            },
        )


def permit_feature(state: State, actor: Actor, feature: Feature, field: str | None = None) -> None:
    """Raises `permission_denied` when the agent may not use it."""
    if not actor.is_agent or state.authors.may_use(state.authors.get(actor.author), feature):
        return
    raise Refused(
        "permission_denied",
        f"{FEATURE_WORDS[feature]} are off for {actor.author}; the person can allow them (feature {feature}) "
        "in the agent's menu on the page or for all agents in the desk's policy.json",
        field=field,
        details={"feature": feature},
    )


def _looks_only(state: State, actor: Actor) -> str:
    if state.authors.policy.problem is not None:
        return "agents may only look until the desk's policy.json is corrected (chardesk doctor says how)"
    return f"{actor.author} may only look (grant observe)"
