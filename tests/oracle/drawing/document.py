"""Reads an OpenAPI document: operations, parameters, bodies and schemas.

Uses no module of mcpgen, so that a mistake of mcpgen's readers shows. Schemas become JSON Schema
2020-12, with one definition per target of a reference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import yaml
from yaml import CSafeLoader

FORM = "application/x-www-form-urlencoded"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
IGNORED_HEADERS = ("accept", "content-type", "authorization")
"""Header parameters that "SHALL be ignored" (OpenAPI 3.1.1, Parameter Object, `name`)."""

SCHEMAS = ("items", "additionalProperties", "not", "if", "then", "else", "contains")
SCHEMA_LISTS = ("allOf", "oneOf", "anyOf", "prefixItems")
SCHEMA_MAPS = ("properties", "patternProperties", "dependentSchemas")
KEPT = {
    *("type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum"),
    *("exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems"),
    *("uniqueItems", "maxProperties", "minProperties", "required", "format"),
}
ADDED_BY_2020_12 = {
    *("unevaluatedProperties", "unevaluatedItems", "propertyNames"),
    *("dependentRequired", "minContains", "maxContains", "contentMediaType", "contentEncoding"),
}


class _Loader(CSafeLoader):
    """YAML 1.2: no dates, no sexagesimal numbers, and only `true` and `false` are booleans."""


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, expression)
        for tag, expression in resolvers
        if tag.rpartition(":")[2] in ("null", "merge")
    ]
    for first, resolvers in CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"),
    list("-+0123456789."),
)


@dataclass(frozen=True)
class Node:
    """A value of the document, the file that holds the value, and the path inside the file."""

    value: Any
    file: Path
    path: tuple[str, ...]

    def __truediv__(self, key: str | int) -> Node:
        return Node(self.value[key], self.file, (*self.path, str(key)))

    def has(self, key: str) -> bool:
        """Whether the value is an object with a member of this name."""
        return isinstance(self.value, dict) and key in self.value

    def get(self, key: str, default: Any = None) -> Any:
        """The plain value of a member."""
        return self.value.get(key, default) if isinstance(self.value, dict) else default


@dataclass(frozen=True)
class Parameter:
    """A parameter outside the body, as JSON Schema 2020-12; `media_type` where it has `content`."""

    name: str
    place: str
    required: bool
    schema: Any
    style: str
    explode: bool
    media_type: str = ""


@dataclass(frozen=True)
class Encoding:
    """The encoding of a form property: a style (or None) with `explode`, and a content type (or `""`)."""

    style: str | None = None
    explode: bool = True
    content_type: str = ""


@dataclass(frozen=True)
class Body:
    """One media type of a request body."""

    media_type: str
    required: bool
    schema: Any
    encodings: Mapping[str, Encoding] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """An operation; `bodies` by media type as written. `reached` holds the places (file, path) of every
    part of the operation; `has_query_string` is True for a parameter with `in: querystring` (3.2) that
    is no form."""

    key: str
    path: str
    parameters: tuple[Parameter, ...]
    bodies: Mapping[str, Body]
    reached: tuple[tuple[str, tuple[str, ...]], ...]
    has_query_string: bool = False


def load(file: Path) -> Any:
    """The value of a JSON or YAML file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        return json.loads(text)
    return yaml.load(text, _Loader)


