"""Normalizes one schema: keyword by keyword, then dependent keywords, then enumerations without a fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import jsonschema_rs

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Dialect, Json
from mcpgen.parse.node import Path, format_value, value_as_json, value_kind
from mcpgen.parse.schemas.context import MAX_DEPTH, NormalizeContext
from mcpgen.parse.schemas.scalar_keywords import as_number, deduplicate

_BOUNDS = (
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
)
_TYPES = ("boolean", "integer", "number", "string", "array", "object")
_SHOWN = 4
"""Values shown in a message."""
_WORDS: dict[Json, bool] = {"true": True, "false": False}


def repair_enumeration(context: NormalizeContext, out: dict[str, Json], path: Path) -> None:
    """Converts values of `enum` to the schema's type: numbers written as texts, texts written as
    numbers, and values of an array's items written beside `items`.

    Adds MALFORMED_SCHEMA once. Values without a clear intention stay unchanged.
    """
    types = [out["type"]] if isinstance(out["type"], str) else [*out["type"]]
    type_names = [name for name in types if name != "null"]
    if len(type_names) != 1 or all(has_type(value, [*type_names, "null"]) for value in out["enum"]):
        return
    if type_names == ["array"]:
        if not any(isinstance(value, list | dict) for value in out["enum"]):
            is_moved = _move_to_items(out, [value for value in out["enum"] if value is not None])
            what = "`enum` lists single values, but the schema is an array"
            _report_enumeration(
                context,
                path,
                what,
                "they are what the array may hold" if is_moved else "it is left out",
            )
        return
    values = [_convert(value, type_names[0]) for value in out["enum"]]
    if any(type(new) is not type(old) for new, old in zip(values, out["enum"], strict=True)):
        out["enum"] = deduplicate(values)
        what = f"`enum` has values that are not of the type `{type_names[0]}`"
        _report_enumeration(context, path, what, f"they are read as `{type_names[0]}`")


def resolve_contradictions(context: NormalizeContext, out: dict[str, Json], path: Path) -> None:
    """Drops a type, pattern or bound that allows no value of `enum`: the values show the intention.

    Adds CONTRADICTORY_KEYWORDS at the dropped keyword.
    """
    values = [value for value in out["enum"] if value is not None]
    if not values:
        return
    sample = ", ".join(format_value(value) for value in values[:_SHOWN])
    first = f"`enum` ({sample}{', …' if len(values) > _SHOWN else ''})"
    types = [out["type"]] if isinstance(out.get("type"), str) else out.get("type", _TYPES)
    if types and not any(has_type(value, types) for value in values):
        value_types = list(dict.fromkeys(_json_type(value) for value in values))
        second = f"`type: {' or '.join(types)}`"
        context.warn(
            codes.CONTRADICTORY_KEYWORDS,
            (*path, "type"),
            first=first,
            second=second,
            repair=f"the type is read as {' or '.join(value_types)}",
        )
        out.pop("format", None)
        value_types += ["null"] * ("null" in types)
        out["type"] = value_types[0] if len(value_types) == 1 else value_types
    bounds = {keyword: out[keyword] for keyword in _BOUNDS if keyword in out}
    if not bounds or any(jsonschema_rs.is_valid(bounds, value) for value in values):
        return
    for keyword, bound in bounds.items():
        if not all(jsonschema_rs.is_valid({keyword: bound}, value) for value in values):
            context.warn(
                codes.CONTRADICTORY_KEYWORDS,
                (*path, keyword),
                first=first,
                second=f"`{keyword}: {format_value(bound)}`",
                repair=f"`{keyword}` is left out",
            )
            del out[keyword]


def _json_type(value: Json) -> str:
    return next(name for name in _TYPES if has_type(value, [name]))


def _move_to_items(out: dict[str, Json], values: list[Json]) -> bool:
    """Moves the values to the array's `items`; false if `items` has its own enumeration or
    reference."""
    del out["enum"]
    items = out.get("items", True)
    items = {} if items is True else items
    if not isinstance(items, dict) or "enum" in items or "$ref" in items:
        return False
    name = items.get("type")
    converted = [_convert(value, name) if isinstance(name, str) else value for value in values]
    out["items"] = {**items, "enum": deduplicate(converted)}
    return True


def _convert(value: Json, name: str) -> Json:
    """The value converted to a type, or unchanged if impossible."""
    if value is None or has_type(value, [name]):
        return value
    if name == "string" and isinstance(value, bool | int | float):
        return value_as_json(value)
    if not isinstance(value, str):
        return value
    converted = _WORDS.get(value) if name == "boolean" else as_number(value)
    return converted if converted is not None and has_type(converted, [name]) else value


def _report_enumeration(context: NormalizeContext, path: Path, what: str, repair: str) -> None:
    context.warn(codes.MALFORMED_SCHEMA, (*path, "enum"), what=what, repair=repair)


_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def has_type(value: Json, types: Sequence[str]) -> bool:
    """True if `value` has one of `types`. Integral floats are integers (JSON Schema validation
    §6.1.1).

    Example: `has_type(2.0, ["integer"])` gives `True`.
    """
    return any(_has_json_type(value, name) for name in types)


def _has_json_type(value: Json, name: str) -> bool:
    if name in _CLASSES:
        return isinstance(value, _CLASSES[name])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return name == "number" or isinstance(value, int) or value.is_integer()


_BESIDE_REFERENCE = ("title", "description", "deprecated", "x-mcp-name")
"""Keywords kept beside a `$ref` in every dialect, since they change no value's validity."""


