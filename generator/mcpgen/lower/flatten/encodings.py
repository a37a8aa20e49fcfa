"""How the properties of a form or multipart body are written."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.ir.api import PropertyEncoding, Style
from mcpgen.ir.server import PartSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import is_binary
from mcpgen.lower.flatten.argument_draft import Wire
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.types import SCALARS, types
from mcpgen.lower.media import Media, media_kind


def form_wire(encoding: PropertyEncoding | None) -> Wire:
    """The style of a form property; none where the document leaves it to the media type: an array
    repeats its name, an object is JSON."""
    if encoding is None or not is_styled(encoding):
        return Wire(allow_reserved=bool(encoding and encoding.allow_reserved))
    style = encoding.style or Style.FORM
    explode = encoding.explode
    if explode is None:
        explode = style in (Style.FORM, Style.DEEP_OBJECT)
    return Wire(style, explode, encoding.allow_reserved)


def is_styled(encoding: PropertyEncoding | None) -> bool:
    """Whether a property has a style; its content type counts for nothing then."""
    return encoding is not None and (encoding.style is not None or encoding.explode is not None)


def form_parts(encodings: Mapping[str, PropertyEncoding]) -> dict[str, PartSpec]:
    """The fields of a form that are JSON whatever their type."""
    found: dict[str, PartSpec] = {}
    for name, encoding in encodings.items():
        kinds = {
            each.strip(): media_kind(each.strip()) for each in encoding.content_type.split(",")
        }
        is_json = any(kind in (Media.JSON, Media.JSON_SUFFIX) for kind in kinds.values())
        if is_json and not is_styled(encoding) and "*" not in encoding.content_type:
            found[name] = PartSpec("application/json")
    return found


def is_file(context: FlattenContext, view: SchemaView) -> bool:
    """Whether a value is bytes, or a list of them."""
    if types(context.schemas, view) == {"array"}:
        view = context.schemas.view(view.get("items", True))
    return is_binary(view) and types(context.schemas, view) <= {"string"}


def is_complex(context: FlattenContext, schema: Json) -> bool:
    """Whether a value, or an item of it, may be no scalar."""
    view = context.schemas.view(schema)
    kinds = types(context.schemas, view)
    if "array" in kinds and view.branches:
        return any(is_complex(context, branch) for branch in view.branches)
    if "array" in kinds:
        view = context.schemas.view(view.get("items", True))
        kinds = kinds - {"array"} | types(context.schemas, view)
    return not is_binary(view) and bool(kinds - SCALARS)
