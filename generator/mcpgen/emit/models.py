"""The only import of datamodel-code-generator: the flat arguments of every tool as pydantic models,
and the configured schemas of the API.

The library takes a third of a second to import, as long again for the first model and 2 ms for each
further model. A single call generates all models of a project, in a worker process while the other
files are rendered; the classes are cached by schema, so a later build generates only changed
classes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from unicodedata import normalize

from mcpgen.cache import NO_CACHE, BuildCache, hash_texts
from mcpgen.emit.literal import Value
from mcpgen.emit.model_source import (
    ClassBody,
    Field,
    Model,
    class_body,
    module,
    read_models,
)
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.parallel import IN_PROCESS, WorkerPool

Schemas = Mapping[str, Json]
"""The schema of every class of a module, by class name, in the order of the module. All have the same
`additionalProperties`, so all classes have the same configuration."""

REFERENCE = "#/components/schemas/"
"""The beginning of a reference to a class of the same module."""

_RESERVED = ("Annotated", "Any", "BaseModel", "ConfigDict", "Field", "Literal")
_TYPES = ("bool", "dict", "float", "int", "list", "self", "str")
"""Names used by the generated module; a field with such a name would hide the type."""

_PROTECTED = ("model_dump", "model_validate")
"""Prefixes of names that pydantic reserves."""

_BOUNDS = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "boolean": (),
    "array": ("minItems", "maxItems"),
}
"""The only keywords a model takes from a schema besides type, items and enum. Other keywords could
steer datamodel-code-generator or break an import."""

_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})

_WORD = 2**63
"""Pydantic's bounds overflow at this value."""


def class_name(tool: str) -> str:
    """The class of a tool's arguments: `UpdatePetArguments` of `update_pet`."""
    return "".join(word.capitalize() for word in re.split(r"[_.-]", tool)) + "Arguments"


def class_names(tools: Sequence[str]) -> dict[str, str]:
    """The class name of each tool, by the tool's name. On a clash (`get_a1`, `get_a_1`) the later
    name ends with a number."""
    taken: set[str] = set()
    chosen: dict[str, str] = {}
    for tool in tools:
        name, number = class_name(tool), 2
        while name in taken:
            name, number = f"{class_name(tool)}{number}", number + 1
        taken.add(name)
        chosen[tool] = name
    return chosen


def model_schemas(tools: Sequence[ToolSpec]) -> Schemas:
    """The schemas of the tools' arguments, reduced to the keywords of `_BOUNDS`, type, items and
    enum."""
    names = class_names([tool.name for tool in tools])
    return {names[tool.name]: _model_schema(tool) for tool in tools}


@contextmanager
def begin_models(
    groups: Sequence[Schemas], pool: WorkerPool = IN_PROCESS, build_cache: BuildCache = NO_CACHE
) -> Iterator[Callable[[], list[str]]]:
    """Starts to generate the models of a module for each group in the worker process of `pool`, which
    ends afterwards. Yields a function that waits for the source text of each module's classes, `""` for
    no schemas.

    Tools with equal schemas share the body of a class: half of the tools of a large API take the
    same path parameters and nothing else. Bodies cached in `build_cache` are not generated again.
    """
    keys = [
        {name: _class_body_key(name, schema) for name, schema in group.items()} for group in groups
    ]
    bodies: dict[str, ClassBody | None] = {}
    missing: list[dict[str, Json]] = []
    for names, group in zip(keys, groups, strict=True):
        missing.append({})
        for name, key in names.items():
            if key not in bodies:
                bodies[key] = build_cache.get(key, ClassBody)
                if bodies[key] is None:
                    missing[-1][name] = group[name]
    indexes = [at for at, schemas in enumerate(missing) if schemas]
    if indexes:
        pool.start()
    with pool.submit(generator, None, [missing[at] for at in indexes], min_parts=1) as finish:
        # The process holds a sixth of the memory of a large build, and has no further work.
        pool.end_when_done()

        def finish_models() -> list[str]:
            for at, generated in zip(indexes, finish(), strict=True):
                for name, body in generated.items():
                    bodies[keys[at][name]] = body
                    if build_cache.has_room(len(keys[at])):
                        build_cache.put(keys[at][name], body)
            return [
                module({name: cached for name, key in names.items() if (cached := bodies[key])})
                for names in keys
            ]

        yield finish_models


