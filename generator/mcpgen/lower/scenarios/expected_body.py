"""The body that a call must cause, kind by kind, computed from the arguments and the plan alone."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import parse_qsl, unquote

from mcpgen.ir.api import Place
from mcpgen.ir.server import ArgumentSpec, BodyPlan, ConstantSpec, ElementSpec, PartSpec, TextForm
from mcpgen.ir.source import Json
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.scenarios.parameter_styles import compact_json, encode_query, scalar_text
from mcpgen.lower.scenarios.place_arguments import Placed

Parts = Sequence[ArgumentSpec | ConstantSpec]

Piece = tuple[str, str, str, str]
"""One part of a multipart body: its name, content type, file name and content; bytes as base64."""

_JSON = (Media.JSON, Media.JSON_SUFFIX)


def expected_body(plan: BodyPlan, tree: Placed, parts: Parts) -> Json:
    """What `ExpectedRequest.body` holds of a body."""
    value = tree[Place.BODY][""]
    kind = media_kind(plan.media_type)
    if kind is Media.FORM and isinstance(value, dict):
        return tuple(pair for name in value for pair in _field(plan, name, value[name], parts))
    if kind is Media.FORM:
        return tuple(parse_qsl(value, keep_blank_values=True))
    if kind is Media.MULTIPART:
        return tuple(_pieces(plan, value, tree[Place.PART], parts))
    if kind is Media.XML:
        return _canonical(plan.xml, value)
    return value


def _canonical(shapes: Mapping[str, ElementSpec], value: Json) -> str:
    """The document of a value, or that a text is where there are no shapes, canonical."""
    # Loaded here: few descriptions speak XML, and what writes it brings a client of HTTP along.
    from mcpgen.lower.scenarios.xml_text import canonical, canonical_xml

    return canonical(shapes, value) if shapes else canonical_xml(value)


def _styled(name: str, parts: Parts) -> ArgumentSpec | ConstantSpec | None:
    """The argument or constant that gives a field a style of its own."""
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


def _field(plan: BodyPlan, name: str, value: Json, parts: Parts) -> list[tuple[str, str]]:
    """The pairs of one property of a form, decoded."""
    styled = _styled(name, parts)
    if styled is not None:
        pairs = encode_query(name, value, styled.style, styled.explode)
        return [(unquote(key), unquote(one)) for key, one in pairs]
    media_type = plan.parts.get(name, PartSpec()).media_type
    items = value if isinstance(value, list) else [value]
    return [(name, _inside(media_type, item)) for item in items if item is not None]


def _inside(media_type: str, value: Json) -> str:
    """The text of one field or part."""
    is_json = bool(media_type) and media_kind(media_type) in _JSON
    return compact_json(value) if is_json or isinstance(value, list | dict) else scalar_text(value)


def _pieces(
    plan: BodyPlan, value: Json, heads: Mapping[str, Json], parts: Parts
) -> Iterator[Piece]:
    if not isinstance(value, dict):
        items = value if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            part = plan.parts.get(str(index), plan.parts.get("", PartSpec()))
            yield _piece(plan, "", part, item, {}, part.base64 or _is_bytes("", parts))
        return
    for name, each in value.items():
        styled = _styled(name, parts)
        if styled is not None and isinstance(each, list | dict):
            yield from ((key, "", "", one) for key, one in _field(plan, name, each, parts))
            continue
        head = heads.get(name, {})
        for index, item in enumerate(each if isinstance(each, list) else [each]):
            said = {
                key: one[index] if isinstance(one, list) else one
                for key, one in head.items()
                if key != "headers" and not (isinstance(one, list) and index >= len(one))
            }
            part = plan.parts.get(name, PartSpec())
            yield _piece(plan, name, part, item, said, _is_bytes(name, parts))


def _piece(
    plan: BodyPlan, name: str, part: PartSpec, value: Json, said: Mapping[str, Json], is_bytes: bool
) -> Piece:
    """One part; content stays text where the part has no file name and its type is one of text."""
    filename = said.get("filename", name if is_bytes else "")
    media_type = str(said.get("type", part.media_type))
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
    return name, media_type, "", _inside(media_type, value)
