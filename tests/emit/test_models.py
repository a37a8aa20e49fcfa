"""`models.py`: typed arguments, validated by their announced names."""

from __future__ import annotations

import builtins
import sys
import warnings
from pathlib import Path
from types import ModuleType

import datamodel_code_generator
import pytest
from datamodel_code_generator import GenerateConfig
from emit_servers import PETS, argument, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from tests.thorough import examples

from mcpgen.cache import BuildCache
from mcpgen.emit.literal import format_source
from mcpgen.emit.model_source import ClassBody, read_models
from mcpgen.emit.models import (
    Schemas,
    begin_models,
    class_names,
    generate_bodies,
    model_schemas,
    models,
)
from mcpgen.ir.server import ToolSpec
from mcpgen.ir.source import Json
from mcpgen.parallel import WorkerPool

LOAD = ["mcpgen.emit.models:load_library"]

WORDS = """class class_ None True self Self int str float bool list Field BaseModel Literal Annotated
ConfigDict model_config model_fields model_dump model_dump_x model_validate_y model_x copy json
schema dict validate construct _x field_x __init__ __dict__ __slots__ _ A a type id Any root match
async print GetPetArguments annotations"""
AWKWARD = WORDS.split()

NUMBERS = st.integers() | st.floats() | st.booleans() | st.none() | st.text(max_size=2)
STRINGS = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={
        "enum": st.lists(st.text(max_size=30), max_size=12),
        "minLength": NUMBERS,
        "maxLength": NUMBERS,
        "pattern": st.text(),
        "format": st.sampled_from(["date-time", "uuid", "email", "binary"]),
        "default": st.text(),
        "title": st.text(),
        "$id": st.text(),
        "x-python-import": st.just({"module": "os", "name": "system"}),
        "customTypePath": st.just("os.system"),
        "customBasePath": st.just("os.system"),
        "contentEncoding": st.just("base64"),
    },
)
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
AMOUNTS = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional=dict.fromkeys(BOUNDS, NUMBERS),
)
SCALARS = STRINGS | AMOUNTS | st.just({"type": "boolean", "minLength": 3})
SCHEMAS = SCALARS | st.fixed_dictionaries(
    {"type": st.just("array"), "items": SCALARS}, optional={"minItems": NUMBERS}
)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,63}", fullmatch=True) | st.sampled_from(AWKWARD)


def source(*tools: ToolSpec) -> str:
    """Returns the text of `models.py` for these tools."""
    return '"""Models."""\n' + models(model_schemas(tools))


def import_text(text: str) -> ModuleType:
    """Returns the module of a text, made with every warning an error."""
    module = sys.modules["made_models"] = ModuleType("made_models")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(text, "made_models", "exec"), module.__dict__)
    return module


def external_names(model: type[BaseModel]) -> set[str]:
    """Returns the external names of a model's fields."""
    return {field.alias or name for name, field in model.model_fields.items()}


@settings(max_examples=examples(15, 40), deadline=None)
@given(st.dictionaries(NAMES, SCHEMAS, max_size=6), st.data())
def test_any_flat_schema_gives_a_model_that_imports_and_that_black_leaves_alone(
    properties: dict[str, dict[str, Json]], data: st.DataObject
) -> None:
    arguments = [
        argument(name, schema, required=data.draw(st.booleans()))
        for name, schema in properties.items()
    ]

    text = source(tool("get_pet", *arguments))

    assert format_source(text) == text
    assert external_names(import_text(text).GetPetArguments) == set(properties)


def test_every_awkward_name_validates_as_it_is_announced() -> None:
    arguments = [argument(name, {"type": "string"}, required=True) for name in AWKWARD]
    call_arguments = {name: name for name in AWKWARD}

    model = import_text(source(tool("get_pet", *arguments))).GetPetArguments

    assert model.model_validate(call_arguments).model_dump(by_alias=True) == call_arguments


@pytest.mark.parametrize(
    "untyped_schema", [{}, {"type": ["string", "integer"]}, {"type": "array", "items": {}}]
)
def test_an_argument_called_any_stands_beside_one_of_any_type(
    untyped_schema: dict[str, Json],
) -> None:
    colliding_tool = tool(
        "get_pet", argument("Any", {"type": "string"}), argument("b", untyped_schema)
    )

    model = import_text(source(colliding_tool)).GetPetArguments

    arguments = {"Any": "one", "b": [2]}
    assert model.model_validate(arguments).model_dump(by_alias=True) == arguments


def test_types_enums_and_bounds_are_those_of_the_announced_schema() -> None:
    module = import_text(source(*PETS.tools))

    pet = module.GetPetArguments(pet_id=1, fields=["name"])
    assert pet.fields == ["name"]
    for wrong in ({}, {"pet_id": 0}, {"pet_id": 1, "fields": ["no"]}, {"pet_id": 1, "x": 1}):
        with pytest.raises(ValidationError):
            module.GetPetArguments.model_validate(wrong)


def test_null_fields_are_part_of_the_model() -> None:
    module = import_text(source(*PETS.tools))

    change = module.UpdatePetArguments(pet_id=1, name="Rex", null_fields=["price"])

    assert change.null_fields == ["price"]


def test_an_argument_that_is_left_out_is_none_even_where_the_api_has_a_default() -> None:
    module = import_text(
        source(tool("get_pet", argument("page", {"type": "integer", "default": 3})))
    )

    assert module.GetPetArguments().page is None


def test_classes_stand_in_the_order_of_the_tools() -> None:
    text = source(tool("zoo"), tool("ant"), tool("cat"))

    assert [line for line in text.split("\n") if line.startswith("class ")] == [
        "class ZooArguments(BaseModel):",
        "class AntArguments(BaseModel):",
        "class CatArguments(BaseModel):",
    ]


