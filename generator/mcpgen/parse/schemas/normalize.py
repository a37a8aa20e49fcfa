"""One schema object in its normal form: its keywords one by one, then what they say together."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Dialect, Json
from mcpgen.parse.node import Path, format_value, value_as_json, value_kind
from mcpgen.parse.schemas.context import DEEPEST, NormalizeContext
from mcpgen.parse.schemas.enumerations import has_type, mend_enumeration, settle_contradictions

_BESIDE_REFERENCE = ("title", "description", "deprecated", "x-mcp-name")
"""Keywords that are kept beside a `$ref` in every dialect; they change no value's validity."""


def normalize_schema(walk: NormalizeContext, json: Json, path: Path) -> Json:
    """The normal form of a schema that stands at `path` in the walk's document."""
    if not isinstance(json, dict):
        return _not_an_object(walk, json, path)
    if walk.depth >= DEEPEST:
        walk.fail(codes.DEEP_SCHEMA, path, limit=DEEPEST)
        return {}
    walk.depth += 1
    out: dict[str, Json] = {}
    bare = walk.rules.older_schemas and "$ref" in json
    for key, value in json.items():
        if bare and key != "$ref" and key not in _BESIDE_REFERENCE:
            _sibling(walk, key, path)
            continue
        keyword = walk.keywords.get(key)
        if keyword is None:
            _unknown(walk, key, path)
            continue
        if key in walk.rules.foreign:
            meaning = walk.rules.foreign[key]
            walk.tally.count(
                codes.FOREIGN_KEYWORD,
                key,
                walk.at((*path, key)),
                dialect=walk.rules.name,
                meaning=meaning,
            )
        keyword(walk, out, key, value, path)
    walk.depth -= 1
    if not bare:
        made = normalize_combined(walk, out, json, path)
        if "allOf" in out:
            walk.composed.append((made, walk.at(path)))
        return made
    # An extension beside a reference is no part of the reference, so it keeps its meaning.
    extensions = {key: value for key, value in json.items() if key.startswith("x-")}
    return nullable(out) if null_allowed(walk, extensions) else out


def _not_an_object(walk: NormalizeContext, json: Json, path: Path) -> Json:
    if isinstance(json, bool):
        return json
    what = f"a schema must be a mapping, but this one is {value_kind(json)}"
    walk.warn(codes.MALFORMED_SCHEMA, path, what=what, repair="every value is accepted")
    return {}


def _sibling(walk: NormalizeContext, key: str, path: Path) -> None:
    if not key.startswith("x-"):
        walk.tally.count(codes.IGNORED_SIBLING, key, walk.at((*path, key)), dialect=walk.rules.name)


def _unknown(walk: NormalizeContext, key: str, path: Path) -> None:
    if not key.startswith("x-"):
        walk.tally.count(
            codes.UNKNOWN_KEYWORD,
            key,
            walk.at((*path, key)),
            dialect=walk.rules.name,
            nearest=closest_match(key, walk.keywords, cutoff=0.7),
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
"""Keywords that may forbid null although the type allows it."""
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def normalize_combined(
    walk: NormalizeContext, out: dict[str, Json], raw: dict[str, Json], path: Path
) -> Json:
    """The schema with the keywords that depend on each other in their final form."""
    for exclusive, inclusive in _BOUNDS.items():
        if isinstance(out.get(exclusive), bool) and out.pop(exclusive) and inclusive in out:
            out[exclusive] = out.pop(inclusive)
    if "example" in out:
        _merge_example(out)
    if walk.rules.older_schemas and out.get("type") == "array" and "items" not in raw:
        walk.warn(
            codes.MALFORMED_SCHEMA,
            path,
            what="the array does not say what it holds",
            repair="it may hold anything",
        )
        out["items"] = {}
    if "type" in out and "enum" in out:
        mend_enumeration(walk, out, path)
    if "enum" in out:
        settle_contradictions(walk, out, path)
    if "type" in out and ("default" in out or "examples" in out):
        _leave_out_unfit(walk, out, raw, path)
    if not null_allowed(walk, raw):
        return out
    if walk.rules.dialect is Dialect.OPENAPI_3_0 and raw.get("nullable") is True:
        _tell_forbidden_null(walk, raw, path)
    return nullable(out)


def _tell_forbidden_null(walk: NormalizeContext, raw: dict[str, Json], path: Path) -> None:
    """Tells `nullable: true` that OpenAPI 3.0 gives no effect; authors mean it, so null is allowed.

    https://spec.openapis.org/oas/v3.0.4.html#schema-object
    """
    values = raw.get("enum")
    joined = next((keyword for keyword in _APPLICATORS if keyword in raw), "")
    reasons = {
        f"beside `{joined}` without `type`": "type" not in raw and joined,
        "beside an `enum` without null": isinstance(values, list) and None not in values,
    }
    for reason, holds in reasons.items():
        if holds:
            walk.tally.count(codes.FORBIDDEN_NULL, reason, walk.at((*path, "nullable")))


def null_allowed(walk: NormalizeContext, raw: dict[str, Json]) -> bool:
    """Whether a keyword of the dialect allows null beside what the schema says."""
    return any(raw.get(keyword) is True for keyword in walk.rules.null_keywords)


def _merge_example(out: dict[str, Json]) -> None:
    """Moves `example` to the end of `examples`."""
    example = out.pop("example")
    examples = out.setdefault("examples", [])
    if example not in examples:
        out["examples"] = [*examples, example]


def _leave_out_unfit(
    walk: NormalizeContext, out: dict[str, Json], raw: dict[str, Json], path: Path
) -> None:
    """Takes out the default and the examples that the schema's own type forbids."""
    types = out["type"] if isinstance(out["type"], list) else [out["type"]]
    allowed = [*types, "null"] if null_allowed(walk, raw) else types
    if "default" in out and not has_type(out["default"], allowed):
        _tell_unfit(walk, "default", out.pop("default"), types, (*path, "default"))
    examples = out.pop("examples", [])
    fitting = [value for value in examples if has_type(value, allowed)]
    if fitting:
        out["examples"] = fitting
    place = "examples" if "examples" in raw else "example"
    for value in examples:
        if not has_type(value, allowed):
            _tell_unfit(walk, "example", value, types, (*path, place))


def _tell_unfit(
    walk: NormalizeContext, keyword: str, value: Json, types: list[str], path: Path
) -> None:
    if value is None:
        walk.tally.count(codes.NULL_EXAMPLE, keyword, walk.at(path))
        return
    told, written = " or ".join(types), format_value(value_as_json(value))
    if keyword == "example":
        walk.tally.count(codes.UNFIT_VALUE, keyword, walk.at(path), value=written, type=told)
        return
    walk.warn(codes.UNFIT_VALUE, path, keyword=keyword, value=written, type=told, times="")


def nullable(out: dict[str, Json]) -> dict[str, Json]:
    """The schema with null allowed."""
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
    """A choice between the schema and null; texts and other annotations stay outside."""
    outside = {key: value for key, value in out.items() if key in _ANNOTATIONS}
    inside = {key: value for key, value in out.items() if key not in _ANNOTATIONS}
    return outside | {"anyOf": [inside, {"type": "null"}]}
