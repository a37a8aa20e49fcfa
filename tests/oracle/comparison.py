"""Compares drawn parameters and bodies with the request that a server received.

Independent of the code of generated servers: `styles.py` gives keys and texts, and the parsers of
servers read the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from tests.oracle.drawing.document import FORM, Body, Encoding, Operation, Parameter
from tests.oracle.drawing.values import Binary
from tests.oracle.parsers import (
    Disagreement,
    ReadPart,
    parse_cookies,
    parse_form,
    parse_multipart,
    parse_query,
    parse_unnamed_parts,
)
from tests.oracle.project import CREDENTIAL
from tests.oracle.recorder import RecordedRequest
from tests.oracle.styles import DELIMITERS, Text, is_equal, is_hollow, is_same, text_of, texts_of


def difference(
    operation: Operation,
    body: Body | None,
    drawn_values: Mapping[str, Any],
    request: RecordedRequest,
    base_path: str,
    *,
    has_old_integers: bool = False,
) -> str:
    """The first difference between the drawn values (by `query:name` …, and `body`) and a request;
    `""` for none. `has_old_integers` asks for integers without fraction and exponent."""
    target, _, query = request.target.partition("?")
    headers = {name.lower(): value for name, value in request.headers}
    try:
        by_place = {
            place: [parameter for parameter in operation.parameters if parameter.place == place]
            for place in ("path", "query", "header", "cookie")
        }
        return (
            _path(operation, by_place["path"], drawn_values, target.removeprefix(base_path))
            or _query(operation, by_place["query"], drawn_values, query)
            or _headers(by_place["header"], drawn_values, headers)
            or _cookies(by_place["cookie"], drawn_values, headers.get("cookie", ""))
            or _body(
                body, drawn_values, headers.get("content-type"), request.body, has_old_integers
            )
        )
    except Disagreement as fault:
        return f"servers disagree: {fault}"


def _path(
    operation: Operation, parameters: list[Parameter], drawn_values: Mapping[str, Any], path: str
) -> str:
    """Path parameters have no key to be found by: the whole path is compared, decoded."""
    path_of_document = re.split("[?#]", operation.path)[0]
    expected = f"/{path_of_document.removeprefix('/')}"
    for parameter in parameters:
        if f"path:{parameter.name}" in drawn_values:
            text = _path_text(parameter, drawn_values[f"path:{parameter.name}"])
            expected = expected.replace(f"{{{parameter.name}}}", text.replace("{", "\0"))
    expected = expected.replace("\0", "{")
    if path.count("/") != path_of_document.removeprefix("/").count("/") + 1:
        return f"path: {path} has other segments than {operation.path}"
    is_right = unquote(path) in (expected, unquote(expected))
    return "" if is_right else f"path: {path} is not {expected}"


def _path_text(parameter: Parameter, value: Any) -> str:
    if parameter.media_type:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    style, explode, name = parameter.style, parameter.explode, parameter.name
    delimiter = {"label": ".", "matrix": ";"}.get(style, "") if explode else ""
    delimiter = delimiter or DELIMITERS.get(style, ",")
    prefix = {"label": ".", "matrix": ";"}.get(style, "")
    if isinstance(value, list | dict):
        texts = list(texts_of(name, value, style, explode))
        has_key = explode and (isinstance(value, dict) or style == "matrix")
        joined_text = delimiter.join(
            (f"{text.key}=" if has_key else "")
            + (text.delimiter or ",").join(map(text_of, text.values))
            for text in texts
        )
        if has_key or style != "matrix":
            return f"{prefix}{joined_text}"
    else:
        joined_text = text_of(value)
    if style == "matrix":
        return f";{name}={joined_text}" if joined_text else f";{name}"
    return f"{prefix}{joined_text}"


def _query(
    operation: Operation, parameters: list[Parameter], drawn_values: Mapping[str, Any], query: str
) -> str:
    # A document may write `?beta=true` into its path.
    fixed = parse_query(operation.path.partition("#")[0].partition("?")[2])
    expected: list[Text] = []
    for parameter in parameters:
        if f"query:{parameter.name}" in drawn_values:
            value = drawn_values[f"query:{parameter.name}"]
            if parameter.media_type:
                expected.append(Text(parameter.name, (_Json(value),)))
            else:
                expected += texts_of(parameter.name, value, parameter.style, parameter.explode)
    parse_query(query)
    keys = {text.key for text in expected}
    pairs = [piece.partition("=")[::2] for piece in query.split("&") if piece]
    decoded_pairs = [(unquote(name), text) for name, text in pairs]
    for name, text in decoded_pairs:
        if name not in keys and (name, text) not in fixed and text != CREDENTIAL:
            return f"query: {name}={text} was not drawn"
    return match_pairs(
        expected,
        [parameter for parameter in decoded_pairs if parameter[0] in keys],
        _of_query,
        "query",
    )


class _Json:
    """A value that travels as JSON."""

    def __init__(self, value: Any) -> None:
        self.value = value


Split = Callable[[str, str], list[str]]
"""Divides an encoded text at a delimiter and decodes the pieces."""


def _of_query(text: str, delimiter: str) -> list[str]:
    if not delimiter:
        return [unquote(text.replace("+", " "))]
    delimiter_pattern = {" ": r"%20|\+", "|": r"%7C|%7c|\|", "\t": "%09"}.get(delimiter, ",")
    return [unquote(piece) for piece in re.split(delimiter_pattern, text)]


def _of_cookie(text: str, delimiter: str) -> list[str]:
    return [unquote(piece) for piece in _split_plain(text, delimiter)]


def _split_plain(text: str, delimiter: str) -> list[str]:
    return text.split(delimiter) if delimiter else [text]


def match_pairs(
    expected: Sequence[Text], pairs: Sequence[tuple[str, str]], split: Split, place: str
) -> str:
    """The first difference between expected texts and encoded pairs, whose keys are decoded."""
    texts = sorted(expected, key=lambda text_spec: text_spec.key)
    result = sorted(pairs, key=lambda pair: pair[0])
    if [text_spec.key for text_spec in texts] != [key for key, _ in result]:
        return (
            f"{place}: {[text_spec.key for text_spec in texts]} became {[key for key, _ in result]}"
        )
    for text_spec, (_, text) in zip(texts, result, strict=True):
        pieces = split(text, text_spec.delimiter)
        if len(pieces) != len(text_spec.values) or not all(
            map(_is_written, text_spec.values, pieces)
        ):
            return f"{place}: `{text_spec.key}` {text_spec.values} became {pieces}"
    return ""


def _is_written(value: Any, text: str) -> bool:
    if isinstance(value, _Json):
        try:
            return is_equal(value.value, json.loads(text))
        except ValueError:
            return isinstance(value.value, str) and value.value == text
    return is_same(value, text)


def _headers(
    parameters: list[Parameter], drawn_values: Mapping[str, Any], headers: Mapping[str, str]
) -> str:
    for parameter in parameters:
        name = parameter.name.lower()
        value = drawn_values.get(f"header:{parameter.name}")
        if is_hollow(value) and not parameter.media_type:
            if name in headers and f"header:{parameter.name}" in drawn_values:
                return f"header: {parameter.name} has a value"
            continue
        if name not in headers:
            return f"header: {parameter.name} is not sent"
        if parameter.media_type:
            if not _is_written(_Json(value), headers[name]):
                return f"header: {parameter.name} became {headers[name]}"
            continue
        expected: list[str] = []
        for text in texts_of("", value, parameter.style, parameter.explode):
            if isinstance(value, dict) and parameter.explode:
                expected += [f"{text.key}={text_of(item)}" for item in text.values]
            else:
                expected += map(text_of, text.values)
        is_list = isinstance(value, list | dict)
        delimiter = DELIMITERS.get(parameter.style, ",") if is_list else ""
        if _split_plain(headers[name], delimiter) != expected:
            return f"header: {parameter.name} {value!r} became {headers[name]!r}"
    return ""


def _cookies(parameters: list[Parameter], drawn_values: Mapping[str, Any], header: str) -> str:
    read = parse_cookies(header)
    expected: list[Text] = []
    is_plain = any(item.style == "cookie" for item in parameters)
    for item in parameters:
        value = drawn_values.get(f"cookie:{item.name}")
        if item.media_type and f"cookie:{item.name}" in drawn_values:
            expected.append(Text(item.name, (_Json(value),)))
        else:
            expected += texts_of(item.name, value, "form", item.explode)
    keys = {text.key for text in expected}
    pairs = [(unquote(name), text) for name, text in read]
    matching_pairs = [item for item in pairs if item[0] in keys]
    return match_pairs(expected, matching_pairs, _split_plain if is_plain else _of_cookie, "cookie")


def _body(
    body: Body | None,
    drawn_values: Mapping[str, Any],
    content_type: str | None,
    content: bytes,
    has_old_integers: bool,
) -> str:
    if body is None or "body" not in drawn_values:
        return "" if not content else "body: sent, and not drawn"
    value = drawn_values["body"]
    if is_hollow(value) and not content and not is_json(body.media_type):
        # A form without fields has no bytes, and multipart needs one part (RFC 2046, 5.1.1).
        return ""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if body.media_type.partition(";")[0] == FORM and isinstance(value, dict):
        text = content.decode("ascii")
        parse_form(content)
        pairs = [piece.partition("=")[::2] for piece in text.split("&") if piece]
        expected = [number for name, item in value.items() for number in _field(body, name, item)]
        decoded_pairs = [(unquote(name.replace("+", " ")), piece) for name, piece in pairs]
        return match_pairs(expected, decoded_pairs, _of_query, "form")
    if kind.startswith("multipart/"):
        return _multipart(body, value, content_type or "", content)
    if kind.endswith(("json-seq", "jsonl", "ndjson", "jsonlines", "x-json-stream")):
        lines = re.split(rb"[\n\x1e]+", content)
        read = [json.loads(line) for line in lines if line]
        return "" if is_equal(value, read) else f"body: {value!r} became {read!r}"
    if kind.endswith(("/json", "+json")):
        read = json.loads(content)
        if has_old_integers and any(number == int(number) for number in _floats(read)):
            return f"body: an integer has a fraction or an exponent: {content!r}"
        return "" if is_equal(value, read) else f"body: {value!r} became {read!r}"
    raw = value.content if isinstance(value, Binary) else text_of(value).encode()
    return "" if raw == content else f"body: {raw!r} became {content!r}"


def _floats(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    for item in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _floats(item)


def _field(body: Body, name: str, value: Any) -> Iterator[Text]:
    """The pairs of one property of an urlencoded form. Without a style, the content type counts,
    which is JSON for an object (3.0.4 and 3.1.1, Encoding Object)."""
    encoding = body.encodings.get(name, Encoding())
    if encoding.style is not None:
        yield from texts_of(name, value, encoding.style, encoding.explode)
        return
    for item in value if isinstance(value, list) else [value]:
        if item is not None:
            is_json = "json" in encoding.content_type
            yield Text(name, (_Json(item) if is_json else item,))


def _multipart(body: Body, value: Any, content_type: str, content: bytes) -> str:
    if not isinstance(value, dict):
        values = value if isinstance(value, list) else [value]
        if content_type.startswith("multipart/form-data"):
            parts = parse_multipart(content_type, content)
        else:
            parts = parse_unnamed_parts(content_type, content)
        expected_parts = [("", expected_value) for expected_value in values]
        parts = [ReadPart("", part.content, part.filename, part.media_type) for part in parts]
    elif content_type.startswith("multipart/form-data"):
        parts, expected_parts = parse_multipart(content_type, content), list(_parts(body, value))
    else:
        parts, expected_parts = parse_unnamed_parts(content_type, content), list(
            _parts(body, value)
        )
    # Only the order of parts of one name counts.
    expected_parts.sort(key=lambda pair: pair[0])
    parts.sort(key=lambda part: part.name)
    if [name for name, _ in expected_parts] != [part.name for part in parts]:
        return (
            f"parts: {[name for name, _ in expected_parts]} became {[part.name for part in parts]}"
        )
    for (name, expected_value), part in zip(expected_parts, parts, strict=True):
        if not _is_content(expected_value, part):
            return f"part: `{name}` {expected_value!r} became {part}"
    return ""


def _parts(body: Body, value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in value.items():
        encoding = body.encodings.get(name, Encoding())
        is_file = isinstance(member, Binary) or (
            isinstance(member, list) and any(isinstance(item, Binary) for item in member)
        )
        if encoding.style is not None and not is_file:
            for text in texts_of(name, member, encoding.style, encoding.explode):
                yield text.key, text if text.delimiter else text.values[0]
            continue
        yield from ((name, item) for item in (member if isinstance(member, list) else [member]))


def _is_content(value: Any, part: ReadPart) -> bool:
    if isinstance(value, Binary):
        return part.content == value.content
    text = part.content.decode(errors="replace")
    if isinstance(value, Text):
        return _split_plain(text, value.delimiter) == list(map(text_of, value.values))
    if isinstance(value, str) and part.media_type and "json" in part.media_type:
        return is_equal(value, json.loads(text))
    return is_same(value, text)


def is_json(media_type: str) -> bool:
    """Whether a body of a media type is JSON, or a sequence of JSON values."""
    kind = media_type.partition(";")[0].strip().lower()
    return kind.endswith(
        ("json", "+json", "*/*", "jsonl", "jsonlines", "json-seq", "application/*")
    )