class Document:
    """A document with the files that it refers to; `definitions` grows with the operations read."""

    def __init__(self, file: Path) -> None:
        self._files: dict[Path, Any] = {}
        self.root = Node(self._loaded(file.resolve()), file.resolve(), ())
        self.version = str(self.root.get("openapi") or self.root.get("swagger"))
        self.definitions: dict[str, Any] = {}
        self._names: dict[tuple[Path, tuple[str, ...]], str] = {}
        self._subtypes: dict[tuple[Path, tuple[str, ...]], list[tuple[str, Node]]] | None = None

    @property
    def is_swagger(self) -> bool:
        """Whether the document is of Swagger 2.0."""
        return self.root.has("swagger")

    @property
    def has_old_schemas(self) -> bool:
        """Whether schemas are those of 2.0 and 3.0, before JSON Schema 2020-12."""
        return self.is_swagger or self.version.startswith("3.0")

    def operations(self) -> Iterator[Operation]:
        """The operations in document order."""
        paths = self.root / "paths" if self.root.has("paths") else None
        for path in paths.value if paths else ():
            item = self.resolve(paths / path) if paths else self.root
            if not isinstance(item.value, dict):
                continue
            methods = {name.upper(): item / name for name in METHODS if item.has(name)}
            if item.has("additionalOperations"):
                operations_node = item / "additionalOperations"
                methods |= {name: operations_node / name for name in operations_node.value}
            for method, operation in methods.items():
                yield self._operation(method, path, item, self.resolve(operation))

    def resolve(self, node: Node) -> Node:
        """The value that a reference leads to. Raises LookupError for a broken reference."""
        visited_places = set()
        while isinstance(node.value, dict) and isinstance(node.value.get("$ref"), str):
            if (node.file, node.path) in visited_places:
                raise LookupError(f"{node.path} refers to itself")
            visited_places.add((node.file, node.path))
            node = self.target(node)
        return node

    def target(self, node: Node) -> Node:
        """The value one reference away."""
        address, _, fragment = node.value["$ref"].partition("#")
        file = (node.file.parent / unquote(address)).resolve() if address else node.file
        result = Node(self._loaded(file), file, ())
        for step in fragment.split("/")[1:] if fragment.startswith("/") else ():
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            try:
                result = result / (int(key) if isinstance(result.value, list) else key)
            except (KeyError, IndexError, TypeError, ValueError):
                raise LookupError(node.value["$ref"]) from None
        return result

    def _loaded(self, file: Path) -> Any:
        if file not in self._files:
            self._files[file] = load(file)
        return self._files[file]

    def _operation(self, method: str, path: str, item: Node, operation: Node) -> Operation:
        reached_nodes: list[Node] = [operation]
        result: dict[tuple[str, str], Node] = {}
        for owner in (item, operation):
            for index in range(len(owner.get("parameters") or ())):
                parameter_node = self.resolve(owner / "parameters" / index)
                reached_nodes.append(parameter_node)
                if isinstance(parameter_node.value, dict):
                    result[(str(parameter_node.get("in")), str(parameter_node.get("name")))] = (
                        parameter_node
                    )
        path_part, _, query_part = path.partition("#")[0].partition("?")
        variables, in_query = _variables(path_part), _variables(query_part)
        # A variable behind `?` is a query parameter, whatever `in` says.
        result = {("query" if n in in_query else p, n): node for (p, n), node in result.items()}
        parameters = [
            parameter
            for (place, name), node in result.items()
            if place in ("path", "query", "querystring", "header", "cookie")
            and not (place == "header" and name.lower() in IGNORED_HEADERS)
            and not (place == "path" and name not in variables)
            for parameter in self._parameter(node, place, name)
        ]
        declared_parameters = {(parameter.place, parameter.name) for parameter in parameters}
        required_variables = [
            *(("path", name) for name in variables),
            *(("query", name) for name in in_query),
        ]
        parameters += [
            Parameter(name, place, True, {"type": "string"}, "simple", False)
            for place, name in required_variables
            if (place, name) not in declared_parameters
        ]
        bodies = (
            self._bodies_of_2_0(operation, list(result.values()))
            if self.is_swagger
            else self._bodies(operation, reached_nodes)
        )
        used = self.reached(
            [*(parameter.schema for parameter in parameters), *(b.schema for b in bodies)]
        )
        places = [(str(node.file), node.path) for node in reached_nodes]
        places += [
            (str(file), node_path)
            for (file, node_path), name in self._names.items()
            if name in used
        ]
        by_type = {body.media_type: body for body in bodies}
        nodes = (node for (place, _), node in result.items() if place == "querystring")
        has_query_string = any(FORM not in node.get("content", {}) for node in nodes)
        key = f"{method} {path}"
        return Operation(key, path, tuple(parameters), by_type, tuple(places), has_query_string)

    def reached(self, schemas: list[Any]) -> set[str]:
        """The names of all definitions that schemas lead to."""
        used: set[str] = set()
        pending: list[Any] = [*schemas]
        while pending:
            part = pending.pop()
            if isinstance(part, list):
                pending += part
            elif isinstance(part, dict):
                pending += part.values()
                name = str(part.get("$ref", "")).removeprefix("#/$defs/")
                if name in self.definitions and name not in used:
                    used.add(name)
                    pending.append(self.definitions[name])
        return used

    def _parameter(self, node: Node, place: str, name: str) -> Iterator[Parameter]:
        required = node.get("required") is True or place == "path"
        if self.is_swagger:
            style, explode = collection_style(node.get("collectionFormat", "csv"), place)
            schema = self._parameter_schema(node) if place == "query" else self.schema(node)
            yield Parameter(name, place, required, schema, style, explode)
            return
        if node.has("content"):
            media = node / "content"
            kind = next(iter(media.value))
            schema = self.schema(media / kind / "schema") if (media / kind).has("schema") else True
            if place == "querystring":
                # A form is what the style `form` writes of an exploded object.
                if kind == FORM:
                    yield Parameter(name, "query", required, schema, "form", True)
                return
            yield Parameter(name, place, required, schema, "", False, kind)
            return
        default = "form" if place in ("query", "cookie") else "simple"
        style = str(node.get("style", default))
        explode = node.get("explode", style in ("form", "cookie"))
        schema = self.schema(node / "schema") if node.has("schema") else True
        yield Parameter(name, place, required, schema, style, explode is True)

    def _bodies(self, operation: Node, reached_nodes: list[Node]) -> list[Body]:
        if not operation.has("requestBody"):
            return []
        body = self.resolve(operation / "requestBody")
        reached_nodes.append(body)
        bodies = []
        for name in body.get("content") or ():
            media = self.resolve(body / "content" / name)
            schema: Any = self.schema(media / "schema") if media.has("schema") else True
            if media.has("itemSchema"):
                schema = {"type": "array", "items": self.schema(media / "itemSchema")}
            if media.has("prefixEncoding") and isinstance(schema, dict):
                schema = _with_files(schema, media.value["prefixEncoding"])
            encodings = {
                key: self._encoding(encoding_object, name)
                for key, encoding_object in (media.get("encoding") or {}).items()
                if isinstance(encoding_object, dict)
            }
            bodies.append(Body(name, body.get("required") is True, schema, encodings))
        return bodies

    def _encoding(self, encoding_object: Mapping[str, Any], media_type: str) -> Encoding:
        """The Encoding Object. In 3.0 `style` and `explode` "SHALL be ignored if the request body
        media type is not application/x-www-form-urlencoded"."""
        kind = str(encoding_object.get("contentType", ""))
        is_form = media_type.startswith(FORM)
        is_styled = any(key in encoding_object for key in ("style", "explode", "allowReserved"))
        if not is_styled or (self.version.startswith("3.0") and not is_form):
            return Encoding(content_type=kind)
        style = str(encoding_object.get("style", "form"))
        return Encoding(style, encoding_object.get("explode", style == "form") is True, kind)

    def _bodies_of_2_0(self, operation: Node, parameters: list[Node]) -> list[Body]:
        media_types = operation.get("consumes", self.root.get("consumes", [])) or []
        node = next(
            (field_node for field_node in parameters if field_node.get("in") == "body"), None
        )
        if node is not None:
            schema = self.schema(node / "schema") if node.has("schema") else True
            kinds = media_types or ["application/json"]
            return [Body(kind, node.get("required") is True, schema) for kind in kinds]
        fields = [field_node for field_node in parameters if field_node.get("in") == "formData"]
        if not fields:
            return []
        has_file = any(field_node.get("type") == "file" for field_node in fields)
        kinds = ["multipart/form-data"]
        if not has_file:
            forms = (FORM, "multipart/form-data")
            kinds = [kind for kind in media_types if kind in forms] or [forms[0]]
        required = [
            str(field_node.get("name"))
            for field_node in fields
            if field_node.get("required") is True
        ]
        schema = {
            "type": "object",
            "properties": {
                str(field_node.get("name")): self._parameter_schema(field_node)
                for field_node in fields
            },
            "required": required,
            "additionalProperties": False,
        }
        encodings = {
            str(field_node.get("name")): Encoding(
                *collection_style(field_node.get("collectionFormat", "csv"))
            )
            for field_node in fields
            if field_node.get("type") == "array"
        }
        return [Body(kind, bool(required), schema, encodings) for kind in kinds]

    def _parameter_schema(self, node: Node) -> Any:
        """The schema of a 2.0 parameter in a query or a form. Only `allowEmptyValue` "sets the ability
        to pass empty-valued parameters"."""
        schema = self.schema(node)
        if node.get("type") == "string" and node.get("allowEmptyValue") is not True:
            schema["minLength"] = max(1, schema.get("minLength", 0))
        return schema

    def schema(self, node: Node) -> Any:
        """A schema of the document as JSON Schema 2020-12."""
        keywords = node.value
        if not isinstance(keywords, dict):
            return keywords if isinstance(keywords, bool) else True
        result: dict[str, Any] = {}
        if isinstance(keywords.get("$ref"), str):
            try:
                result["$ref"] = "#/$defs/" + self._definition_name(self.target(node))
            except (LookupError, OSError):
                return True
            if self.has_old_schemas:
                return result
        if "$dynamicRef" in keywords:
            return True
        names = KEPT if self.has_old_schemas else KEPT | ADDED_BY_2020_12 | {"const"}
        result |= {key: keyword_value for key, keyword_value in keywords.items() if key in names}
        for key in SCHEMAS:
            if node.has(key):
                result[key] = self.schema(node / key)
        for key in SCHEMA_LISTS:
            if isinstance(keywords.get(key), list):
                parts = range(len(keywords[key]))
                result[key] = [self.schema(node / key / index) for index in parts]
        for key in SCHEMA_MAPS:
            if isinstance(keywords.get(key), dict):
                result[key] = {name: self.schema(node / key / name) for name in keywords[key]}
        self._without_answers(node, result)
        if self.has_old_schemas:
            _translate_old(keywords, result)
        elif keywords.get("nullable") is True and isinstance(keywords.get("type"), str):
            # 3.0's word in a later document; mcpgen obeys with a finding, MG237.
            result["type"] = [keywords["type"], "null"]
        if "properties" in result and "type" not in result and "$ref" not in result:
            result["type"] = "object"
        if isinstance(keywords.get("discriminator"), dict) or (
            self.is_swagger and isinstance(keywords.get("discriminator"), str)
        ):
            result["discriminator"] = self._discriminator(node)
        if "pattern" in result and not _can_match(str(result["pattern"])):
            del result["pattern"]
        return result

    def _without_answers(self, node: Node, schema: dict[str, Any]) -> None:
        """Leaves out `readOnly` properties, which "SHOULD NOT be sent as part of the request" (3.0.4,
        Schema Object; 2.0: MUST NOT), and optional objects with only `readOnly` properties."""
        properties = schema.get("properties")
        required = schema.get("required") or ()
        read_only_names = {
            name
            for name in properties or ()
            if self._is_of_answers(node / "properties" / name, 0 if name in required else 3)
        }
        if read_only_names and properties is not None:
            schema["properties"] = {
                k: member for k, member in properties.items() if k not in read_only_names
            }
        if isinstance(schema.get("required"), list):
            schema["required"] = [
                name for name in schema["required"] if name not in read_only_names
            ]
        else:
            schema.pop("required", None)

    def _is_of_answers(self, node: Node, depth: int) -> bool:
        """True for a `readOnly` property, or an object of only `readOnly` properties, down to a depth."""
        try:
            resolved_node = self.resolve(node)
        except (LookupError, OSError):
            return False
        if resolved_node.get("readOnly") is True or node.get("readOnly") is True:
            return True
        parts = range(len(resolved_node.get("allOf") or ()))
        if any((resolved_node / "allOf" / index).get("readOnly") is True for index in parts):
            return True
        properties = resolved_node.get("properties")
        is_open = any(resolved_node.has(key) for key in ("additionalProperties", *SCHEMA_LISTS))
        if not depth or not isinstance(properties, dict) or not properties or is_open:
            return False
        members = resolved_node / "properties"
        return all(self._is_of_answers(members / name, depth - 1) for name in properties)

    def _definition_name(self, node: Node) -> str:
        """The name of the definition for a place of the document."""
        key = (node.file, node.path)
        if key not in self._names:
            word = re.sub(r"[^A-Za-z0-9]", "_", node.path[-1] if node.path else node.file.stem)
            self._names[key] = name = f"{len(self._names)}.{word}"
            self.definitions[name] = True
            self.definitions[name] = self.schema(node)
        return self._names[key]

    def _discriminator(self, node: Node) -> dict[str, Any]:
        """The discriminator with `values`: definition names by discriminator value."""
        discriminator = node.get("discriminator")
        name = (
            discriminator
            if isinstance(discriminator, str)
            else str(discriminator.get("propertyName"))
        )
        mapping = {} if isinstance(discriminator, str) else dict(discriminator.get("mapping") or {})
        values: dict[str, str] = {}
        mapped_places = set()
        for value, target in mapping.items():
            address = target if re.search(r"[#/.]", target) else f"#/components/schemas/{target}"
            try:
                target_node = self.target(Node({"$ref": address}, node.file, node.path))
            except (LookupError, OSError):
                continue
            mapped_places.add((target_node.file, target_node.path))
            values[value] = self._definition_name(target_node)
        if not any(node.has(key) for key in ("oneOf", "anyOf")):
            for own_value, subtype in self.subtypes.get((node.file, node.path), []):
                if (subtype.file, subtype.path) not in mapped_places:
                    values[own_value] = self._definition_name(subtype)
            is_named = node.path[:-1] in (("definitions",), ("components", "schemas"))
            if is_named and (node.file, node.path) not in mapped_places:
                values[node.path[-1]] = self._definition_name(node)
        for key in ("oneOf", "anyOf"):
            for index in range(len(node.get(key) or ())):
                branch = node / key / index
                if branch.has("$ref"):
                    place = self.target(branch)
                    if (place.file, place.path) not in mapped_places and place.path:
                        values[place.path[-1]] = self._definition_name(place)
        return {"propertyName": name, "values": values}

    @property
    def subtypes(self) -> dict[tuple[Path, tuple[str, ...]], list[tuple[str, Node]]]:
        """Named schemas with a schema in `allOf`, at any depth, by place of the latter."""
        if self._subtypes is None:
            self._subtypes = {}
            owner = self.root
            steps = ("definitions",) if self.is_swagger else ("components", "schemas")
            for step in steps:
                if not owner.has(step):
                    return self._subtypes
                owner = owner / step
            for name in owner.value:
                for parent in self._parents(owner / name, set()):
                    subtypes = self._subtypes.setdefault((parent.file, parent.path), [])
                    subtypes.append((name, owner / name))
        return self._subtypes

    def _parents(self, node: Node, visited_places: set[tuple[str, ...]]) -> Iterator[Node]:
        for index in range(len(node.get("allOf") or ())):
            part = node / "allOf" / index
            try:
                parent = self.target(part) if part.has("$ref") else None
            except (LookupError, OSError):
                continue
            if parent is not None and parent.path not in visited_places:
                visited_places.add(parent.path)
                yield parent
                yield from self._parents(parent, visited_places)


