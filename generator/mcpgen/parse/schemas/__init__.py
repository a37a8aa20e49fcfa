"""Normalizes schemas of every dialect to JSON Schema 2020-12: inline schemas at once, named ones as a queue."""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json, Source
from mcpgen.parse.dialects import DialectRules
from mcpgen.parse.node import Node, Path, format_value, get_member
from mcpgen.parse.references import BrokenReference, References
from mcpgen.parse.schemas.closed_allof import Composition, open_closed_parts
from mcpgen.parse.schemas.context import FindingTally, NormalizeContext
from mcpgen.parse.schemas.keywords import KEYWORDS
from mcpgen.parse.schemas.normalize import normalize_schema
from mcpgen.parse.schemas.reference_cycles import cut_reference_cycles, cut_reference_explosions


@dataclass(frozen=True, slots=True)
class NormalizedSchema:
    """A normalized schema. `uses`: names of referenced definitions. `fault_reason`: the first reason
    why the schema is unusable, or `""`. `fault_locations`: locations of all reasons."""

    schema: Schema
    uses: tuple[str, ...]
    fault_reason: str
    fault_locations: tuple[Location, ...] = ()


class SchemaRegistry:
    """Schemas of one API; each is normalized once, on first use."""

    def __init__(
        self, source: Source, rules: DialectRules, references: References, diagnostics: Diagnostics
    ) -> None:
        self._rules = rules
        self._source = source
        self._references = references
        self._diagnostics = diagnostics
        self._names = SchemaNames(source)
        self._subtypes = Subtypes(source, rules, references)
        self.tally = FindingTally()
        self._compositions: list[Composition] = []
        self._inline: dict[tuple[str, Path], NormalizedSchema] = {}
        self._named: dict[tuple[str, Path], str] = {}
        self._by_reference: dict[tuple[str, str], str] = {}
        self._pending: deque[tuple[str, Node]] = deque()
        self._definitions: dict[str, NormalizedSchema] = {}

    def inline(self, node: Node) -> NormalizedSchema:
        """Normalized schema at a node."""
        key = (node.document.key, node.path)
        if key not in self._inline:
            self._inline[key] = self._normalize(node)
        return self._inline[key]

    def finish(self) -> Mapping[str, NormalizedSchema]:
        """Normalizes the queued schemas; returns all definitions by name, in the order of first
        use.

        Cuts reference cycles and explosions, opens closed parts of `allOf`, and reports the tally.
        """
        while self._pending:
            name, node = self._pending.popleft()
            self._definitions[name] = self._normalize(node)
        schemas = {name: normalized.schema for name, normalized in self._definitions.items()}
        cut_reference_cycles(schemas, self._diagnostics)
        cut_reference_explosions(schemas, self._diagnostics)
        open_closed_parts(self._compositions, schemas, self._diagnostics)
        self.tally.report(self._diagnostics)
        return self._definitions

    def of_reference(self, context: NormalizeContext, reference: str, path: Path) -> str | None:
        """Name of the schema behind a reference; None after an error."""
        key = (context.document.key, reference)
        name = self._by_reference.get(key)
        if name is None:
            target = self._references.find(reference, context.document, path)
            if isinstance(target, BrokenReference):
                facts = {"reference": format_value(reference, 200), "reason": target.reason}
                context.fail(target.code, (*path, "$ref"), is_reported=target.is_reported, **facts)
                return None
            name = self._name(target)
            if not self._references.anchors.depends_on_position(context.document):
                self._by_reference[key] = name
        context.uses[name] = None
        return name

    def member_keys(
        self, context: NormalizeContext, reference: str, path: Path
    ) -> list[str] | None:
        """Keys of the mapping behind a reference; None if there is no mapping."""
        target = self._references.find(reference, context.document, path)
        mapping = isinstance(target, Node) and isinstance(target.value, dict)
        return (
            [key for key, _ in target.members()] if isinstance(target, Node) and mapping else None
        )

    def of_dynamic_reference(
        self, context: NormalizeContext, keyword: str, reference: str, path: Path
    ) -> str | None:
        """Name of the target of a dynamic reference at its static position; None after
        DANGLING_REFERENCE."""
        reference_text = format_value(reference, 200)
        if keyword == "$recursiveRef":
            schema = self._references.anchors.find_recursive_anchor(context.document, path)
        else:
            target = self._references.find(reference, context.document, path)
            schema = target if isinstance(target, Node) else None
        if schema is None:
            reason = "no schema around it can be meant"
            place = (*path, keyword)
            context.fail(codes.DANGLING_REFERENCE, place, reference=reference_text, reason=reason)
            return None
        context.warn(
            codes.DYNAMIC_REFERENCE, (*path, keyword), keyword=keyword, reference=reference_text
        )
        name = self._name(schema)
        context.uses[name] = None
        return name

    def of_subtypes(self, context: NormalizeContext, path: Path) -> dict[str, str]:
        """Definitions that inherit from the schema at a path, then the schema itself, by
        discriminator value; empty without subtypes."""
        node = Node(context.document.tree, context.document, ())
        value = node.value
        for key in path:
            exists, value = get_member(value, key)
            if not exists:
                return {}
        base = Node(value, context.document, path)
        subtypes = self._subtypes.of(base)
        definitions = {
            subtype: self.of_mapping_entry(context, subtype, path) for subtype in subtypes
        }
        base_entry = {path[-1]: self._name(base)} if subtypes else {}
        return {name: of for name, of in definitions.items() if of is not None} | base_entry

    def of_mapping_entry(self, context: NormalizeContext, target: str, path: Path) -> str | None:
        """Name of the schema in an entry of a discriminator's `mapping`, or None."""
        component = Node(self._source.root.tree, self._source.root, ())
        for key in (*self._rules.definitions, target):
            component = component.child(key)
        if component.value is not None:
            name = self._name(component)
        else:
            schema = self._references.find(target, context.document, path)
            if isinstance(schema, BrokenReference):
                return None
            name = self._name(schema)
        context.uses[name] = None
        return name

    def _name(self, node: Node) -> str:
        """Name of the schema at a node, which is queued for normalization."""
        key = (node.document.key, node.path)
        if key not in self._named:
            name, preferred = self._names.name(node)
            if name != preferred:
                at = node.at
                self._diagnostics.add(codes.RENAMED_DEFINITION, at, wanted=preferred, name=name)
            self._named[key] = name
            self._pending.append((name, node))
        return self._named[key]

    def _normalize(self, node: Node) -> NormalizedSchema:
        shared = (self._rules, KEYWORDS, self, self._diagnostics, self.tally, self._compositions)
        context = NormalizeContext(node.document, *shared)
        json: Json = normalize_schema(context, node.value, node.path)
        return NormalizedSchema(
            Schema(json, node.at),
            tuple(context.uses),
            context.fault_reason,
            tuple(context.fault_locations),
        )


