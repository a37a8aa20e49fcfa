"""Keywords that hold schemas."""

from __future__ import annotations

from urllib.parse import quote

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.node import Path
from mcpgen.parse.schemas.context import NormalizeContext
from mcpgen.parse.schemas.normalize import normalize_schema
from mcpgen.parse.schemas.scalar_keywords import read_flag, read_pattern, report_malformed


def read_subschema(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """One schema, or true or false."""
    if value is None or isinstance(value, list):
        report_malformed(walk, key, value, "a schema", path)
    elif isinstance(value, str):
        # Only `true` and `false` in quotation marks can be meant by a text.
        read_flag(walk, out, key, value, path)
    else:
        out[key] = normalize_schema(walk, value, (*path, key))


def items(walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path) -> None:
    """The schema of an array's elements; a list of schemas is `prefixItems`."""
    if not isinstance(value, list):
        read_subschema(walk, out, key, value, path)
        return
    if not value:
        report_malformed(walk, key, value, "a schema", path)
        return
    report_malformed(walk, key, value, "a schema", path, "it is read as `prefixItems`")
    place = (*path, key)
    out["prefixItems"] = [
        normalize_schema(walk, each, (*place, str(index))) for index, each in enumerate(value)
    ]


def additional_items(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """The schema of the elements after the listed ones; `items` is its name today."""
    if "prefixItems" in out and isinstance(value, dict | bool):
        out["items"] = normalize_schema(walk, value, (*path, key))


def schemas(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A list of schemas, not empty."""
    if isinstance(value, dict):
        report_malformed(walk, key, value, "a list of schemas", path, "it is read as the only one")
        out[key] = [normalize_schema(walk, value, (*path, key))]
    elif not isinstance(value, list) or not value:
        report_malformed(walk, key, value, "a list of schemas", path)
    else:
        place = (*path, key)
        out[key] = [
            normalize_schema(walk, each, (*place, str(index))) for index, each in enumerate(value)
        ]


def schema_map(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """A mapping from names to schemas."""
    if not isinstance(value, dict):
        report_malformed(walk, key, value, "a mapping", path)
        return
    place = (*path, key)
    out[key] = {name: normalize_schema(walk, each, (*place, name)) for name, each in value.items()}


def pattern_properties(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Schemas by a pattern of names; a pattern that validators refuse goes, with its schema."""
    schema_map(walk, out, key, value, path)
    place = (*path, key)
    kept = {}
    for name, each in out.pop(key, {}).items():
        found = read_pattern(walk, name, (*place, name))
        if found is not None:
            kept[found] = each
    if kept:
        out[key] = kept


def properties(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Properties by name. A property that says it is required is put into the object's list."""
    reference = value.get("$ref") if isinstance(value, dict) else None
    referred = _referred(walk, reference, (*path, key)) if isinstance(reference, str) else None
    if referred is not None:
        value = {name: each for name, each in value.items() if name != "$ref"}
    schema_map(walk, out, key, value, path)
    if referred is not None:
        out[key] = referred | out[key]
    for name, each in value.items() if isinstance(value, dict) else ():
        said = each.get("required") if isinstance(each, dict) else None
        if isinstance(said, bool):
            if said:
                out["required"] = [*out.get("required", ()), name]
            repair = "the object requires it" if said else "the object does not require it"
            walk.warn(
                codes.MISPLACED_REQUIRED,
                (*path, key, name, "required"),
                value=str(said).lower(),
                where=f"the property `{name}`",
                repair=repair,
            )


def required(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Names of required properties. True or false belongs to the object around, see `properties`."""
    if isinstance(value, bool):
        if len(path) < 2 or path[-2] != "properties":
            told, where = str(value).lower(), "a schema"
            walk.warn(
                codes.MISPLACED_REQUIRED,
                (*path, key),
                value=told,
                where=where,
                repair="it is left out",
            )
        return
    if isinstance(value, str):
        report_malformed(walk, key, value, "a list of names", path, "it is read as the only name")
        value = [value]
    names = _names(walk, key, value, path)
    if names:
        out[key] = list(dict.fromkeys([*out.get(key, ()), *names]))


def dependent_required(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """Names that are required where another is present."""
    if not isinstance(value, dict):
        report_malformed(walk, key, value, "a mapping", path)
        return
    out[key] = {name: _names(walk, name, each, (*path, key)) for name, each in value.items()}


def dependencies(
    walk: NormalizeContext, out: dict[str, Json], key: str, value: Json, path: Path
) -> None:
    """What older drafts call `dependentRequired` and `dependentSchemas`."""
    if not isinstance(value, dict):
        report_malformed(walk, key, value, "a mapping", path)
        return
    for name, each in value.items():
        if isinstance(each, list):
            names = _names(walk, name, each, (*path, key))
            out["dependentRequired"] = out.get("dependentRequired", {}) | {name: names}
        else:
            found = normalize_schema(walk, each, (*path, key, name))
            out["dependentSchemas"] = out.get("dependentSchemas", {}) | {name: found}


def _referred(walk: NormalizeContext, reference: str, path: Path) -> dict[str, Json] | None:
    """References to the members of the mapping that a reference in place of properties means."""
    names = walk.referrer.keys(walk, reference, path)
    if names is None:
        return None
    what = "a `$ref` stands where the properties belong"
    repair = "the properties it leads to are taken"
    walk.warn(codes.MALFORMED_SCHEMA, (*path, "$ref"), what=what, repair=repair)
    joint = reference if "#" in reference else f"{reference}#"
    found = {}
    for name in names:
        escaped = quote(name.replace("~", "~0").replace("/", "~1"))
        target = walk.referrer.definition(walk, f"{joint}/{escaped}", path)
        if target is not None:
            found[name] = {"$ref": f"#/$defs/{target}"}
    return found


def _names(walk: NormalizeContext, key: str, value: Json, path: Path) -> list[str]:
    """The texts of a list, each once; everything else is told and left out."""
    if not isinstance(value, list):
        report_malformed(walk, key, value, "a list of names", path)
        return []
    names = [name for name in value if isinstance(name, str)]
    if len(names) < len(value):
        report_malformed(walk, key, value, "a list of names", path, "only the names are taken")
    return list(dict.fromkeys(names))