def _can_match(pattern: str) -> bool:
    """True if an engine of linear time compiles a pattern (see MG232)."""
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except jsonschema_rs.ValidationError:
        return False
    return True


def collection_style(collection_format: str, place: str = "query") -> tuple[str, bool]:
    """Style and explode for a `collectionFormat` of 2.0."""
    styles = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}
    if collection_format == "multi":
        return "form", True
    return styles.get(collection_format, "form" if place == "query" else "simple"), False


def _variables(path: str) -> list[str]:
    return re.findall(r"\{([^{}]*)\}", path)


def _with_files(schema: dict[str, Any], encodings: Any) -> dict[str, Any]:
    """The schema of parts by position. Parts without a schema whose content type is neither text nor
    JSON are bytes (3.2.0, Encoding Object, `contentType`)."""
    parts = list(schema.get("prefixItems", ()))
    for index, encoding in enumerate(encodings[: len(parts)]):
        kind = str(encoding.get("contentType", "text/plain"))
        if parts[index] in (True, {}) and not kind.startswith("text/") and "json" not in kind:
            parts[index] = {"type": "string", "format": "binary"}
    return {**schema, "prefixItems": parts} if parts else schema


def _translate_old(original: Mapping[str, Any], schema: dict[str, Any]) -> None:
    """Translates keywords of 2.0 and 3.0 that have another form in 2020-12."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(schema.get(exclusive), bool):
            is_exclusive = schema.pop(exclusive)
            if is_exclusive and bound in schema:
                schema[exclusive] = schema.pop(bound)
    if schema.get("type") == "file":
        schema |= {"type": "string", "format": "binary"}
    if original.get("nullable") is True and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
