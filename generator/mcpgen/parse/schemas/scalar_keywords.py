"""Keywords that hold texts, flags, numbers and values, each with the repairs it allows."""

from __future__ import annotations

import math

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path, format_value, value_kind
from mcpgen.parse.schemas.context import NormalizeContext
from mcpgen.parse.schemas.patterns import translate_pattern, usable

_FLAGS = {"true": True, "false": False}


def read_text(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A text; numbers are written out."""
    if isinstance(value, str):
        out[key] = value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        out[key] = str(value)
    elif value is not None:
        report_malformed(walk, key, value, "a text", path)


def read_flag(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """True or false; also as a text."""
    if isinstance(value, bool):
        out[key] = value
    elif isinstance(value, str) and value.lower() in _FLAGS:
        out[key] = _FLAGS[value.lower()]
        report_malformed(walk, key, value, "true or false", path, f"it is read as {value.lower()}")
    else:
        report_malformed(walk, key, value, "true or false", path)


def read_count(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A whole number from zero."""
    found = as_number(value)
    if found is None or found < 0 or found != int(found):
        report_malformed(walk, key, value, "a whole number from 0", path)
        return
    out[key] = int(found)
    if isinstance(value, str):
        report_malformed(walk, key, value, "a number", path, f"it is read as {found}")


def read_number(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A finite number."""
    found = as_number(value)
    if found is None or (key == "multipleOf" and found <= 0):
        expected = "a number above 0" if key == "multipleOf" else "a number"
        report_malformed(walk, key, value, expected, path)
        return
    out[key] = found
    if isinstance(value, str):
        report_malformed(walk, key, value, "a number", path, f"it is read as {found}")


def exclusive(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """An exclusive bound: a number, or in OpenAPI 3.0 whether the inclusive bound is exclusive."""
    if not isinstance(value, bool):
        read_number(walk, out, key, value, path)
        return
    out[key] = value
    if not walk.rules.older_schemas:
        inclusive = key.replace("exclusiveM", "m")
        repair = f"it is read as whether `{inclusive}` itself is excluded"
        report_malformed(walk, key, value, "a number", path, repair)


def pattern(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A regular expression that validators accept."""
    if not isinstance(value, str):
        report_malformed(walk, key, value, "a text", path)
        return
    found = read_pattern(walk, value, (*path, key))
    if found is not None:
        out[key] = found


def read_pattern(walk: NormalizeContext, value: str, path: Path) -> str | None:
    """A pattern, or its mended form; None, with a warning told, if there is none."""
    if usable(value):
        return value
    found = translate_pattern(value)
    if found is None:
        walk.warn(codes.DROPPED_PATTERN, path, pattern=format_value(value))
    else:
        walk.warn(
            codes.MENDED_PATTERN, path, pattern=format_value(value), mended=format_value(found)
        )
    return found


def any_value(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Any value, as it is."""
    out[key] = value


def enum(walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """A list of different values, not empty."""
    if not isinstance(value, list):
        if value is None or isinstance(value, dict):
            report_malformed(walk, key, value, "a list of values", path)
            return
        report_malformed(walk, key, value, "a list of values", path, "it is read as the only value")
        value = [value]
    if not value:
        what = "`enum` allows no value at all"
        walk.warn(codes.MALFORMED_SCHEMA, (*path, key), what=what, repair="it is left out")
        return
    out[key] = deduplicate(value)


def read_examples(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A list of values; a mapping of Example Objects is read as the values in them."""
    if isinstance(value, list):
        out[key] = list(value)
    elif isinstance(value, dict):
        report_malformed(walk, key, value, "a list", path, "its values are taken")
        out[key] = [
            found["value"] if isinstance(found, dict) and "value" in found else found
            for found in value.values()
        ]
    else:
        report_malformed(walk, key, value, "a list", path)


def ignore_keyword(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A keyword with no say in which values are valid, and of no use to later stages."""


def report_malformed(
    walk: NormalizeContext,
    key: str,
    value: Json,
    expected: str,
    path: Path,
    repair: str = "it is left out",
) -> None:
    """Tells that a keyword's value has the wrong shape, and what is done about it."""
    written = (
        value_kind(value)
        if isinstance(value, dict | list) or value is None
        else f"`{format_value(value)}`"
    )
    what = f"`{key}` must be {expected}, but it is {written}"
    walk.warn(codes.MALFORMED_SCHEMA, (*path, key), what=what, repair=repair)


def as_number(value: Json) -> int | float | None:
    """A finite number, also one written as a text."""
    if isinstance(value, str):
        try:
            value = int(value) if value.strip().lstrip("+-").isdecimal() else float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def deduplicate(values: list[Json]) -> list[Json]:
    """The values without repetitions; `1` and `true` are different."""
    seen: set[str] = set()
    kept = []
    for value in values:
        key = f"{type(value).__name__} {value!r}"
        if key not in seen:
            seen.add(key)
            kept.append(value)
    return kept
