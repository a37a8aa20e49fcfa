"""The request that a call must cause, computed from the arguments and the route alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ArgumentSpec, ConstantSpec, ExpectedRequest, RouteSpec
from mcpgen.ir.source import Json
from mcpgen.lower.media import Media, is_range, media_kind
from mcpgen.lower.scenarios.expected_body import expected_body
from mcpgen.lower.scenarios.parameter_styles import (
    between,
    compact_json,
    encode_query,
    header_text,
    path_segment,
    row_texts,
    scalar_text,
)
from mcpgen.lower.scenarios.place_arguments import Placed

Parts = Sequence[ArgumentSpec | ConstantSpec]

_LITERAL = "/:@!$&'()*+,;=-._~%"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def expected_request(
    route: RouteSpec,
    arguments: Sequence[ArgumentSpec],
    constants: Sequence[ConstantSpec],
    tree: Placed,
) -> ExpectedRequest:
    """What an upstream sees of the request."""
    parts: Parts = (*arguments, *constants)
    path, _, fixed = route.path.partition("?")
    query = [fixed] if fixed else []
    for name, value in tree[Place.QUERY].items():
        query += _query(_part(parts, Place.QUERY, name), name, value)
    target = (route.base_path or "") + _path(path, parts, tree[Place.PATH])
    target += "?" + "&".join(query) if query else ""
    body, media_type = None, ""
    if route.body is not None and "" in tree[Place.BODY]:
        media_type = route.body.media_type
        if is_range(media_type):
            media_type = tree[Place.PART][""]["type"]
        body = expected_body(route.body, tree, parts)
    return ExpectedRequest(
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


def _part(parts: Parts, place: Place, name: str) -> ArgumentSpec | ConstantSpec | None:
    """The first argument or constant of a parameter; all of its own share the style."""
    return next(
        (part for part in parts if part.place is place and part.target[:1] == (name,)), None
    )


def _content(part: ArgumentSpec | ConstantSpec | None) -> str:
    return part.content if isinstance(part, ArgumentSpec) else ""


def _rows(part: ArgumentSpec | ConstantSpec | None) -> Style | None:
    return part.rows if isinstance(part, ArgumentSpec) else None


def _written(media_type: str, value: Json) -> Json:
    """A parameter that has a media type, as that type writes it."""
    if media_kind(media_type) is Media.LINES and isinstance(value, list):
        before = "\x1e" if media_type.partition(";")[0].strip().lower().endswith("json-seq") else ""
        return "".join(f"{before}{compact_json(item)}\n" for item in value)
    is_text = isinstance(value, str) and media_kind(media_type) > Media.JSON_SUFFIX
    return value if is_text else compact_json(value)


def _query(part: ArgumentSpec | ConstantSpec | None, name: str, value: Json) -> list[str]:
    reserved = isinstance(part, ArgumentSpec) and part.allow_reserved
    if _content(part):
        value = _written(_content(part), value)
    if part is not None and part.style is Style.WHOLE:
        return [quote(scalar_text(value), safe="")]
    style, explode = (part.style, part.explode) if part else (Style.FORM, True)
    if rows := _rows(part):
        texts = row_texts(value, rows)
        texts = texts if explode else [between(style).join(texts)]
        return [f"{quote(name, safe='')}={one}" for one in texts]
    return [f"{key}={one}" for key, one in encode_query(name, value, style, explode, reserved)]


def _path(path: str, parts: Parts, values: dict[str, Json]) -> str:
    pieces = _PLACEHOLDER.split(path)
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            pieces[index] = quote(piece, safe=_LITERAL)
            continue
        part = _part(parts, Place.PATH, piece)
        value = values[piece]
        if _content(part):
            value = _written(_content(part), value)
        style, explode = (part.style, part.explode) if part else (Style.SIMPLE, False)
        reserved = isinstance(part, ArgumentSpec) and part.allow_reserved
        if rows := _rows(part):
            pieces[index] = between(style).join(row_texts(value, rows))
        else:
            pieces[index] = path_segment(piece, value, style, explode, reserved)
    whole = "".join(pieces)
    return whole if whole.startswith("/") else f"/{whole}"


def _header(part: ArgumentSpec | ConstantSpec | None, value: Json) -> str:
    value = _written(_content(part), value) if _content(part) else value
    if rows := _rows(part):
        value = [header_text(row, False, rows) for row in value]
    return header_text(value, part.explode, part.style) if part else header_text(value, False)


def _cookies(parts: Parts, values: dict[str, Json]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in values.items():
        part = _part(parts, Place.COOKIE, name)
        explode = part.explode if part else True
        if _content(part):
            found[name] = _written(_content(part), value)
        elif explode and isinstance(value, dict):
            found |= {key: scalar_text(one) for key, one in value.items()}
        elif explode and isinstance(value, list):
            found[name] = scalar_text(value[-1]) if value else ""
        else:
            found[name] = header_text(value, False)
    return found
