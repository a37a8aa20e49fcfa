"""One schema object in its normal form: its keywords one by one, then what they say together."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path, value_kind
from mcpgen.parse.schemas.context import DEEPEST, NormalizeContext
from mcpgen.parse.schemas.normalize_combined import normalize_combined, null_allowed, nullable
from mcpgen.parse.suggestions import closest_word

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
            nearest=closest_word(key, walk.keywords),
        )
