"""Encoding of form and multipart properties.

https://spec.openapis.org/oas/v3.1.1.html#encoding-object
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Parameter, Place, PropertyEncoding, Style
from mcpgen.ir.server import ConstantSpec, ElementSpec, PartSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument import Value, flatten_value, is_binary, single_value
from mcpgen.lower.flatten.argument_draft import ArgumentDraft, Wire
from mcpgen.lower.flatten.argument_schema import (
    constraint_sentences,
    describe_argument,
    list_values,
)
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.merge import intersection
from mcpgen.lower.flatten.naming import legal_argument_name
from mcpgen.lower.flatten.objects import ObjectProperties, ObjectProperty
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.types import SCALARS, schema_types
from mcpgen.lower.flatten.xml import NoXmlForm, xml_part_shape
from mcpgen.lower.media import Media, escape_pattern, is_range, media_kind, range_schema


def form_wire(encoding: PropertyEncoding | None) -> Wire:
    """Returns the style of a form property.

    Without a style in the document, an array repeats its name and an object is JSON.
    """
    if encoding is None or not is_styled(encoding):
        return Wire(allow_reserved=bool(encoding and encoding.allow_reserved))
    style = encoding.style or Style.FORM
    explode = encoding.explode
    if explode is None:
        explode = style in (Style.FORM, Style.DEEP_OBJECT)
    return Wire(style, explode, encoding.allow_reserved)


def is_styled(encoding: PropertyEncoding | None) -> bool:
    """True if the encoding sets a style; the content type is ignored then (OpenAPI 3.1, Encoding
    Object)."""
    return encoding is not None and (encoding.style is not None or encoding.explode is not None)


def form_parts(encodings: Mapping[str, PropertyEncoding]) -> dict[str, PartSpec]:
    """Returns the form fields whose content type is JSON, by name."""
    fields: dict[str, PartSpec] = {}
    for name, encoding in encodings.items():
        kinds = {
            content_type.strip(): media_kind(content_type.strip())
            for content_type in encoding.content_type.split(",")
        }
        is_json = any(kind in (Media.JSON, Media.JSON_SUFFIX) for kind in kinds.values())
        if is_json and not is_styled(encoding) and "*" not in encoding.content_type:
            fields[name] = PartSpec("application/json")
    return fields


def is_file(context: FlattenContext, view: SchemaView) -> bool:
    """True for bytes or a list of bytes."""
    if schema_types(context.schemas, view) == {"array"}:
        view = context.schemas.view(view.get("items", True))
    return is_binary(view) and schema_types(context.schemas, view) <= {"string"}


def is_complex(context: FlattenContext, schema: Json) -> bool:
    """True if a value, or an item of an array, may be an object or array."""
    view = context.schemas.view(schema)
    kinds = schema_types(context.schemas, view)
    if "array" in kinds and view.branches:
        return any(is_complex(context, branch) for branch in view.branches)
    if "array" in kinds:
        view = context.schemas.view(view.get("items", True))
        kinds = kinds - {"array"} | schema_types(context.schemas, view)
    return not is_binary(view) and bool(kinds - SCALARS)


_MAX_NAME = 64
_OF_TEXT = {"format", "enum", "const", "contentEncoding", "pattern"}
_JSON = "application/json"
_UNTOLD = {"", "*/*", "application/*"}


@dataclass
class MultipartParts:
    """Parts of one multipart body.

    `plans`: encoding by property. `heads`: arguments for the head of a part, by property.
    `constants`: values the server fills in. `shapes`: XML shapes by name.
    """

    plans: dict[str, PartSpec] = field(default_factory=dict)
    heads: dict[str, list[ArgumentDraft]] = field(default_factory=dict)
    constants: list[ConstantSpec] = field(default_factory=list)
    shapes: dict[str, ElementSpec] = field(default_factory=dict)


def file_properties(
    context: FlattenContext, properties: ObjectProperties, encodings: Mapping[str, PropertyEncoding]
) -> ObjectProperties:
    """Rule "multipart file": marks untyped properties with a binary content type as files.

    A property without a type is bytes by default;
    https://spec.openapis.org/oas/v3.1.1.html#encoding-object.
    """
    return replace(
        properties,
        all=tuple(_as_file(context, part, encodings.get(part.name)) for part in properties.all),
    )


def _as_file(
    context: FlattenContext, part: ObjectProperty, encoding: PropertyEncoding | None
) -> ObjectProperty:
    if is_styled(encoding):
        return part
    view = context.schemas.view(part.schema)
    named = _content_types(encoding)
    kinds = {media_kind(name) for name in named if name not in _UNTOLD}
    if not view.keywords.keys() - {"title", "description", "x-mcp-name"}:
        if not kinds or kinds == {Media.BYTES}:
            return replace(
                part, schema=intersection(part.schema, {"type": "string", "format": "binary"})
            )
    elif schema_types(context.schemas, view) == {"string"} and kinds == {Media.BYTES}:
        is_text = view.keywords.keys() & _OF_TEXT
        return (
            part
            if is_text
            else replace(part, schema=intersection(part.schema, {"format": "binary"}))
        )
    return part


def _content_types(encoding: PropertyEncoding | None) -> list[str]:
    """Returns the content types of an encoding, without types that cannot be sent."""
    listed = encoding.content_type.split(",") if encoding else []
    names = [name.strip() for name in listed if name.strip()]
    return [name for name in names if media_kind(name) is not Media.ILLEGAL]


def multipart_parts(
    context: FlattenContext,
    properties: Sequence[ObjectProperty],
    encodings: Mapping[str, PropertyEncoding],
    at: Location,
    *,
    required: bool,
) -> MultipartParts:
    """Returns the parts of a body with these properties. `required`: the body is always sent."""
    multipart = MultipartParts()
    for part in properties:
        view = context.schemas.view(part.schema)
        if not view.get("readOnly") and not view.contradiction:
            here = context.schemas.at(part.schema, at / "properties" / part.name)
            always = required and part.required
            _add_part(context, multipart, part, view, encodings.get(part.name), here, always)
    return multipart


def _add_part(
    context: FlattenContext,
    multipart: MultipartParts,
    part: ObjectProperty,
    view: SchemaView,
    encoding: PropertyEncoding | None,
    at: Location,
    always: bool,
) -> None:
    if is_styled(encoding):
        return
    named = _content_types(encoding)
    heads: list[ArgumentDraft] = []
    if is_file(context, view):
        is_list = schema_types(context.schemas, view) == {"array"}
        heads.append(_filename(context, part.name, at, is_list))
        media_type = _file_type(context, view, named)
        choices = [name for name in named if name not in _UNTOLD]
        if len(choices) > 1 or any(is_range(name) for name in choices):
            needed = always and is_range(media_type)
            heads.append(_content_type(context, part.name, choices, at, needed))
        plan = PartSpec(media_type)
    else:
        plan = _value_part(context, multipart, part, view, named)
        if named and plan.media_type == _JSON and not any(_allows_json(name) for name in named):
            listed = " or ".join(f"`{name}`" for name in named)
            context.diagnostics.add(
                codes.UNWRITTEN_PART, at, name=part.name, operation=context.operation, types=listed
            )
    headers = encoding.headers if encoding else ()
    needs: list[str] = []
    for header in headers:
        constant = single_value(context.schemas.view(header.schema.json))
        target = (part.name, "headers", header.name)
        if constant and header.required:
            multipart.constants.append(ConstantSpec(Place.PART, target, constant[0]))
            continue
        heads.append(_part_header(context, part.name, header, target, always))
        needs += [header.name] if header.required else []
    plan = replace(plan, needs=tuple(needs))
    if plan != PartSpec():
        multipart.plans[part.name] = plan
    if heads:
        multipart.heads[part.name] = heads


def _file_type(context: FlattenContext, view: SchemaView, named: list[str]) -> str:
    """Returns the default content type of a file: the first that is not a range."""
    for name in named:
        if not is_range(name):
            return name
    ranges = [name for name in named if name not in _UNTOLD]
    if ranges:
        return ranges[0]
    item = context.schemas.view(view.get("items", True)) if "items" in view.keywords else view
    content_type = str(item.get("contentMediaType") or "")
    is_known = (
        bool(content_type)
        and media_kind(content_type) is not Media.ILLEGAL
        and not is_range(content_type)
    )
    return content_type if is_known else ""


def _value_part(
    context: FlattenContext,
    multipart: MultipartParts,
    part: ObjectProperty,
    view: SchemaView,
    named: list[str],
) -> PartSpec:
    """Returns the encoding of a part other than a file: JSON if allowed, else the first content
    type."""
    is_complex_value = is_complex(context, part.schema)
    choices = [name for name in named if not is_range(name)]
    kinds = {name: media_kind(name) for name in choices}
    for name, kind in kinds.items():
        if kind in (Media.JSON, Media.JSON_SUFFIX):
            return PartSpec(name)
    for name, kind in kinds.items():
        if kind is Media.XML and is_complex_value:
            try:
                shape, more = xml_part_shape(context, part.schema, part.name)
            except NoXmlForm:
                continue
            multipart.shapes |= more
            return PartSpec(name, xml=shape)
        if not is_complex_value and kind in (Media.TEXT, Media.XML):
            return PartSpec(name)
    if is_complex_value:
        return PartSpec(_JSON)
    if choices:
        return PartSpec(choices[0])
    has_bytes = bool(view.get("contentEncoding")) or view.get("format") == "byte"
    return PartSpec("application/octet-stream") if has_bytes else PartSpec()


def _allows_json(name: str) -> bool:
    """True if a content type or range (`application/*`) includes JSON."""
    return name in _UNTOLD or media_kind(name) in (Media.JSON, Media.JSON_SUFFIX)


def _filename(context: FlattenContext, name: str, at: Location, is_list: bool) -> ArgumentDraft:
    text: dict[str, Json] = {"type": "string", "minLength": 1, "maxLength": 255}
    schema = {"type": "array", "items": text} if is_list else text
    prose = (
        f"Names of the files `{name}`, in their order."
        if is_list
        else f"Name of the file `{name}`."
    )
    word = "filenames" if is_list else "filename"
    words = constraint_sentences(schema)
    return _head(context, name, "filename", schema, prose, words, at, False, word)


def _content_type(
    context: FlattenContext, name: str, choices: list[str], at: Location, needed: bool
) -> ArgumentDraft:
    words: list[str] = []
    if any(is_range(choice) for choice in choices):
        patterns = [
            (
                range_schema(choice)["pattern"].strip("^$")
                if is_range(choice)
                else escape_pattern(choice)
            )
            for choice in choices
        ]
        schema: dict[str, Json] = {"type": "string", "pattern": f"^(?:{'|'.join(patterns)})$"}
        words.append(list_values(list(choices)))
    else:
        schema = {"type": "string", "enum": list(dict.fromkeys(choices)), "default": choices[0]}
        words.append(list_values(list(choices)))
        words.append(f"Default: {choices[0]}.")
    prose = f"Content type of the file `{name}`."
    return _head(context, name, "type", schema, prose, words, at, needed, "content_type")


def _head(
    context: FlattenContext,
    name: str,
    what: str,
    schema: dict[str, Json],
    prose: str,
    words: list[str],
    at: Location,
    required: bool,
    word: str,
) -> ArgumentDraft:
    target = (name, what)
    description = describe_argument(context, prose, target, Place.PART, words, at)
    return ArgumentDraft(
        Place.PART, target, schema, description, required, at, chosen=attribute_name(name, word)
    )


def attribute_name(name: str, word: str) -> str:
    """Returns the argument name for an attribute of a part: `photo` and `filename` give
    `photo_filename`."""
    return f"{(legal_argument_name(name) or 'part')[: _MAX_NAME - 1 - len(word)]}_{word}"


def _part_header(
    context: FlattenContext, name: str, header: Parameter, target: tuple[str, ...], always: bool
) -> ArgumentDraft:
    value = Value(
        schema=header.schema.json,
        place=Place.PART,
        target=target,
        required=always and header.required,
        at=header.at,
        prose=header.description or f"Header `{header.name}` of the part `{name}`.",
        deprecated=header.deprecated,
    )
    word = legal_argument_name(header.name.lower()) or "header"
    return replace(
        flatten_value(context, value), chosen=header.announced or attribute_name(name, word)
    )
