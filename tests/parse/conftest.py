"""Fixtures for tests of parsing: documents as dictionaries, and the result of `parse`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostic, Diagnostics
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.source import Dialect, Document, Source, Syntax
from mcpgen.parse import parse

DIALECTS = {
    "2.0": Dialect.SWAGGER_2_0,
    "3.0": Dialect.OPENAPI_3_0,
    "3.1": Dialect.OPENAPI_3_1,
    "3.2": Dialect.OPENAPI_3_2,
}


@dataclass(frozen=True)
class Parsed:
    """API or None, with the findings."""

    result: ApiDescription | None
    findings: list[Diagnostic]

    @property
    def api(self) -> ApiDescription:
        """Returns the API; asserts that parsing succeeded."""
        assert self.result is not None, self.findings
        return self.result

    @property
    def operation(self) -> Operation:
        """The only operation."""
        (operation,) = self.api.operations
        return operation

    @property
    def names(self) -> list[str]:
        """Names of the findings, in order of addition."""
        return [diagnostic.code.name for diagnostic in self.findings]

    @property
    def finding(self) -> Diagnostic:
        """The only finding."""
        (finding,) = self.findings
        return finding


def source_of(
    tree: Any, other_documents: dict[str, Any] | None = None, name: str = "api.json"
) -> Source:
    """Returns a source of trees; `other_documents` are further documents by path."""
    documents = {"": _document(name, "", tree)}
    for key, other_tree in (other_documents or {}).items():
        documents[key] = _document(key, key, other_tree)
    digest = hashlib.sha256("".join(d.sha256 for d in documents.values()).encode()).hexdigest()
    version = tree.get("openapi", tree.get("swagger", "3.0")) if isinstance(tree, dict) else "3.0"
    return Source(documents[""], documents, DIALECTS[version[:3]], digest)


def _document(name: str, key: str, tree: Any) -> Document:
    text = json.dumps(tree)
    return Document(name, key, Syntax.JSON, text, tree, hashlib.sha256(text.encode()).hexdigest())


@pytest.fixture
def source() -> Callable[..., Source]:
    """Builds a source of trees: the first document, and further documents by key."""
    return source_of


@pytest.fixture
def parse_document() -> Callable[..., Parsed]:
    """Parses trees: the first document, and further documents by key."""

    def run(tree: Any, other_documents: dict[str, Any] | None = None) -> Parsed:
        diagnostics = Diagnostics()
        api = parse(source_of(tree, other_documents), diagnostics)
        return Parsed(api, list(diagnostics))

    return run


@pytest.fixture
def document() -> Callable[..., dict[str, Any]]:
    """Builds an OpenAPI document with the given paths, or with an operation `GET /a` with the
    given fields."""

    def make(
        operation: dict[str, Any] | None = None,
        *,
        paths: Any = None,
        version: str = "3.1.0",
        **fields: Any,
    ) -> dict[str, Any]:
        path_items = {"/a": {"get": operation or {}}} if paths is None else paths
        return {
            "openapi": version,
            "info": {"title": "A", "version": "1"},
            "paths": path_items,
        } | fields

    return make


@pytest.fixture
def schema(
    parse_document: Callable[..., Parsed], document: Callable[..., Any]
) -> Callable[..., Any]:
    """Normalizes a schema to `(json, findings)`; `definitions` are the further components."""

    def normal(
        schema_object: Any, version: str = "3.1.0", definitions: dict[str, Any] | None = None
    ) -> tuple[Any, Parsed]:
        body = {"content": {"application/json": {"schema": schema_object}}}
        tree = document(
            {"requestBody": body}, version=version, components={"schemas": definitions or {}}
        )
        result = parse_document(tree)
        request_body = result.operation.body
        assert request_body is not None
        assert request_body.media[0].schema is not None
        return request_body.media[0].schema.json, result

    return normal


@pytest.fixture
def swagger() -> Callable[..., dict[str, Any]]:
    """Builds a Swagger 2.0 document with the given paths, or with an operation `POST /a` with the
    given fields."""

    def make(operation: dict[str, Any] | None = None, *, paths: Any = None, **fields: Any) -> Any:
        path_items = {"/a": {"post": operation or {}}} if paths is None else paths
        return {
            "swagger": "2.0",
            "info": {"title": "A", "version": "1"},
            "paths": path_items,
        } | fields

    return make
