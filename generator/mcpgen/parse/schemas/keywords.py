"""Table of schema keywords: a normalizing function per keyword, for every dialect."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import REFERENCE_EXAMPLES, Path, format_value, value_kind
from mcpgen.parse.schemas import applicators, scalar_keywords
from mcpgen.parse.schemas.context import KeywordNormalizer, NormalizeContext
from mcpgen.parse.schemas.scalar_keywords import report_malformed, type_keyword


def _fail_reference(context: NormalizeContext, key: str, value: Json, path: Path) -> None:
    """Adds MALFORMED_REFERENCE for a reference that is no text."""
    context.fail(
        codes.MALFORMED_REFERENCE,
        (*path, key),
        keyword=key,
        reason=value_kind(value),
        example=REFERENCE_EXAMPLES[key],
    )


def link_reference(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`$ref`, rewritten to `#/$defs/…`. Adds MALFORMED_REFERENCE."""
    if not isinstance(value, str):
        _fail_reference(context, key, value, path)
        return
    name = context.definition_names.of_reference(context, value, path)
    if name is not None:
        out[key] = f"#/$defs/{name}"


def dynamic_reference(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`$dynamicRef` or `$recursiveRef`, replaced by a reference to the static target. Adds
    MALFORMED_REFERENCE."""
    if not isinstance(value, str):
        _fail_reference(context, key, value, path)
        return
    name = context.definition_names.of_dynamic_reference(context, key, value, path)
    if name is None:
        return
    if "$ref" in out:
        out["allOf"] = [*out.get("allOf", ()), {"$ref": f"#/$defs/{name}"}]
    else:
        out["$ref"] = f"#/$defs/{name}"


def discriminator(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`discriminator`, with a complete mapping to `#/$defs/…`.

    A schema without `oneOf` and `anyOf` is mapped to its subtypes and itself, by name
    (https://swagger.io/specification/v2/#schema-object, `discriminator`). Adds UNUSABLE_MAPPING.
    """
    is_name = context.rules.named_discriminators
    if isinstance(value, str):
        if not is_name:
            report_malformed(
                context, key, value, "a mapping", path, "it is read as its `propertyName`"
            )
        value = {"propertyName": value}
    elif is_name:
        report_malformed(context, key, value, "a text", path, "it is read as in OpenAPI 3.0")
    if not isinstance(value, dict) or not isinstance(value.get("propertyName"), str):
        report_malformed(context, key, value, "a mapping with a `propertyName`", path)
        return
    mapping: dict[str, Json] = {}
    entries = value.get("mapping")
    for name, target in entries.items() if isinstance(entries, dict) else ():
        place = (*path, key, "mapping", name)
        definition = (
            context.definition_names.of_mapping_entry(context, target, place)
            if isinstance(target, str)
            else None
        )
        if definition is None:
            context.warn(
                codes.UNUSABLE_MAPPING,
                place,
                value=f"`{format_value(name)}`",
                target=_describe_target(target),
            )
        else:
            mapping[name] = f"#/$defs/{definition}"
    for name, definition in context.definition_names.of_subtypes(context, path).items():
        if f"#/$defs/{definition}" not in mapping.values():
            mapping.setdefault(name, f"#/$defs/{definition}")
    out[key] = {"propertyName": value["propertyName"]} | ({"mapping": mapping} if mapping else {})
    default = value.get("defaultMapping")
    if isinstance(default, str):
        name = context.definition_names.of_mapping_entry(
            context, default, (*path, key, "defaultMapping")
        )
        if name is None:
            place = (*path, key, "defaultMapping")
            target = _describe_target(default)
            context.warn(codes.UNUSABLE_MAPPING, place, value="all other values", target=target)
        else:
            out[key]["defaultMapping"] = f"#/$defs/{name}"


def _describe_target(target: Json) -> str:
    if isinstance(target, str):
        return f"`{format_value(target)}`, which does not exist"
    return f"{value_kind(target)}, which names no schema"


def xml(context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """`xml`, without extensions."""
    if isinstance(value, dict):
        out[key] = {name: field for name, field in value.items() if not name.startswith("x-")}
    else:
        report_malformed(context, key, value, "a mapping", path)


def extension_argument_name(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`x-mcp-name`: name of the tool's argument."""
    if isinstance(value, str) and value:
        out[key] = value
    else:
        report_malformed(context, key, value, "a name", path)


KEYWORDS: dict[str, KeywordNormalizer] = {
    "type": type_keyword,
    "format": scalar_keywords.read_text,
    "title": scalar_keywords.read_text,
    "description": scalar_keywords.read_text,
    "enum": scalar_keywords.enum,
    "const": scalar_keywords.any_value,
    "default": scalar_keywords.any_value,
    "example": scalar_keywords.any_value,
    "examples": scalar_keywords.read_examples,
    "nullable": scalar_keywords.ignore_keyword,
    "deprecated": scalar_keywords.read_flag,
    "readOnly": scalar_keywords.read_flag,
    "writeOnly": scalar_keywords.read_flag,
    "minimum": scalar_keywords.read_number,
    "maximum": scalar_keywords.read_number,
    "exclusiveMinimum": scalar_keywords.exclusive,
    "exclusiveMaximum": scalar_keywords.exclusive,
    "multipleOf": scalar_keywords.read_number,
    "minLength": scalar_keywords.read_count,
    "maxLength": scalar_keywords.read_count,
    "pattern": scalar_keywords.pattern,
    "contentEncoding": scalar_keywords.read_text,
    "contentMediaType": scalar_keywords.read_text,
    "contentSchema": applicators.read_subschema,
    "minItems": scalar_keywords.read_count,
    "maxItems": scalar_keywords.read_count,
    "uniqueItems": scalar_keywords.read_flag,
    "items": applicators.items,
    "prefixItems": applicators.schemas,
    "additionalItems": applicators.additional_items,
    "contains": applicators.read_subschema,
    "minContains": scalar_keywords.read_count,
    "maxContains": scalar_keywords.read_count,
    "unevaluatedItems": applicators.read_subschema,
    "properties": applicators.properties,
    "patternProperties": applicators.pattern_properties,
    "additionalProperties": applicators.read_subschema,
    "propertyNames": applicators.read_subschema,
    "unevaluatedProperties": applicators.read_subschema,
    "minProperties": scalar_keywords.read_count,
    "maxProperties": scalar_keywords.read_count,
    "required": applicators.required,
    "dependentRequired": applicators.dependent_required,
    "dependentSchemas": applicators.schema_map,
    "dependencies": applicators.dependencies,
    "allOf": applicators.schemas,
    "anyOf": applicators.schemas,
    "oneOf": applicators.schemas,
    "not": applicators.read_subschema,
    "if": applicators.read_subschema,
    "then": applicators.read_subschema,
    "else": applicators.read_subschema,
    "$ref": link_reference,
    "$dynamicRef": dynamic_reference,
    "$recursiveRef": dynamic_reference,
    "discriminator": discriminator,
    "xml": xml,
    "x-mcp-name": extension_argument_name,
    # Definitions are reached by reference; identifiers and anchors are how references find them.
    "$defs": scalar_keywords.ignore_keyword,
    "definitions": scalar_keywords.ignore_keyword,
    "$id": scalar_keywords.ignore_keyword,
    "$anchor": scalar_keywords.ignore_keyword,
    "$dynamicAnchor": scalar_keywords.ignore_keyword,
    "$recursiveAnchor": scalar_keywords.ignore_keyword,
    "$schema": scalar_keywords.ignore_keyword,
    "$vocabulary": scalar_keywords.ignore_keyword,
    "$comment": scalar_keywords.ignore_keyword,
    "externalDocs": scalar_keywords.ignore_keyword,
}
