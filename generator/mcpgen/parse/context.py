"""What one operation is read with, and what stands in its way."""

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
"""What the scope of everything outside the operations is called."""

_OVERRIDES = ("summary", "description")
"""What a Reference Object may say itself since OpenAPI 3.1."""

Made = TypeVar("Made")

Key = tuple[str, str, Path]
"""What is read, and the document and the path where it stands."""


@dataclass(frozen=True, slots=True)
class ParseContext:
    """The tools of the walk, shared by all operations, and the troubles of one of them.

    `operation` is how messages call it (`GET /pets/{id}`, or the part of the document that is being
    read). `faults` are reasons why it cannot be built, each already told; `used` are its schemas.
    `known` is what was made of places, with the value that stands there and the schemas it uses.
    `answers` are the schemas of its responses, without which it can be called all the same.
    `is_needed` is false for the part of an operation that no request depends on: faults in it are
    warnings. `spared` are the places of such faults that an earlier stage has told as errors.
    `unusable` says of security schemes why they cannot be used, by id.
    """

    rules: DialectRules
    references: References
    schemas: SchemaRegistry
    diagnostics: Diagnostics
    operation: str
    faults: list[str] = field(default_factory=list)
    used: list[NormalizedSchema] = field(default_factory=list)
    known: dict[Key, tuple[Json, Any, list[NormalizedSchema]]] = field(default_factory=dict)
    answers: list[NormalizedSchema] = field(default_factory=list)
    is_needed: bool = True
    spared: list[Location] = field(default_factory=list)
    unusable: dict[str, str] = field(default_factory=dict)

    def within(self, operation: str) -> ParseContext:
        """The same tools for another operation, which has no troubles yet."""
        tools = (self.rules, self.references, self.schemas, self.diagnostics)
        return ParseContext(*tools, operation, known=self.known, unusable=self.unusable)

    def for_responses(self) -> ParseContext:
        """The same operation for what no request depends on: nothing found there costs the
        operation."""
        tools = (self.rules, self.references, self.schemas, self.diagnostics, self.operation)
        return ParseContext(
            *tools, used=self.answers, known=self.known, is_needed=False, spared=self.spared
        )

    def once(self, what: str, node: Node, parse: Callable[[], Made]) -> Made:
        """What `read` makes of a node that other operations refer to as well: made once, unless
        something is told of it, which names the operation and so is told of each."""
        key = (what, node.document.key, node.path)
        value, value_made, schemas_used = self.known.get(key, (None, None, []))
        if value is node.value is not None:
            self.used.extend(schemas_used)
            parsed: Made = value_made
            return parsed
        state_before = (self.diagnostics.add_count, len(self.faults))
        first = len(self.used)
        parsed = parse()
        if state_before == (self.diagnostics.add_count, len(self.faults)):
            self.known[key] = (node.value, parsed, self.used[first:])
        return parsed

    def report(
        self, code: Code, node: Node, *, severity: Severity | None = None, **facts: object
    ) -> None:
        """Adds a finding that the operation survives."""
        self.diagnostics.add(code, node.at, severity=severity, **facts)

    def fail(self, code: Code, node: Node, **facts: object) -> None:
        """Adds an error that stands in the way of the operation; a warning where no request
        depends on the node."""
        severity = None if self.is_needed else Severity.WARNING
        self.diagnostics.add(code, node.at, severity=severity, **facts)
        self.faults.append(code.message.format(**facts))

    def malformed(self, node: Node, what: str, expected: str) -> None:
        """Adds the error that a part of the operation has the wrong shape: `what`, as a sentence names
        it."""
        self.fail(
            codes.MALFORMED_OPERATION,
            node,
            what=what,
            operation=self.operation,
            expected=expected,
            actual=format_wrong_value(node.value),
        )

    def ignored(self, node: Node, what: str, expected: str) -> None:
        """Adds the warning that a value has the wrong shape and does not matter."""
        actual = format_wrong_value(node.value)
        self.report(codes.IGNORED_VALUE, node, what=what, expected=expected, actual=actual)

    def schema(self, node: Node) -> Schema:
        """The schema that stands at a place."""
        schema = self.schemas.inline(node)
        self.used.append(schema)
        return schema.schema

    def follow(self, node: Node, *, is_required: bool = True) -> Node | None:
        """What a node means once its references are followed; None, with the finding told, if they
        lead nowhere: an error where the operation needs the value, else a warning.

        Texts beside a reference replace those of its target where the dialect allows them.
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
                self._astray(current.child("$ref"), target, is_required)
                return None
            visited.add(place)
            texts = {k: current.get(k) for k in _OVERRIDES if current.has(k)} | texts
            current = target
        if texts and not self.rules.older_schemas and isinstance(current.value, dict):
            return Node(current.value | texts, current.document, current.path)
        return current

    def _target(self, node: Node) -> Node | BrokenReference:
        """What the reference of a node names."""
        reference = node.get("$ref")
        if isinstance(reference, str):
            return self.references.find(reference, node.document, node.path)
        return BrokenReference(codes.MALFORMED_REFERENCE, value_kind(reference))

    def _astray(self, node: Node, broken: BrokenReference, is_required: bool) -> None:
        """Tells a reference that leads nowhere, unless an earlier stage has."""
        facts = {"reference": format_value(node.value, 200), "reason": broken.reason}
        is_required = is_required and self.is_needed
        if broken.is_reported and not is_required:
            self.spared.append(node.at)
        if not broken.is_reported:
            severity = None if is_required else Severity.WARNING
            self.report(broken.code, node, severity=severity, **facts)
        if is_required:
            self.faults.append(broken.code.message.format(**facts))
