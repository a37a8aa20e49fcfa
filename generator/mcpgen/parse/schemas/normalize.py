"""Normalizes one schema: first keyword by keyword, then the keywords that depend on each other."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Dialect, Json
from mcpgen.parse.node import Path, format_value, value_as_json, value_kind
from mcpgen.parse.schemas.context import DEEPEST, NormalizeContext
from mcpgen.parse.schemas.enumerations import has_type, repair_enumeration, resolve_contradictions

_BESIDE_REFERENCE = ("title", "description", "deprecated", "x-mcp-name")
"""Keywords kept beside a `$ref` in every dialect, since they change no value's validity."""


def normalize_schema(context: NormalizeContext, json: Json, path: Path) -> Json:
    """Normal form of the schema at `path` in the context's document: a mapping or a boolean.

    Adds DEEP_SCHEMA beyond `DEEPEST` levels.
    """
    if not isinstance(json, dict):
        return _normalize_boolean(context, json, path)
    if context.depth >= DEEPEST:
        context.fail(codes.DEEP_SCHEMA, path, limit=DEEPEST)
        return {}
    context.depth += 1
    out: dict[str, Json] = {}
    bare = context.rules.older_schemas and "$ref" in json
    for key, value in json.items():
        if bare and key != "$ref" and key not in _BESIDE_REFERENCE:
            _report_sibling(context, key, path)
            continue
        keyword = context.keywords.get(key)
        if keyword is None:
            _report_unknown(context, key, path)
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


def _report_unknown(context: NormalizeContext, key: str, path: Path) -> None:
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
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def normalize_combined(
    context: NormalizeContext, out: dict[str, Json], raw: dict[str, Json], path: Path
) -> Json:
    """Final form of keywords that depend on each other; `raw` is the schema as written."""
    for exclusive, inclusive in _BOUNDS.items():
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
    reasons = {
        f"beside `{applicator}` without `type`": "type" not in raw and applicator,
        "beside an `enum` without null": isinstance(values, list) and None not in values,
    }
    for reason, holds in reasons.items():
        if holds:
            context.tally.count(codes.FORBIDDEN_NULL, reason, context.at((*path, "nullable")))


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
