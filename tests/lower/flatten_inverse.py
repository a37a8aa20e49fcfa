"""F, the inverse of assembly, written anew: a request's values to the flat arguments of a tool."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.drawing.values import Binary

from mcpgen.ir.api import ApiDescription, Operation, Place, Schema
from mcpgen.ir.server import ArgumentSpec, ConstantSpec, TextForm, ToolSpec

NOTHING = object()
BODY = "body"


def schema_of(api: ApiDescription, operation: Operation, tool: ToolSpec) -> dict[str, Any]:
    """Returns the schema of whole requests: a member per controllable parameter, and `body`."""
    specs: tuple[ArgumentSpec | ConstantSpec, ...] = (*tool.arguments, *tool.constants)
    argument_keys = {(item.place, item.target[0]) for item in specs if item.target}
    properties: dict[str, Any] = {}
    required = []
    for parameter in operation.parameters:
        if (parameter.place, parameter.name) in argument_keys:
            key = f"{parameter.place}:{parameter.name}"
            properties[key] = parameter.schema.json
            required += [key] if parameter.required or parameter.place is Place.PATH else []
    if operation.body and tool.route and tool.route.body:
        media = next(m for m in operation.body.media if m.name == tool.route.body.media_type)
        properties[BODY] = media.schema.json if media.schema else {"type": "string"}
        required += [BODY] if operation.body.required else []
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "$defs": reachable_definitions(properties, api.definitions),
    }


def reachable_definitions(schema: Any, definitions: Mapping[str, Schema]) -> dict[str, Any]:
    """Returns the definitions reachable from a schema."""
    result: dict[str, Any] = {}
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            pending += part.values()
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in result:
                result[name] = definitions[name].json
                pending.append(result[name])
    return result


def flat(tool: ToolSpec, request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the flat arguments for a request."""
    result: dict[str, Any] = {}
    for argument in tool.arguments:
        if argument.named_targets:
            body = request.get(BODY, NOTHING)
            names = [
                name
                for name, path in argument.named_targets.items()
                if (
                    value_at(body, path) is None
                    if argument.nulls
                    else _is_empty(tool, value_at(body, path), path)
                )
            ]
            result |= {argument.name: names} if names else {}
            continue
        value = _source(tool, argument, request)
        if value is NOTHING or (value is None and argument.text is not TextForm.JSON):
            continue
        result[argument.name] = _as_argument_value(argument, value)
    return result


def _is_empty(tool: ToolSpec, value: Any, path: tuple[str, ...]) -> bool:
    """True if an object holds only values filled in by the server."""
    constants = {
        constant.target: constant.value
        for constant in tool.constants
        if constant.place is Place.BODY
    }
    return isinstance(value, dict) and all(
        (*path, key) in constants
        and (_is_empty(tool, constant, (*path, key)) or constant == constants[(*path, key)] != {})
        for key, constant in value.items()
    )


def value_at(value: Any, steps: tuple[str, ...]) -> Any:
    """Returns the value at a path, or `NOTHING`."""
    for step in steps:
        if not isinstance(value, dict) or step not in value:
            return NOTHING
        value = value[step]
    return value


def _source(tool: ToolSpec, argument: ArgumentSpec, request: Mapping[str, Any]) -> Any:
    if argument.place is Place.PART:
        return NOTHING
    if argument.spread:
        container = value_at(request.get(BODY, NOTHING), argument.target)
        targets = [
            argument_spec.target
            for argument_spec in tool.arguments
            if argument_spec.place is Place.BODY
        ]
        targets += [
            argument_spec.target
            for argument_spec in tool.constants
            if argument_spec.place is Place.BODY
        ]
        targets += [
            target
            for argument_spec in tool.arguments
            for target in argument_spec.named_targets.values()
        ]
        depth = len(argument.target)
        names = {
            target[depth]
            for target in targets
            if target[:depth] == argument.target and len(target) > depth
        }
        remainder = (
            {k: v for k, v in container.items() if k not in names}
            if isinstance(container, dict)
            else {}
        )
        return remainder or NOTHING
    if argument.place is Place.BODY:
        return value_at(request.get(BODY, NOTHING), argument.target)
    key, *member_path = argument.target
    return value_at(request.get(f"{argument.place}:{key}", NOTHING), tuple(member_path))


def _as_argument_value(argument: ArgumentSpec, value: Any) -> Any:
    """Returns a value in the form of the argument's schema."""
    kind = argument.schema["type"]
    if argument.also:
        return value
    if kind == "array" and not isinstance(value, list) and argument.text is None:
        value = [value]
    if argument.text is TextForm.JSON:
        return list(map(_json, value)) if kind == "array" else _json(value)
    if argument.text is TextForm.BASE64:
        return [_base64(item) for item in value] if kind == "array" else _base64(value)
    if kind == "array" and argument.schema["items"]["type"] == "string":
        return [_word(item) for item in value]
    return _word(value) if kind == "string" else value


def _json(value: Any) -> str:
    """JSON text, with base64 for bytes."""
    if isinstance(value, list):
        value = [_base64(item) if isinstance(item, Binary) else item for item in value]
    return json.dumps(value)


def _base64(value: Any) -> str:
    content = value.content if isinstance(value, Binary) else str(value).encode()
    return base64.b64encode(content).decode()


def _word(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)


def declared_members(schema: Any, value: Any, definitions: Mapping[str, Any]) -> Any:
    """Returns a value without undeclared members. JSON Schema allows such members by default,
    but no schema describes them."""
    if isinstance(value, list):
        items = [part["items"] for part in _parts(schema, definitions) if "items" in part]
        return [declared_members(items[0], item, definitions) if items else item for item in value]
    if not isinstance(value, dict):
        return value
    parts = list(_parts(schema, definitions))
    named_schemas: dict[str, list[Any]] = {}
    for part in parts:
        for name, item in part.get("properties", {}).items():
            named_schemas.setdefault(name, []).append(item)
    is_open = any(part.get("additionalProperties") not in (None, False) for part in parts)
    is_map = not named_schemas or is_open or any("patternProperties" in part for part in parts)
    return {
        name: (
            declared_members({"anyOf": named_schemas[name]}, item, definitions)
            if name in named_schemas
            else item
        )
        for name, item in value.items()
        if is_map or name in named_schemas
    }


def _parts(schema: Any, definitions: Mapping[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yields a schema, its references and its branches."""
    if not isinstance(schema, dict) or depth > 8:
        return
    yield schema
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions:
        yield from _parts(definitions[name], definitions, depth + 1)
    for keyword in ("allOf", "oneOf", "anyOf"):
        for branch in schema.get(keyword, ()):
            yield from _parts(branch, definitions, depth + 1)
