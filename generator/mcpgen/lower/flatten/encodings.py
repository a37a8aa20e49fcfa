"""How the properties of a form or multipart body are written."""

from __future__ import annotations

from mcpgen.ir.api import PropertyEncoding, Style
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.context import Context
from mcpgen.lower.flatten.draft import Wire
from mcpgen.lower.flatten.leaf import is_binary
from mcpgen.lower.flatten.types import SCALARS, types
from mcpgen.lower.media import Media, media_kind


def form_wire(encoding: PropertyEncoding | None) -> Wire:
    """The style of a form property; none where the document leaves it to the media type: an array
    repeats its name, an object is JSON."""
    if encoding is None or (encoding.style is None and encoding.explode is None):
        return Wire(allow_reserved=bool(encoding and encoding.allow_reserved))
    style = encoding.style or Style.FORM
    explode = encoding.explode
    if explode is None:
        explode = style in (Style.FORM, Style.DEEP_OBJECT)
    return Wire(style, explode, encoding.allow_reserved)


def part_types(
    context: Context, schema: Json, encodings: dict[str, PropertyEncoding]
) -> dict[str, str]:
    """The content types of parts: those the document names, and JSON for what is no scalar."""
    properties = context.objects.properties(context.schemas.view(schema))
    found: dict[str, str] = {}
    for part in properties.all if properties else ():
        encoding = encodings.get(part.name)
        named = encoding.content_type.partition(",")[0].strip() if encoding else ""
        if named and "*" not in named and media_kind(named) is not Media.ILLEGAL:
            found[part.name] = named
        elif not (encoding and encoding.style) and _is_complex(context, part.schema):
            found[part.name] = "application/json"
    return found


def _is_complex(context: Context, schema: Json) -> bool:
    view = context.schemas.view(schema)
    kinds = types(context.schemas, view)
    if kinds == {"array"}:
        view = context.schemas.view(view.get("items", True))
        kinds = types(context.schemas, view)
    return not is_binary(view) and bool(kinds - SCALARS)
