"""A description of the shape of Microsoft Graph's, as large as one asks for.

`python -m benchmarks.graph_like OPERATIONS FILE` writes one. Of every collection there are the
operations that Graph has of them: list, create, get, update, delete and count, below up to four
others; entities inherit from each other by `allOf`, refer to each other in circles, and carry
enumerations, OData parameters and answers in pages.

22,000 operations stand on 11,000 paths with 7,400 schemas in 51 MB. Of Graph's v1.0 people have counted
10,405 paths, 4,292 schemas and 35 MB: https://github.com/microsoftgraph/msgraph-sdk-design/issues/122.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]

NOUNS = """user group site drive item list message event calendar contact folder team channel chat
device application policy role assignment definition report schedule shift plan task bucket notebook
section page workbook table chart worksheet certificate domain invitation license subscription
printer share connector agent"""
PARTS = NOUNS.split()
PER_COLLECTION = 6
FIRST = 7
"""Collections with none above them, and those directly below each."""
FIELDS = 14
QUERY = (("$top", "integer"), ("$skip", "integer"), ("$search", "string"), ("$filter", "string"))
LISTS = ("$orderby", "$select", "$expand")


def document(operations: int) -> Json:
    """A description with so many operations."""
    collections = -(-operations // PER_COLLECTION)
    names = [_name(number) for number in range(collections)]
    paths: Json = {}
    left = operations
    for number, name in enumerate(names):
        for path, method, operation in _operations(number, name):
            if left:
                paths.setdefault(path, {})[method] = operation
                left -= 1
    schemas = {f"graph.{name}": _entity(number, names) for number, name in enumerate(names)}
    return {
        "openapi": "3.0.4",
        "info": {"title": "Graph-like", "version": "v1.0", "description": "A large API."},
        "servers": [{"url": "https://graph.example.com/v1.0"}],
        "paths": paths,
        "components": {"schemas": {**schemas, **_shared(names)}, "parameters": _parameters()},
    }


def _name(number: int) -> str:
    """A name of two words and a number, no two alike."""
    first = PARTS[number % len(PARTS)]
    second = PARTS[(number // len(PARTS)) % len(PARTS)].capitalize()
    rest = number // len(PARTS) ** 2
    return f"{first}{second}{rest or ''}"


def _operations(number: int, name: str) -> Iterator[tuple[str, str, Json]]:
    """The operations of a collection, below a parent where it is not the first of its kind."""
    parents = _parents(number)
    base = "".join(f"/{parent}s/{{{parent}-id}}" for parent in parents) + f"/{name}s"
    above = [_in_path(f"{parent}-id", parent) for parent in parents]
    one = [*above, _in_path(f"{name}-id", name)]
    entity = {"$ref": f"#/components/schemas/graph.{name}"}
    shown = {"$ref": f"#/components/schemas/graph.{name}CollectionResponse"}
    yield base, "get", _operation(f"{name}.List", name, [*above, *_odata()], None, shown)
    yield base, "post", _operation(f"{name}.Create", name, above, entity, entity)
    single = f"{base}/{{{name}-id}}"
    yield single, "get", _operation(f"{name}.Get", name, [*one, *_odata()[4:]], None, entity)
    yield single, "patch", _operation(f"{name}.Update", name, one, entity, entity)
    yield single, "delete", _operation(f"{name}.Delete", name, [*one, _if_match()], None, None)
    count = {"type": "integer", "format": "int32"}
    yield f"{base}/$count", "get", _operation(f"{name}.Count", name, above, None, count)


def _parents(number: int) -> list[str]:
    """The collections above one, outermost first: of the 14th one, of the 98th two, and so on."""
    parents: list[str] = []
    while number >= FIRST:
        number //= FIRST
        parents.insert(0, _name(number))
    return parents


def _operation(
    key: str, name: str, parameters: list[Json], body: Json | None, answer: Json | None
) -> Json:
    """One operation."""
    verb = key.rpartition(".")[2].lower()
    content = {"content": {"application/json": {"schema": answer}}} if answer else {}
    made: Json = {
        "tags": [f"{name}s.{name}"],
        "summary": f"{verb.capitalize()} {name}",
        "description": f"{verb.capitalize()} the properties and relationships of a {name} object. "
        f"This API is available in the national clouds. Only the caller's own {name}s are seen.",
        "operationId": key,
        "parameters": parameters,
        "responses": {
            "2XX": {"description": "Success", **content},
            "default": {
                "description": "error",
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/graph.error"}}
                },
            },
        },
    }
    if body:
        made["requestBody"] = {
            "description": f"The {name}",
            "content": {"application/json": {"schema": body}},
            "required": True,
        }
    return made


def _in_path(name: str, noun: str) -> Json:
    described = f"The unique identifier of {noun}"
    schema = {"type": "string"}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": described,
        "schema": schema,
    }


def _if_match() -> Json:
    return {"name": "If-Match", "in": "header", "description": "ETag", "schema": {"type": "string"}}


def _odata() -> list[Json]:
    names = [name.removeprefix("$") for name, _ in QUERY] + [one.removeprefix("$") for one in LISTS]
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def _parameters() -> Json:
    """The parameters that all lists share."""
    made: Json = {}
    for name, kind in QUERY:
        schema: Json = {"type": kind} | ({"minimum": 0} if kind == "integer" else {})
        made[name.removeprefix("$")] = {
            "name": name,
            "in": "query",
            "description": f"OData {name}",
            "schema": schema,
        }
    for name in LISTS:
        made[name.removeprefix("$")] = {
            "name": name,
            "in": "query",
            "description": f"OData {name}",
            "style": "form",
            "explode": False,
            "schema": {"uniqueItems": True, "type": "array", "items": {"type": "string"}},
        }
    return made


def _entity(number: int, names: list[str]) -> Json:
    """An entity: what it inherits, and fields of its own, some of which lead to other entities."""
    properties: Json = {}
    for field in range(FIELDS):
        key = f"{PARTS[(number + field * 5) % len(PARTS)]}{field}"
        properties[key] = _field(number, field, names)
    own = {"title": names[number], "type": "object", "properties": properties}
    base = names[number // 11] if number % 11 == 3 else "entity"
    return {"allOf": [{"$ref": f"#/components/schemas/graph.{base}"}, own]}


def _field(number: int, field: int, names: list[str]) -> Json:
    """One property: mostly scalars, sometimes an enumeration or another entity."""
    told = f"The {PARTS[field % len(PARTS)]} of this {names[number]}. Supports $filter (eq, ne)."
    other = f"#/components/schemas/graph.{names[(number * 3 + field) % len(names)]}"
    kinds: tuple[Json, ...] = (
        {"type": "string", "description": told, "nullable": True},
        {"type": "string", "format": "date-time", "description": told, "nullable": True},
        {"type": "boolean", "description": told},
        {"type": "integer", "format": "int32", "minimum": 0, "description": told},
        {"$ref": f"#/components/schemas/graph.state{number % 25}"},
        {"type": "array", "items": {"type": "string", "nullable": True}, "description": told},
        {"anyOf": [{"$ref": other}, {"type": "object", "nullable": True}], "description": told},
        {"type": "array", "items": {"$ref": other}, "description": told},
    )
    return kinds[field % len(kinds)]


def _shared(names: list[str]) -> Json:
    """The schemas that entities share."""
    text = {"type": "string"}
    made: Json = {
        "graph.entity": {"title": "entity", "type": "object", "properties": {"id": text}},
        "graph.error": {
            "type": "object",
            "properties": {"error": {"$ref": "#/components/schemas/graph.mainError"}},
            "required": ["error"],
        },
        "graph.mainError": {
            "type": "object",
            "properties": {"code": text, "message": text},
            "required": ["code", "message"],
        },
    }
    for number in range(25):
        values = [f"{PARTS[(number + each) % len(PARTS)]}" for each in range(4)]
        made[f"graph.state{number}"] = {"title": "state", "enum": values, "type": "string"}
    for name in names:
        listed = {"type": "array", "items": {"$ref": f"#/components/schemas/graph.{name}"}}
        made[f"graph.{name}CollectionResponse"] = {
            "type": "object",
            "properties": {
                "value": listed,
                "@odata.nextLink": {"type": "string", "nullable": True},
            },
        }
    return made


if __name__ == "__main__":
    text = json.dumps(document(int(sys.argv[1])), indent=1)
    Path(sys.argv[2]).write_text(text, encoding="utf-8")