def models(schemas: Schemas) -> str:
    """The source text of the classes, generated in this process."""
    with begin_models([schemas]) as finish:
        (text,) = finish()
        return text


def generator(_: None) -> Callable[[Sequence[Schemas]], list[dict[str, ClassBody]]]:
    """Generates the classes of several groups of schemas; the work of a `WorkerPool`."""
    return lambda groups: [generate_bodies(schemas) for schemas in groups]


def generate_bodies(schemas: Schemas) -> dict[str, ClassBody]:
    """The bodies of the classes that datamodel-code-generator writes for the schemas, by name.

    The library takes 0.3 ms for a field, and most fields of a large API occur in many classes (2,100
    of 26,000 fields differ), so the library gets each field once. The new name of a renamed field
    depends on the other fields of the class, so a class with such a field is generated whole.
    Raises ValueError for source text with more than imports and the requested classes.
    """
    aliases = _aliases(schemas)
    keys = {
        name: _field_keys(schema)
        for name, schema in schemas.items()
        if not any(f"{name}.{field}" in aliases for field in schema["properties"])
    }
    config: Value = None
    fields: dict[str, Field] = {}
    uses = _first_uses(schemas, keys)
    for model in _generate_classes(uses):
        config = model.config
        for name, field in zip(uses[model.name]["properties"], model.fields, strict=False):
            if field.name == name:
                fields[keys[model.name][name]] = field
    composed = {
        name: Model(name, config, tuple(fields[key] for key in wanted.values()))
        for name, wanted in keys.items()
        if all(key in fields for key in wanted.values())
    }
    whole = {name: schema for name, schema in schemas.items() if name not in composed}
    composed |= {model.name: model for model in _generate_classes(whole)}
    return {name: class_body(composed[name]) for name in schemas}


def _field_keys(schema: Json) -> dict[str, str]:
    """What the field of each property is made from, as a key, by the name of the property."""
    required = schema["required"]
    return {
        name: json.dumps([name, name in required, field_schema])
        for name, field_schema in schema["properties"].items()
    }


def _first_uses(schemas: Schemas, keys: Mapping[str, Mapping[str, str]]) -> Schemas:
    """The schemas with `keys`, each with only the properties that no schema before has. A schema
    without such properties is left out, but for the first."""
    seen: set[str] = set()
    uses: dict[str, Json] = {}
    for name, wanted in keys.items():
        properties = {
            field: schemas[name]["properties"][field]
            for field, key in wanted.items()
            if key not in seen
        }
        seen.update(wanted.values())
        if properties or not uses:
            required = [field for field in schemas[name]["required"] if field in properties]
            uses[name] = {**schemas[name], "properties": properties, "required": required}
    return uses


def _generate_classes(schemas: Schemas) -> list[Model]:
    """The classes that datamodel-code-generator writes for the schemas. A class that a schema refers
    to is generated empty and not returned."""
    if not schemas:
        return []
    referred = {name for schema in schemas.values() for name in _referenced_classes(schema)}
    empty = {"type": "object", "properties": {}, "additionalProperties": True}
    all_schemas = {**dict.fromkeys(sorted(referred), empty), **schemas}
    written = [*read_models(_generate_models(all_schemas), all_schemas)]
    if {model.name for model in written} != all_schemas.keys():
        raise ValueError("datamodel-code-generator wrote other classes than it was asked for")
    return [model for model in written if model.name in schemas]


def _class_body_key(name: str, schema: Json) -> str:
    """The key of a class body in the cache. A field with the name of the class is renamed, so the
    body depends on this name."""
    return hash_texts("model", json.dumps(schema), name if name in schema["properties"] else "")


def _referenced_classes(part: Json) -> Iterator[str]:
    """The names of the classes that a schema refers to."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"].removeprefix(REFERENCE)
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from _referenced_classes(item)


def load_library() -> None:
    """Loads datamodel-code-generator, with the modules that the first model imports."""
    properties = {"name": {"type": "string"}}
    _generate_models(
        {"Model": {"type": "object", "properties": properties, "additionalProperties": False}}
    )


def _model_schema(tool: ToolSpec) -> dict[str, Json]:
    """A tool's announced schema, reduced to the keywords that a model expresses."""
    announced = tool.input_schema
    # A handler gets the values as the call sent them, in any type that the API accepts.
    several = {argument.name for argument in tool.announced_arguments if argument.also}
    return {
        "type": "object",
        "properties": {
            name: _of_any_type(member) if name in several else _flat_model_schema(member)
            for name, member in announced["properties"].items()
        },
        "required": announced["required"],
        "additionalProperties": False,
    }


