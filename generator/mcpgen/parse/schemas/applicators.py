"""Normalizes keywords that hold schemas or names of properties."""

from __future__ import annotations

from urllib.parse import quote

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path
from mcpgen.parse.schemas.context import NormalizeContext
from mcpgen.parse.schemas.normalize import normalize_schema
from mcpgen.parse.schemas.scalar_keywords import read_flag, read_pattern, report_malformed


def read_subschema(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A schema or a boolean, also the text `true` or `false`."""
    if value is None or isinstance(value, list):
        report_malformed(context, key, value, "a schema", path)
    elif isinstance(value, str):
        # Only `true` and `false` in quotation marks can be meant by a text.
        read_flag(context, out, key, value, path)
    else:
        out[key] = normalize_schema(context, value, (*path, key))


def items(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`items`; a list of schemas becomes `prefixItems`."""
    if not isinstance(value, list):
        read_subschema(context, out, key, value, path)
        return
    if not value:
        report_malformed(context, key, value, "a schema", path)
        return
    report_malformed(context, key, value, "a schema", path, "it is read as `prefixItems`")
    place = (*path, key)
    out["prefixItems"] = [
        normalize_schema(context, item, (*place, str(index))) for index, item in enumerate(value)
    ]


def additional_items(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`additionalItems` beside `prefixItems`, renamed to `items` in JSON Schema 2020-12."""
    if "prefixItems" in out and isinstance(value, dict | bool):
        out["items"] = normalize_schema(context, value, (*path, key))


def schemas(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A non-empty list of schemas; a single schema becomes a list."""
    if isinstance(value, dict):
        report_malformed(
            context, key, value, "a list of schemas", path, "it is read as the only one"
        )
        out[key] = [normalize_schema(context, value, (*path, key))]
    elif not isinstance(value, list) or not value:
        report_malformed(context, key, value, "a list of schemas", path)
    else:
        place = (*path, key)
        out[key] = [
            normalize_schema(context, item, (*place, str(index)))
            for index, item in enumerate(value)
        ]


def schema_map(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Schemas by name."""
    if not isinstance(value, dict):
        report_malformed(context, key, value, "a mapping", path)
        return
    place = (*path, key)
    out[key] = {
        name: normalize_schema(context, schema, (*place, name)) for name, schema in value.items()
    }


def pattern_properties(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Schemas by pattern; a pattern that validators do not support is dropped with its schema."""
    schema_map(context, out, key, value, path)
    place = (*path, key)
    patterns = {}
    for name, schema in out.pop(key, {}).items():
        supported = read_pattern(context, name, (*place, name))
        if supported is not None:
            patterns[supported] = schema
    if patterns:
        out[key] = patterns


def properties(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`properties`; a property with `required: true` goes into the list of the object. Adds
    MISPLACED_REQUIRED."""
    reference = value.get("$ref") if isinstance(value, dict) else None
    references = (
        _property_references(context, reference, (*path, key))
        if isinstance(reference, str)
        else None
    )
    if references is not None:
        value = {name: schema for name, schema in value.items() if name != "$ref"}
    schema_map(context, out, key, value, path)
    if references is not None:
        out[key] = references | out[key]
    for name, schema in value.items() if isinstance(value, dict) else ():
        is_required = schema.get("required") if isinstance(schema, dict) else None
        if isinstance(is_required, bool):
            if is_required:
                out["required"] = [*out.get("required", ()), name]
            repair = "the object requires it" if is_required else "the object does not require it"
            context.warn(
                codes.MISPLACED_REQUIRED,
                (*path, key, name, "required"),
                value=str(is_required).lower(),
                where=f"the property `{name}`",
                repair=repair,
            )


def required(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`required`: names of properties. A boolean belongs to the parent object, see `properties`."""
    if isinstance(value, bool):
        if len(path) < 2 or path[-2] != "properties":
            flag, where = str(value).lower(), "a schema"
            context.warn(
                codes.MISPLACED_REQUIRED,
                (*path, key),
                value=flag,
                where=where,
                repair="it is left out",
            )
        return
    if isinstance(value, str):
        report_malformed(
            context, key, value, "a list of names", path, "it is read as the only name"
        )
        value = [value]
    names = _distinct_names(context, key, value, path)
    if names:
        out[key] = list(dict.fromkeys([*out.get(key, ()), *names]))


def dependent_required(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`dependentRequired`: lists of names by name."""
    if not isinstance(value, dict):
        report_malformed(context, key, value, "a mapping", path)
        return
    out[key] = {
        name: _distinct_names(context, name, names, (*path, key)) for name, names in value.items()
    }


def dependencies(
    context: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """`dependencies` of older drafts, split into `dependentRequired` and `dependentSchemas`."""
    if not isinstance(value, dict):
        report_malformed(context, key, value, "a mapping", path)
        return
    for name, dependency in value.items():
        if isinstance(dependency, list):
            names = _distinct_names(context, name, dependency, (*path, key))
            out["dependentRequired"] = out.get("dependentRequired", {}) | {name: names}
        else:
            schema = normalize_schema(context, dependency, (*path, key, name))
            out["dependentSchemas"] = out.get("dependentSchemas", {}) | {name: schema}


def _property_references(
    context: NormalizeContext, reference: str, path: Path
) -> dict[str, Json] | None:
    """References to the members of a mapping, for a `$ref` in place of the properties."""
    names = context.definition_names.member_keys(context, reference, path)
    if names is None:
        return None
    what = "a `$ref` stands where the properties belong"
    repair = "the properties it leads to are taken"
    context.warn(codes.MALFORMED_SCHEMA, (*path, "$ref"), what=what, repair=repair)
    joint = reference if "#" in reference else f"{reference}#"
    references = {}
    for name in names:
        escaped = quote(name.replace("~", "~0").replace("/", "~1"))
        target = context.definition_names.of_reference(context, f"{joint}/{escaped}", path)
        if target is not None:
            references[name] = {"$ref": f"#/$defs/{target}"}
    return references


def _distinct_names(context: NormalizeContext, key: str, value: Json, path: Path) -> list[str]:
    """Distinct texts of a list; other values are dropped with a warning."""
    if not isinstance(value, list):
        report_malformed(context, key, value, "a list of names", path)
        return []
    names = [name for name in value if isinstance(name, str)]
    if len(names) < len(value):
        report_malformed(context, key, value, "a list of names", path, "only the names are taken")
    return list(dict.fromkeys(names))
