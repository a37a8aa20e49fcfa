"""The request that a call must cause, computed from the arguments and the route alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, unquote

from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import Argument, Constant, Route, Sent
from mcpgen.ir.source import Json
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.scenarios.placing import Placed
from mcpgen.lower.scenarios.wire_text import (
    compact,
    header_text,
    path_segment,
    query_pairs,
    text,
)

Parts = Sequence[Argument | Constant]

_LITERAL = "/:@!$&'()*+,;=-._~%"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def sent(
    route: Route, arguments: Sequence[Argument], constants: Sequence[Constant], tree: Placed
) -> Sent:
    """What an upstream sees of the request."""
    parts: Parts = (*arguments, *constants)
    path, _, fixed = route.path.partition("?")
    query = [fixed] if fixed else []
    for name, value in tree[Place.QUERY].items():
        query += _query(_part(parts, Place.QUERY, name), name, value)
    below = route.base_url.rstrip("/") if route.base_url.startswith("/") else ""
    target = below + _path(path, parts, tree[Place.PATH])
    target += "?" + "&".join(query) if query else ""
    body, media_type = None, ""
    if route.body is not None and "" in tree[Place.BODY]:
        media_type = route.body.media_type
        body = _body(media_type, tree[Place.BODY][""], parts)
    return Sent(
        method=route.method,
        target=target,
        headers={
            name: _header(_part(parts, Place.HEADER, name), value)
            for name, value in tree[Place.HEADER].items()
        },
        cookies=_cookies(parts, tree[Place.COOKIE]),
        body=body,
        media_type=media_type,
    )


def _part(parts: Parts, place: Place, name: str) -> Argument | Constant | None:
    """The first argument or constant of a parameter; all of its own share the style."""
    return next(
        (part for part in parts if part.place is place and part.target[:1] == (name,)), None
    )


def _content(part: Argument | Constant | None) -> bool:
    return isinstance(part, Argument) and bool(part.content)


def _written(value: Json) -> Json:
    return value if isinstance(value, str) else compact(value)


def _query(part: Argument | Constant | None, name: str, value: Json) -> list[str]:
    reserved = isinstance(part, Argument) and part.allow_reserved
    if _content(part):
        value = _written(value)
    style, explode = (part.style, part.explode) if part else (Style.FORM, True)
    return [f"{key}={one}" for key, one in query_pairs(name, value, style, explode, reserved)]


def _path(path: str, parts: Parts, values: dict[str, Json]) -> str:
    pieces = _PLACEHOLDER.split(path)
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            pieces[index] = quote(piece, safe=_LITERAL)
            continue
        part = _part(parts, Place.PATH, piece)
        value = _written(values[piece]) if _content(part) else values[piece]
        style, explode = (part.style, part.explode) if part else (Style.SIMPLE, False)
        pieces[index] = path_segment(piece, value, style, explode)
    whole = "".join(pieces)
    return whole if whole.startswith("/") else f"/{whole}"


def _header(part: Argument | Constant | None, value: Json) -> str:
    value = _written(value) if _content(part) else value
    return header_text(value, part.explode, part.style) if part else header_text(value, False)


def _cookies(parts: Parts, values: dict[str, Json]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in values.items():
        part = _part(parts, Place.COOKIE, name)
        explode = part.explode if part else True
        if _content(part):
            found[name] = _written(value)
        elif explode and isinstance(value, dict):
            found |= {key: text(one) for key, one in value.items()}
        elif explode and isinstance(value, list):
            found[name] = text(value[-1]) if value else ""
        else:
            found[name] = header_text(value, False)
    return found


def _body(media_type: str, value: Json, parts: Parts) -> Json:
    """A JSON value, the pairs of a form, or text; bytes as the base64 they were given in."""
    kind = media_kind(media_type)
    if kind is Media.FORM and isinstance(value, dict):
        return tuple(pair for name, field in value.items() for pair in _field(name, field, parts))
    if kind is Media.MULTIPART and isinstance(value, dict):
        return tuple(pair for name, field in value.items() for pair in _pieces(name, field, parts))
    return value


def _pieces(name: str, value: Json, parts: Parts) -> list[tuple[str, str]]:
    """Names and contents of the parts of one property of a multipart body."""
    part = _part(parts, Place.BODY, name)
    if part is not None and part.style is not None and isinstance(value, list | dict):
        return _field(name, value, parts)
    return [(name, text(one)) for one in (value if isinstance(value, list) else [value])]


def _field(name: str, value: Json, parts: Parts) -> list[tuple[str, str]]:
    """The pairs of one property of a form, decoded."""
    part = _part(parts, Place.BODY, name)
    style, explode = (part.style, part.explode) if part and part.style else (None, True)
    if style is None and isinstance(value, dict):
        return [(name, compact(value))]
    return [(unquote(key), unquote(one)) for key, one in query_pairs(name, value, style, explode)]
