"""Announced schemas of single values, their constraints as English sentences, and descriptions of arguments.

Many hosts drop `minimum`, `pattern` or `format`; the sentences reach the model anyway.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.schema_view import SchemaView, json_type
from mcpgen.lower.name_words import meaning, name_words
from mcpgen.lower.sanitize_text import end_sentence, sanitize, sentences, strip_invisible, truncate
from mcpgen.lower.summarize import descriptive_sentences, shorten_phrases, summarize

_FORMATS = {
    "date": "ISO 8601 date.",
    "date-time": "ISO 8601 date and time.",
    "time": "ISO 8601 time.",
    "duration": "ISO 8601 duration.",
    "email": "Email address.",
    "uri": "URI.",
    "url": "URL.",
    "uuid": "UUID.",
    "hostname": "Hostname.",
    "ipv4": "IPv4 address.",
    "ipv6": "IPv6 address.",
    "password": "",
    "int32": "",
    "int64": "",
    "float": "",
    "double": "",
    "byte": "",
    "binary": "",
}
_MAX_PLAUSIBLE_LENGTH = 1_000
"""Longest plausible argument in characters; a larger `maxLength` is not worth a sentence."""

_MAX_SHOWN_VALUES = 20
_MAX_SHOWN_CHARACTERS = 240


def constraint_sentences(schema: Mapping[str, Json]) -> list[str]:
    """Returns one sentence per constraint of a flat schema: `{"minimum": 1}` gives `At least 1.`"""
    sentences: list[str] = []
    if "enum" in schema:
        sentences.append(list_values(schema["enum"]))
    elif schema.get("contentEncoding") == "base64":
        sentences.append("Base64.")
    elif "format" in schema:
        sentences.append(
            _FORMATS.get(schema["format"], f"Format: {_shorten_value(schema['format'])}.")
        )
    sentences.append(_range(_lengths(schema), "minLength", "maxLength", " characters"))
    sentences.append(_range(schema, "minItems", "maxItems", " items"))
    sentences.append(_range(schema, "minimum", "maximum", ""))
    if "exclusiveMinimum" in schema:
        sentences.append(f"More than {_number_text(schema['exclusiveMinimum'])}.")
    if "exclusiveMaximum" in schema:
        sentences.append(f"Less than {_number_text(schema['exclusiveMaximum'])}.")
    if "multipleOf" in schema and schema["multipleOf"] != 1:
        sentences.append(f"A multiple of {_number_text(schema['multipleOf'])}.")
    if schema.get("uniqueItems"):
        sentences.append("Each at most once.")
    if len(schema.get("pattern", "")) in range(1, 80):
        sentences.append(f"Pattern: `{strip_invisible(schema['pattern'])}`.")
    sentences += _item_sentences(schema)
    return [sentence for sentence in sentences if sentence]


def list_values(values: list[Json]) -> str:
    """Returns the enumerated values as a sentence; a long list is cut and the rest counted."""
    listed: list[str] = []
    for value in values[:_MAX_SHOWN_VALUES]:
        text = _value_text(value)
        if listed and sum(map(len, listed)) + len(text) > _MAX_SHOWN_CHARACTERS:
            break
        listed.append(text)
    more = len(values) - len(listed)
    return f"One of: {', '.join(listed)}" + (f" and {more} more." if more else ".")


def default_sentence(value: Json) -> str:
    """The sentence about a default value."""
    return f"Default: {_value_text(value)}."


def as_continuation(sentence: str) -> str:
    """Returns the sentence as it continues after a colon, first letter in lower case except in
    acronyms."""
    return sentence if sentence[1:2].isupper() else f"{sentence[0].lower()}{sentence[1:]}"


def _lengths(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Returns `minLength` and `maxLength` without bounds beyond any plausible text."""
    minimum, maximum = schema.get("minLength", 0), schema.get("maxLength", _MAX_PLAUSIBLE_LENGTH)
    lengths = {"minLength": minimum} if minimum > 1 else {}
    return lengths | ({"maxLength": maximum} if maximum < _MAX_PLAUSIBLE_LENGTH else {})


def _item_sentences(schema: Mapping[str, Json]) -> list[str]:
    items = schema.get("items")
    if not items:
        return []
    return [f"Each: {as_continuation(sentence)}" for sentence in constraint_sentences(items)]


def _range(schema: Mapping[str, Json], low: str, high: str, unit: str) -> str:
    minimum, maximum = schema.get(low), schema.get(high)
    if unit and minimum == 0:
        minimum = None
    if minimum is None:
        return (
            ""
            if maximum is None
            else f"At most {_number_text(maximum)}{_count_words(unit, maximum)}."
        )
    if maximum is None:
        return f"At least {_number_text(minimum)}{_count_words(unit, minimum)}."
    if minimum == maximum:
        return f"Exactly {_number_text(minimum)}{_count_words(unit, minimum)}."
    return f"{_number_text(minimum)} to {_number_text(maximum)}{unit}."


def _count_words(unit: str, count: float) -> str:
    return unit.removesuffix("s") if count == 1 else unit


def _number_text(value: float) -> str:
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


def _value_text(value: Json) -> str:
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return _shorten_value(text)


def _shorten_value(text: str) -> str:
    return truncate(strip_invisible(text), 80)


BEYOND = {
    "not",
    "if",
    "allOf",
    "anyOf",
    "oneOf",
    "contains",
    "prefixItems",
    "unevaluatedItems",
}
"""Keywords that a flat schema cannot hold, so the original schema is checked."""


