"""Values that no request can contain, each with the clause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from tests.oracle.comparison import is_json
from tests.oracle.drawing.document import Body, Encoding, Operation, Parameter
from tests.oracle.styles import DELIMITERS, is_hollow, text_of

EMPTY = "an empty array or object outside of JSON (RFC 6570, 2.3)"
NULL = "null outside of JSON (RFC 6570, 2.3)"
DELIMITER = "a delimiter inside a value (OpenAPI 3.1.1, Appendix D)"
SEGMENT = "an empty segment or `.` in a path (RFC 3986, 5.2.4)"
CONTROL = "a control character in a path (RFC 3986, 3.3)"
COOKIE = "an octet that no cookie holds (RFC 6265, 4.1.1)"
HEADER = "characters that no field value holds (RFC 9110, 5.5)"


def unwritable(operation: Operation, body: Body | None, drawn_values: Mapping[str, Any]) -> str:
    """Reason and clause why no request can contain a drawn value; `""` for a sendable value."""
    for parameter in operation.parameters:
        key = f"{parameter.place}:{parameter.name}"
        if key in drawn_values and (reason := _unwritable(parameter, drawn_values[key])):
            return reason
    if body is None or "body" not in drawn_values or is_json(body.media_type):
        return ""
    value = drawn_values["body"]
    if not isinstance(value, dict):
        return NULL if value is None else ""
    for name, parameter in value.items():
        if _holds_null(parameter):
            return NULL
        if is_hollow(parameter) or _has_hollow(parameter):
            return EMPTY
        encoding = body.encodings.get(name, Encoding())
        if encoding.style and not encoding.explode and isinstance(parameter, list | dict):
            delimiter = DELIMITERS.get(
                encoding.style, "," if "multipart" in body.media_type else ""
            )
            if delimiter and any(delimiter in text for text in _members(parameter)):
                return DELIMITER
    return ""


def _has_hollow(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(
        isinstance(item, list | dict) and (is_hollow(item) or _has_hollow(item)) for item in inner
    )


def _holds_null(value: Any) -> bool:
    if isinstance(value, list | dict):
        return any(map(_holds_null, value.values() if isinstance(value, dict) else value))
    return value is None


def _members(value: Any) -> list[str]:
    if isinstance(value, list):
        return list(map(text_of, value))
    return [part for key, member in value.items() for part in (key, text_of(member))]


def _unwritable(parameter: Parameter, value: Any) -> str:
    if parameter.media_type:
        return _in_header([text_of(value)]) if parameter.place == "header" else ""
    if _holds_null(value):
        return NULL
    if not isinstance(value, list | dict):
        return _in_place(parameter, [text_of(value)])
    is_split = parameter.explode or parameter.style == "deepObject"
    is_empty = is_hollow(value) or (is_split and _has_hollow(value))
    if is_empty and (parameter.required or (isinstance(value, dict) and value)):
        return EMPTY
    texts = _members(value)
    delimiter = _delimiter(parameter)
    if delimiter and any(delimiter in text for text in texts):
        return DELIMITER
    return _in_place(parameter, texts)


def _delimiter(parameter: Parameter) -> str:
    """The delimiter that a style cannot escape inside a value, or `""`."""
    if parameter.explode:
        delimiter = {"label": "."}.get(parameter.style, "")
    else:
        delimiter = DELIMITERS.get(parameter.style, "")
    return delimiter or ("," if parameter.place == "header" else "")


def _in_place(parameter: Parameter, texts: list[str]) -> str:
    if parameter.place == "path":
        if any(re.search(r"[\x00-\x1f\x7f]", text) for text in texts):
            return CONTROL
        is_dotted = len(texts) == 1 and unquote(texts[0]).strip() in ("", ".", "..")
        return SEGMENT if is_dotted else ""
    if parameter.style == "cookie":
        is_plain = all(re.fullmatch(r"[!#-+\--:<-\[\]-~]*", text) for text in texts)
        return "" if is_plain else COOKIE
    return _in_header(texts) if parameter.place == "header" else ""


def _in_header(texts: list[str]) -> str:
    is_plain = all(re.fullmatch(r"[\t\x20-\x7e]*", text) for text in texts)
    return "" if is_plain and all(text == text.strip() for text in texts) else HEADER