def normalize_schema(context: NormalizeContext, json: Json, path: Path) -> Json:
    """Normal form of the schema at `path` in the context's document: a mapping or a boolean.

    Adds DEEP_SCHEMA beyond `MAX_DEPTH` levels.
    """
    if not isinstance(json, dict):
        return _normalize_boolean(context, json, path)
    if context.depth >= MAX_DEPTH:
        context.fail(codes.DEEP_SCHEMA, path, limit=MAX_DEPTH)
        return {}
    context.depth += 1
    out: dict[str, Json] = {}
    bare = context.rules.older_schemas and "$ref" in json
    for key, value in _ordered_keywords(json):
        if bare and key != "$ref" and key not in _BESIDE_REFERENCE:
            # The object of a property reads `required: true` of the property; see `properties`.
            is_read = (
                key == "required" and isinstance(value, bool) and path[-2:-1] == ("properties",)
            )
            if not is_read:
                _report_sibling(context, key, path)
            continue
        keyword = context.keywords.get(key)
        if keyword is None:
            _count_unknown_keyword(context, key, path)
            continue
        if key in context.rules.foreign:
            meaning = context.rules.foreign[key]
            context.tally.count(
                codes.FOREIGN_KEYWORD,
                key,
                context.at((*path, key)),
                dialect=context.rules.name,
                meaning=meaning,
            )
        keyword(context, out, key, value, path)
    context.depth -= 1
    if not bare:
        schema = normalize_combined(context, out, json, path)
        if "allOf" in out:
            context.compositions.append((schema, context.at(path)))
        return schema
    # An extension beside a reference is no part of the reference, so it keeps its meaning.
    extensions = {key: value for key, value in json.items() if key.startswith("x-")}
    return with_null(out) if allows_null(context, extensions) else out


def _ordered_keywords(json: dict[str, Json]) -> Iterable[tuple[str, Json]]:
    """The keywords in document order, `additionalItems` last: its meaning depends on `items`."""
    if "additionalItems" not in json:
        return json.items()
    return sorted(json.items(), key=lambda keyword: keyword[0] == "additionalItems")


def _normalize_boolean(context: NormalizeContext, json: Json, path: Path) -> Json:
    if isinstance(json, bool):
        return json
    what = f"a schema must be a mapping, but this one is {value_kind(json)}"
    context.warn(codes.MALFORMED_SCHEMA, path, what=what, repair="every value is accepted")
    return {}


def _report_sibling(context: NormalizeContext, key: str, path: Path) -> None:
    if not key.startswith("x-"):
        context.tally.count(
            codes.IGNORED_SIBLING, key, context.at((*path, key)), dialect=context.rules.name
        )


def _count_unknown_keyword(context: NormalizeContext, key: str, path: Path) -> None:
    if not key.startswith("x-"):
        context.tally.count(
            codes.UNKNOWN_KEYWORD,
            key,
            context.at((*path, key)),
            dialect=context.rules.name,
            nearest=closest_match(key, context.keywords, cutoff=0.7),
        )


