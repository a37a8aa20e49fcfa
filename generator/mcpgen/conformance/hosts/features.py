"""What a tool's input schema is made of, collected in one walk and compared with many hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mcpgen.conformance.schemas import NESTED, NESTED_LISTS, NESTED_MAPS
from mcpgen.conformance.strict_json import Json

TOLD = frozenset(
    {
        *("enum", "const", "default", "format", "pattern", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
        *("minItems", "maxItems", "minProperties", "maxProperties"),
    }
)
"""Keywords whose values can be told in the description as well."""

BRANCHES = ("anyOf", "oneOf", "allOf")
TYPED_ELSEWHERE = ("$ref", "not", "if", *BRANCHES)
DEEPER = frozenset({"items", "properties", "additionalProperties", "prefixItems"})
"""Keywords under which a value is nested in another."""
HOLDERS = frozenset({*NESTED, *NESTED_LISTS, *NESTED_MAPS})
"""Keywords that hold schemas."""


@dataclass(slots=True)
class ToolFeatures:
    """The features of one tool. A place is a path of keywords into the schema, `""` at its root.

    `marks` are keywords and what else a host may mind, with the first place of each; `lost` those
    whose value no description tells. `root` are the marks of the root alone. `keys` are argument
    names with whether they are top-level. The rest counts: depth of values in values, properties,
    enumerated values, and characters of names and values.
    """

    marks: dict[str, str] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    root: frozenset[str] = frozenset()
    keys: list[tuple[str, bool]] = field(default_factory=list)
    depth: int = 0
    properties: int = 0
    enum: int = 0
    chars: int = 0


@dataclass(slots=True)
class _Node:
    """A schema on the walk. `told` is the description that speaks for it; `branch` tells that it
    is an alternative of its parent."""

    schema: Json
    place: str = ""
    depth: int = 0
    told: str = ""
    branch: bool = False


def tool_features(tool: Mapping[str, Json]) -> ToolFeatures:
    """The features of a tool's `inputSchema`; those of an empty schema where there is none."""
    schema = tool.get("inputSchema")
    features = ToolFeatures()
    if not isinstance(schema, dict):
        return features
    features.root = frozenset({*schema, *_root_marks(schema)})
    waiting = [_Node(schema)]
    while waiting:
        node = waiting.pop()
        _note(features, node)
        if isinstance(node.schema, dict):
            waiting.extend(_inside(node))
    if "$ref" in features.marks and _recursive(schema):
        features.marks["recursion"] = features.marks["$ref"]
    return features


def _root_marks(schema: Mapping[str, Json]) -> Iterator[str]:
    if schema.get("type") != "object":
        yield "root-not-object"
    if schema.get("additionalProperties", False) is not False:
        yield "open-root"


def _note(features: ToolFeatures, node: _Node) -> None:
    """Adds what this one schema has to the features."""
    schema, place = node.schema, node.place
    features.depth = max(features.depth, node.depth)
    if not isinstance(schema, dict):
        features.marks.setdefault("boolean-schema", place)
        return
    own = schema.get("description")
    description = own if isinstance(own, str) else node.told
    marks, lost = features.marks, features.lost
    for key, value in schema.items():
        if key not in marks:
            marks[key] = place
        if key not in lost and not (key in TOLD and _tells(description, value)):
            lost[key] = place
    for mark in _marks(schema, node):
        features.marks.setdefault(mark, place)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        features.keys += [(key, not place) for key in properties]
        features.properties += len(properties)
        features.chars += sum(map(len, properties))
    values = schema.get("enum")
    if isinstance(values, list):
        features.enum += len(values)
        features.chars += sum(len(value) for value in values if isinstance(value, str))


def _tells(text: str, value: Json) -> bool:
    """Whether a description names the value, or every one of a list of values."""
    values = value if isinstance(value, list) else [value]
    return all(str(item) in text for item in values)


def _marks(schema: Mapping[str, Json], node: _Node) -> Iterator[str]:
    """What a host may mind in one schema beyond its keywords."""
    kind = schema.get("type")
    if isinstance(kind, list):
        yield "type-list"
    elif kind is None and schema.keys().isdisjoint(TYPED_ELSEWHERE):
        yield "branch-untyped" if node.branch else "type-missing"
    values = schema.get("enum")
    if isinstance(values, list):
        strings = sum(isinstance(value, str) for value in values)
        if strings < len(values):
            yield "enum-not-string"
        if 0 < strings < len(values):
            yield "enum-mixed"
    if isinstance(schema.get("additionalProperties"), dict):
        yield "additional-schema"
    if "default" in schema and "anyOf" in schema:
        yield "default-beside-anyOf"
    reference = schema.get("$ref")
    if isinstance(reference, str) and not reference.startswith("#"):
        yield "external-ref"


def _inside(node: _Node) -> Iterator[_Node]:
    """The schemas directly inside one."""
    own = node.schema.get("description")
    description = own if isinstance(own, str) else node.told
    for key, value in node.schema.items():
        if key not in HOLDERS:
            continue
        depth = node.depth + (key in DEEPER)
        place = f"{node.place}/{key}"
        if key in NESTED_MAPS and isinstance(value, dict):
            for name, subschema in value.items():
                yield _Node(subschema, f"{place}/{name}", depth)
        elif key in NESTED_LISTS and isinstance(value, list):
            for number, subschema in enumerate(value):
                yield _Node(subschema, f"{place}/{number}", depth, description, key in BRANCHES)
        elif key in NESTED and (isinstance(value, dict) or key == "items"):
            yield _Node(value, place, depth, description)


def _recursive(schema: Mapping[str, Json]) -> bool:
    """Whether a local reference leads back to a schema that it stands in."""
    defined = {
        f"#/{key}/{name}": subschema
        for key in ("$defs", "definitions")
        for name, subschema in _mapping(schema.get(key)).items()
    }
    references = {
        reference: set(_references(subschema)) for reference, subschema in defined.items()
    }
    if "#" in _references(schema):
        return True
    for start in references:
        visited, waiting = set(), list(references[start])
        while waiting:
            reference = waiting.pop()
            if reference == start:
                return True
            if reference not in visited:
                visited.add(reference)
                waiting.extend(references.get(reference, ()))
    return False


def _references(schema: Json) -> Iterator[str]:
    waiting = [_Node(schema)]
    while waiting:
        node = waiting.pop()
        if isinstance(node.schema, dict):
            if isinstance(node.schema.get("$ref"), str):
                yield node.schema["$ref"]
            waiting.extend(_inside(node))


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
