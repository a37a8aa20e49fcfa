"""Normalizes keywords with texts, flags, numbers and plain values, with repairs for common
mistakes."""

from __future__ import annotations

import math
import re
from functools import lru_cache

import jsonschema_rs

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path, format_value, value_kind
from mcpgen.parse.schemas.context import NormalizeContext

TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})

_TYPE_ALIASES: dict[str, tuple[str, str]] = {
    "int": ("integer", ""),
    "int32": ("integer", "int32"),
    "int64": ("integer", "int64"),
    "long": ("integer", "int64"),
    "float": ("number", "float"),
    "double": ("number", "double"),
    "decimal": ("number", ""),
    "bool": ("boolean", ""),
    "str": ("string", ""),
    "text": ("string", ""),
    "date": ("string", "date"),
    "datetime": ("string", "date-time"),
    "date-time": ("string", "date-time"),
    "uuid": ("string", "uuid"),
    "uri": ("string", "uri"),
    "url": ("string", "uri"),
    "email": ("string", "email"),
    "file": ("string", "binary"),
    "binary": ("string", "binary"),
    "byte": ("string", "byte"),
    "list": ("array", ""),
    "dict": ("object", ""),
    "map": ("object", ""),
    "none": ("null", ""),
}
"""Common wrong names for a type, in lower case, with the intended type and format."""


