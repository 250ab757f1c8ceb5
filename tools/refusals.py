"""What is wrong with arguments: pydantic's first complaint, in our words, as a refusal that names a field."""

from __future__ import annotations

import difflib
import re
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from chardesk.tools.errors import Refused

_SHOWN = 60
"""Characters of a wrong word that are looked at and quoted; a caller may send a megabyte of it."""


def null_refusal(field: str) -> Refused:
    return Refused("invalid_input", f"{field} must not be null; leave it out instead", field=field)


def refusal(model: type[BaseModel], error: ValidationError) -> Refused:
    """`invalid_input` about one field. An unknown key comes first: it is often the cause of the rest."""
    errors = error.errors(include_url=False)
    first = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    path = _path(first["loc"])
    field = ".".join(map(str, path))
    match first["type"]:
        case "extra_forbidden":
            return _unknown("key", str(path[-1]), field, _keys(_model_at(model, path[:-1])))
        case "missing":
            return Refused("invalid_input", f"{field} is required", field=field)
        case _ if first["input"] is None:
            return null_refusal(field)
        case "literal_error":
            allowed = re.findall(r"'([^']*)'", str(first["ctx"]["expected"]))
            return _unknown("value", str(first["input"]), field, allowed)
        case "value_error":
            return Refused("invalid_input", f"{field} {first['ctx']['error']}", field=field)
        case _:
            told = dict.fromkeys(_plainly(one["msg"]) for one in errors if _path(one["loc"]) == path)
            return Refused("invalid_input", f"{field} {' or '.join(told)}", field=field)


def _path(loc: tuple[int | str, ...]) -> list[int | str]:
    """Where an error is, without the names pydantic gives to the alternatives of a field."""
    return [
        part for part in loc if not isinstance(part, str) or not part.startswith(("function-", "literal["))
    ]


def _unknown(what: str, word: str, field: str, allowed: list[str]) -> Refused:
    word = word if len(word) <= _SHOWN else word[:_SHOWN] + "…"
    near = difflib.get_close_matches(word, allowed, 1, 0.5) or difflib.get_close_matches(
        word.lower(), allowed, 1, 0.3
    )
    hint = f"; did you mean {near[0]}?" if near else f"; allowed: {', '.join(allowed)}"
    where = f" for {field}" if what == "value" else ""
    details = {"nearest": near[0] if near else None, "allowed": allowed}
    return Refused("invalid_input", f"unknown {what} {word}{where}{hint}", field=field, details=details)


def _plainly(message: str) -> str:
    """pydantic's sentence, as the end of ours."""
    if "valid dictionary" in message:
        return "must be an object"
    return re.sub(r"^(Input|String|List) should", "must", message).replace(" after validation", "")


def _keys(model: type[BaseModel]) -> list[str]:
    return [str(info.alias or name) for name, info in model.model_fields.items()]


def _model_at(model: type[BaseModel], path: list[Any]) -> type[BaseModel]:
    """The nested model that an error's path points into."""
    found: type[BaseModel] = model
    for part in path:
        info = next((i for n, i in found.model_fields.items() if part in (i.alias, n)), None)
        inner = next(iter(_models(info.annotation)), None) if info is not None else None
        found = inner or found
    return found


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]
