"""Real documents become an API with valid schemas, or have a finding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema_rs
import pytest
from tests.thorough import keep

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import ApiDescription, Schema
from mcpgen.ir.source import Json
from mcpgen.parse import parse
from mcpgen.read import read

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"
MANIFEST = CORPUS / "manifest.json"
ENTRIES = json.loads(MANIFEST.read_text()) if MANIFEST.exists() else []
DANGLING = {"asyncapi-server", "camara-geofencing"}
"""Documents whose requests need references out of the folder or into the network."""

KEPT = {"github", "kubernetes-v2", "discord-v31", "cafe-split-v32", "museum", *DANGLING}
KEPT.add("petstore-separate-v2")
REPEATS = "repeats the proof on more documents of the same versions of OpenAPI"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "entry" in metafunc.fixturenames:
        metafunc.parametrize("entry", keep(ENTRIES, KEPT, REPEATS))


if ENTRIES:

    def test_every_operation_of_a_real_document_is_parsed_or_its_loss_is_an_error(entry):
        diagnostics = Diagnostics()

        source = read(str(CORPUS / entry["file"]), diagnostics)
        assert source is not None
        api = parse(source, diagnostics)

        errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
        assert api is not None
        assert len(api.operations) + len(api.missing) == entry["n_ops"]
        assert {diagnostic.code for diagnostic in errors} <= codes.PER_OPERATION
        assert bool(api.missing) == (entry["name"] in DANGLING)
        _refuse_foreign_references(api)
        _compile(api)


def _schemas(api: ApiDescription) -> Iterator[Schema]:
    """Every schema of an API, without the definitions."""
    for operation in api.operations:
        yield from (parameter.schema for parameter in operation.parameters)
        bodies = [operation.body] if operation.body is not None else []
        for holder in (*bodies, *operation.responses):
            yield from (media.schema for media in holder.media if media.schema is not None)


def _refuse_foreign_references(api: ApiDescription) -> None:
    references = {f"#/$defs/{name}" for name in api.definitions}
    pending: list[Json] = [schema.json for schema in (*_schemas(api), *api.definitions.values())]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                assert value["$ref"] in references
            pending.extend(
                child for key, child in value.items() if key not in ("examples", "default")
            )
        elif isinstance(value, list):
            pending.extend(value)


def _compile(api: ApiDescription) -> None:
    def refuse(uri: str) -> Json:
        raise LookupError(uri)

    definitions = {name: schema.json for name, schema in api.definitions.items()}
    parts = [schema.json for schema in _schemas(api)] or [True]
    bundle = {"$defs": definitions, "prefixItems": parts}
    jsonschema_rs.Draft202012Validator(bundle, retriever=refuse)
