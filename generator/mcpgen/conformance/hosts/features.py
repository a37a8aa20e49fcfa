"""Features of a tool's input schema, collected in one walk and compared with the limits of all
hosts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from json import dumps

from mcpgen.conformance.schemas import SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS
from mcpgen.conformance.strict_json import Json

DESCRIBABLE = frozenset(
    {
        *("enum", "const", "default", "format", "pattern", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
        *("minItems", "maxItems", "minProperties", "maxProperties"),
        *("uniqueItems", "contentEncoding"),
    }
)
"""Keywords whose values a description can repeat."""

_TYPE_FORMATS = ("int32", "int64", "float", "double", "password", "byte", "binary")
"""Formats that say how a value is stored or shown."""
_LONG_TEXT = 1_000
"""Characters of a `maxLength` that an argument hardly reaches."""
_UNIQUE = re.compile(
    r"\b(?:unique|distinct|different|at most once|no duplicates?)\b", re.IGNORECASE
)

BRANCHES = ("anyOf", "oneOf", "allOf")
TYPED_ELSEWHERE = ("$ref", "not", "if", *BRANCHES)
DEEPER = frozenset({"items", "properties", "additionalProperties", "prefixItems"})
"""Keywords that add a level of nesting."""
HOLDERS = frozenset({*SCHEMA_KEYWORDS, *SCHEMA_LIST_KEYWORDS, *SCHEMA_MAP_KEYWORDS})
"""Keywords that hold schemas."""


@dataclass(slots=True)
class ToolFeatures:
    """The features of one tool. A location is a path of keywords into the schema, `""` at the root.

    `marks`: keywords and other features that a host may reject, with the first location. `lost`:
    keywords whose value no description repeats. `root`: the marks of the root. `keys`: argument
    names with a flag for top-level. The numbers count: nesting depth, properties, enumerated
    values, characters of names and enumerated values.
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
    """A schema on the walk. `description`: the description that applies; `branch`: an alternative of the
    parent.
    """

    schema: Json
    place: str = ""
    depth: int = 0
    description: str = ""
    branch: bool = False


def tool_features(tool: Mapping[str, Json]) -> ToolFeatures:
    """The features of a tool's `inputSchema`; empty features without a schema."""
    schema = tool.get("inputSchema")
    features = ToolFeatures()
    if not isinstance(schema, dict):
        return features
    features.root = frozenset({*schema, *_root_marks(schema)})
    stack = [_Node(schema)]
    while stack:
        node = stack.pop()
        _note(features, node)
        if isinstance(node.schema, dict):
            stack.extend(_inside(node))
    if "$ref" in features.marks and _recursive(schema):
        features.marks["recursion"] = features.marks["$ref"]
    return features


def _root_marks(schema: Mapping[str, Json]) -> Iterator[str]:
    if schema.get("type") != "object":
        yield "root-not-object"
    if schema.get("additionalProperties", False) is not False:
        yield "open-root"


def _note(features: ToolFeatures, node: _Node) -> None:
    """Adds the features of one schema."""
    schema, place = node.schema, node.place
    features.depth = max(features.depth, node.depth)
    if not isinstance(schema, dict):
        features.marks.setdefault("boolean-schema", place)
        return
    own = schema.get("description")
    description = own if isinstance(own, str) else node.description
    marks, unread = features.marks, features.lost
    for key, value in schema.items():
        if key not in marks:
            marks[key] = place
        if key not in unread and not (
            key in DESCRIBABLE and _is_described(description, key, value)
        ):
            unread[key] = place
    for mark in _schema_marks(schema, node):
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


def _is_described(text: str, keyword: str, value: Json) -> bool:
    """True if the description contains the value, or every value of a list; also if a value says no
    more than the type does.

    `("ISO 8601 date and time.", "format", "date-time")` and `("", "minLength", 1)` are true.
    """
    if _says_nothing(keyword, value):
        return True
    if keyword == "uniqueItems":
        return bool(_UNIQUE.search(text))
    if keyword in ("format", "contentEncoding"):
        return all(word in text.lower() for word in str(value).lower().split("-"))
    values = value if isinstance(value, list) else [value]
    return all(item in text if isinstance(item, str) else dumps(item) in text for item in values)


def _says_nothing(keyword: str, value: Json) -> bool:
    """True for values without effect on the arguments of a sensible call."""
    if keyword == "format":
        return value in _TYPE_FORMATS
    if keyword == "minLength":
        return isinstance(value, int) and value <= 1
    if keyword == "maxLength":
        return isinstance(value, int) and value >= _LONG_TEXT
    return keyword == "uniqueItems" and value is not True


def _schema_marks(schema: Mapping[str, Json], node: _Node) -> Iterator[str]:
    """Marks of one schema beyond its keywords."""
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
    """The direct subschemas."""
    own = node.schema.get("description")
    description = own if isinstance(own, str) else node.description
    for key, value in node.schema.items():
        if key not in HOLDERS:
            continue
        depth = node.depth + (key in DEEPER)
        place = f"{node.place}/{key}"
        if key in SCHEMA_MAP_KEYWORDS and isinstance(value, dict):
            for name, subschema in value.items():
                yield _Node(subschema, f"{place}/{name}", depth)
        elif key in SCHEMA_LIST_KEYWORDS and isinstance(value, list):
            for number, subschema in enumerate(value):
                yield _Node(subschema, f"{place}/{number}", depth, description, key in BRANCHES)
        elif key in SCHEMA_KEYWORDS and (isinstance(value, dict) or key == "items"):
            yield _Node(value, place, depth, description)


def _recursive(schema: Mapping[str, Json]) -> bool:
    """True if a local reference leads back to a schema that contains the reference."""
    defined = {
        f"#/{key}/{name}": subschema
        for key in ("$defs", "definitions")
        for name, subschema in _as_mapping(schema.get(key)).items()
    }
    references = {
        reference: set(_used_references(subschema)) for reference, subschema in defined.items()
    }
    if "#" in _used_references(schema):
        return True
    for start in references:
        visited, stack = set(), list(references[start])
        while stack:
            reference = stack.pop()
            if reference == start:
                return True
            if reference not in visited:
                visited.add(reference)
                stack.extend(references.get(reference, ()))
    return False


def _used_references(schema: Json) -> Iterator[str]:
    stack = [_Node(schema)]
    while stack:
        node = stack.pop()
        if isinstance(node.schema, dict):
            if isinstance(node.schema.get("$ref"), str):
                yield node.schema["$ref"]
            stack.extend(_inside(node))


def _as_mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
