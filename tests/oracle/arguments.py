"""Draws arguments of a tool from the announced schema."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.oracle_process import OracleProcess

from mcpgen.ir.api import Place
from mcpgen.ir.server import ArgumentSpec, Server, TextForm, ToolSpec
from mcpgen.lower.flatten.checks import schema_references
from mcpgen.sampling import sample

PREFIX = "#/$defs/"

MAX_SIZE = 3000
"""How large a schema may be, in characters and with all it refers to, to be drawn from."""


def draw_arguments(
    server: Server, tool: ToolSpec, oracle: OracleProcess, count: int
) -> Iterator[Mapping[str, Any]]:
    """Arguments of the tool's scenarios, then `count` draws from the announced schema, then `count`
    draws that also fit the patterns and formats in the descriptions."""
    for scenario in tool.scenarios:
        yield scenario.arguments
    for number, (fitting, codec) in enumerate(((False, "utf-8"), (True, "ascii"))):
        schema = _object(server, tool, fitting)
        values = oracle.draw(schema, count, codec, number)
        if isinstance(values, str):
            continue
        for value in values:
            yield _texts(tool, value)


def _object(server: Server, tool: ToolSpec, fitting: bool) -> dict[str, Any]:
    """The announced schema; a text that carries JSON has the schema of the JSON value."""
    properties = {argument.name: _value(server, argument, fitting) for argument in tool.arguments}
    return {**tool.input_schema, "properties": properties, "$defs": _definitions(server, tool)}


def _definitions(server: Server, tool: ToolSpec) -> dict[str, Any]:
    """Definitions that the checks of a tool refer to."""
    result: dict[str, Any] = {}
    pending = [*tool.definitions]
    while pending:
        name = pending.pop()
        if name not in result:
            result[name] = server.definitions[name]
            pending += schema_references(result[name])
    return result


def _value(server: Server, argument: ArgumentSpec, fitting: bool) -> Any:
    announced_schema = {key: part for key, part in argument.schema.items() if key != "description"}
    check = True if argument.check is None else argument.check
    if argument.text is TextForm.BASE64:
        return {key: part for key, part in announced_schema.items() if key != "contentEncoding"}
    is_beyond = _is_beyond(check, server.definitions)
    if argument.text is TextForm.JSON:
        return {"enum": [sample(check, server.definitions)]} if is_beyond else check
    if not fitting:
        return announced_schema
    parts = [_ranged(announced_schema), *_carried(argument)]
    if argument.check is not None and not is_beyond:
        parts.append(check)
    return {"allOf": parts} if len(parts) > 1 else parts[0]


def _ranged(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with the bounds of its integer format (`int32`, `int64`)."""
    bits = {"int32": 31, "int64": 63}.get(schema.get("format", ""))
    return {"minimum": -(2**bits), "maximum": 2**bits - 1, **schema} if bits else schema


def _carried(argument: ArgumentSpec) -> list[Any]:
    """A schema of printable text for strings in paths, headers and cookies; empty for other places, and
    for strings with an enum, pattern or format."""
    if argument.place in (Place.QUERY, Place.BODY) or argument.schema["type"] != "string":
        return []
    is_narrow = not argument.schema.keys().isdisjoint(("enum", "pattern", "format"))
    return [] if is_narrow else [{"pattern": "^[!-~][ -~]*[!-~]$"}]


def _texts(tool: ToolSpec, values: Any) -> Mapping[str, Any]:
    """The values, with values that travel as text encoded as text."""
    forms = {argument.name: argument for argument in tool.arguments}
    return {name: _text(forms[name], value) for name, value in values.items()}


def _text(argument: ArgumentSpec, value: Any) -> Any:
    if argument.text is None:
        return value
    if argument.schema["type"] == "array":
        return [_encode_text(argument.text, item) for item in value]
    return _encode_text(argument.text, value)


def _encode_text(form: TextForm, value: Any) -> str:
    if form is TextForm.JSON:
        return json.dumps(value)
    return base64.b64encode(str(value).encode()).decode()


def _is_beyond(schema: Any, definitions: Mapping[str, Any]) -> bool:
    """True for a recursive schema, which hypothesis-jsonschema cannot draw, and for a schema longer
    than `MAX_SIZE`, which takes minutes."""
    sizes: dict[str, int] = {}
    pending: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in sorted(_names(schema))]
    size = len(json.dumps(schema))
    while pending:
        name, ancestors = pending.pop()
        if name in ancestors:
            return True
        if name not in sizes:
            sizes[name] = len(json.dumps(definitions[name]))
        size += sizes[name]
        if size > MAX_SIZE:
            return True
        pending += [(child, (*ancestors, name)) for child in sorted(_names(definitions[name]))]
    return False


def _names(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {name for part in schema for name in _names(part)}
    if not isinstance(schema, dict):
        return set()
    texts = {name for part in schema.values() for name in _names(part)}
    reference = schema.get("$ref")
    return texts | {reference.removeprefix(PREFIX)} if isinstance(reference, str) else texts