_ANNOTATIONS = (
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "xml",
    "x-mcp-name",
)
_APPLICATORS = ("$ref", "allOf", "anyOf", "oneOf", "not", "if")
"""Keywords that may forbid null although `type` allows null."""
_NULL_BRANCHES = {
    "allOf": ", here and in each schema of `allOf`",
    "anyOf": ", here and in a schema of `anyOf`",
    "oneOf": ", here and in exactly one schema of `oneOf`",
}
"""Ends of the hint of FORBIDDEN_NULL: the schemas of these keywords forbid null without `nullable`."""
_INCLUSIVE_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def normalize_combined(
    context: NormalizeContext, out: dict[str, Json], raw: dict[str, Json], path: Path
) -> Json:
    """Final form of keywords that depend on each other; `raw` is the schema as written."""
    for exclusive, inclusive in _INCLUSIVE_BOUNDS.items():
        if isinstance(out.get(exclusive), bool) and out.pop(exclusive) and inclusive in out:
            out[exclusive] = out.pop(inclusive)
    if "example" in out:
        _merge_example(out)
    if context.rules.older_schemas and out.get("type") == "array" and "items" not in raw:
        context.warn(
            codes.MALFORMED_SCHEMA,
            path,
            what="the array does not say what it holds",
            repair="it may hold anything",
        )
        out["items"] = {}
    if "type" in out and "enum" in out:
        repair_enumeration(context, out, path)
    if "enum" in out:
        resolve_contradictions(context, out, path)
    if "type" in out and ("default" in out or "examples" in out):
        _drop_unfit_values(context, out, raw, path)
    if not allows_null(context, raw):
        return out
    if context.rules.dialect is Dialect.OPENAPI_3_0 and raw.get("nullable") is True:
        _report_forbidden_null(context, raw, path)
    return with_null(out)


def _report_forbidden_null(context: NormalizeContext, raw: dict[str, Json], path: Path) -> None:
    """Counts `nullable: true` without effect by OpenAPI 3.0; null is allowed, as authors intend.

    https://spec.openapis.org/oas/v3.0.4.html#schema-object
    """
    values = raw.get("enum")
    applicator = next((keyword for keyword in _APPLICATORS if keyword in raw), "")
    at = context.at((*path, "nullable"))
    if "type" not in raw and applicator:
        hint = "write `type` beside `nullable: true`" + _NULL_BRANCHES.get(applicator, "")
        reason = f"beside `{applicator}` without `type`"
        context.tally.count(codes.FORBIDDEN_NULL, reason, at, hint=hint)
    if isinstance(values, list) and None not in values:
        hint = "add null to the values of `enum`"
        context.tally.count(codes.FORBIDDEN_NULL, "beside an `enum` without null", at, hint=hint)


def allows_null(context: NormalizeContext, raw: dict[str, Json]) -> bool:
    """True if a keyword of the dialect, such as `nullable`, allows null."""
    return any(raw.get(keyword) is True for keyword in context.rules.null_keywords)


def _merge_example(out: dict[str, Json]) -> None:
    """Appends `example` to `examples`."""
    example = out.pop("example")
    examples = out.setdefault("examples", [])
    if example not in examples:
        out["examples"] = [*examples, example]


def _drop_unfit_values(
    context: NormalizeContext, out: dict[str, Json], raw: dict[str, Json], path: Path
) -> None:
    """Drops a default and examples of another type than the schema's. Adds UNFIT_VALUE."""
    types = out["type"] if isinstance(out["type"], list) else [out["type"]]
    allowed = [*types, "null"] if allows_null(context, raw) else types
    if "default" in out and not has_type(out["default"], allowed):
        _report_unfit(context, "default", out.pop("default"), types, (*path, "default"))
    examples = out.pop("examples", [])
    fitting = [value for value in examples if has_type(value, allowed)]
    if fitting:
        out["examples"] = fitting
    place = "examples" if "examples" in raw else "example"
    for value in examples:
        if not has_type(value, allowed):
            _report_unfit(context, "example", value, types, (*path, place))


def _report_unfit(
    context: NormalizeContext, keyword: str, value: Json, types: list[str], path: Path
) -> None:
    if value is None:
        context.tally.count(codes.NULL_EXAMPLE, keyword, context.at(path))
        return
    type_words, value_text = " or ".join(types), format_value(value_as_json(value))
    if keyword == "example":
        context.tally.count(
            codes.UNFIT_VALUE, keyword, context.at(path), value=value_text, type=type_words
        )
        return
    context.warn(
        codes.UNFIT_VALUE, path, keyword=keyword, value=value_text, type=type_words, times=""
    )


def with_null(out: dict[str, Json]) -> dict[str, Json]:
    """The schema with null allowed. Example: `{"type": "string"}` gives `{"type": ["string",
    "null"]}`."""
    if any(keyword in out for keyword in _APPLICATORS):
        return _with_null_branch(out)
    if "type" in out:
        types = out["type"] if isinstance(out["type"], list) else [out["type"]]
        out["type"] = types if "null" in types else [*types, "null"]
    if "enum" in out and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]
    if "const" in out and out["const"] is not None:
        out["enum"] = [out.pop("const"), None]
    return out


def _with_null_branch(out: dict[str, Json]) -> dict[str, Json]:
    """An `anyOf` of the schema and null; annotations stay outside."""
    outside = {key: value for key, value in out.items() if key in _ANNOTATIONS}
    inside = {key: value for key, value in out.items() if key not in _ANNOTATIONS}
    return outside | {"anyOf": [inside, {"type": "null"}]}
