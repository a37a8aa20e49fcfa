"""The expected upstream request of a call, computed from arguments and route alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import parse_qsl, quote, unquote

from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import (
    ArgumentSpec,
    BodyPlan,
    ConstantSpec,
    ElementSpec,
    ExpectedRequest,
    PartSpec,
    RouteSpec,
    TextForm,
)
from mcpgen.ir.source import Json
from mcpgen.lower.media import Media, is_range, media_kind
from mcpgen.lower.scenarios.validity import Placed
from mcpgen.lower.scenarios.wire_values import (
    compact_json,
    encode_query,
    header_text,
    item_delimiter,
    path_segment,
    row_texts,
    scalar_text,
)

Parts = Sequence[ArgumentSpec | ConstantSpec]

_LITERAL = "/:@!$&'()*+,;=-._~%"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def expected_request(
    route: RouteSpec,
    arguments: Sequence[ArgumentSpec],
    constants: Sequence[ConstantSpec],
    tree: Placed,
) -> ExpectedRequest:
    """Returns path, query, headers, cookies and body of the request."""
    parts: Parts = (*arguments, *constants)
    path, _, fixed = route.path.partition("?")
    query = [fixed] if fixed else []
    for name, value in tree[Place.QUERY].items():
        query += _query(_first_part(parts, Place.QUERY, name), name, value)
    target = (route.base_path or "") + _expected_path(path, parts, tree[Place.PATH])
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
            name: _expected_header(_first_part(parts, Place.HEADER, name), value)
            for name, value in tree[Place.HEADER].items()
        },
        cookies=_cookies(parts, tree[Place.COOKIE]),
        body=body,
        media_type=media_type,
    )


def _first_part(parts: Parts, place: Place, name: str) -> ArgumentSpec | ConstantSpec | None:
    """Returns the first argument or constant of a parameter; all of its arguments share a style."""
    return next(
        (part for part in parts if part.place is place and part.target[:1] == (name,)), None
    )


def _content_type_of_part(part: ArgumentSpec | ConstantSpec | None) -> str:
    return part.content if isinstance(part, ArgumentSpec) else ""


def _rows(part: ArgumentSpec | ConstantSpec | None) -> Style | None:
    return part.rows if isinstance(part, ArgumentSpec) else None


def _serialize(media_type: str, value: Json) -> Json:
    """Returns a parameter serialized by its media type."""
    if media_kind(media_type) is Media.LINES and isinstance(value, list):
        before = "\x1e" if media_type.partition(";")[0].strip().lower().endswith("json-seq") else ""
        return "".join(f"{before}{compact_json(item)}\n" for item in value)
    is_text = isinstance(value, str) and media_kind(media_type) > Media.JSON_SUFFIX
    return value if is_text else compact_json(value)


def _query(part: ArgumentSpec | ConstantSpec | None, name: str, value: Json) -> list[str]:
    reserved = isinstance(part, ArgumentSpec) and part.allow_reserved
    if _content_type_of_part(part):
        value = _serialize(_content_type_of_part(part), value)
    if part is not None and part.style is Style.WHOLE:
        return [quote(scalar_text(value), safe="")]
    style, explode = (part.style, part.explode) if part else (Style.FORM, True)
    if rows := _rows(part):
        texts = row_texts(value, rows)
        texts = texts if explode else [item_delimiter(style).join(texts)]
        return [f"{quote(name, safe='')}={text}" for text in texts]
    return [f"{key}={text}" for key, text in encode_query(name, value, style, explode, reserved)]


def _expected_path(path: str, parts: Parts, values: dict[str, Json]) -> str:
    pieces = _PLACEHOLDER.split(path)
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            pieces[index] = quote(piece, safe=_LITERAL)
            continue
        part = _first_part(parts, Place.PATH, piece)
        value = values[piece]
        if _content_type_of_part(part):
            value = _serialize(_content_type_of_part(part), value)
        style, explode = (part.style, part.explode) if part else (Style.SIMPLE, False)
        reserved = isinstance(part, ArgumentSpec) and part.allow_reserved
        if rows := _rows(part):
            pieces[index] = item_delimiter(style).join(row_texts(value, rows))
        else:
            pieces[index] = path_segment(piece, value, style, explode, reserved)
    whole = "".join(pieces)
    return whole if whole.startswith("/") else f"/{whole}"


def _expected_header(part: ArgumentSpec | ConstantSpec | None, value: Json) -> str:
    value = _serialize(_content_type_of_part(part), value) if _content_type_of_part(part) else value
    if rows := _rows(part):
        value = [header_text(row, False, rows) for row in value]
    return header_text(value, part.explode, part.style) if part else header_text(value, False)


def _cookies(parts: Parts, values: dict[str, Json]) -> dict[str, str]:
    cookies: dict[str, str] = {}
    for name, value in values.items():
        part = _first_part(parts, Place.COOKIE, name)
        explode = part.explode if part else True
        if _content_type_of_part(part):
            cookies[name] = _serialize(_content_type_of_part(part), value)
        elif explode and isinstance(value, dict):
            cookies |= {key: scalar_text(text) for key, text in value.items()}
        elif explode and isinstance(value, list):
            cookies[name] = scalar_text(value[-1]) if value else ""
        else:
            cookies[name] = header_text(value, False)
    return cookies


Piece = tuple[str, str, str, str]
"""One multipart part: name, content type, file name and content; bytes as base64."""

_JSON = (Media.JSON, Media.JSON_SUFFIX)


def expected_body(plan: BodyPlan, tree: Placed, parts: Parts) -> Json:
    """Returns the content of `ExpectedRequest.body`."""
    value = tree[Place.BODY][""]
    kind = media_kind(plan.media_type)
    if kind is Media.FORM and isinstance(value, dict):
        return tuple(pair for name in value for pair in _form_field(plan, name, value[name], parts))
    if kind is Media.FORM:
        return tuple(parse_qsl(value, keep_blank_values=True))
    if kind is Media.MULTIPART:
        return tuple(_multipart_parts(plan, value, tree[Place.PART], parts))
    if kind is Media.XML:
        return _canonical(plan.xml, value)
    return value


def _canonical(shapes: Mapping[str, ElementSpec], value: Json) -> str:
    """Returns canonical XML of a value, or of an XML text without shapes."""
    # Imported here: few descriptions use XML, and the module loads an HTTP client.
    from mcpgen.lower.scenarios.wire_values import canonical, canonical_xml

    return canonical(shapes, value) if shapes else canonical_xml(value)


def _find_styled(name: str, parts: Parts) -> ArgumentSpec | ConstantSpec | None:
    """Returns the argument or constant that styles a form field, else None."""
    for part in parts:
        if part.place is Place.BODY and part.target[:1] == (name,) and part.style is not None:
            return part
    return None


def _is_bytes(name: str, parts: Parts) -> bool:
    return any(
        isinstance(part, ArgumentSpec)
        and part.place is Place.BODY
        and part.target in ((name,), ())
        and part.text is TextForm.BASE64
        for part in parts
    )


def _form_field(plan: BodyPlan, name: str, value: Json, parts: Parts) -> list[tuple[str, str]]:
    """Returns the decoded pairs of one form property."""
    styled = _find_styled(name, parts)
    if styled is not None:
        pairs = encode_query(name, value, styled.style, styled.explode)
        return [(unquote(key), unquote(text)) for key, text in pairs]
    media_type = plan.parts.get(name, PartSpec()).media_type
    items = value if isinstance(value, list) else [value]
    return [(name, _part_text(media_type, item)) for item in items if item is not None]


def _part_text(media_type: str, value: Json) -> str:
    """Returns the text of one field or part."""
    is_json = bool(media_type) and media_kind(media_type) in _JSON
    return compact_json(value) if is_json or isinstance(value, list | dict) else scalar_text(value)


def _multipart_parts(
    plan: BodyPlan, value: Json, heads: Mapping[str, Json], parts: Parts
) -> Iterator[Piece]:
    if not isinstance(value, dict):
        items = value if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            part = plan.parts.get(str(index), plan.parts.get("", PartSpec()))
            yield _multipart_part(plan, "", part, item, {}, part.base64 or _is_bytes("", parts))
        return
    for name, member in value.items():
        styled = _find_styled(name, parts)
        if styled is not None and isinstance(member, list | dict):
            yield from (
                (key, "", "", head_value)
                for key, head_value in _form_field(plan, name, member, parts)
            )
            continue
        head = heads.get(name, {})
        for index, item in enumerate(member if isinstance(member, list) else [member]):
            values = {
                key: head_value[index] if isinstance(head_value, list) else head_value
                for key, head_value in head.items()
                if key != "headers"
                and not (isinstance(head_value, list) and index >= len(head_value))
            }
            part = plan.parts.get(name, PartSpec())
            yield _multipart_part(plan, name, part, item, values, _is_bytes(name, parts))


def _multipart_part(
    plan: BodyPlan,
    name: str,
    part: PartSpec,
    value: Json,
    values: Mapping[str, Json],
    is_bytes: bool,
) -> Piece:
    """Returns one part; content stays text for a text type without a file name."""
    filename = values.get("filename", name if is_bytes else "")
    media_type = str(values.get("type", part.media_type))
    if not media_type and is_bytes:
        media_type = "application/octet-stream"
    if not media_type and isinstance(value, list | dict):
        media_type = "application/json"
    if is_bytes:
        is_text = not filename and media_kind(media_type) not in (Media.BYTES, Media.ILLEGAL)
        content = base64.b64decode(value).decode() if is_text else str(value)
        return name, media_type, str(filename), content
    if part.xml is not None:
        return name, media_type, "", _canonical({**plan.xml, "": part.xml}, value)
    return name, media_type, "", _part_text(media_type, value)
