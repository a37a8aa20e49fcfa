"""Invalid arguments are refused with every problem at once, and no request is sent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.documents import corpus_documents, own_documents
from tests.oracle.project import BuiltServer, StartedServer, build_server, run_server

from mcpgen.ir.server import ArgumentSpec, TextForm, ToolSpec

pytestmark = pytest.mark.anyio

DOCUMENTS = own_documents() | corpus_documents(50_000)
NOT_OF_TYPE: dict[str, Any] = {
    "string": {"a": 1},
    "integer": 1.5,
    "number": "one",
    "boolean": "yes",
    "array": "one",
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_every_wrong_argument_is_named_and_nothing_is_sent(name: str, tmp_path: Path) -> None:
    project = build_server(DOCUMENTS[name])
    if not isinstance(project, BuiltServer):
        assert project.failed
        return

    async with run_server(project, tmp_path) as running_server:
        result = {
            tool.name: [
                *await _unnamed_of_wrong_types(running_server, tool),
                *await _unnamed_of_missing(running_server, tool),
                *[bound async for bound in _accepted_beyond_bounds(running_server, tool)],
            ]
            for tool in project.server.tools
        }

    assert {tool: faults for tool, faults in result.items() if faults} == {}


async def _unnamed_of_wrong_types(running_server: StartedServer, tool: ToolSpec) -> list[str]:
    arguments = {argument.name: NOT_OF_TYPE[argument.schema["type"]] for argument in tool.arguments}
    outcome = await running_server.call(tool.name, {**arguments, "no_argument": 1})
    if outcome.request is not None:
        return ["sent with every argument of a wrong type"]
    return [name for name in (*arguments, "no_argument") if f"\n- {name}: " not in outcome.message]


async def _unnamed_of_missing(running_server: StartedServer, tool: ToolSpec) -> list[str]:
    required = [argument.name for argument in tool.arguments if argument.required]
    outcome = await running_server.call(tool.name, {})
    if required and outcome.request is not None:
        return ["sent without what is required"]
    return [name for name in required if f"\n- {name}: required" not in outcome.message]


async def _accepted_beyond_bounds(running_server: StartedServer, tool: ToolSpec) -> Any:
    """Arguments that are accepted beyond their bounds, in an otherwise valid call."""
    scenario = next(iter(tool.scenarios), None)
    if scenario is None:
        return
    for argument in tool.arguments:
        for value in _values_beyond_bounds(argument):
            outcome = await running_server.call(
                tool.name, {**scenario.arguments, argument.name: value}
            )
            if outcome.request is not None or f"- {argument.name}" not in outcome.message:
                yield f"{argument.name}={value!r}: {outcome.message}"


def _values_beyond_bounds(argument: ArgumentSpec) -> list[Any]:
    schema: Mapping[str, Any] = argument.schema
    if argument.text is TextForm.JSON:
        return ["{", "[1,"]
    if argument.text is TextForm.BASE64:
        return ["not base64!"] if schema["type"] == "string" else [["not base64!"]]
    result: list[Any] = []
    if "enum" in schema:
        result.append("none of these")
    if "minimum" in schema:
        result.append(schema["minimum"] - 1)
    if "maximum" in schema:
        result.append(schema["maximum"] + 1)
    if "maxLength" in schema and "enum" not in schema:
        result.append("x" * (schema["maxLength"] + 1))
    return result
