"""A discriminator selects the branch of an otherwise undistinguished union."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.config import Config, FlatteningConfig, FlattenMode

KIND = {"type": "string"}
DEFINITIONS: dict[str, Any] = {
    "Cat": {
        "type": "object",
        "required": ["kind", "lives"],
        "properties": {"kind": KIND, "lives": {"type": "integer", "maximum": 9}},
    },
    "Dog": {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": KIND, "bark": {"type": "string"}},
    },
}
EITHER = [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
MAPPING = {"kitty": "#/$defs/Cat", "puppy": "#/$defs/Dog"}


def union(keyword: str = "oneOf", **keywords: Any) -> dict[str, Any]:
    return {keyword: EITHER, "discriminator": {"propertyName": "kind", **keywords}}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_the_chosen_form_keeps_its_required_properties(
    build: Any, build_request: Any, problems_of: Any, keyword: str
) -> None:
    lowering = build.of_body(union(keyword, mapping=MAPPING), definitions=DEFINITIONS)

    assert problems_of(lowering, {"kind": "kitty"}) == ["lives: required, but missing"]
    assert problems_of(lowering, {"kind": "kitty", "lives": 12}) == ["lives: must be <= 9, got 12"]
    assert json.loads(build_request(lowering, {"kind": "kitty", "lives": 3}).body)["lives"] == 3
    assert json.loads(build_request(lowering, {"kind": "puppy"}).body) == {"kind": "puppy"}
    assert "MG318" in lowering.codes


def test_without_a_mapping_the_names_of_the_schemas_choose(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    lowering = build.of_body(union(), definitions=DEFINITIONS)

    assert problems_of(lowering, {"kind": "Cat"}) == ["lives: required, but missing"]
    assert build_request(lowering, {"kind": "Cat", "lives": 3})


def test_json_text_says_which_value_chooses_which_form(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    schema = {"type": "array", "items": union(mapping=MAPPING)}

    lowering = build.of_body(schema, definitions=DEFINITIONS)

    assert (
        'JSON: `[{kind: "kitty", lives: integer <= 9} | {kind: "puppy", bark?: string}]`'
        in lowering.arguments["body"].schema["description"]
    )
    assert build_request(lowering, {"body": '[{"kind": "kitty", "lives": 1}]'})
    assert problems_of(lowering, {"body": '[{"kind": "puppy"}, {"kind": "kitty"}]'}) == [
        "body[1].lives: required, but missing"
    ]


def test_a_value_that_chooses_no_form_is_held_against_the_union(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    schema = {"type": "array", "items": union(mapping=MAPPING)}

    lowering = build.of_body(schema, definitions=DEFINITIONS)

    assert build_request(lowering, {"body": '[{"kind": "wolf"}]'})
    assert problems_of(lowering, {"body": '[{"kind": "wolf", "lives": 3}]'})


def test_forms_that_tell_themselves_apart_are_left_as_they_are(build: Any) -> None:
    definitions = {
        name: {**schema, "properties": {**schema["properties"], "kind": {"const": name.lower()}}}
        for name, schema in DEFINITIONS.items()
    }

    lowering = build.of_body(union(), definitions=definitions)

    assert lowering.route.body.check == {"oneOf": EITHER}
    assert "MG318" not in lowering.codes


def test_a_property_that_only_reports_forms_apart_may_be_left_out(
    build: Any, build_request: Any
) -> None:
    map_ = {"type": {"enum": ["map"]}, "size": {"type": "integer"}}
    list_ = {"type": {"enum": ["list"]}, "items": {"type": "array"}}
    forms = [
        {"type": "object", "properties": map_, "required": ["size"]},
        {"type": "object", "properties": list_, "required": ["items"]},
    ]

    lowering = build.of_body({"oneOf": forms})

    assert json.loads(build_request(lowering, {"size": 5}).body) == {"size": 5}


def test_nested_tools_announce_the_value_that_chooses(build: Any, build_request: Any) -> None:
    config = Config(flattening=FlatteningConfig(mode=FlattenMode.NESTED))
    schema = {"type": "object", "properties": {"pet": union(mapping=MAPPING)}}

    lowering = build.of_body(schema, definitions=DEFINITIONS, config=config)

    assert build_request(lowering, {"pet": {"kind": "kitty", "lives": 3}})
    assert '"enum": ["kitty"]' in json.dumps(lowering.arguments["pet"].schema)


def test_scenarios_call_every_tool_of_such_a_union(build: Any) -> None:
    lowering = build.of_body(union(mapping=MAPPING), definitions=DEFINITIONS)

    arguments = lowering.scenario("everything").arguments
    assert arguments["kind"] == "kitty"
    assert "lives" in arguments


PET = {"$ref": "#/$defs/Pet"}


def family(*, kind_schema: dict[str, Any] = KIND, **heirs: str) -> dict[str, Any]:
    """Returns `Pet` and its subtypes by name.

    Each subtype requires the integer property named by its discriminator value. `Lion` inherits
    from `Cat`.
    """
    names = {heir: f"#/$defs/{heir}" for heir in heirs}
    pet = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": kind_schema, "friend": PET},
        "discriminator": {"propertyName": "kind", "mapping": names | {"Pet": "#/$defs/Pet"}},
    }
    parents = {heir: "Cat" if heir == "Lion" else "Pet" for heir in heirs}
    return {"Pet": pet} | {
        heir: {
            "allOf": [
                {"$ref": f"#/$defs/{parents[heir]}"},
                {"required": [property_name], "properties": {property_name: {"type": "integer"}}},
            ]
        }
        for heir, property_name in heirs.items()
    }


def test_a_schema_that_one_other_inherits_from_can_be_sent_itself(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    lowering = build.of_body(PET, definitions=family(Cat="claws"))

    assert lowering.arguments["kind"].schema["enum"] == ["Cat", "Pet"]
    assert json.loads(build_request(lowering, {"kind": "Pet"}).body) == {"kind": "Pet"}
    assert json.loads(build_request(lowering, {"kind": "Cat", "claws": 4}).body)["claws"] == 4
    assert problems_of(lowering, {"kind": "Cat"}) == ["claws: required, but missing"]
    assert "Required if `kind` is `Cat`." in lowering.arguments["claws"].schema["description"]


def test_a_schema_that_inherits_in_the_second_generation_keeps_all_required_properties(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    lowering = build.of_body(PET, definitions=family(Cat="claws", Lion="mane"))

    assert problems_of(lowering, {"kind": "Lion", "claws": 4}) == ["mane: required, but missing"]
    assert build_request(lowering, {"kind": "Lion", "claws": 4, "mane": 1})
    assert build_request(lowering, {"kind": "Cat", "claws": 4})


def test_json_text_shows_and_checks_the_schemas_that_inherit(
    build: Any, build_request: Any, problems_of: Any
) -> None:
    array = {"type": "array", "items": PET}

    lowering = build.of_body(array, definitions=family(Cat="claws"))

    assert (
        'JSON: `[{kind: "Cat", friend?: Pet, claws: integer} | {kind: "Pet", friend?: Pet}]`'
        in lowering.arguments["body"].schema["description"]
    )
    assert build_request(
        lowering, {"body": '[{"kind": "Pet", "friend": {"kind": "Cat", "claws": 1}}]'}
    )
    assert problems_of(lowering, {"body": '[{"kind": "Pet", "friend": {"kind": "Cat"}}]'}) == [
        "body[0].friend.claws: required, but missing"
    ]


def test_a_name_that_the_property_excludes_chooses_nothing(build: Any) -> None:
    lowering = build.of_body(
        PET,
        definitions=family(
            kind_schema={"type": "string", "enum": ["Cat", "Dog"]}, Cat="a", Dog="b"
        ),
    )

    assert lowering.arguments["kind"].schema["enum"] == ["Cat", "Dog"]


def test_values_that_several_schemas_say_of_themselves_choose_none_of_them(
    build: Any, build_request: Any
) -> None:
    definitions = family(Cat="claws", Lion="mane")
    definitions["Cat"]["allOf"].append({"properties": {"kind": {"const": "cat"}}})

    lowering = build.of_body(PET, definitions=definitions)

    assert build_request(lowering, {"kind": "cat", "claws": 4})


def test_a_schema_that_inherits_is_no_alternative_where_it_is_meant_alone(build: Any) -> None:
    lowering = build.of_body({"$ref": "#/$defs/Cat"}, definitions=family(Cat="claws", Lion="mane"))

    assert set(lowering.arguments) == {"kind", "friend", "claws"}
    assert lowering.arguments["claws"].required


def test_scenarios_send_a_schema_that_inherits(build: Any) -> None:
    lowering = build.of_body(PET, definitions=family(Cat="claws"))

    arguments = lowering.scenario("everything").arguments
    assert (arguments["kind"], "claws" in arguments) == ("Cat", True)
