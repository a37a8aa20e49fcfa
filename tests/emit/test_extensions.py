"""Optional modules by the needs of an API and its configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.emit import emit_servers as servers
from tests.runtime_harness import declaration_of

from mcpgen.emit.extensions import asks_clients, extensions, is_flat, is_json_tool
from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import BodyPlan, ConstantSpec, RouteSpec, Server, TextForm, ToolSpec
from mcpgen_runtime.upstream import operation
from mcpgen_runtime.validation import validate

TEXT = {"type": "string"}
PLAIN = servers.tool("plain", servers.PET_ID)


def extension_names(server: Server) -> set[str]:
    """Returns the functions that a server installs."""
    return {name for _, name in extensions(server)}


def test_a_plain_json_api_installs_no_module() -> None:
    server = servers.server(PLAIN)

    assert extension_names(server) == set()
    assert not asks_clients(server)


def sending(media_type: str, **more: Any) -> ToolSpec:
    """Returns a tool with a body."""
    route = RouteSpec("POST", "/x", (), body=BodyPlan(media_type, True, **more))
    return servers.tool("send", route=route)


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        (servers.tool("x", servers.argument("a", {**TEXT, "pattern": "a"})), "bounded_validation"),
        (servers.tool("x", conditions={"anyOf": [{}]}), "bounded_validation"),
        (servers.tool("x", output={"type": "object"}), "validated_output"),
        (servers.tool("x", fields=("id",)), "general_operations"),
        (servers.tool("x", servers.argument("a", {"type": "array"})), "general_operations"),
        (servers.tool("x", definitions=("Pet",)), "shared_schemas"),
        (sending("multipart/form-data"), "form_bodies"),
        (sending("application/xml"), "xml_bodies"),
        (sending("application/xml"), "general_operations"),
        (
            servers.tool("x", route=RouteSpec("GET", "/", (), accept="text/event-stream")),
            "streamed_responses",
        ),
    ],
)
def test_a_tool_brings_the_module_that_it_needs(tool: ToolSpec, name: str) -> None:
    assert name in extension_names(servers.server(PLAIN, tool))


@pytest.mark.parametrize(
    "more", [{"sessions": True}, {"asks_in_hooks": True}, {"elicit": servers.tool("elicit")}]
)
def test_configured_questions_bring_questions_and_bounds(more: dict[str, Any]) -> None:
    server = servers.server(PLAIN, **more)

    assert asks_clients(server)
    assert "bounded_validation" in extension_names(server)


def test_a_handler_may_do_what_no_document_tells() -> None:
    server = servers.server(replace(PLAIN, route=None))

    assert asks_clients(server)
    assert "streamed_responses" in extension_names(server)


@pytest.mark.parametrize(
    "tool",
    [
        servers.GET_PET,
        PLAIN,
        servers.tool("x", servers.argument("a", TEXT, Place.QUERY, style=Style.FORM)),
        servers.tool("x", servers.argument("a", TEXT, Place.QUERY, allow_reserved=True)),
        servers.tool("x", servers.argument("a", TEXT, Place.COOKIE)),
        servers.tool("x", servers.argument("a", TEXT, Place.PATH, style=Style.MATRIX)),
        servers.tool("x", servers.argument("a", TEXT, Place.BODY, text=TextForm.JSON)),
        servers.tool("x", servers.argument("a", TEXT, Place.BODY, check={})),
        servers.tool("x", servers.argument("a", TEXT, Place.QUERY, also=("integer",))),
        servers.tool("x", servers.argument("a", TEXT, Place.QUERY, also=("array",))),
        servers.tool("x", servers.argument("a", {"type": ["string", "null"]}, Place.QUERY)),
        servers.tool("x", servers.argument("a", TEXT, Place.HEADER, target=("a", "b"))),
        servers.tool("x", servers.argument("a", TEXT, Place.BODY, spread=True)),
        servers.tool("x", bound=(servers.PET_ID,)),
        servers.tool("x", constants=(ConstantSpec(Place.QUERY, ("a",), 1),)),
        servers.tool("x", fields=("id",)),
        sending("application/json"),
        sending("application/json", check={}),
        sending("application/json; charset=utf-8"),
    ],
)
def test_the_rule_for_plain_tools_is_that_of_the_runtime(tool: ToolSpec) -> None:
    assert is_json_tool(tool) == operation.is_json_tool(declaration_of(tool))


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"type": "object", "properties": {"a": {"items": {"enum": [1]}}}, "x-mcp-header": "A"},
        {"properties": {"a": {"pattern": "a"}}},
        {"items": {"$ref": "#/$defs/A"}},
        {"additionalProperties": {"anyOf": [{}]}},
        {"properties": {str(number): {} for number in range(199)}},
        {"properties": {str(number): {} for number in range(200)}},
    ],
    ids=lambda schema: str(schema)[:40],
)
def test_the_rule_for_flat_schemas_is_that_of_the_runtime(schema: Any) -> None:
    assert is_flat(schema) == validate.is_flat(schema)
