"""Arguments at the door: what is refused and how it is said, and the schemas that agents see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from pydantic import Field

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import MAX_COORDINATE, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.operation import Changing, Operation, Target
from chardesk.tools.registry import OPERATIONS
from chardesk.tools.run.code import CodeArgs
from chardesk.tools.schema import Integer, PointArg, RectArg, SizeArg, StyleArg, json_schema, parse

MAX_TOOL_BYTES, MAX_ALL_BYTES, MAX_SUMMARY = 3_200, 36_000, 250


class Form(Changing):
    at: PointArg = Field(description="where")
    size: SizeArg | None = Field(None, description="how large")
    viewport: RectArg | None = Field(None, description="what")
    style: StyleArg | None = Field(None, description="how")
    times: Integer = Field(1, ge=1, le=9, description="how often")


def form(**raw: Any) -> Form:
    return parse(Form, {"at": [0, 0], **raw})


def refusal(**raw: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        form(**raw)
    assert caught.value.code == "invalid_input"
    return caught.value


# -- parsing -------------------------------------------------------------------


def test_an_unknown_key_is_told_the_nearest_one() -> None:
    found = refusal(viewprt=[0, 0, 1, 1])
    assert found.field == "viewprt"
    assert "did you mean viewport?" in found.message
    assert found.details["nearest"] == "viewport"


def test_snake_case_is_an_unknown_key() -> None:
    assert "did you mean canvasId?" in refusal(canvas_id="cv-1").message


def test_a_key_like_nothing_is_told_what_there_is() -> None:
    found = refusal(zzzzzz=1)
    assert "allowed: " in found.message
    assert {"at", "canvasId", "idempotencyKey"} <= set(found.details["allowed"])


def test_a_huge_unknown_key_is_quoted_short() -> None:
    assert len(refusal(**{"x" * 1_000_000: 1}).message) < 400


def test_an_unknown_key_is_said_before_what_it_caused() -> None:
    with pytest.raises(Refused) as caught:
        parse(Form, {"att": [0, 0]})
    assert "did you mean at?" in caught.value.message


def test_a_wrong_word_is_told_the_nearest_one() -> None:
    found = refusal(mode="aply")
    assert (found.field, found.details["nearest"]) == ("mode", "apply")


def test_a_missing_field_is_named() -> None:
    with pytest.raises(Refused) as caught:
        parse(Form, {})
    assert (caught.value.field, caught.value.message) == ("at", "at is required")


def test_decimal_strings_are_integers() -> None:
    found = form(at=["-3", 4], size=["2", "1"], times="7", expectedRevision="12")
    assert (found.at, found.size, found.times, found.expected_revision) == ((-3, 4), (2, 1), 7, 12)


@pytest.mark.parametrize("value", ["1.0", "0x1", " 1", "1e3", "", "one", 1.5, True, [1], {}])
def test_what_is_not_an_integer_is_refused(value: Any) -> None:
    assert refusal(times=value).field == "times"
    assert refusal(at=[value, 0]).field == "at"


def test_text_is_never_parsed() -> None:
    assert form(why="12").why == "12"
    assert refusal(why=12).field == "why"
    assert refusal(canvasId=5).field == "canvasId"


@pytest.mark.parametrize(
    ("times", "word"), [(0, "greater than or equal to 1"), (10, "less than or equal to 9")]
)
def test_a_number_out_of_range_is_told_the_limit(times: int, word: str) -> None:
    assert word in refusal(times=times).message


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"at": None}, "at"),
        ({"viewport": None}, "viewport"),
        ({"style": {"color": None}}, "style.color"),
        ({"style": {"attrs": {"bold": None}}}, "style.attrs.bold"),
        ({"at": [None, 1]}, "at"),
    ],
)
def test_null_is_refused_at_any_depth(raw: dict[str, Any], field: str) -> None:
    assert refusal(**raw).field == field


@pytest.mark.parametrize(
    "viewport",
    [
        [0, 0, 0, 1],
        [0, 0, 1, -1],
        [0, 0, 1],
        [0, 0, 1, 1, 1],
        "0,0,1,1",
        [MAX_COORDINATE, 0, 1, 1],
        [0, MAX_COORDINATE, 1, 1],
        [-MAX_COORDINATE - 1, 0, 1, 1],
    ],
)
def test_a_rectangle_has_positive_sides_and_ends_inside_the_safe_integers(viewport: Any) -> None:
    assert refusal(viewport=viewport).field == "viewport"
    assert form(viewport=[MAX_COORDINATE - 1, 0, 1, 1]).viewport == Rect(MAX_COORDINATE - 1, 0, 1, 1)


def test_a_field_with_two_shapes_is_refused_with_both() -> None:
    message = refusal(expectedRevision="newest").message
    assert "integer" in message and "'any'" in message
    assert form(expectedRevision="any").expected_revision == "any"


# -- styles --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "field"),
    [
        ({"color": "red"}, "style.color"),
        ({"bgColor": "#12"}, "style.bgColor"),
        ({"bgcolor": "#fff"}, "style.bgcolor"),
        ({"attrs": {"blod": True}}, "style.attrs.blod"),
        ({"attrs": {"bold": 1}}, "style.attrs.bold"),
        ({"attrs": ["bold"]}, "style.attrs"),
        ({"href": "a b"}, "style.href"),
        ({"href": "x" * 2049}, "style.href"),
        ("bold", "style"),
    ],
)
def test_what_is_wrong_in_a_style_is_named_with_its_path(style: Any, field: str) -> None:
    assert refusal(style=style).field == field


def test_nested_keys_are_told_the_nearest_one_too() -> None:
    assert "did you mean bgColor?" in refusal(style={"bgcolor": "#fff"}).message
    assert "did you mean bold?" in refusal(style={"attrs": {"blod": True}}).message


def test_an_object_is_asked_for_in_plain_words() -> None:
    assert refusal(style=5).message == "style must be an object"


def test_colours_are_kept_in_one_spelling() -> None:
    style = form(style={"color": "#AbC", "bgColor": "warning"}).style
    assert style is not None
    assert style.style(Style()) == Style("#aabbcc", "warning")


def test_given_attributes_replace_the_whole_set() -> None:
    style = form(style={"attrs": {"italic": True, "bold": False}}).style
    assert style is not None
    assert style.style(Style("#111111", None, 1)) == Style("#111111", None, 2)


# -- scripts -------------------------------------------------------------------


@pytest.mark.parametrize("script", ["", "  \n", "x" * 32_769])
def test_a_script_is_neither_blank_nor_too_long(script: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(CodeArgs, {"script": script})
    assert caught.value.field == "script"
    assert parse(CodeArgs, {"script": "x" * 32_768}).timeout_ms == 2_000


@pytest.mark.parametrize("timeout", [49, 10_001, 50.5])
def test_a_script_has_between_50_ms_and_10_s(timeout: float) -> None:
    with pytest.raises(Refused) as caught:
        parse(CodeArgs, {"script": "1", "timeoutMs": timeout})
    assert caught.value.field == "timeoutMs"


# -- what agents see -----------------------------------------------------------


def tool(operation: Operation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "description": operation.summary,
        "inputSchema": json_schema(operation.args),
        "outputSchema": json_schema(operation.result, described=False),
        "annotations": operation.hints,
    }


def size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def nodes(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        yield path, node
        for key, value in node.items():
            yield from nodes(value, f"{path}/{key}")
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield from nodes(value, f"{path}/{at}")


def every(operations: tuple[Operation, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("operation", operations, ids=[each.name for each in operations])


@every(OPERATIONS)
def test_a_tool_keeps_to_its_budget(operation: Operation) -> None:
    assert size(tool(operation)) < MAX_TOOL_BYTES
    assert len(operation.summary) < MAX_SUMMARY


def test_all_tools_together_keep_to_theirs() -> None:
    assert OPERATIONS
    assert size([tool(operation) for operation in OPERATIONS]) < MAX_ALL_BYTES


@every(OPERATIONS)
@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
def test_a_schema_is_flat_valid_and_an_object(operation: Operation, side: str) -> None:
    schema = tool(operation)[side]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert not {"anyOf", "oneOf", "allOf"} & schema.keys()
    assert not [path for path, node in nodes(schema) if {"$ref", "$defs"} & node.keys()]


@every(OPERATIONS)
def test_every_field_is_described_and_never_null(operation: Operation) -> None:
    fields = [
        (f"{path}/{name}", field)
        for path, node in nodes(json_schema(operation.args))
        if node.get("type") == "object"
        for name, field in node.get("properties", {}).items()
    ]
    assert fields
    assert [path for path, field in fields if not field.get("description")] == []
    assert '"null"' not in json.dumps(json_schema(operation.args))


@every(OPERATIONS)
def test_examples_are_taken_and_match_the_schema(operation: Operation) -> None:
    assert operation.examples
    for example in operation.examples:
        parse(operation.args, example)
        jsonschema.validate(example, json_schema(operation.args))


@every(OPERATIONS)
def test_unknown_keys_are_refused_by_schema_and_by_door(operation: Operation) -> None:
    raw = {**operation.examples[0], "surprise": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(raw, json_schema(operation.args))
    with pytest.raises(Refused) as caught:
        parse(operation.args, raw)
    assert caught.value.field == "surprise"


def kinds(field: dict[str, Any]) -> set[str]:
    options = field.get("anyOf", [field])
    return {option["type"] for option in options if "type" in option} - {"null"}


@every(OPERATIONS)
def test_one_field_has_one_type_within_a_tool(operation: Operation) -> None:
    asked = json_schema(operation.args)["properties"]
    given = json_schema(operation.result, described=False)["properties"]
    clashes = [name for name in asked.keys() & given.keys() if kinds(asked[name]) != kinds(given[name])]
    assert clashes == []


def test_a_place_is_optional_everywhere() -> None:
    required = json_schema(Target).get("required", [])
    assert required == []


@pytest.mark.parametrize("why", ["a\u202eb", "zero\u200bwidth", "tab\there", "\x1b[31m", "two\nlines"])
def test_a_reason_shows_all_that_it_holds(why: str) -> None:
    with pytest.raises(Refused, match="can't be seen") as refused:
        parse(Changing, {"why": why})
    assert refused.value.field == "why"


def test_a_reason_may_be_in_any_script() -> None:
    assert parse(Changing, {"why": "weil 漢字 👩🏿‍🔧 é"}).why == "weil 漢字 👩🏿‍🔧 é"