def _flat_model_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """A flat schema, reduced to the keywords that a model expresses."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return _nullable_schema(schema, [name for name in kind if name != "null"])
    if kind not in _BOUNDS:
        return {}
    plain: dict[str, Json] = {"type": kind}
    for keyword in _BOUNDS[kind]:
        if _is_pydantic_bound(schema.get(keyword), keyword, kind):
            plain[keyword] = schema[keyword]
    if kind == "array":
        items = _flat_model_schema(schema.get("items") or {})
        plain["items"] = {word: items[word] for word in ("type", "items", "enum") if word in items}
    values = schema.get("enum")
    if kind == "string" and values and all(isinstance(value, str) for value in values):
        plain["enum"] = list(dict.fromkeys(map(_replace_surrogates, values)))
    return plain


def _of_any_type(schema: Mapping[str, Json]) -> dict[str, Json]:
    """A value, or a list of values, of more types than the announced type."""
    return {"type": "array", "items": {}} if "items" in schema else {}


def _nullable_schema(schema: Mapping[str, Json], kinds: list[str]) -> dict[str, Json]:
    """A value of a single type or null. Several types give `{}`, which accepts every value."""
    if len(kinds) != 1 or kinds[0] not in _BOUNDS:
        return {}
    values = [value for value in schema.get("enum", ()) if value is not None]
    plain = _flat_model_schema({**schema, "type": kinds[0], "enum": values})
    return plain | {"type": [kinds[0], "null"]}


def _is_pydantic_bound(value: Json, keyword: str, kind: str) -> bool:
    """True if pydantic accepts the value as this bound of this type."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if not abs(value) < _WORD:
        return False
    if keyword in _COUNTS:
        return isinstance(value, int) and value >= 0
    if keyword == "multipleOf" and value <= 0:
        return False
    return isinstance(value, int) or kind == "number"


def _replace_surrogates(text: str) -> str:
    """The text with halves of surrogate pairs replaced: UTF-8 cannot encode them and pydantic
    refuses them."""
    return text.encode("utf-8", "replace").decode()


def _generate_models(schemas: Schemas) -> str:
    """Calls datamodel-code-generator once for all schemas."""
    # Imported here, since only builds with models need the library.
    from datamodel_code_generator import GenerateConfig, InputFileType, LiteralType, generate
    from datamodel_code_generator.enums import DataModelType
    from datamodel_code_generator.format import PythonVersion

    document = {
        "openapi": "3.1.0",
        "info": {"title": "", "version": ""},
        "paths": {},
        "components": {"schemas": dict(schemas)},
    }
    text = generate(
        document,
        config=GenerateConfig(
            input_file_type=InputFileType.OpenAPI,
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_311,
            enum_field_as_literal=LiteralType.All,
            custom_class_name_generator=str,
            aliases=_aliases(schemas),
            # Only the models of the API accept unknown members, and field names in place of
            # aliases.
            allow_population_by_field_name=all(
                schema["additionalProperties"] for schema in schemas.values()
            ),
            formatters=[],
            disable_timestamp=True,
            field_constraints=True,
            use_annotated=True,
            use_standard_collections=True,
            use_union_operator=True,
        ),
    )
    if not isinstance(text, str):
        raise TypeError("datamodel-code-generator made several modules of one document")
    return text


def _aliases(schemas: Schemas) -> dict[str, str]:
    """The names of fields that differ from the property's name, by property, or by `class.property`
    where the name is also a class or where Python normalizes the name (`ª` to `a`)."""
    names = dict.fromkeys(name for schema in schemas.values() for name in schema["properties"])
    aliases = {name: f"{name}_" for name in (*_RESERVED, *_TYPES) if name in names}
    aliases |= {name: f"field_{name}" for name in names if name.startswith(_PROTECTED)}
    for name, schema in schemas.items():
        classes = {name, *_referenced_classes(schema)}
        for position, field in enumerate(schema["properties"], 1):
            if normalize("NFKC", field) != field:
                aliases[f"{name}.{field}"] = f"field_{position}"
            elif field in classes:
                aliases[f"{name}.{field}"] = f"{field}_"
    return aliases
