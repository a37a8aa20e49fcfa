"""Makes a document like Microsoft Graph's: `python -m benchmarks.graph_like OPERATIONS FILE`.

Every collection has Graph's operations: list, create, get, update, delete and count, below up to four other
collections. Entities inherit by `allOf`, refer to other entities in cycles, and have enumerations, OData
parameters and paged responses.

22,000 operations give 11,000 paths, 7,400 schemas and 51 MB. Graph v1.0 has 10,405 paths, 4,292 schemas and
35 MB: https://github.com/microsoftgraph/msgraph-sdk-design/issues/122.
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
WORDS = NOUNS.split()
PER_COLLECTION = 6
FIRST = 7
"""Number of top-level collections, and of collections directly below each collection."""
FIELDS = 14
QUERY = (("$top", "integer"), ("$skip", "integer"), ("$search", "string"), ("$filter", "string"))
LISTS = ("$orderby", "$select", "$expand")


def graph_document(operations: int) -> Json:
    """An OpenAPI 3.0 document with this number of operations."""
    collections = -(-operations // PER_COLLECTION)
    names = [_unique_name(number) for number in range(collections)]
    paths: Json = {}
    operations_left = operations
    for number, name in enumerate(names):
        for path, method, operation in _operations(number, name):
            if operations_left:
                paths.setdefault(path, {})[method] = operation
                operations_left -= 1
    schemas = {f"graph.{name}": _entity(number, names) for number, name in enumerate(names)}
    return {
        "openapi": "3.0.4",
        "info": {"title": "Graph-like", "version": "v1.0", "description": "A large API."},
        "servers": [{"url": "https://graph.example.com/v1.0"}],
        "paths": paths,
        "components": {
            "schemas": {**schemas, **_shared_schemas(names)},
            "parameters": _parameters(),
        },
    }


def _unique_name(number: int) -> str:
    """A unique name of two words and a number: `userGroup`, `userGroup1`."""
    first = WORDS[number % len(WORDS)]
    second = WORDS[(number // len(WORDS)) % len(WORDS)].capitalize()
    suffix_number = number // len(WORDS) ** 2
    return f"{first}{second}{suffix_number or ''}"


def _operations(number: int, name: str) -> Iterator[tuple[str, str, Json]]:
    """Path, method and operation of the six operations of a collection."""
    parents = _parents(number)
    base = "".join(f"/{parent}s/{{{parent}-id}}" for parent in parents) + f"/{name}s"
    parent_parameters = [_path_parameter_of(f"{parent}-id", parent) for parent in parents]
    own_parameters = [*parent_parameters, _path_parameter_of(f"{name}-id", name)]
    entity = {"$ref": f"#/components/schemas/graph.{name}"}
    page = {"$ref": f"#/components/schemas/graph.{name}CollectionResponse"}
    yield base, "get", _graph_operation(
        f"{name}.List", name, [*parent_parameters, *_odata()], None, page
    )
    yield base, "post", _graph_operation(f"{name}.Create", name, parent_parameters, entity, entity)
    single = f"{base}/{{{name}-id}}"
    yield single, "get", _graph_operation(
        f"{name}.Get", name, [*own_parameters, *_odata()[4:]], None, entity
    )
    yield single, "patch", _graph_operation(f"{name}.Update", name, own_parameters, entity, entity)
    yield single, "delete", _graph_operation(
        f"{name}.Delete", name, [*own_parameters, _if_match()], None, None
    )
    count = {"type": "integer", "format": "int32"}
    yield f"{base}/$count", "get", _graph_operation(
        f"{name}.Count", name, parent_parameters, None, count
    )


def _parents(number: int) -> list[str]:
    """Collections above a collection, outermost first: 1 for numbers from 7, 2 for numbers from 49."""
    parents: list[str] = []
    while number >= FIRST:
        number //= FIRST
        parents.insert(0, _unique_name(number))
    return parents


def _graph_operation(
    key: str, name: str, parameters: list[Json], body: Json | None, response: Json | None
) -> Json:
    verb = key.rpartition(".")[2].lower()
    content = {"content": {"application/json": {"schema": response}}} if response else {}
    operation: Json = {
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
        operation["requestBody"] = {
            "description": f"The {name}",
            "content": {"application/json": {"schema": body}},
            "required": True,
        }
    return operation


def _path_parameter_of(name: str, noun: str) -> Json:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": f"The unique identifier of {noun}",
        "schema": {"type": "string"},
    }


def _if_match() -> Json:
    return {"name": "If-Match", "in": "header", "description": "ETag", "schema": {"type": "string"}}


def _odata() -> list[Json]:
    names = [name.removeprefix("$") for name in (*dict(QUERY), *LISTS)]
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def _parameters() -> Json:
    """The OData parameters that all lists share."""
    parameters: Json = {}
    for name, kind in QUERY:
        schema: Json = {"type": kind} | ({"minimum": 0} if kind == "integer" else {})
        parameters[name.removeprefix("$")] = {
            "name": name,
            "in": "query",
            "description": f"OData {name}",
            "schema": schema,
        }
    for name in LISTS:
        parameters[name.removeprefix("$")] = {
            "name": name,
            "in": "query",
            "description": f"OData {name}",
            "style": "form",
            "explode": False,
            "schema": {"uniqueItems": True, "type": "array", "items": {"type": "string"}},
        }
    return parameters


def _entity(number: int, names: list[str]) -> Json:
    """An entity with an inherited schema and `FIELDS` properties, some of which refer to other entities."""
    properties: Json = {}
    for field in range(FIELDS):
        key = f"{WORDS[(number + field * 5) % len(WORDS)]}{field}"
        properties[key] = _field(number, field, names)
    own_schema = {"title": names[number], "type": "object", "properties": properties}
    base = names[number // 11] if number % 11 == 3 else "entity"
    return {"allOf": [{"$ref": f"#/components/schemas/graph.{base}"}, own_schema]}


def _field(number: int, field: int, names: list[str]) -> Json:
    """A property: five of eight are scalars, the others an enumeration or references to entities."""
    text = f"The {WORDS[field % len(WORDS)]} of this {names[number]}. Supports $filter (eq, ne)."
    reference = f"#/components/schemas/graph.{names[(number * 3 + field) % len(names)]}"
    kinds: tuple[Json, ...] = (
        {"type": "string", "description": text, "nullable": True},
        {"type": "string", "format": "date-time", "description": text, "nullable": True},
        {"type": "boolean", "description": text},
        {"type": "integer", "format": "int32", "minimum": 0, "description": text},
        {"$ref": f"#/components/schemas/graph.state{number % 25}"},
        {"type": "array", "items": {"type": "string", "nullable": True}, "description": text},
        {"anyOf": [{"$ref": reference}, {"type": "object", "nullable": True}], "description": text},
        {"type": "array", "items": {"$ref": reference}, "description": text},
    )
    return kinds[field % len(kinds)]


def _shared_schemas(names: list[str]) -> Json:
    """Errors, enumerations and pages of every entity."""
    text = {"type": "string"}
    schemas: Json = {
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
        values = [f"{WORDS[(number + offset) % len(WORDS)]}" for offset in range(4)]
        schemas[f"graph.state{number}"] = {"title": "state", "enum": values, "type": "string"}
    for name in names:
        items = {"type": "array", "items": {"$ref": f"#/components/schemas/graph.{name}"}}
        schemas[f"graph.{name}CollectionResponse"] = {
            "type": "object",
            "properties": {
                "value": items,
                "@odata.nextLink": {"type": "string", "nullable": True},
            },
        }
    return schemas


if __name__ == "__main__":
    text = json.dumps(graph_document(int(sys.argv[1])), indent=1)
    Path(sys.argv[2]).write_text(text, encoding="utf-8")
