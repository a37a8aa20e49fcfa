"""Schemas of request bodies and responses, reduced to the classes of `schemas.py`.

Every object with named properties becomes a class, named after its schema or after the surrounding
class and property. Classes hold names and types only. Bounds, patterns, formats and defaults are
left out: APIs break them in responses, and a hook must still be able to read the response.
"""

from __future__ import annotations

import builtins
import json
import keyword
import re
from collections.abc import Iterator, Sequence

from mcpgen.config.tables.tool_schemas import ApiModels
from mcpgen.ir.api import Operation
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import PREFIX, SchemaView, SchemaViews, reference_name
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.response_schemas import successful_responses

_IMPORTED = frozenset({"Annotated", "Any", "BaseModel", "ConfigDict", "Field", "Literal"})
"""Names imported by the module, so unavailable for classes."""

_JOINS = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
_ANNOTATIONS = frozenset({"title", "description", "default", "example", "examples", "deprecated"})
_ANNOTATIONS |= {"$comment", "readOnly", "writeOnly", "discriminator", "xml", "externalDocs"}
"""Keywords beside a reference without effect on the type."""

_ENUMERABLE = {"string": str, "integer": int}
"""Types whose enumerations become a `Literal`."""

_NULL = {"type": "null"}

_MAX_DEPTH = 16
"""Levels of nested unnamed schemas; deeper values are `Any`."""

_MAX_BRANCHES = 16
"""Alternatives of a union; a value with more alternatives is `Any`."""

_MAX_NAME = 78
"""Characters of a class name; with a number behind it, the `class` statement fits 100 columns."""

_MAX_CLASSES = 10_000
"""Classes of a module; GitHub's whole API has fewer. Further objects are `Any`."""


def api_schemas(
    schemas: SchemaViews,
    operations: Sequence[Operation],
    tools: Sequence[ToolSpec],
    models: ApiModels,
) -> dict[str, Json]:
    """Returns the schema of each class by name, in order of discovery; `{}` for `models.schemas =
    "none"`.

    References are OpenAPI references.
    """
    if not (models.bodies or models.responses):
        return {}
    classes = _Classes(schemas, models)
    names = {tool.operation: tool.name for tool in tools}
    for operation in operations:
        if name := names.get(operation.key):
            for suffix, schema in _roots(schemas, operation, models):
                classes.type_of(schema, f"{_pascal(name)}{suffix}")
    return classes.described()


def _roots(
    schemas: SchemaViews, operation: Operation, models: ApiModels
) -> Iterator[tuple[str, Json]]:
    """Yields the schemas of JSON bodies and successful responses, with suffixes for class names."""
    if models.bodies and operation.body:
        for media in operation.body.media:
            is_json = media_kind(media.name) in (Media.JSON, Media.JSON_SUFFIX)
            if is_json and media.schema is not None:
                yield "Body", media.schema.json
    if models.responses:
        for schema in successful_responses(schemas, operation).schemas:
            yield "Response", schema


