"""`schemas.py`: models of the API's bodies and responses, if configured."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_models import AWKWARD, import_text
from tests.generated.run_module import run
from tests.thorough import examples

from mcpgen.emit.literal import format_source
from mcpgen.emit.model_source import read_models
from mcpgen.emit.models import generate_bodies, models
from mcpgen.ir.source import Json
from mcpgen.pipeline import BuildOptions, BuildStatus, build

DOCUMENT = """
openapi: 3.0.3
info: {title: Pets, version: "1"}
servers: [{url: "https://api.example.com"}]
paths:
  /pets/{id}:
    put:
      operationId: updatePet
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [pet]
              properties: {pet: {$ref: '#/components/schemas/Pet'}, note: {type: string}}
      responses:
        "200":
          description: Done.
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
components:
  schemas:
    Pet:
      type: object
      required: [name, kind]
      properties:
        name: {type: string, pattern: '^[a-z]+$'}
        kind: {type: string, enum: [cat, dog]}
        born-in: {type: integer, nullable: true}
        parents: {type: array, items: {$ref: '#/components/schemas/Pet'}}
        visits: {type: object, additionalProperties: {$ref: '#/components/schemas/Visit'}}
        home: {oneOf: [{$ref: '#/components/schemas/Visit'}, {type: string}]}
    Visit:
      allOf:
        - {type: object, properties: {date: {type: string, format: date}}}
        - {type: object, properties: {Visit: {type: string, default: "none"}}}
"""
SCALARS: list[Json] = [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {}]
TYPES = st.recursive(
    st.sampled_from([*SCALARS, *({"$ref": f"#/components/schemas/{name}"} for name in "AB")])
    | st.builds(
        lambda values: {"type": "string", "enum": values},
        st.lists(st.text(st.characters(codec="utf-8"), max_size=50), min_size=1, unique=True),
    ),
    lambda inner: (
        inner.map(lambda items: {"type": "array", "items": items})
        | inner.map(lambda schema: {"type": "object", "additionalProperties": schema or True})
        | st.lists(inner.filter(lambda schema: schema and "anyOf" not in schema), min_size=2).map(
            lambda branches: {"anyOf": [*branches, {"type": "null"}]}
        )
    ),
    max_leaves=8,
)
NAMES = st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    [*AWKWARD, "A", "$ref"]
)


def schema(properties: dict[str, Json]) -> Json:
    """Returns the schema of a class without required properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": True,
    }


def test_models_read_and_write_what_the_document_describes(pets: ModuleType) -> None:
    content = {
        "name": "Rex the 2nd",
        "kind": "dog",
        "born-in": None,
        "parents": [{"name": "a", "kind": "cat", "visits": {"x": {"date": "soon"}}}],
        "home": {"Visit": "here"},
        "unknown": [1],
    }

    pet = pets.Pet.model_validate(content)

    assert pet.model_dump(mode="json", by_alias=True, exclude_unset=True) == content
    assert pet.parents[0].visits["x"].date == "soon"
    assert pets.UpdatePetBody(pet=pet, note="x").pet is pet
    assert pets.Pet(name="a", kind="cat", born_in=3).model_dump(
        by_alias=True, exclude_unset=True
    ) == {"name": "a", "kind": "cat", "born-in": 3}
    with pytest.raises(ValueError, match="kind"):
        pets.Pet.model_validate({"name": "a", "kind": "cow"})


@example({"ª": {"type": "string"}, "a": {"type": "string"}, "": {"type": "string"}})
@settings(max_examples=examples(12, 40), deadline=None)
@given(st.dictionaries(NAMES, TYPES, max_size=5))
def test_any_names_and_types_give_a_module_that_imports_and_that_black_leaves_alone(
    properties: dict[str, Json],
) -> None:
    schemas = {"A": schema(properties), "B": schema({})}

    text = '"""Schemas."""\n' + models(schemas)

    assert format_source(text) == text
    result = import_text(text)
    result.A.model_rebuild(raise_errors=True)
    fields = result.A.model_fields.items()
    assert {name if field.alias is None else field.alias for name, field in fields} == {*properties}