def test_two_tools_never_share_a_class() -> None:
    names = class_names(["get_a1", "get_a_1", "get_a"])

    assert names == {
        "get_a1": "GetA1Arguments",
        "get_a_1": "GetA1Arguments2",
        "get_a": "GetAArguments",
    }


def test_a_second_process_generates_the_same_text() -> None:
    schemas = model_schemas(PETS.tools)

    with WorkerPool(LOAD) as pool, begin_models([schemas], pool) as finish:
        (text,) = finish()

    assert text == models(schemas)


def test_a_class_does_not_depend_on_the_schemas_generated_with_it() -> None:
    names = [*AWKWARD, *dir(builtins)]
    schemas: dict[str, Json] = {
        name: _object({name: {"type": "string"}, "b": {"minLength": 2, "type": "string"}})
        for name in ("GetPetArguments", "ZooArguments", "ZooArguments2")
    }
    schemas["AllArguments"] = _object({name: {"type": "integer"} for name in names})

    bodies = generate_bodies(schemas)

    assert bodies == {
        name: generate_bodies({name: schema})[name] for name, schema in schemas.items()
    }


def test_a_renamed_field_is_not_shared_between_classes() -> None:
    text: Json = {"type": "string"}
    schemas: dict[str, Json] = {
        "OneArguments": _object({"json": text, "json_": text, "id": text}),
        "TwoArguments": _object({"json_": text, "id": text}),
        "ThreeArguments": _object({"a-b": text, "a_b": text, "id": text}),
        "FourArguments": _object({"a_b": text, "json": text}),
    }

    bodies = generate_bodies(schemas)

    assert bodies == {
        name: generate_bodies({name: schema})[name] for name, schema in schemas.items()
    }
    module = import_text(models(schemas))
    assert external_names(module.OneArguments) == {"json", "json_", "id"}
    assert external_names(module.FourArguments) == {"a_b", "json"}


def test_the_library_gets_a_field_of_several_classes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Schemas] = []
    text: Json = {"type": "string"}
    generate = datamodel_code_generator.generate

    def count(document: Json, config: GenerateConfig) -> object:
        calls.append(document["components"]["schemas"])
        return generate(document, config=config)

    monkeypatch.setattr("datamodel_code_generator.generate", count)
    schemas: dict[str, Json] = {
        "OneArguments": _object({"id": text, "name": text}),
        "TwoArguments": _object({"name": text, "id": text}),
        "ThreeArguments": _object({"id": {"type": "integer"}, "name": text}),
    }

    bodies = generate_bodies(schemas)

    assert [
        {name: [*schema["properties"]] for name, schema in group.items()} for group in calls
    ] == [{"OneArguments": ["id", "name"], "ThreeArguments": ["id"]}]
    assert [*bodies] == [*schemas]
    assert bodies["TwoArguments"].text.index("name:") < bodies["TwoArguments"].text.index("id:")


def test_tools_with_equal_arguments_are_generated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def generate(schemas: Schemas) -> dict[str, ClassBody]:
        calls.append(list(schemas))
        return generate_bodies(schemas)

    monkeypatch.setattr("mcpgen.emit.models.generate_bodies", generate)
    tools = [tool(name, argument("id", {"type": "integer"})) for name in ("ant", "bee")]

    text = source(*tools, tool("cat"))

    assert calls == [["AntArguments", "CatArguments"]]
    module = import_text(text)
    assert external_names(module.AntArguments) == external_names(module.BeeArguments) == {"id"}


def test_models_come_from_the_cache_and_only_changed_ones_are_generated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cache" / "models.json"
    before = model_schemas([tool("ant"), tool("bee", argument("id", {"type": "integer"}))])
    after = model_schemas([tool("ant"), tool("bee", argument("id", {"type": "string"}))])
    build_cache = BuildCache(path)
    with begin_models([before], build_cache=build_cache) as finish:
        finish()
    build_cache.save()
    calls: list[Schemas] = []

    def generate(schemas: Schemas) -> dict[str, ClassBody]:
        calls.append(schemas)
        return generate_bodies(schemas)

    monkeypatch.setattr("mcpgen.emit.models.generate_bodies", generate)
    with begin_models([after], build_cache=BuildCache(path)) as finish:
        (text,) = finish()

    assert calls == [{"BeeArguments": after["BeeArguments"]}]
    monkeypatch.undo()
    assert text == models(after)


def _object(properties: dict[str, Json]) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("wide", range(24, 101, 2))
def test_a_wide_type_is_laid_out_as_black_does(wide: int) -> None:
    choice_schema: Json = {"type": "string", "enum": ["x" * wide]}
    two_choices: Json = {"type": "string", "enum": ["x" * wide, "y" * 37]}
    lists: list[Json] = [
        {"type": "array", "items": choice} for choice in (choice_schema, two_choices)
    ]
    schemas = [
        choice_schema,
        two_choices,
        *lists,
        *({**list_schema, "minItems": 1} for list_schema in lists),
    ]
    arguments = [
        argument(f"{letter}{number}{'n' * (wide % 7)}", schema, required=letter == "r")
        for letter in "ro"
        for number, schema in enumerate(schemas)
    ]

    text = source(tool("get_pet", *arguments))

    assert format_source(text) == text


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "from os import system",
        "from pydantic import BaseModel as Base",
        "x = 1",
        "class A(object): pass",
        "class A(BaseModel):\n    x: print('x')",
        "class A(BaseModel):\n    x: int = os.system('id')",
        "class A(BaseModel):\n    def f(self): pass",
        "@decorated\nclass A(BaseModel): x: int",
    ],
)
def test_nothing_but_models_comes_through(code: str) -> None:
    with pytest.raises(ValueError, match=r"model|name|field|type"):
        list(read_models(code))
