"""The operation of a plain JSON API does what the general operation does, and refuses other tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import tests.runtime.apps  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st

from mcpgen_runtime.extensions import INSTALLED, Definitions, NotInstalled
from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.tool_parts import Constant
from mcpgen_runtime.upstream.exchange import InvalidArguments
from mcpgen_runtime.upstream.general_operation import GeneralOperation
from mcpgen_runtime.upstream.operation import ToolOperation
from mcpgen_runtime.validation.cost import ValidationCost
from mcpgen_runtime.validation.validate import FlatEngine, is_flat

TEXT, NUMBER = {"type": "string"}, {"type": "number"}
TOOL = Tool(
    "alert",
    "",
    "",
    Route("POST", "/a.b/{place}/{more}?fixed=1", body=Body("application/json", required=True)),
    Hints(read_only=False, destructive=False, idempotent=False),
    (
        Argument("where", "path", TEXT, required=True, to=("place",), style="simple"),
        Argument("more", "path", NUMBER, required=True, style="simple"),
        Argument("day", "query", {**TEXT, "maxLength": 6}, style="form", explode=True),
        Argument("most", "query", {"type": "integer"}, to=("max[]",), style="form"),
        Argument("trace", "header", TEXT, to=("X-Trace",), style="simple"),
        Argument("host", "header", TEXT, to=("Host",), style="simple"),
        Argument("metres", "body", {**NUMBER, "minimum": 0}, to=("level", "metres")),
        Argument("tags", "body", {"type": "array", "items": TEXT}),
    ),
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "where": st.text(max_size=4) | st.sampled_from([".", "..", "a/../b", "%2e", "\ud800", ""]),
        "more": st.floats(width=16) | st.integers(-3, 3) | st.just(""),
        "day": st.text(max_size=8),
        "most": st.integers() | st.text(max_size=2),
        "trace": st.text(max_size=3),
        "host": st.just("elsewhere"),
        "metres": st.floats(),
        "tags": st.lists(st.text(max_size=3), max_size=3) | st.just([1]),
        "other": st.none(),
    },
)


def outcome(operation: ToolOperation, arguments: dict[str, Any]) -> Any:
    """Returns the request for arguments, or the problems."""
    try:
        operation.refuse_invalid(arguments)
        return operation.request(arguments)
    except InvalidArguments as error:
        return error.problems
    except UnicodeEncodeError:
        return UnicodeEncodeError


PLAIN = ToolOperation(TOOL, Definitions())
GENERAL = GeneralOperation(TOOL, Definitions())


@given(VALUES)
def test_requests_and_problems_are_those_of_the_general_operation(
    arguments: dict[str, Any],
) -> None:
    assert outcome(PLAIN, arguments) == outcome(GENERAL, arguments)


def test_some_arguments_give_a_request() -> None:
    arguments = {"where": "a b", "more": 1.0, "most": 2, "metres": 3.5}

    request = PLAIN.request(arguments)

    assert request.path == "/a.b/a%20b/1"
    assert request.query == "fixed=1&max%5B%5D=2"
    assert request.body == b'{"level":{"metres":3.5}}'


@pytest.mark.parametrize(
    "tool",
    [
        replace(TOOL, constants=(Constant("query", ("x",), 1),)),
        replace(TOOL, fields=("id",)),
        replace(TOOL, route=Route("POST", "/", body=Body("text/plain"))),
        replace(TOOL, arguments=(Argument("a", "query", {"type": "array"}),)),
        replace(TOOL, arguments=(Argument("a", "query", TEXT, reserved=True),)),
        replace(TOOL, arguments=(Argument("a", "cookie", TEXT),)),
        replace(TOOL, arguments=(Argument("a", "body", TEXT, text="base64"),)),
        replace(TOOL, arguments=(Argument("a", "path", TEXT, style="label"),)),
    ],
    ids=["constant", "fields", "text", "array", "reserved", "cookie", "base64", "label"],
)
def test_other_tools_need_the_general_operation(tool: Tool) -> None:
    with pytest.raises(NotInstalled, match="general_operation"):
        ToolOperation(tool, Definitions())


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a|a)*$"},
        {"properties": {"a": {"$ref": "#"}}},
        {"items": {"anyOf": [{}, {}]}},
        {"unevaluatedProperties": False},
        {"properties": {str(number): {} for number in range(300)}},
    ],
    ids=["pattern", "reference", "combination", "unevaluated", "many"],
)
def test_a_schema_that_may_cost_much_needs_the_cost_module(schema: dict[str, Any]) -> None:
    assert not is_flat(schema)
    with pytest.raises(NotInstalled, match=r"validation\.cost"):
        FlatEngine(schema)


FLAT = {
    "type": "object",
    "properties": {"a": {"items": {"type": "string"}}, "b": {"required": ["c", "d"]}},
    "required": ["a"],
    "additionalProperties": {"type": "integer"},
}


@pytest.mark.parametrize(
    ("value", "is_explained"),
    [({"a": ["x"]}, True), ({"a": [0] * 500_000}, False), ({"x": "y" * 9_000_000}, False)],
    ids=["small", "many items", "long"],
)
def test_a_flat_schema_explains_no_more_than_the_cost_module(
    value: Any, is_explained: bool
) -> None:
    assert FlatEngine(FLAT).can_be_judged(value)
    assert FlatEngine(FLAT).can_be_explained(value) is is_explained
    assert not is_explained or ValidationCost(FLAT).can_be_explained(value)


def test_a_tool_with_an_output_schema_needs_its_validation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(INSTALLED, "output_validator", None)

    with pytest.raises(NotInstalled, match=r"validation\.output"):
        ToolOperation(replace(TOOL, output={"type": "object"}), Definitions())
