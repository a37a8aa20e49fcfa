"""Context while parsing one operation: shared services, and the faults of the operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mcpgen.diagnostics import Code, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import Node, Path, format_value, format_wrong_value, value_kind
from mcpgen.parse.references import BrokenReference, References
from mcpgen.parse.schemas import NormalizedSchema, SchemaRegistry

DOCUMENT = "the document"
"""Name of the context for everything outside operations."""

_OVERRIDES = ("summary", "description")
"""Fields that a Reference Object may override since OpenAPI 3.1."""

Value = TypeVar("Value")

Key = tuple[str, str, Path]
"""Kind of a parsed value, key of the document, and path."""


@dataclass(frozen=True, slots=True)
class ParseContext:
    """Shared services of a parse, and the state of one operation.

    `operation`: name in messages, such as `GET /pets/{id}`. `faults`: reasons against the
    operation, each already reported. `request_schemas`: schemas of the request. `response_schemas`: schemas of the
    responses. `parsed_values`: parsed values by place, each with the raw value and the schemas used.
    `is_needed`: false while parsing responses, whose faults are warnings. `response_faults_reported`: locations of
    such faults that an earlier stage reported as errors. `scheme_faults`: reasons against security
    schemes, by id.
    """

    rules: DialectRules
    references: References
    schemas: SchemaRegistry
    diagnostics: Diagnostics
    operation: str
    faults: list[str] = field(default_factory=list)
    request_schemas: list[NormalizedSchema] = field(default_factory=list)
    parsed_values: dict[Key, tuple[Json, Any, list[NormalizedSchema]]] = field(default_factory=dict)
    response_schemas: list[NormalizedSchema] = field(default_factory=list)
    is_needed: bool = True
    response_faults_reported: list[Location] = field(default_factory=list)
    scheme_faults: dict[str, str] = field(default_factory=dict)

    def for_operation(self, operation: str) -> ParseContext:
        """Context for another operation, without faults."""
        tools = (self.rules, self.references, self.schemas, self.diagnostics)
        return ParseContext(
            *tools, operation, parsed_values=self.parsed_values, scheme_faults=self.scheme_faults
        )

    def for_responses(self) -> ParseContext:
        """Context for the operation's responses, whose faults do not make the operation unusable."""
        tools = (self.rules, self.references, self.schemas, self.diagnostics, self.operation)
        return ParseContext(
            *tools,
            request_schemas=self.response_schemas,
            parsed_values=self.parsed_values,
            is_needed=False,
            response_faults_reported=self.response_faults_reported,
        )

    def once(self, what: str, node: Node, parse: Callable[[], Value]) -> Value:
        """Parses a shared node once for all operations.

        A node with findings is parsed for every operation, since the findings name the operation.
        """
        key = (what, node.document.key, node.path)
        value, cached, cached_schemas = self.parsed_values.get(key, (None, None, []))
        if value is node.value is not None:
            self.request_schemas.extend(cached_schemas)
            parsed: Value = cached
            return parsed
        state_before = (self.diagnostics.add_count, len(self.faults))
        first = len(self.request_schemas)
        parsed = parse()
        if state_before == (self.diagnostics.add_count, len(self.faults)):
            self.parsed_values[key] = (node.value, parsed, self.request_schemas[first:])
        return parsed

    def report(
        self, code: Code, node: Node, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Adds a finding; the operation stays usable."""
        self.diagnostics.add(code, node.at, severity=severity, **facts)

    def fail(self, code: Code, node: Node, **facts: object) -> None:
        """Adds an error that makes the operation unusable; in a response, a warning."""
        severity = None if self.is_needed else Severity.WARNING
        self.diagnostics.add(code, node.at, severity=severity, **facts)
        self.faults.append(code.message.format(**facts))

    def fail_malformed(self, node: Node, what: str, expected: str) -> None:
        """Adds MALFORMED_OPERATION: `what` has the wrong shape."""
        self.fail(
            codes.MALFORMED_OPERATION,
            node,
            what=what,
            operation=self.operation,
            expected=expected,
            actual=format_wrong_value(node.value),
        )

    def report_ignored(self, node: Node, what: str, expected: str) -> None:
        """Adds IGNORED_VALUE: a value of the wrong shape that the operation does not need."""
        actual = format_wrong_value(node.value)
        self.report(codes.IGNORED_VALUE, node, what=what, expected=expected, actual=actual)

    def schema(self, node: Node) -> Schema:
        """Normalized schema at a node."""
        schema = self.schemas.inline(node)
        self.request_schemas.append(schema)
        return schema.schema

    def follow(self, node: Node, *, is_required: bool = True) -> Node | None:
        """Follows the references of a node; None after a finding for a broken reference.

        The finding is an error if `is_required`, otherwise a warning. `summary` and `description`
        beside a reference override the target's, since OpenAPI 3.1.
        """
        if not node.has("$ref"):
            return node
        visited: set[tuple[str, Path]] = set()
        texts: dict[str, Json] = {}
        current = node
        while current.has("$ref"):
            place = (current.document.key, current.path)
            target = (
                BrokenReference(codes.CIRCULAR_REFERENCE)
                if place in visited
                else self._target(current)
            )
            if isinstance(target, BrokenReference):
                self._report_broken(current.child("$ref"), target, is_required)
                return None
            visited.add(place)
            texts = {k: current.get(k) for k in _OVERRIDES if current.has(k)} | texts
            current = target
        if texts and not self.rules.older_schemas and isinstance(current.value, dict):
            return Node(current.value | texts, current.document, current.path)
        return current

    def _target(self, node: Node) -> Node | BrokenReference:
        """Target of the node's `$ref`."""
        reference = node.get("$ref")
        if isinstance(reference, str):
            return self.references.find(reference, node.document, node.path)
        return BrokenReference(codes.MALFORMED_REFERENCE, value_kind(reference))

    def _report_broken(self, node: Node, broken: BrokenReference, is_required: bool) -> None:
        """Reports a broken reference, unless an earlier stage did."""
        facts = {"reference": format_value(node.value, 200), "reason": broken.reason}
        is_required = is_required and self.is_needed
        if broken.is_reported and not is_required:
            self.response_faults_reported.append(node.at)
        if not broken.is_reported:
            severity = None if is_required else Severity.WARNING
            self.report(broken.code, node, severity=severity, **facts)
        if is_required:
            self.faults.append(broken.code.message.format(**facts))
