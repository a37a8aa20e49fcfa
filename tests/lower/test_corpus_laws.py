"""The laws of flattening over whole documents: complete and sound."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.lower.flatten_inverse import BODY, declared_members, flat, schema_of
from tests.oracle.arguments import draw_arguments
from tests.oracle.documents import corpus_documents, own_documents, swagger
from tests.oracle.oracle_process import OracleProcess, start_oracle
from tests.oracle.project import BuiltServer, build_server
from tests.oracle.recorder import unsent_record
from tests.oracle.verdicts import readable, url_of
from tests.runtime_harness import InvalidArguments, at_work
from tests.thorough import keep

from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec

SMALL = 60_000
MAX_CHARACTERS = 4000
"""Limit in characters for schemas that hypothesis can draw from in reasonable time."""

DOCUMENTS = own_documents() | swagger() | corpus_documents(SMALL)
of_every_document = pytest.mark.parametrize(
    "name",
    keep(
        DOCUMENTS,
        {*own_documents(), *swagger()} - {"nursery", "workshop"},
        "repeats the laws on more documents",
        {"agent-registry", "reading-room", "launchpad", "seed-bank"},
    ),
)
UNWRITABLE = (
    "printable ASCII",
    "path segment",
    "must not be empty",
    "control characters",
    "stands between the values",
    "surrogate",
    "which XML cannot carry",
)
"""Messages about values that no request can carry."""


@pytest.fixture(scope="module")
def draws() -> Iterator[OracleProcess]:
    """hypothesis-jsonschema."""
    with start_oracle() as process:
        yield process


def pairs(project: BuiltServer, limit: int = 25) -> Iterator[tuple[Operation, ToolSpec]]:
    """Yields operations with their tools, evenly spread."""
    operations = {operation.key: operation for operation in project.api.operations}
    tools = project.server.tools
    for tool in tools[:: -(-len(tools) // limit)]:
        yield operations[tool.operation], tool


def without_answers(schema: Any) -> Any:
    """Returns the schema of requests.

    `readOnly` properties are neither required nor sent; a schema with properties is an object,
    which documents often leave out.
    """
    if isinstance(schema, list):
        return [without_answers(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: without_answers(item) for key, item in schema.items()}
    properties = schema.get("properties")
    if isinstance(properties, dict) and "type" not in schema:
        result["type"] = "object"
    if isinstance(properties, dict):
        read_only_names = {
            name
            for name, item in properties.items()
            if isinstance(item, dict) and item.get("readOnly") is True
        }
        result["properties"] = {
            k: item for k, item in result["properties"].items() if k not in read_only_names
        }
        if isinstance(schema.get("required"), list):
            result["required"] = [
                name for name in schema["required"] if name not in read_only_names
            ]
    return result


def requests(schema: Any, draws: OracleProcess) -> Iterator[dict[str, Any]]:
    """Yields writable requests.

    No query style distinguishes an empty array from an absent one, and no flat argument sends an
    optional body without members.
    """
    result = draws.draw(schema, 6, "ascii", 7)
    definitions = schema["$defs"]
    valid = Draft202012Validator(schema)
    for drawn_request in result if isinstance(result, list) else []:
        request = {
            key: declared_members(schema["properties"][key], value, definitions)
            for key, value in drawn_request.items()
            if not (key.startswith("query:") and value in ([], {}))
        }
        is_said = BODY in schema["required"] or request.get(BODY) != {}
        if is_said and valid.is_valid(request) and jsonschema_rs.is_valid(schema, request):
            yield request


def is_json(tool: ToolSpec) -> bool:
    """True if the body travels as one JSON text."""
    body = tool.route.body if tool.route else None
    return body is not None and body.media_type.endswith(("/json", "+json"))


def is_alike(value: Any, read: Any) -> bool:
    """True if the parsed value equals the original as far as the wire shows.

    Text and numbers look alike; null and empty arrays may be absent.
    """
    if isinstance(value, dict) and isinstance(read, dict):
        return all(is_alike(value.get(key), read.get(key)) for key in value.keys() | read.keys())
    if isinstance(value, list) and isinstance(read, list):
        present = [item for item in value if item is not None]
        if len(present) == len(read) and all(map(is_alike, present, read)):
            return True
        return any(
            join_items(present, delimiter) == join_items(read, delimiter) for delimiter in ", |\t"
        )
    if is_hollow(value):
        return is_hollow(read) or read in ("", "null")
    return value == read or as_text(value) == as_text(read)


def is_hollow(value: Any) -> bool:
    """True if no style writes anything for a value."""
    if isinstance(value, dict | list):
        return all(map(is_hollow, value.values() if isinstance(value, dict) else value))
    return value is None


def join_items(values: list[Any], delimiter: str) -> str:
    """Returns the items as one text. openapi-core splits after percent-decoding, and does not
    support tabs."""
    return delimiter.join(map(as_text, values))


def as_text(value: Any) -> str:
    """Returns a value as text."""
    return value if isinstance(value, str) else json.dumps(value)


@of_every_document
def test_every_request_that_the_document_allows_has_arguments(
    name: str, draws: OracleProcess, tmp_path: Path
) -> None:
    project = build_server(DOCUMENTS[name])
    if not isinstance(project, BuiltServer):
        assert project.failed
        return
    mismatches: list[tuple[Any, ...]] = []
    draws.open(readable(project, tmp_path), project.upstream)

    for operation, tool in pairs(project):
        schema = without_answers(schema_of(project.api, operation, tool))
        if len(json.dumps(schema)) > MAX_CHARACTERS:
            continue
        working = at_work(project.server, tool)
        for request in requests(schema, draws):
            arguments = flat(tool, request)
            try:
                working.refuse_invalid(arguments)
                sent_request = working.request(arguments)
            except InvalidArguments as error:
                if not any(word in str(error) for word in UNWRITABLE):
                    mismatches.append((tool.name, request, arguments, error.problems))
                continue
            (read,) = draws.read([unsent_record(sent_request, url_of(project, tool))])
            mismatches += [
                (tool.name, key, value, read.get(key), sent_request)
                for key, value in request.items()
                if read is not None
                and key.partition(":")[2] not in read[""]
                and not (
                    value == read.get(key)
                    if key == BODY and is_json(tool)
                    else is_alike(value, read.get(key))
                )
            ]

    assert mismatches == []


@of_every_document
def test_every_request_that_is_assembled_is_allowed(name: str, draws: OracleProcess) -> None:
    project = build_server(DOCUMENTS[name])
    if not isinstance(project, BuiltServer):
        assert project.failed
        return
    wrong = []

    for operation, tool in pairs(project):
        schema = without_answers(schema_of(project.api, operation, tool))
        if not is_json(tool) or BODY not in schema["properties"]:
            continue
        body = Draft202012Validator({**schema["properties"][BODY], "$defs": schema["$defs"]})
        working = at_work(project.server, tool)
        for arguments in draw_arguments(project.server, tool, draws, 3):
            try:
                working.refuse_invalid(arguments)
                request = working.request(arguments)
            except InvalidArguments:
                continue
            if request.body is not None:
                value = json.loads(request.body)
                wrong += [(tool.name, value, error.message) for error in body.iter_errors(value)]

    assert wrong == []
