"""Output schemas are legal on every protocol revision, or absent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest

from mcpgen.config import Config, OutputMode
from mcpgen.ir.api import Response, Schema

PET = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "integer"},
        "secret": {"type": "string", "writeOnly": True},
        "owner": {"$ref": "#/$defs/Owner"},
    },
}
OWNER = {"type": "object", "properties": {"name": {"type": ["string", "null"]}}}
TREE = {
    "type": "object",
    "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
}
DEFINITIONS = {"Pet": PET, "Owner": OWNER, "Tree": TREE}


def announced_tool(build: Any, schema: Any, mode: OutputMode, **fields: Any) -> Any:
    return build.lower_operation(
        responses=(build.response(schema, **fields),),
        definitions=DEFINITIONS,
        config=Config(output_schemas=mode),
    ).tool


def test_off_announces_nothing(build: Any) -> None:
    assert announced_tool(build, {"$ref": "#/$defs/Pet"}, OutputMode.OFF).output is None


def test_shallow_announces_names_and_types_without_what_is_write_only(build: Any) -> None:
    tool = announced_tool(build, {"$ref": "#/$defs/Pet"}, OutputMode.SHALLOW)

    properties = {"id": {"type": "integer"}, "owner": {"type": "object"}}
    assert tool.output == {"type": "object", "properties": properties}
    assert not tool.wrapped


def test_shallow_announces_what_the_elements_of_a_list_have(build: Any) -> None:
    tool = announced_tool(
        build, {"type": "array", "items": {"$ref": "#/$defs/Pet"}}, OutputMode.SHALLOW
    )

    pet = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "owner": {"type": "object"}},
    }
    result = {"type": "array", "items": pet}
    assert tool.output == {
        "type": "object",
        "properties": {"result": result},
        "required": ["result"],
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Pet"}},
    ],
)
def test_shallow_announces_nothing_where_no_field_has_a_name(build: Any, schema: Any) -> None:
    tool = announced_tool(build, schema, OutputMode.SHALLOW)

    assert tool.output is None
    assert not tool.wrapped


NAMED: Any = {"properties": {"id": {}, "owner": {}}}


@pytest.mark.parametrize(
    ("schema", "result"),
    [
        ({"$ref": "#/$defs/Pet"}, NAMED),
        ({"type": "array", "items": {"$ref": "#/$defs/Pet"}}, {"items": NAMED}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {}),
        ({"type": "string"}, {}),
        (True, {}),
    ],
)
def test_names_announces_the_fields_of_every_result(build: Any, schema: Any, result: Any) -> None:
    tool = announced_tool(build, schema, OutputMode.NAMES)

    assert tool.output == {"type": "object", "properties": {"result": result}}
    assert tool.wrapped


def test_names_announces_fields_of_all_responses_stream_items_and_chosen_fields(build: Any) -> None:
    job = build.response({"type": "object", "properties": {"job": {"type": "string"}}}, "202")
    pet = build.response({"$ref": "#/$defs/Pet"})
    stream = build.response(True, media="application/x-ndjson")
    item = Schema({"$ref": "#/$defs/Owner"}, stream.at)
    stream = replace(stream, media=(replace(stream.media[0], item_schema=item),))
    config = Config(output_schemas=OutputMode.NAMES)

    def result_of(*responses: Response, config: Config = config) -> Any:
        tool = build.lower_operation(
            responses=responses, definitions=DEFINITIONS, config=config
        ).tool
        return tool.output["properties"]["result"]

    with_fields = replace(config, fields={"doThing": ("owner.name",)})
    assert result_of(pet, job) == {"properties": {"id": {}, "owner": {}, "job": {}}}
    assert result_of(stream) == {"items": {"properties": {"name": {}}}}
    assert result_of(pet, config=with_fields) == {"properties": {"owner": {}}}


def test_names_announces_results_without_described_content_but_no_files(build: Any) -> None:
    no_content = Response("204", "", (), build.response(True).at)
    config = Config(output_schemas=OutputMode.NAMES)

    empty = build.lower_operation(responses=(no_content,), config=config).tool
    undescribed_tool = build.lower_operation(config=config).tool
    file = announced_tool(build, {"type": "string"}, OutputMode.NAMES, media="application/pdf")

    assert (
        empty.output == undescribed_tool.output == {"type": "object", "properties": {"result": {}}}
    )
    assert file.output is None


@pytest.mark.parametrize("mode", [OutputMode.SHALLOW, OutputMode.FULL])
def test_an_array_is_wrapped_in_an_object(build: Any, mode: OutputMode) -> None:
    tool = announced_tool(build, {"type": "array", "items": {"$ref": "#/$defs/Pet"}}, mode)

    assert tool.output["type"] == "object"
    assert tool.output["properties"]["result"]["type"] == "array"
    assert tool.wrapped


def test_full_writes_references_out(build: Any) -> None:
    tool = announced_tool(build, {"$ref": "#/$defs/Pet"}, OutputMode.FULL)

    name = {"type": ["string", "null"]}
    assert tool.output["properties"]["owner"]["properties"]["name"] == name
    assert "secret" not in tool.output["properties"]


def test_full_reports_what_recurs_by_its_type(build: Any) -> None:
    tool = announced_tool(build, {"$ref": "#/$defs/Tree"}, OutputMode.FULL)

    children = {"type": "array", "items": {"type": "object"}}
    assert tool.output == {"type": "object", "properties": {"children": children}}


def test_nothing_but_json_schema_is_announced(build: Any) -> None:
    name = {"type": "string", "description": "A *name*. " * 80, "xml": {"name": "n"}}
    schema = {"type": "object", "properties": {"name": name | {"examples": ["x"], "x-a": 1}}}

    tool = announced_tool(build, schema, OutputMode.FULL)

    name_schema = tool.output["properties"]["name"]
    assert set(name_schema) == {"type", "description"}
    assert len(name_schema["description"]) <= 120


def test_descriptions_end_when_their_room_is_used_up(build: Any) -> None:
    properties = {
        f"p{n}": {"type": "string", "description": f"{n} {'x' * 100}"} for n in range(100)
    }

    tool = announced_tool(build, {"type": "object", "properties": properties}, OutputMode.FULL)

    description_length = sum(
        len(property_schema.get("description", ""))
        for property_schema in tool.output["properties"].values()
    )
    assert 2_000 < description_length < 4_000


def test_null_alone_is_announced_as_one_type(build: Any) -> None:
    schema = {"type": "object", "properties": {"none": {"type": "null"}}}

    tool = announced_tool(build, schema, OutputMode.SHALLOW)

    assert tool.output["properties"] == {"none": {"type": "null"}}


@pytest.mark.parametrize("mode", [OutputMode.SHALLOW, OutputMode.FULL])
def test_items_behind_the_first_of_a_tuple_are_not_announced_for_every_item(
    build: Any, mode: OutputMode
) -> None:
    row = {
        "type": "array",
        "prefixItems": [{"type": "string"}],
        "items": {"type": "object", "properties": {"a": {"type": "string"}}},
    }
    schema = {"type": "object", "properties": {"row": row, "b": {"type": "string"}}}

    rows = announced_tool(build, row, mode)
    tool = announced_tool(build, schema, mode)

    assert rows.output is None or jsonschema_rs.is_valid(rows.output, {"result": ["x", {}]})
    assert jsonschema_rs.is_valid(tool.output, {"row": ["x", {}]})


def test_additional_properties_beside_patterns_are_not_announced_for_every_name(build: Any) -> None:
    schema = {
        "type": "object",
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": {"type": "string"},
    }

    tool = announced_tool(build, schema, OutputMode.FULL)

    assert jsonschema_rs.is_valid(tool.output, {"x-a": 1, "b": "c"})


def test_null_beside_unknown_types_is_not_the_only_type(build: Any) -> None:
    contradiction = {"allOf": [{"type": "object"}, {"type": "array"}]}
    value = {"anyOf": [contradiction, {"type": ["string", "null"]}]}

    tool = announced_tool(build, {"type": "object", "properties": {"a": value}}, OutputMode.FULL)

    assert jsonschema_rs.is_valid(tool.output, {"a": "x"})


def test_hint_of_a_type_is_no_promise_of_one(build: Any) -> None:
    hinted_schema = {
        "type": "object",
        "properties": {"a": {"minimum": 1}, "b": {"format": "int32"}},
    }

    tool = announced_tool(build, hinted_schema, OutputMode.FULL)

    assert tool.output["properties"] == {"a": {"minimum": 1}, "b": {}}


def tool_of_responses(build: Any, *responses: Any) -> Any:
    """Returns the tool of an operation with these responses."""
    config = Config(output_schemas=OutputMode.FULL)
    return build.lower_operation(responses=responses, definitions=DEFINITIONS, config=config).tool


def test_several_successes_are_alternatives(build: Any) -> None:
    result = {"type": "object", "properties": {"job": {"type": "string"}}}

    tool = tool_of_responses(
        build,
        build.response({"$ref": "#/$defs/Owner"}, "200"),
        build.response(result, "2XX"),
        build.response({"type": "integer"}, "default"),
    )

    assert tool.output["type"] == "object"
    assert [list(item["properties"]) for item in tool.output["anyOf"]] == [["name"], ["job"]]
    assert not tool.wrapped


def test_default_is_the_success_where_there_is_no_other(build: Any) -> None:
    tool = tool_of_responses(build, build.response({"$ref": "#/$defs/Owner"}, "default"))

    assert list(tool.output["properties"]) == ["name"]


def test_success_without_content_may_leave_out_everything(build: Any) -> None:
    no_content = Response("204", "", (), build.response(True).at)

    pet_tool = tool_of_responses(build, build.response({"$ref": "#/$defs/Pet"}), no_content)
    wrapped_tool = tool_of_responses(build, build.response({"type": "integer"}), no_content)

    for tool in (pet_tool, wrapped_tool):
        assert "required" not in tool.output
        assert jsonschema_rs.is_valid(tool.output, {})


@pytest.mark.parametrize("second", ["text/csv", "image/png"])
def test_nothing_is_announced_where_a_success_may_be_no_json(build: Any, second: str) -> None:
    responses = (build.response({"type": "object"}), build.response(True, "201", second))

    assert tool_of_responses(build, *responses).output is None


def test_items_of_a_stream_are_an_array(build: Any) -> None:
    response = build.response(True, media="application/x-ndjson")
    item = Schema({"$ref": "#/$defs/Owner"}, response.at)
    stream_response = replace(response, media=(replace(response.media[0], item_schema=item),))

    tool = tool_of_responses(build, stream_response)

    result = tool.output["properties"]["result"]
    assert result["type"] == "array"
    assert list(result["items"]["properties"]) == ["name"]
    assert tool.scenarios[0].stub_response.body.endswith("\n")


def test_json_inside_the_data_of_an_event_has_its_own_schema(build: Any) -> None:
    data = {"type": "string", "contentSchema": {"$ref": "#/$defs/Owner"}}
    event = {"type": "object", "properties": {"data": data, "event": {"type": "string"}}}
    response = build.response(True, media="text/event-stream")
    media = replace(response.media[0], item_schema=Schema(event, response.at))

    tool = tool_of_responses(build, replace(response, media=(media,)))

    event_properties = tool.output["properties"]["result"]["items"]["properties"]
    assert list(event_properties["data"]["properties"]) == ["name"]
    assert tool.scenarios[0].stub_response.body.startswith(("event: ", "data: {"))


def test_announced_schema_is_reduced_to_the_chosen_fields(build: Any) -> None:
    list_of = {
        "type": "object",
        "required": ["items", "next"],
        "properties": {
            "items": {"type": "array", "items": {"$ref": "#/$defs/Pet"}},
            "next": {"type": "string"},
        },
    }
    config = Config(
        output_schemas=OutputMode.FULL, fields={"doThing": ("items.id", "items.owner.name")}
    )

    tool = build.lower_operation(
        responses=(build.response(list_of),), definitions=DEFINITIONS, config=config
    ).tool

    items = tool.output["properties"]["items"]["items"]
    assert list(tool.output["properties"]) == ["items"]
    assert tool.output["required"] == ["items"]
    assert list(items["properties"]) == ["id", "owner"]
    assert items["required"] == ["id"]


def test_an_answer_that_is_no_json_has_no_output_schema(build: Any) -> None:
    tool = announced_tool(build, {"type": "string"}, OutputMode.SHALLOW, media="text/csv")

    assert tool.output is None
    assert tool.route.accept == "text/csv"


def test_without_a_described_answer_anything_is_accepted(build: Any) -> None:
    assert build.lower_operation().tool.route.accept == "*/*"