_MAX_NAME = 80
_CONTAINERS = frozenset({"schemas", "definitions", "$defs"})
_NOISE = frozenset(
    {"paths", "components", "schemas", "definitions", "$defs", "properties", "items"}
    | {"content", "schema", "application/json", "allOf", "anyOf", "oneOf"}
)
"""Keys that describe nothing about a schema."""
_ILLEGAL = re.compile(r"[^A-Za-z0-9_.-]+")


class SchemaNames:
    """Unique names for definitions. The names of the first document's components are reserved."""

    def __init__(self, source: Source) -> None:
        self._taken: set[str] = set()
        self._own: dict[Path, str] = {}
        for container, key in _components(source.root.tree):
            name = _replace_illegal(key)
            if name and name not in self._taken:
                self._taken.add(name)
                self._own[(*container, key)] = name

    def name(self, node: Node) -> tuple[str, str]:
        """Unique name for the schema at a node, and the preferred name, usually the same."""
        if not node.document.key and node.path in self._own:
            component = self._own[node.path]
            return component, component
        stem = _replace_illegal(posixpath.basename(node.document.key).partition(".")[0])
        preferred = _derive_name(node.path) or stem or "schema"
        name = preferred
        if name in self._taken and stem and stem != preferred:
            name = f"{stem}_{preferred}"[:_MAX_NAME]
        number = 2
        base = name
        while name in self._taken:
            name = f"{base[: _MAX_NAME - 8]}_{number}"
            number += 1
        self._taken.add(name)
        return name, preferred


def _components(tree: Json) -> list[tuple[Path, str]]:
    """Containers and keys of the named schemas of a document, in document order."""
    components: list[tuple[Path, str]] = []
    for container in (("components", "schemas"), ("definitions",)):
        value = tree
        for key in container:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, dict):
            components.extend((container, key) for key in value)
    return components


def _derive_name(path: Path) -> str:
    """Preferred name for a schema at a path; `""` for a whole document.

    Example: `/paths/~1pets/get/parameters/0/schema` gives `pets_get_parameters_0`.
    """
    if len(path) > 1 and path[-2] in _CONTAINERS:
        return _replace_illegal(path[-1])
    parts = [key for key in path if key not in _NOISE]
    return _replace_illegal("_".join(parts or path[-1:]))


def _replace_illegal(text: str) -> str:
    """Replaces characters that names must not have."""
    return _ILLEGAL.sub("_", text).strip("_.-")[:_MAX_NAME]


_ALTERNATIVES = ("oneOf", "anyOf")

Place = tuple[str, Path]
"""Key of a document, and path in the document."""


class Subtypes:
    """Named schemas of the first document that inherit by `allOf` from another schema; collected on
    first use."""

    def __init__(self, source: Source, rules: DialectRules, references: References) -> None:
        self._source = source
        self._rules = rules
        self._references = references
        self._direct: dict[Place, list[tuple[str, Place]]] | None = None

    def of(self, node: Node) -> list[str]:
        """Names of all subtypes of a schema, generation by generation, in document order; none for
        a schema with its own `oneOf` or `anyOf`."""
        if any(node.has(keyword) for keyword in _ALTERNATIVES):
            return []
        direct = self._direct_subtypes()
        names: dict[str, None] = {}
        pending = list(direct.get((node.document.key, node.path), ()))
        while pending:
            name, place = pending.pop(0)
            if name not in names:
                names[name] = None
                pending.extend(direct.get(place, ()))
        return list(names)

    def _direct_subtypes(self) -> dict[Place, list[tuple[str, Place]]]:
        """Direct subtypes by place of the supertype."""
        if self._direct is None:
            self._direct = {}
            container = Node(self._source.root.tree, self._source.root, ())
            for key in self._rules.definitions:
                container = container.child(key)
            for name, schema in container.members():
                self._note(name, schema, self._direct)
        return self._direct

    def _note(self, name: str, schema: Node, direct: dict[Place, list[tuple[str, Place]]]) -> None:
        for element in schema.child("allOf").elements():
            reference = element.get("$ref")
            if not isinstance(reference, str):
                continue
            parent = self._references.find(reference, element.document, element.path)
            if isinstance(parent, Node):
                subtype = (name, (schema.document.key, schema.path))
                direct.setdefault((parent.document.key, parent.path), []).append(subtype)


__all__ = ["NormalizedSchema", "SchemaRegistry"]
