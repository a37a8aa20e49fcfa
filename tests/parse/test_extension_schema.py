"""The JSON Schema of `x-mcp` accepts and refuses the values that parsing does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from tests.values_near_schema import near

from mcpgen.config import read_prompts_extension, read_resource_extension
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.parse.x_mcp import extension_schema

SCHEMA = extension_schema()
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)
WRONG = {codes.UNKNOWN_EXTENSION_KEY, codes.MALFORMED_EXTENSION}


def document_of(operation: dict[str, Any]) -> dict[str, Any]:
    """A document with one operation."""
    get = {"operationId": "a", "responses": {"200": {"description": "Done."}}, **operation}
    info = {"title": "A", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {"/pets": {"get": get}}}


def findings(parse_document: Callable[..., Any], tree: dict[str, Any]) -> set[Any]:
    """The codes about extensions, of parsing and of the tables of `mcpgen.toml`."""
    read = parse_document(tree)
    diagnostics = Diagnostics()
    if read.result is not None:
        if read.result.prompts:
            read_prompts_extension(read.result.prompts.told, read.result.prompts.at, diagnostics)
        for operation in read.result.operations:
            if resource := operation.extension.resource:
                read_resource_extension(resource.told, resource.at, "a", "a", diagnostics)
    return {finding.code for finding in [*read.findings, *diagnostics]} & WRONG


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operation=near(SCHEMA["$defs"]["operation"], SCHEMA))
def test_an_extension_of_an_operation_is_refused_by_both_or_by_none(
    parse_document: Callable[..., Any], operation: Any
) -> None:
    document = document_of({"x-mcp": operation})

    result = findings(parse_document, document)

    assert VALIDATOR.is_valid(document) or result
    # Rules without keywords of JSON Schema, such as the form of a URI, are left to mcpgen.
    assert not (VALIDATOR.is_valid(document) and codes.UNKNOWN_EXTENSION_KEY in result)


@pytest.mark.parametrize(
    ("operation", "is_accepted"),
    [
        ({"title": None, "arguments": None}, True),
        ({"arguments": {"q": None}}, True),
        ({"arguments": {"q": {"fixed": None, "setting": None}}}, True),
        ({"resource": None}, True),
        ({"resource": {"uri": "a://b", "title": None, "complete": {"q": None}}}, True),
        ({"scopes": [None]}, False),
        ({"fields": [None]}, False),
        ({"resource": {"uri": None}}, False),
        ({"resource": {"uri": "a://b", "audience": [None]}}, False),
    ],
)
def test_null_is_an_absent_key_for_both_and_an_item_of_a_list_for_none(
    parse_document: Callable[..., Any], operation: dict[str, Any], is_accepted: bool
) -> None:
    document = document_of({"x-mcp": operation})

    result = findings(parse_document, document)

    assert (VALIDATOR.is_valid(document), not result) == (is_accepted, is_accepted)


def test_extension_of_an_operation_of_another_method_is_checked(
    parse_document: Callable[..., Any],
) -> None:
    operation = {
        "operationId": "a",
        "x-mcp": {"hiden": True},
        "responses": {"200": {"description": "Done."}},
    }
    paths = {"/pets": {"additionalOperations": {"COPY": operation}}}
    document = document_of({}) | {"openapi": "3.2.0", "paths": paths}

    assert findings(parse_document, document) == {codes.UNKNOWN_EXTENSION_KEY}
    assert not VALIDATOR.is_valid(document)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(extension=near(SCHEMA["$defs"]["document"], SCHEMA))
def test_an_extension_of_a_document_is_refused_by_both_or_by_none(
    parse_document: Callable[..., Any], extension: Any
) -> None:
    document = document_of({}) | {"x-mcp": extension}

    result = findings(parse_document, document)

    assert VALIDATOR.is_valid(document) or result
    assert not (VALIDATOR.is_valid(document) and codes.UNKNOWN_EXTENSION_KEY in result)
