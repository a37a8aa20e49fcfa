"""A discriminator decides between forms that their schemas do not tell apart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.config import Config, Flattening, FlattenMode

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


def union(keyword: str = "oneOf", **rest: Any) -> dict[str, Any]:
    return {keyword: EITHER, "discriminator": {"propertyName": "kind", **rest}}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_the_chosen_form_keeps_its_required_properties(
    build: Any, sent: Any, refused: Any, keyword: str
) -> None:
    lowered = build.of_body(union(keyword, mapping=MAPPING), definitions=DEFINITIONS)

    assert refused(lowered, {"kind": "kitty"}) == ["lives: required, but missing"]
    assert refused(lowered, {"kind": "kitty", "lives": 12}) == ["lives: must be <= 9, got 12"]
    assert json.loads(sent(lowered, {"kind": "kitty", "lives": 3}).body)["lives"] == 3
    assert json.loads(sent(lowered, {"kind": "puppy"}).body) == {"kind": "puppy"}
    assert "MG318" in lowered.codes


def test_without_a_mapping_the_names_of_the_schemas_choose(
    build: Any, sent: Any, refused: Any
) -> None:
    lowered = build.of_body(union(), definitions=DEFINITIONS)

    assert refused(lowered, {"kind": "Cat"}) == ["lives: required, but missing"]
    assert sent(lowered, {"kind": "Cat", "lives": 3})


def test_json_text_says_which_value_chooses_which_form(build: Any, sent: Any, refused: Any) -> None:
    schema = {"type": "array", "items": union(mapping=MAPPING)}

    lowered = build.of_body(schema, definitions=DEFINITIONS)

    assert (
        'JSON: `[{kind: "kitty", lives: integer <= 9} | {kind: "puppy", bark?: string}]`'
        in lowered.arguments["body"].schema["description"]
    )
    assert sent(lowered, {"body": '[{"kind": "kitty", "lives": 1}]'})
    assert refused(lowered, {"body": '[{"kind": "puppy"}, {"kind": "kitty"}]'}) == [
        "body[1].lives: required, but missing"
    ]


def test_a_value_that_chooses_no_form_is_held_against_the_union(
    build: Any, sent: Any, refused: Any
) -> None:
    schema = {"type": "array", "items": union(mapping=MAPPING)}

    lowered = build.of_body(schema, definitions=DEFINITIONS)

    assert sent(lowered, {"body": '[{"kind": "wolf"}]'})
    assert refused(lowered, {"body": '[{"kind": "wolf", "lives": 3}]'})


def test_forms_that_tell_themselves_apart_are_left_as_they_are(build: Any) -> None:
    told = {
        name: {**one, "properties": {**one["properties"], "kind": {"const": name.lower()}}}
        for name, one in DEFINITIONS.items()
    }

    lowered = build.of_body(union(), definitions=told)

    assert lowered.route.body.check == {"oneOf": EITHER}
    assert "MG318" not in lowered.codes


def test_a_property_that_only_tells_forms_apart_may_be_left_out(build: Any, sent: Any) -> None:
    map_ = {"type": {"enum": ["map"]}, "size": {"type": "integer"}}
    list_ = {"type": {"enum": ["list"]}, "items": {"type": "array"}}
    forms = [
        {"type": "object", "properties": map_, "required": ["size"]},
        {"type": "object", "properties": list_, "required": ["items"]},
    ]

    lowered = build.of_body({"oneOf": forms})

    assert json.loads(sent(lowered, {"size": 5}).body) == {"size": 5}


def test_nested_tools_announce_the_value_that_chooses(build: Any, sent: Any) -> None:
    config = Config(flattening=Flattening(mode=FlattenMode.NESTED))
    schema = {"type": "object", "properties": {"pet": union(mapping=MAPPING)}}

    lowered = build.of_body(schema, definitions=DEFINITIONS, config=config)

    assert sent(lowered, {"pet": {"kind": "kitty", "lives": 3}})
    assert '"enum": ["kitty"]' in json.dumps(lowered.arguments["pet"].schema)


def test_scenarios_call_every_tool_of_such_a_union(build: Any) -> None:
    lowered = build.of_body(union(mapping=MAPPING), definitions=DEFINITIONS)

    everything = lowered.scenario("everything").arguments
    assert everything["kind"] == "kitty"
    assert "lives" in everything