def type_keyword(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`type`: one of seven names, or a list of names. An unknown name allows every type."""
    if isinstance(value, str) and value in TYPES:
        out[key] = value
        return
    alternatives = value if isinstance(value, list) else [value]
    if isinstance(value, list) and context.rules.older_schemas:
        context.tally.count(
            codes.FOREIGN_KEYWORD,
            "type: [...]",
            context.at((*path, key)),
            dialect=context.rules.name,
            meaning="in OpenAPI 3.1",
        )
    names: dict[str, None] = {}
    for name in alternatives:
        if name is None and isinstance(value, list):
            # YAML reads an unquoted null as no value.
            name = "null"
        json_type, form = _intended_type(context, name, (*path, key))
        if not json_type:
            # An unknown alternative may be anything, so nothing is known about the type.
            return
        names[json_type] = None
        if form:
            out.setdefault("format", form)
    if names:
        out[key] = list(names) if len(names) > 1 else next(iter(names))


def _intended_type(context: NormalizeContext, name: Json, path: Path) -> tuple[str, str]:
    """Type and format intended by a written type; `""` if unknown. Adds UNKNOWN_TYPE."""
    if not isinstance(name, str):
        context.warn(codes.UNKNOWN_TYPE, path, type=value_kind(name), used="any type")
        return "", ""
    if name in TYPES:
        return name, ""
    lower = name.lower()
    json_type, form = (lower, "") if lower in TYPES else _TYPE_ALIASES.get(lower, ("", ""))
    words = (
        f"`{json_type}`" + (f" with the format `{form}`" if form else "")
        if json_type
        else "any type"
    )
    context.warn(codes.UNKNOWN_TYPE, path, type=format_value(name), used=words)
    return json_type, form


_FLAGS = {"true": True, "false": False}


def read_text(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A text; a number is converted to a text."""
    if isinstance(value, str):
        out[key] = value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        out[key] = str(value)
    elif value is not None:
        report_malformed(context, key, value, "a text", path)


def read_flag(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A boolean, or the text `true` or `false` with a warning."""
    if isinstance(value, bool):
        out[key] = value
    elif isinstance(value, str) and value.lower() in _FLAGS:
        out[key] = _FLAGS[value.lower()]
        report_malformed(
            context, key, value, "true or false", path, f"it is read as {value.lower()}"
        )
    else:
        report_malformed(context, key, value, "true or false", path)


def read_count(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """An integer from 0."""
    number = as_number(value)
    if number is None or number < 0 or number != int(number):
        report_malformed(context, key, value, "a whole number from 0", path)
        return
    out[key] = int(number)
    if isinstance(value, str):
        report_malformed(context, key, value, "a number", path, f"it is read as {number}")


def read_number(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A finite number, above 0 for `multipleOf`; another value is reported."""
    number = as_number(value)
    if number is None or (key == "multipleOf" and number <= 0):
        expected = "a number above 0" if key == "multipleOf" else "a number"
        report_malformed(context, key, value, expected, path)
        return
    out[key] = number
    if isinstance(value, str):
        report_malformed(context, key, value, "a number", path, f"it is read as {number}")


def exclusive(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """An exclusive bound: a number, or in OpenAPI 3.0 a flag that makes the inclusive bound
    exclusive."""
    if not isinstance(value, bool):
        read_number(context, out, key, value, path)
        return
    out[key] = value
    if not context.rules.older_schemas:
        inclusive = key.replace("exclusiveM", "m")
        repair = f"it is read as whether `{inclusive}` itself is excluded"
        report_malformed(context, key, value, "a number", path, repair)


def pattern(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A regular expression that validators support."""
    if not isinstance(value, str):
        report_malformed(context, key, value, "a text", path)
        return
    supported = read_pattern(context, value, (*path, key))
    if supported is not None:
        out[key] = supported


def read_pattern(context: NormalizeContext, value: str, path: Path) -> str | None:
    """A pattern, or an equivalent that validators support; None after a warning."""
    if is_usable_pattern(value):
        return value
    translated = translate_pattern(value)
    if translated is None:
        context.warn(codes.DROPPED_PATTERN, path, pattern=format_value(value))
    else:
        context.warn(
            codes.MENDED_PATTERN,
            path,
            pattern=format_value(value, 200),
            mended=format_value(translated, 200),
        )
    return translated


def any_value(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Any value, unchanged."""
    out[key] = value


def enum(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A non-empty list of distinct values."""
    if not isinstance(value, list):
        if value is None or isinstance(value, dict):
            report_malformed(context, key, value, "a list of values", path)
            return
        report_malformed(
            context, key, value, "a list of values", path, "it is read as the only value"
        )
        value = [value]
    if not value:
        what = "`enum` allows no value at all"
        context.warn(codes.MALFORMED_SCHEMA, (*path, key), what=what, repair="it is left out")
        return
    out[key] = deduplicate(value)


def read_examples(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A list of values, or a mapping of Example Objects, from which the values are taken."""
    if isinstance(value, list):
        out[key] = list(value)
    elif isinstance(value, dict):
        report_malformed(context, key, value, "a list", path, "its values are taken")
        out[key] = [
            values["value"] if isinstance(values, dict) and "value" in values else values
            for values in value.values()
        ]
    else:
        report_malformed(context, key, value, "a list", path)


def ignore_keyword(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Drops a keyword that neither validates values nor serves a later stage."""


def report_malformed(
    context: NormalizeContext,
    key: str,
    value: Json,
    expected: str,
    path: Path,
    repair: str = "it is left out",
) -> None:
    """Warns of a keyword with a value of the wrong shape, and of the repair. Adds MALFORMED_SCHEMA."""
    value_text = (
        value_kind(value)
        if isinstance(value, dict | list) or value is None
        else f"`{format_value(value)}`"
    )
    what = f"`{key}` must be {expected}, but it is {value_text}"
    context.warn(codes.MALFORMED_SCHEMA, (*path, key), what=what, repair=repair)


def as_number(value: Json) -> int | float | None:
    """A finite number, also from a text; otherwise None."""
    if isinstance(value, str):
        try:
            value = int(value) if value.strip().lstrip("+-").isdecimal() else float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def deduplicate(values: list[Json]) -> list[Json]:
    """Distinct values in order; `1` and `true` are different values, unlike in Python."""
    seen: set[str] = set()
    unique = []
    for value in values:
        key = f"{type(value).__name__} {value!r}"
        if key not in seen:
            seen.add(key)
            unique.append(value)
    return unique


_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_DELIMITED = re.compile(r"/(\^.*\$)/[a-z]*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_HARMLESS_FLAGS = frozenset("guy")
"""Flags of a JavaScript literal that change no match of a whole text: JSON Schema has the flag `u`."""
_SET_ENDS = {"A": "^", "Z": "$", "z": "$"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
_MAX_CHARACTERS = 10_000


def is_usable_pattern(pattern: str) -> bool:
    """True if validators give the pattern the meaning that the author intended.

    Example: false for `/^a$/`, which has the delimiters of a JavaScript literal.
    """
    return not _DELIMITED.fullmatch(pattern) and is_supported_pattern(pattern)


@lru_cache(maxsize=4096)
def is_supported_pattern(pattern: str) -> bool:
    """True if the validators of a generated server accept the pattern."""
    if len(pattern) > _MAX_CHARACTERS:
        return False
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def translate_pattern(pattern: str) -> str | None:
    r"""An equivalent pattern in the dialect of JSON Schema (ECMA-262); None if unknown.

    Removes the delimiters of other languages and needless escapes, writes `\A` and `\Z` as `^` and
    `$`, and escapes a hyphen beside a class such as `\w`.
    """
    if delimited := _DELIMITED.fullmatch(pattern):
        if not _HARMLESS_FLAGS.issuperset(pattern.rpartition("/")[2]):
            return None
        pattern = delimited[1]
        if is_supported_pattern(pattern):
            return pattern
    candidate = _ESCAPED.sub(_unescape, _CLASS.sub(_escape_hyphens, pattern))
    return candidate if candidate != pattern and is_supported_pattern(candidate) else None


def _escape_hyphens(match: re.Match[str]) -> str:
    r"""Escapes hyphens beside `\w` and similar classes inside a character class."""
    return re.sub(r"(?<=\\[wWdDsS])-(?=[^\]])|(?<=[^\[\\^])-(?=\\[wWdDsS])", r"\\-", match[0])


def _unescape(match: re.Match[str]) -> str:
    """An escape sequence as JSON Schema writes it."""
    character = match[1]
    if character in _SET_ENDS:
        return _SET_ENDS[character]
    return match[0] if character in _SYNTAX or character.isalnum() else character