def test_a_body_does_not_depend_on_the_schemas_generated_with_it() -> None:
    reference = {"$ref": "#/components/schemas/Pet"}
    schemas = {
        "Pet": schema({"Pet": reference, "Visit": {"type": "string"}}),
        "Visit": schema({"Visit": {"type": "string"}, "Pet": {"type": "string"}}),
    }

    bodies = generate_bodies(schemas)

    assert bodies == {
        name: generate_bodies({name: schema})[name] for name, schema in schemas.items()
    }


@pytest.mark.parametrize(
    "code",
    [
        "class A(BaseModel):\n    model_config = ConfigDict()\n    x: os | None",
        "class A(BaseModel):\n    model_config = ConfigDict()\n    x: None | print(end='x')",
        "class A(BaseModel):\n    model_config = exec()",
        "class A(BaseModel):\n    model_config = ConfigDict()\n    x: int = exec()",
        "class A(BaseModel):\n    model_config = ConfigDict(extra=exec())",
        "A.model_rebuild(force=True)",
        "B.model_rebuild()",
        "A.delete()",
    ],
)
def test_no_name_but_a_class_comes_through(code: str) -> None:
    with pytest.raises(ValueError, match=r"model|name|field|type"):
        list(read_models(code, {"A"}))


def test_the_module_goes_when_the_key_does_and_check_tells_of_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    spec, folder = tmp_path / "openapi.yaml", tmp_path / "out"
    spec.write_text(DOCUMENT, encoding="utf-8")
    module, keys = folder / "pets_mcp" / "schemas.py", folder / "mcpgen.toml"
    build(str(spec), str(folder), BuildOptions(verify=False))
    choices_text = keys.read_text("utf-8")
    assert not module.exists()

    keys.write_text(f'{choices_text}\n[models]\nschemas = "all"\n', encoding="utf-8")
    drift = build("", str(folder), BuildOptions(check=True))
    build("", str(folder), BuildOptions(verify=False))
    text = module.read_text("utf-8")
    current = build("", str(folder), BuildOptions(check=True))
    keys.write_text(choices_text, encoding="utf-8")
    removal_result = build("", str(folder), BuildOptions(check=True))
    build("", str(folder), BuildOptions(verify=False))

    assert [drift.status, current.status, removal_result.status] == [
        BuildStatus.DRIFTED,
        BuildStatus.CURRENT,
        BuildStatus.DRIFTED,
    ]
    assert "class UpdatePetBody(BaseModel):" in text
    assert not module.exists()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a project with `schemas = "all"`."""
    folder = tmp_path_factory.mktemp("pets")
    (folder / "openapi.yaml").write_text(DOCUMENT, encoding="utf-8")
    (folder / "mcpgen.toml").write_text('[models]\nschemas = "all"\n', encoding="utf-8")
    completed = run("mcpgen", "build", "openapi.yaml", "-o", ".", "--no-verify", folder=folder)
    assert completed.returncode == 0, completed.stderr
    return folder


@pytest.fixture
def pets(project: Path) -> Iterator[ModuleType]:
    """Module `schemas` of the project."""
    yield import_text((project / "pets_mcp" / "schemas.py").read_text("utf-8"))
    sys.modules.pop("made_models")


def test_the_module_is_clean(project: Path) -> None:
    path = "pets_mcp/schemas.py"
    text = (project / path).read_text("utf-8")

    completed = run("ruff", "check", path, folder=project)

    assert format_source(text) == text
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.repeated("tests/generated checks the types of the projects of generated/")
def test_the_module_is_clean_under_strict_typing(project: Path) -> None:
    completed = run("mypy", "--strict", "pets_mcp/schemas.py", folder=project)

    assert completed.returncode == 0, completed.stdout + completed.stderr