class _Classes:
    """Collects the classes reachable from schemas, each named once."""

    def __init__(self, schemas: SchemaViews, models: ApiModels) -> None:
        self._schemas = schemas
        self._chosen = models
        self._taken: set[str] = set()
        # A schema whose name is a class name as it stands gets this name first.
        ordered = sorted(schemas.definitions, key=lambda name: _pascal(name) != name)
        self._names = {name: self._free(_pascal(name)) for name in ordered}
        """Class names of named schemas; only objects with properties use theirs."""
        self._types: dict[str, Json] = {}
        """Types of named schemas; `Any` during construction, which ends recursive lists and
        unions."""
        self._classes: dict[tuple[str, str], str] = {}
        """Class names by surrounding named schema and content: recursion through `allOf` gives
        one class."""
        self._waiting: list[tuple[str, str, SchemaView, int]] = []
        """Name, surrounding schema, view and depth of discovered classes, in order."""

    def described(self) -> dict[str, Json]:
        """Returns the schema of every class and of the classes reachable from its properties."""
        schemas: dict[str, Json] = {}
        for name, root, view, depth in self._waiting:  # grows while it is read
            members = {
                key: member
                for key, member in view.get("properties", {}).items()
                if member is not False and _is_encodable(key)
            }
            schemas[name] = {
                "type": "object",
                "properties": {
                    key: self.type_of(member, f"{name}{_pascal(key)}", root, depth + 1)
                    for key, member in members.items()
                },
                "required": [
                    key
                    for key in dict.fromkeys(view.get("required", ()))
                    if key in members and not self._is_one_way(members[key])
                ],
                "additionalProperties": True,
            }
        return schemas

    def type_of(self, schema: Json, name: str, root: str = "", depth: int = 0) -> Json:
        """Returns the type of a schema's values.

        An unnamed object becomes the class `name`; `root` is the surrounding named schema.
        """
        named = self._named_schema(schema)
        if named is None:
            return self._type(schema, name, root or name, depth)
        component, is_nullable = named
        if component not in self._types:
            self._types[component] = {}
            own = self._names[component]
            self._types[component] = self._type({"$ref": f"{PREFIX}{component}"}, own, own, 0)
        return _union_type([self._types[component], *([_NULL] if is_nullable else [])])

    def _named_schema(self, schema: Json) -> tuple[str, bool] | None:
        """Returns the named schema behind a plain or nullable reference, and whether null is
        allowed; else None."""
        if not isinstance(schema, dict):
            return None
        keywords = [key for key in schema if key not in _ANNOTATIONS and not key.startswith("x-")]
        if len(keywords) != 1 or keywords[0] not in _JOINS:
            return None
        if keywords[0] == "$ref":
            name = reference_name({"$ref": schema["$ref"]})
            return (name, False) if name in self._names else None
        parts = [part for part in schema[keywords[0]] if part not in (_NULL, {"const": None})]
        inner = self._named_schema(parts[0]) if len(parts) == 1 else None
        return inner and (inner[0], inner[1] or len(parts) < len(schema[keywords[0]]))

    def _type(self, schema: Json, name: str, root: str, depth: int) -> Json:
        """Returns the type described by the keywords of a schema."""
        view = self._schemas.view(schema)
        if depth > _MAX_DEPTH or view.contradiction or view.get("const", "") is None:
            return {}
        value_type = self._type_without_null(schema, view, name, root, depth)
        return _union_type([value_type, _NULL]) if view.nullable else value_type

    def _type_without_null(
        self, schema: Json, view: SchemaView, name: str, root: str, depth: int
    ) -> Json:
        values = [view.get("const")] if "const" in view.keywords else view.get("enum", ())
        for kind, python in _ENUMERABLE.items():
            if values and all(
                type(value) is python and _is_encodable(str(value)) for value in values
            ):
                return {"type": kind, "enum": list(dict.fromkeys(values))}
        if view.branches and not view.get("properties"):
            if len(view.branches) > _MAX_BRANCHES:
                return {}
            return _union_type(
                [
                    self.type_of(branch, f"{name}{number}", root, depth + 1)
                    for number, branch in enumerate(view.branches, 1)
                ]
            )
        kinds = view.get("type", "object" if view.get("properties") else ())
        return _union_type(
            [
                self._type_of_kind(kind, schema, view, name, root, depth)
                for kind in ([kinds] if isinstance(kinds, str) else kinds)
            ]
        )

    def _type_of_kind(
        self, kind: str, schema: Json, view: SchemaView, name: str, root: str, depth: int
    ) -> Json:
        """Returns the type for one of the JSON types of a schema."""
        if kind == "array":
            items = True if "prefixItems" in view.keywords else view.get("items", True)
            return {"type": kind, "items": self.type_of(items, f"{name}Item", root, depth + 1)}
        if kind != "object":
            return {"type": kind}
        if view.get("properties"):
            return self._class(schema, view, name, root, depth)
        values = view.get("additionalProperties", True)
        inner = self.type_of(values, f"{name}Value", root, depth + 1) if values else {}
        return {"type": kind, "additionalProperties": inner or True}

    def _class(self, schema: Json, view: SchemaView, name: str, root: str, depth: int) -> Json:
        """Returns a reference to the class of an object."""
        key = (root, json.dumps(schema, sort_keys=True))
        if key not in self._classes:
            if len(self._classes) >= _MAX_CLASSES:
                return {}
            self._classes[key] = self._names.get(reference_name(schema)) or self._free(name)
            self._waiting.append((self._classes[key], root, view, depth))
        return {"$ref": f"#/components/schemas/{self._classes[key]}"}

    def _is_one_way(self, member: Json) -> bool:
        """True if a required property is missing in one direction: `writeOnly` in responses,
        `readOnly` in bodies."""
        view = self._schemas.view(member)
        return bool(
            (self._chosen.responses and view.get("writeOnly"))
            or (self._chosen.bodies and view.get("readOnly"))
        )

    def _free(self, name: str) -> str:
        """Returns the name, with a number where a class, Python or the module has the name."""
        name = name[:_MAX_NAME]
        candidate, number = name, 2
        while candidate in self._taken or candidate in _IMPORTED or hasattr(builtins, candidate):
            candidate, number = f"{name}{number}", number + 1
        self._taken.add(candidate)
        return candidate


def _union_type(types: Sequence[Json]) -> Json:
    """Returns one type for several: `Any` if any type is `Any` or the list is empty.

    Enumerations of one type are joined; null stands last.
    """
    flat = [value_type for member in types for value_type in member.get("anyOf", (member,))]
    if not all(flat):
        return {}
    distinct: list[dict[str, Json]] = []
    for value_type in sorted(flat, key=lambda value_type: bool(value_type == _NULL)):
        kind = {"type": value_type.get("type")}
        joined = next(
            (member for member in distinct if "enum" in member and member["type"] == kind["type"]),
            None,
        )
        if ("enum" in value_type and kind in flat) or value_type in distinct:
            continue
        if "enum" in value_type and joined:
            joined["enum"] = list(dict.fromkeys([*joined["enum"], *value_type["enum"]]))
        else:
            distinct.append(dict(value_type))
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct} if distinct else {}


def _is_encodable(name: str) -> bool:
    """True for a name without unpaired surrogates, which pydantic refuses."""
    return name == name.encode("utf-8", "replace").decode()


def _pascal(text: str) -> str:
    """Returns a name as a class name: `pet-item` becomes `PetItem`."""
    words = re.findall(r"[A-Za-z0-9]+", text)
    joined = "".join(word[0].upper() + word[1:] for word in words)
    if not joined or joined[0].isdigit() or keyword.iskeyword(joined):
        return f"Model{joined}"
    return joined
