"""Values that JSON and YAML have in common, and YAML scalars by the core schema of YAML 1.2.

https://yaml.org/spec/1.2.2/#103-core-schema
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from mcpgen.ir.source import Json

KINDS: dict[type, str] = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def kind_name(value: Json) -> str:
    """Type of a value with article, such as `a mapping`."""
    return KINDS[type(value)]


def parse_float(text: str) -> float | None:
    """The float, or None if the number is not finite, which JSON cannot represent (RFC 8259 §6)."""
    value = float(text)
    return value if math.isfinite(value) else None


def parse_integer(text: str, convert: Callable[[str], int] = int) -> int | None:
    """The integer, or None beyond Python's limit of digits (`sys.set_int_max_str_digits`)."""
    try:
        value = convert(text)
        if convert is not int:
            # Python limits the digits of other bases only when the integer is written in decimal.
            str(value)
    except ValueError:
        return None
    return value


WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
INTEGER = re.compile(r"[-+]?[0-9]+")
OCTAL = re.compile(r"0o[0-7]+")
HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
NUMBER_STARTS = frozenset("+-.0123456789")

NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], float | None]], ...] = (
    (INTEGER, parse_integer),
    (OCTAL, lambda text: parse_integer(text, lambda digits: int(digits[2:], 8))),
    (HEXADECIMAL, lambda text: parse_integer(text, lambda digits: int(digits[2:], 16))),
    (FLOAT, parse_float),
    (NOT_FINITE, lambda text: None),
)
"""Pattern and converter for each form of number; a converter gives None for a number that JSON
cannot represent."""

TAG = "tag:yaml.org,2002:"
MAP_TAG = TAG + "map"
SEQUENCE_TAG = TAG + "seq"
TEXT_TAGS = frozenset({"!", TAG + "str", TAG + "binary", TAG + "timestamp"})
VALUE_TAGS: dict[str, tuple[type, ...]] = {
    TAG + "int": (int,),
    TAG + "float": (int, float),
    TAG + "bool": (bool,),
    TAG + "null": (type(None),),
}


class UnusableNumber(ValueError):
    """A number that JSON cannot represent."""


class UnfitTag(ValueError):
    """An unknown tag, or a tag of another type than the value."""


def construct_plain(text: str) -> Json:
    """Value of a plain scalar. Raises UnusableNumber.

    Example: `0o17` is 15, `No` is the text "No", `~` is None.
    """
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_STARTS:
        return text
    for pattern, convert in NUMBERS:
        if pattern.fullmatch(text):
            value = convert(text)
            if value is None:
                raise UnusableNumber(text)
            return value
    return text


def construct_tagged(text: str, tag: str) -> Json:
    """Value of a scalar with an explicit tag. Raises UnusableNumber and UnfitTag."""
    if tag in TEXT_TAGS:
        return text
    value = construct_plain(text)
    if type(value) not in VALUE_TAGS.get(tag, ()):
        raise UnfitTag(tag)
    if tag != TAG + "float":
        return value
    try:
        return float(value)
    except OverflowError as error:
        raise UnusableNumber(text) from error


def format_tag(tag: str) -> str:
    """Tag in its usual form. Example: `tag:yaml.org,2002:int` is `!!int`."""
    return tag.replace(TAG, "!!", 1) if tag.startswith(TAG) else tag
