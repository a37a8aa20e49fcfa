"""The context in which one operation is parsed: shared services, and lists that the parse fills."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mcpgen.diagnostics import Code, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import (
    REFERENCE_EXAMPLES,
    Node,
    Path,
    format_value,
    format_wrong_value,
    value_kind,
)
from mcpgen.parse.references import BrokenReference, References
from mcpgen.parse.schemas import NormalizedSchema, SchemaRegistry

DOCUMENT = "the document"
"""`ParseContext.operation` of the context for everything outside operations."""

_OVERRIDING_FIELDS = ("summary", "description")
"""Fields of a Reference Object that replace the target's since OpenAPI 3.1
(https://spec.openapis.org/oas/v3.1.1.html#reference-object)."""

Value = TypeVar("Value")

NodeKey = tuple[str, str, Path]
"""Kind of a parsed value (`parameter`, `response`), key of the document, and path of the node."""


@dataclass(frozen=True, slots=True)
class ParsedValue:
    """The value parsed from a node, with the raw JSON of the node and the schemas inside."""

    raw: Json
    value: Any
    schemas: list[NormalizedSchema]


@dataclass(frozen=True, slots=True)
class ParseContext:
    """Shared services of a parse, and lists that the parse of one operation fills.

    `operation`: name in messages, such as `GET /pets/{id}`. `fault_reasons`: reasons why the operation
    is unusable, each already reported. `request_schemas`, `response_schemas`: schemas of the request
    and of the responses. `is_response`: the context parses responses, whose faults are warnings and
    leave the operation usable. `optional_fault_locations`: broken references that an earlier stage
    reported as errors, although the operation is usable without the target.

    Shared by all operations: `parsed_values`, parsed once, and `scheme_faults`, reasons why security
    schemes are unusable, by id.
    """

    rules: DialectRules
    references: References
    schemas: SchemaRegistry
    diagnostics: Diagnostics
    operation: str
    fault_reasons: list[str] = field(default_factory=list)
    request_schemas: list[NormalizedSchema] = field(default_factory=list)
    response_schemas: list[NormalizedSchema] = field(default_factory=list)
    is_response: bool = False
    optional_fault_locations: list[Location] = field(default_factory=list)
    parsed_values: dict[NodeKey, ParsedValue] = field(default_factory=dict)
    scheme_faults: dict[str, str] = field(default_factory=dict)

    def for_operation(self, operation: str) -> ParseContext:
        """Returns a context for another operation, with empty lists."""
        return ParseContext(
            self.rules,
            self.references,
            self.schemas,
            self.diagnostics,
            operation,
            parsed_values=self.parsed_values,
            scheme_faults=self.scheme_faults,
        )

    def for_responses(self) -> ParseContext:
        """Returns a context for the operation's responses, with fault reasons of its own."""
        return replace(self, is_response=True, fault_reasons=[])

    @property
    def _used_schemas(self) -> list[NormalizedSchema]:
        return self.response_schemas if self.is_response else self.request_schemas

    def parse_once(self, kind: str, node: Node, parse: Callable[[], Value]) -> Value:
        """Parses a shared node once for all operations.

        A node with findings is parsed for every operation, since the findings name the operation.
        """
        key = (kind, node.document.key, node.path)
        cached = self.parsed_values.get(key)
        # The raw JSON is compared as well: for references that override the `description` of one place,
        # `follow` returns nodes with the same key and different values.
        if cached and cached.raw is node.value:
            self._used_schemas.extend(cached.schemas)
            cached_value: Value = cached.value
            return cached_value
        finding_counts = (self.diagnostics.add_count, len(self.fault_reasons))
        first = len(self._used_schemas)
        value = parse()
        if finding_counts == (self.diagnostics.add_count, len(self.fault_reasons)):
            self.parsed_values[key] = ParsedValue(node.value, value, self._used_schemas[first:])
        return value

    def report(
        self, code: Code, node: Node, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Adds a finding; the operation stays usable."""
        self.diagnostics.add(code, node.at, severity=severity, **facts)

    def fail(self, code: Code, node: Node, **facts: object) -> None:
        """Adds an error that makes the operation unusable; in a response, a warning."""
        severity = Severity.WARNING if self.is_response else None
        self.diagnostics.add(code, node.at, severity=severity, **facts)
        self.fault_reasons.append(code.message.format(**facts))

    def fail_malformed(self, node: Node, what: str, expected: str) -> None:
        """Adds MALFORMED_OPERATION: the value, called `what` in the message, has the wrong type."""
        self.fail(
            codes.MALFORMED_OPERATION,
            node,
            what=what,
            operation=self.operation,
            expected=expected,
            actual=format_wrong_value(node.value),
        )

    def report_ignored(
        self,
        node: Node,
        key: str,
        expected: str,
        *,
        what: str = "",
        outcome: str = "it is ignored",
    ) -> None:
        """Adds IGNORED_VALUE: the value has the wrong type or is not allowed, and parsing goes on.

        `what` names a value that is not the value of `key`; `outcome` says what happens instead.
        """
        self.report(
            codes.IGNORED_VALUE,
            node,
            what=what or f"`{key}`",
            expected=expected,
            actual=format_wrong_value(node.value),
            outcome=outcome,
        )

    def schema(self, node: Node) -> Schema:
        """Returns the normalized schema at a node, and records the schema as used."""
        schema = self.schemas.inline(node)
        self._used_schemas.append(schema)
        return schema.schema

    def follow(self, node: Node, *, is_required: bool = True) -> Node | None:
        """Follows the references of a node; None for a broken reference, with a finding unless an
        earlier stage reported the reference.

        The finding is an error if `is_required`, outside of responses; otherwise a warning. `summary`
        and `description` beside a reference override the target's, since OpenAPI 3.1.
        """
        if not node.has("$ref"):
            return node
        visited: set[tuple[str, Path]] = set()
        overrides: dict[str, Json] = {}
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
            # Fields of the first reference win over those of later references.
            fields = {key: current.get(key) for key in _OVERRIDING_FIELDS if current.has(key)}
            overrides = fields | overrides
            current = target
        if overrides and not self.rules.older_schemas and isinstance(current.value, dict):
            return Node(current.value | overrides, current.document, current.path)
        return current

    def _target(self, node: Node) -> Node | BrokenReference:
        """Returns the target of the node's `$ref`."""
        reference = node.get("$ref")
        if isinstance(reference, str):
            return self.references.find(reference, node.document, node.path)
        return BrokenReference(codes.MALFORMED_REFERENCE, value_kind(reference))

    def _report_broken(self, node: Node, broken: BrokenReference, is_required: bool) -> None:
        """Reports a broken reference, unless an earlier stage did."""
        facts = {
            "reference": format_value(node.value, 200),
            "reason": broken.reason,
            "keyword": "$ref",
            "example": REFERENCE_EXAMPLES["$ref"],
        }
        is_required = is_required and not self.is_response
        if broken.is_reported and not is_required:
            self.optional_fault_locations.append(node.at)
        if not broken.is_reported:
            severity = None if is_required else Severity.WARNING
            self.report(broken.code, node, severity=severity, **facts)
        if is_required:
            self.fault_reasons.append(broken.code.message.format(**facts))
