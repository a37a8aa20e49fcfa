"""How servers parse queries, forms, cookies and multipart bodies: three independent parsers for each.

The standard library (`urllib.parse`, `http.cookies`, `email`), Werkzeug, and a plain version of what
Go's `net/http` and `mime/multipart` do. A request is understood only if all three agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from http.cookies import SimpleCookie
from io import BytesIO
from urllib.parse import parse_qsl, unquote_to_bytes

from werkzeug.datastructures import FileStorage
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Request

Pair = tuple[str, str]


class Disagreement(ValueError):
    """Parsers read different values in the same bytes, or one refuses them."""


@dataclass(frozen=True)
class ReadPart:
    """One part of a multipart body; `filename` and `media_type` are None where the part has none."""

    name: str
    content: bytes
    filename: str | None = None
    media_type: str | None = None


def parse(target: str, headers: Mapping[str, str], body: bytes) -> None:
    """Parses a request as servers do; `headers` by name in lower case. Raises Disagreement."""
    parse_query(target.partition("?")[2])
    parse_cookies(headers.get("cookie", ""))
    content_type = headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        parse_form(body)
    elif kind == "multipart/form-data":
        parse_multipart(content_type, body)
    elif kind.startswith("multipart/"):
        parse_unnamed_parts(content_type, body)


def parse_query(text: str) -> list[Pair]:
    """The pairs of a query or of an urlencoded form. Raises Disagreement."""
    readings: dict[str, Callable[[], list[Pair]]] = {
        "urllib": lambda: parse_qsl(
            text, keep_blank_values=True, strict_parsing=bool(text), errors="strict"
        ),
        "Werkzeug": lambda: list(
            Request({"QUERY_STRING": text, "REQUEST_METHOD": "GET"}).args.items(multi=True)
        ),
        "Go": lambda: _go_query(text),
    }
    result = {name: _attempt(name, read) for name, read in readings.items()}
    # Werkzeug groups the pairs by name.
    if sorted(result["Werkzeug"]) != sorted(result["Go"]) or result["urllib"] != result["Go"]:
        raise Disagreement(f"{text!r}: {result}")
    return result["Go"]


def parse_form(body: bytes) -> list[Pair]:
    """The pairs of an urlencoded body. Raises Disagreement."""
    pairs = parse_query(body.decode("ascii"))
    _, form, _ = FormDataParser().parse(
        BytesIO(body), "application/x-www-form-urlencoded", len(body)
    )
    if sorted(form.items(multi=True)) != sorted(pairs):
        raise Disagreement(f"{body!r}: {form}, {pairs}")
    return pairs


def parse_cookies(header: str) -> list[Pair]:
    """The cookies of a `Cookie` header, as they stand there. Raises Disagreement."""
    library: SimpleCookie = SimpleCookie(header)
    by_name = {name: morsel.value for name, morsel in library.items()}
    werkzeug = list(parse_cookie(header).items(multi=True))
    plain = _go_cookies(header)
    # `http.cookies` keeps the last of several cookies with one name.
    if by_name != dict(plain) or sorted(werkzeug) != sorted(plain):
        raise Disagreement(f"{header!r}: {by_name}, {werkzeug}, {plain}")
    return plain


def parse_multipart(content_type: str, body: bytes) -> list[ReadPart]:
    """The parts of a `multipart/form-data` body. Raises Disagreement."""
    library = _email_parts(content_type, body)
    plain = _go_parts(content_type, body)
    if library != plain:
        raise Disagreement(f"email: {library}, Go: {plain}")
    if plain:
        werkzeug = _werkzeug_parts(content_type, body)
        if sorted((read_part.name, read_part.content) for read_part in plain) != sorted(werkzeug):
            raise Disagreement(f"Werkzeug: {werkzeug}, Go: {plain}")
    return plain


def parse_unnamed_parts(content_type: str, body: bytes) -> list[ReadPart]:
    """The parts of a multipart body whose parts have no names. Raises Disagreement."""
    library, plain = _email_parts(content_type, body), _go_parts(content_type, body)
    if library != plain:
        raise Disagreement(f"email: {library}, Go: {plain}")
    return plain


def _attempt(name: str, read: Callable[[], list[Pair]]) -> list[Pair]:
    try:
        return read()
    except ValueError as fault:
        raise Disagreement(f"{name}: {fault}") from None


def _go_query(text: str) -> list[Pair]:
    """`url.ParseQuery`: `;` is refused, `+` is a space, every `%` has two hexadecimal digits."""
    result = []
    for piece in text.split("&") if text else ():
        if ";" in piece:
            raise ValueError("invalid semicolon separator in query")
        key, _, value = piece.partition("=")
        result.append((_go_unescape(key), _go_unescape(value)))
    return result


def _go_unescape(text: str) -> str:
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise ValueError(f"invalid URL escape in {text!r}")
    return unquote_to_bytes(text.replace("+", " ")).decode()


def _go_cookies(header: str) -> list[Pair]:
    """`readCookies`: pairs between `;`, without quotes around the value; a value with other octets
    than RFC 6265 allows is dropped."""
    result = []
    for piece in header.split(";") if header else ():
        name, _, value = piece.strip().partition("=")
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        if re.fullmatch(r"[\x20!#-:<-\[\]-~]*", value) and name:
            result.append((name, value))
    return result


def _boundary(content_type: str) -> bytes:
    match = re.search(r'boundary="?([^";]+)"?', content_type)
    if not match:
        raise Disagreement(f"{content_type}: no boundary")
    return match[1].encode()


def _go_parts(content_type: str, body: bytes) -> list[ReadPart]:
    """Splitting at the lines of the boundary, as RFC 2046, 5.1.1 says."""
    delimiter = b"\r\n--" + _boundary(content_type)
    pieces = (b"\r\n" + body).split(delimiter)
    if len(pieces) < 2 or pieces[-1] not in (b"--\r\n", b"--"):
        raise Disagreement("the body does not end with the closing boundary")
    read_parts = []
    for piece in pieces[1:-1]:
        head, _, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        if piece.startswith(b"\r\n\r\n"):
            head, content = b"", piece[4:]
        lines = [line.decode().partition(":") for line in head.split(b"\r\n") if line]
        headers = {name.lower(): value.strip() for name, _, value in lines}
        output = headers.get("content-disposition", "")
        parameters = dict(re.findall(r';\s*(\w+)="([^"]*)"', output))
        read_parts.append(_part(parameters, content, headers.get("content-type")))
    return read_parts


def _part(parameters: Mapping[str, str], content: bytes, media_type: str | None) -> ReadPart:
    filename = parameters.get("filename")
    return ReadPart(
        _unquoted(parameters.get("name", "")),
        content,
        None if filename is None else _unquoted(filename),
        media_type,
    )


def _unquoted(name: str) -> str:
    """A name as browsers write names: `"`, CR and LF percent-encoded (HTML, multipart/form-data)."""
    return name.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")


def _email_parts(content_type: str, body: bytes) -> list[ReadPart]:
    head = f"MIME-Version: 1.0\r\nContent-Type: {content_type}\r\n\r\n".encode()
    message = message_from_bytes(head + body, policy=policy.HTTP)
    read_parts = []
    for part in message.get_payload() if message.is_multipart() else ():
        if isinstance(part, str):
            raise Disagreement("email: a part is no message")
        content = part.get_payload(decode=True)
        raw = {name.lower(): str(value) for name, value in part.raw_items()}
        output = raw.get("content-disposition", "")
        text = output.encode("ascii", "surrogateescape").decode()
        parameters = dict(re.findall(r';\s*(\w+)="([^"]*)"', text))
        kind = raw.get("content-type")
        read_parts.append(_part(parameters, content if isinstance(content, bytes) else b"", kind))
    return read_parts


def _werkzeug_parts(content_type: str, body: bytes) -> list[tuple[str, bytes]]:
    _, form, files = FormDataParser(max_form_parts=None).parse(
        BytesIO(body), "multipart/form-data", len(body), _options(content_type)
    )
    texts = [(name, value.encode()) for name, value in form.items(multi=True)]
    return texts + [(name, _content(file)) for name, file in files.items(multi=True)]


def _options(content_type: str) -> dict[str, str]:
    return {"boundary": _boundary(content_type).decode()}


def _content(file: FileStorage) -> bytes:
    content: bytes = file.read()
    file.close()
    return content
