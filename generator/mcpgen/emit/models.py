"""The door of datamodel-code-generator: the flat arguments of every tool as pydantic models.

It takes most of a second to import and 3 ms a model, so it is asked only about those that are not
plain, all of them in one call; `plain` says the others in its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mcpgen.emit.annotations import Model, module, read
from mcpgen.emit.plain import PROTECTED, TAKEN, TYPES, plain_model
from mcpgen.ir.server import Tool
from mcpgen.ir.source import Json

Schemas = Mapping[str, Json]
"""The schema of every class, by its name, in the order of the tools."""

Known = Mapping[str, Model | None]
"""The model of every class, None for one that is still to be made."""

_BOUNDS = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "boolean": (),
    "array": ("minItems", "maxItems"),
}
"""The only keywords a model takes from a schema besides type, items and enum: what is not listed
can neither steer datamodel-code-generator nor break an import."""

_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})

_WORD = 2**63
"""Beyond it pydantic's bounds overflow."""


def class_name(tool: str) -> str:
    """The class of a tool's arguments: `UpdatePetArguments` of `update_pet`."""
    return "".join(word.capitalize() for word in re.split(r"[_.-]", tool)) + "Arguments"


def class_names(tools: Sequence[str]) -> dict[str, str]:
    """The class of each tool; where two would share one (`get_a1`, `get_a_1`), the later one's
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


def model_schemas(tools: Sequence[Tool]) -> Schemas:
    """The schemas of the tools' arguments, with what a model can say of them and nothing else."""
    names = class_names([tool.name for tool in tools])
    return {names[tool.name]: _arguments(tool) for tool in tools}


def plain_models(schemas: Schemas) -> Known:
    """The models of the schemas, None for those that only datamodel-code-generator makes models of."""
    return {name: plain_model(name, schema) for name, schema in schemas.items()}


def odd(schemas: Schemas, known: Known) -> Schemas:
    """Those of the schemas that nobody has made models of."""
    return {name: schema for name, schema in schemas.items() if known[name] is None}


def odd_text(schemas: Schemas) -> str:
    """What datamodel-code-generator makes of schemas, `""` for none."""
    return _generated(schemas) if schemas else ""


def models(schemas: Schemas, known: Known | None = None, text: str | None = None) -> str:
    """The source text of the classes behind the module's docstring; `known` are the plain ones and
    `text` what datamodel-code-generator makes of the others, where that has been found out."""
    if not schemas:
        return ""
    made = plain_models(schemas) if known is None else known
    text = odd_text(odd(schemas, made)) if text is None else text
    whole = {**made, **{model.name: model for model in read(text)}}
    return module(_made(name, model) for name, model in whole.items())


def _made(name: str, model: Model | None) -> Model:
    """The model. Raises ValueError where nobody has made it."""
    if model is None:
        raise ValueError(f"datamodel-code-generator made no model `{name}`")
    return model


def _arguments(tool: Tool) -> dict[str, Json]:
    """The part of a tool's announced schema that its model says."""
    announced = tool.input_schema
    return {
        "type": "object",
        "properties": {name: _plain(each) for name, each in announced["properties"].items()},
        "required": announced["required"],
        "additionalProperties": False,
    }


def _plain(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The keywords of a flat schema that a model takes."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return _nullable(schema, [each for each in kind if each != "null"])
    if kind not in _BOUNDS:
        return {}
    plain: dict[str, Json] = {"type": kind}
    for keyword in _BOUNDS[kind]:
        if _is_bound(schema.get(keyword), keyword, kind):
            plain[keyword] = schema[keyword]
    if kind == "array":
        items = _plain(schema.get("items") or {})
        plain["items"] = {word: items[word] for word in ("type", "items", "enum") if word in items}
    values = schema.get("enum")
    if kind == "string" and values and all(isinstance(value, str) for value in values):
        plain["enum"] = list(dict.fromkeys(map(_whole, values)))
    return plain


def _nullable(schema: Mapping[str, Json], kinds: list[str]) -> dict[str, Json]:
    """A value of one type or null; several types are beyond what a model says."""
    if len(kinds) != 1 or kinds[0] not in _BOUNDS:
        return {}
    values = [value for value in schema.get("enum", ()) if value is not None]
    plain = _plain({**schema, "type": kinds[0], "enum": values})
    return plain | {"type": [kinds[0], "null"]}


def _is_bound(value: Json, keyword: str, kind: str) -> bool:
    """Whether pydantic takes the value as this bound of this type."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if not abs(value) < _WORD:
        return False
    if keyword in _COUNTS:
        return isinstance(value, int) and value >= 0
    if keyword == "multipleOf" and value <= 0:
        return False
    return isinstance(value, int) or kind == "number"


def _whole(text: str) -> str:
    """The text as UTF-8 can say it: halves of surrogate pairs, which pydantic refuses, replaced."""
    return text.encode("utf-8", "replace").decode()


def _generated(schemas: Schemas) -> str:
    """What datamodel-code-generator makes of the schemas, in one call."""
    # It takes a while to import, so only builds that make models do.
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
    """The fields that cannot have their argument's name, by that name."""
    fields = [pair for schema in schemas.values() for pair in schema["properties"].items()]
    names = dict.fromkeys(name for name, _ in fields)
    # A field of this name is in the way of the type only where some class has need of that.
    types = ("Any",) if any(_is_any(schema) for _, schema in fields) else ()
    return {name: f"{name}_" for name in (*TAKEN, *TYPES, *types) if name in names} | {
        name: f"field_{name}" for name in names if name.startswith(PROTECTED)
    }


def _is_any(schema: Mapping[str, Json]) -> bool:
    """Whether a value, or what it is a list of, may be of any type."""
    while schema.get("type") in ("array", ["array", "null"]):
        schema = schema["items"]
    return "type" not in schema
