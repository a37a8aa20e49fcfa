"""The schemas of an API as they are met: inline ones normal at once, named ones one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json, Source
from mcpgen.parse.dialect_rules import DialectRules
from mcpgen.parse.node import Node, Path, format_value
from mcpgen.parse.pointer import step
from mcpgen.parse.references import BrokenReference, References
from mcpgen.parse.schemas.closed_allof import Composed, open_closed_parts
from mcpgen.parse.schemas.context import FindingTally, NormalizeContext
from mcpgen.parse.schemas.keywords import KEYWORDS
from mcpgen.parse.schemas.names import SchemaNames
from mcpgen.parse.schemas.normalize import normalize_schema
from mcpgen.parse.schemas.reference_cycles import cut_reference_cycles
from mcpgen.parse.schemas.reference_explosion import cut_reference_explosions
from mcpgen.parse.schemas.subtypes import Subtypes


@dataclass(frozen=True, slots=True)
class NormalizedSchema:
    """A schema in its normal form. `uses` are the definitions it refers to itself; `fault` says why
    it cannot be used, or is `""`; `faults` are the places of all faults."""

    schema: Schema
    uses: tuple[str, ...]
    fault: str
    faults: tuple[Location, ...] = ()


class SchemaRegistry:
    """Every schema of one API; each is normalised once, and only if something reaches it."""

    def __init__(
        self, source: Source, rules: DialectRules, references: References, diagnostics: Diagnostics
    ) -> None:
        self._rules = rules
        self._source = source
        self._references = references
        self._diagnostics = diagnostics
        self._names = SchemaNames(source)
        self._heirs = Subtypes(source, rules, references)
        self.tally = FindingTally()
        self._composed: list[Composed] = []
        self._inline: dict[tuple[str, Path], NormalizedSchema] = {}
        self._named: dict[tuple[str, Path], str] = {}
        self._by_reference: dict[tuple[str, str], str] = {}
        self._pending: deque[tuple[str, Node]] = deque()
        self._definitions: dict[str, NormalizedSchema] = {}

    def inline(self, node: Node) -> NormalizedSchema:
        """The schema that stands at a place."""
        key = (node.document.key, node.path)
        if key not in self._inline:
            self._inline[key] = self._normalised(node)
        return self._inline[key]

    def finish(self) -> Mapping[str, NormalizedSchema]:
        """All definitions that were reached, in the order they were; tells what was counted."""
        while self._pending:
            name, node = self._pending.popleft()
            self._definitions[name] = self._normalised(node)
        schemas = {name: found.schema for name, found in self._definitions.items()}
        cut_reference_cycles(schemas, self._diagnostics)
        cut_reference_explosions(schemas, self._diagnostics)
        open_closed_parts(self._composed, schemas, self._diagnostics)
        self.tally.tell(self._diagnostics)
        return self._definitions

    def definition(self, walk: NormalizeContext, reference: str, path: Path) -> str | None:
        """The name of the schema a reference means; None, with an error told, if there is none."""
        key = (walk.document.key, reference)
        known = self._by_reference.get(key)
        if known is None:
            found = self._references.find(reference, walk.document, path)
            if isinstance(found, BrokenReference):
                facts = {"reference": format_value(reference, 200), "reason": found.reason}
                walk.fail(found.code, (*path, "$ref"), told=found.told, **facts)
                return None
            known = self._name(found)
            if not self._references.anchors.within(walk.document):
                self._by_reference[key] = known
        walk.uses[known] = None
        return known

    def keys(self, walk: NormalizeContext, reference: str, path: Path) -> list[str] | None:
        """The keys of the mapping a reference means; None if there is none."""
        found = self._references.find(reference, walk.document, path)
        mapping = isinstance(found, Node) and isinstance(found.value, dict)
        return [key for key, _ in found.members()] if isinstance(found, Node) and mapping else None

    def dynamic(
        self, walk: NormalizeContext, keyword: str, reference: str, path: Path
    ) -> str | None:
        """The name of the schema that a dynamic reference means where it stands, or None."""
        told = format_value(reference, 200)
        if keyword == "$recursiveRef":
            found = self._references.anchors.recursive(walk.document, path)
        else:
            target = self._references.find(reference, walk.document, path)
            found = target if isinstance(target, Node) else None
        if found is None:
            reason = "no schema around it can be meant"
            place = (*path, keyword)
            walk.fail(codes.DANGLING_REFERENCE, place, reference=told, reason=reason)
            return None
        walk.warn(codes.DYNAMIC_REFERENCE, (*path, keyword), keyword=keyword, reference=told)
        name = self._name(found)
        walk.uses[name] = None
        return name

    def family(self, walk: NormalizeContext, path: Path) -> dict[str, str]:
        """The definitions that inherit from the schema at a path, then its own, by the names that
        a discriminator has for them; none if no schema inherits from it."""
        node = Node(walk.document.tree, walk.document, ())
        value = node.value
        for key in path:
            exists, value = step(value, key)
            if not exists:
                return {}
        base = Node(value, walk.document, path)
        heirs = self._heirs.of(base)
        found = {heir: self.mapped(walk, heir, path) for heir in heirs}
        own = {path[-1]: self._name(base)} if heirs else {}
        return {name: of for name, of in found.items() if of is not None} | own

    def mapped(self, walk: NormalizeContext, target: str, path: Path) -> str | None:
        """The name of the schema that a discriminator's mapping names, or None."""
        component = Node(self._source.root.tree, self._source.root, ())
        for key in (*self._rules.definitions, target):
            component = component.child(key)
        if component.value is not None:
            name = self._name(component)
        else:
            found = self._references.find(target, walk.document, path)
            if isinstance(found, BrokenReference):
                return None
            name = self._name(found)
        walk.uses[name] = None
        return name

    def _name(self, node: Node) -> str:
        """The name of the schema at a place, which is normalised in its turn."""
        key = (node.document.key, node.path)
        if key not in self._named:
            name, wanted = self._names.name(node)
            if name != wanted:
                at = node.at
                self._diagnostics.add(codes.RENAMED_DEFINITION, at, wanted=wanted, name=name)
            self._named[key] = name
            self._pending.append((name, node))
        return self._named[key]

    def _normalised(self, node: Node) -> NormalizedSchema:
        shared = (self._rules, KEYWORDS, self, self._diagnostics, self.tally, self._composed)
        walk = NormalizeContext(node.document, *shared)
        json: Json = normalize_schema(walk, node.value, node.path)
        return NormalizedSchema(
            Schema(json, node.at), tuple(walk.uses), walk.fault, tuple(walk.faults)
        )