@dataclass(frozen=True, slots=True)
class ArgumentSchema:
    """An announced schema without its description.

    `says_less`: the original must be checked as well. `instead`: schema to check instead of the
    original, for values that are text on the wire and for a single value in place of an array.
    `words`: constraints that only words can express. `also`: scalar types that a call may give
    beside the announced `string`. `unlisted`: the enumeration is too long to announce.
    """

    schema: dict[str, Json]
    says_less: bool = False
    instead: Json = None
    words: list[str] = field(default_factory=list)
    also: tuple[str, ...] = ()
    unlisted: bool = False


def announce_default(schema: dict[str, Json], view: SchemaView, words: list[str]) -> None:
    """Announces the default if the flat schema allows it, else adds a sentence to `words`."""
    if "default" not in view.keywords or view.get("default") is None:
        return
    value = view.get("default")
    kind = schema["type"]
    fits = json_type(value) == kind or (kind == "number" and json_type(value) == "integer")
    if fits and kind == "array":
        item = schema["items"]["type"]
        fits = all(
            json_type(part) == item or (item == "number" and json_type(part) == "integer")
            for part in value
        ) and not any("enum" in schema["items"] and p not in schema["items"]["enum"] for p in value)
    if fits and value not in schema.get("enum", [value]):
        fits = False
    if fits:
        schema["default"] = value
    else:
        words.append(default_sentence(value))


_PLACES = {
    Place.PATH: "in the path",
    Place.QUERY: "in the query",
    Place.HEADER: "in a header",
    Place.COOKIE: "in a cookie",
    Place.BODY: "in the body",
    Place.PART: "at the head of a part",
}
MAX_DESCRIPTION = 700
"""The most characters of an argument's description; a whole tool has to fit into a prompt."""


def describe_argument(
    context: FlattenContext,
    prose: str,
    target: Sequence[str],
    place: Place,
    demands: Sequence[str],
    at: Location,
) -> str:
    """Returns the description of an argument: 1 to `MAX_DESCRIPTION` characters.

    A summary of the document's words comes first; an undocumented argument is described by its name
    and place (`Pet id, in the path.`).
    """
    text = sanitize(prose, at, context.diagnostics)
    summary = _gist(text, context.budget.argument)
    if not summary:
        summary = describe_by_place(target, place)
    elif target and meaning(summary) <= meaning(target[-1]):
        summary = _keyword_text(target[-1])
    tail = truncate(" ".join(unrepeated_sentences(demands, summary)), MAX_DESCRIPTION - 60)
    return f"{end_sentence(truncate(summary, max(60, MAX_DESCRIPTION - 1 - len(tail))))} {tail}".strip()


@lru_cache(maxsize=4_096)
def _gist(text: str, room: int) -> str:
    """Summarizes the document's words. Cached: the operations of a collection repeat their
    texts."""
    facts = descriptive_sentences(text) or sentences(text)
    return summarize([shorten_phrases(facts[0]), *facts[1:]], room) if facts else ""


def describe_by_place(target: Sequence[str], place: Place) -> str:
    """Returns the description of an undocumented argument: `Street of address, in the body.`"""
    if not target:
        return "The body of the request."
    owner = " ".join(word for key in target[:-1] for word in name_words(key))
    of_owner = f" of {owner}" if owner else ""
    return truncate(f"{_keyword_text(target[-1])}{of_owner}, {_PLACES[place]}.", 200)


def _keyword_text(key: str) -> str:
    words = " ".join(name_words(key)) or strip_invisible(key) or "value"
    return f"{words[0].upper()}{words[1:]}"


_DEFAULT = re.compile(r"^Default: (.+)\.$", re.DOTALL)
_ONE_OF = re.compile(r"^One of: (.+)\.$", re.DOTALL)
_BOUND = re.compile(r"At most |At least |Exactly |-?[\d.]+ to ")
_LIMITS = re.compile(r"\b(?:max|min|most|least|up to|between|range|from|limit|exceed|than|exactly)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def unrepeated_sentences(demands: Sequence[str], text: str) -> list[str]:
    """Returns the sentences about a schema missing in the prose, in order."""
    return [sentence for sentence in demands if not _is_repeated_sentence(sentence, text)]


def _is_repeated_sentence(sentence: str, text: str) -> bool:
    lowered = text.lower()
    if _contains_word(sentence.rstrip(".").lower(), lowered):
        return True
    if sentence.startswith("ISO 8601"):
        return "8601" in lowered
    if default := _DEFAULT.match(sentence):
        return _after_default(default[1].lower(), lowered)
    if default := _ONE_OF.match(sentence):
        return all(_contains_word(value, text) for value in default[1].split(", "))
    if _BOUND.match(sentence):
        return _names_bounds(sentence, lowered)
    return False


def _after_default(value: str, lowered: str) -> bool:
    return any(
        _contains_word(value, part[:40]) for part in re.split(r"\bdefaults?(?:ed)?\b", lowered)[1:]
    )


def _contains_word(value: str, lowered: str) -> bool:
    """True if `value` occurs in the text as a word of its own."""
    # A substring search rejects most values without compiling a pattern.
    if value not in lowered:
        return False
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", lowered))


def _names_bounds(sentence: str, lowered: str) -> bool:
    """True if the text speaks of bounds and contains every number of the sentence."""
    numbers, lowered_numbers = _numbers(sentence), _numbers(lowered)
    return bool(numbers) and numbers <= lowered_numbers and bool(_LIMITS.search(lowered))


def _numbers(text: str) -> set[float]:
    """Returns the numbers in a text, without signs."""
    return {float(number.replace(",", "")) for number in _NUMBER.findall(text)}
