"""Arguments of tools from signatures, definitions, lists, tables and calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mcpgen.openspec.lower.drafted_tools import description_of, inputs_of
from mcpgen.openspec.lower.extraction import Facts, facts_of_all
from mcpgen.openspec.model.requirements import Requirements

Finds = Callable[[str], Facts]

SHALL = "The MCP server SHALL expose a `find_boat` tool that finds boats."


def requirement(body: str, *steps: str) -> str:
    """Returns a requirement about `find_boat` with a scenario of the given steps."""
    listing = "".join(f"- {step}\n" for step in steps)
    return f"### Requirement: Find a boat\n\n{SHALL}\n{body}\n\n#### Scenario: A boat\n\n{listing}"


def inputs(facts: Facts) -> Mapping[str, Mapping[str, Any]]:
    """Returns the arguments of `find_boat` without descriptions."""
    result = inputs_of("find_boat", facts)
    return {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in result.items()
    }


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        (
            "find_boat(name: str, most: int = 5, deep: bool = False) -> dict",
            {
                "name": {"type": "string", "required": True},
                "most": {"type": "integer", "default": 5},
                "deep": {"type": "boolean", "default": False},
            },
        ),
        (
            "find_boat(kind: Literal['sail', 'motor'], tags: list[str] | None = None)",
            {
                "kind": {"type": "string", "enum": ["sail", "motor"], "required": True},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
        ),
        (
            "find_boat(name: string, most?: number)",
            {"name": {"type": "string", "required": True}, "most": {"type": "number"}},
        ),
        ("find_boat(name, most)", {"name": {"type": "string"}, "most": {"type": "string"}}),
        (
            "find_boat(name: string, kind: 'sail'|'motor' = 'sail', most: number, mode: 'full')",
            {
                "name": {"type": "string", "required": True},
                "kind": {"type": "string", "enum": ["sail", "motor"], "default": "sail"},
                "most": {"type": "number", "required": True},
                "mode": {"type": "string"},
            },
        ),
    ],
)
def test_a_signature_gives_arguments_types_and_defaults(
    facts: Finds, signature: str, expected: Mapping[str, Any]
) -> None:
    assert inputs(facts(requirement(f"It is `{signature}`."))) == expected


def test_a_signature_in_a_fenced_block_may_have_lines_and_comments(facts: Finds) -> None:
    text = requirement(
        "\n```\nfind_boat(name: string,   # the name (or a part)\n"
        "          kind?: 'sail'|'motor' = 'sail',\n          most?:  number)\n"
        "    → { boats }\n```"
    )

    assert inputs(facts(text)) == {
        "name": {"type": "string", "required": True},
        "kind": {"type": "string", "enum": ["sail", "motor"], "default": "sail"},
        "most": {"type": "number"},
    }


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('find_boat(name="Pequod", most=3)', {"name": {"type": "string"}, "most": {"type": "integer"}}),
        ('find_boat(name: "Pequod", most: 3)', {"name": {"type": "string"}, "most": {"type": "integer"}}),
        ('find_boat({ name: "Pequod", place: { lat: 1.5 } })', {"name": {"type": "string"}, "place": {"type": "object"}}),
        ('find_boat(name, kinds=["sail"])', {"name": {"type": "string"}, "kinds": {"type": "array", "items": {"type": "string"}}}),
        ('find_boat(kinds: [{ name: "sail" }])', {"kinds": {"type": "array"}}),
    ],
)  # fmt: skip
def test_a_value_of_an_example_call_is_no_default_and_no_enum(
    facts: Finds, call: str, expected: Mapping[str, Any]
) -> None:
    step = f"**WHEN** a client calls `{call}`"
    assert inputs(facts(requirement("It SHALL answer.", step))) == expected

    fenced = f"```\n{call}\n```"
    text = requirement("It SHALL answer.", "**WHEN** a client calls the tool:\n" + fenced)
    assert inputs(facts(text)) == expected


def test_the_type_of_a_declaration_wins_over_the_example_before(facts: Finds) -> None:
    step = "**WHEN** a client calls `find_boat(most=3)`"
    text = requirement("It SHALL answer.", step) + requirement(
        "It is `find_boat(most: float = 5)`."
    ).replace("Find a boat", "The signature of find_boat")

    assert inputs(facts(text)) == {"most": {"type": "number", "default": 5}}


def test_a_member_of_an_object_that_a_step_names_by_a_path_is_no_argument(facts: Finds) -> None:
    step = "**WHEN** a client calls `find_boat` with `place.kinds = ['sail']`"

    assert "kinds" not in inputs(facts(requirement("It SHALL answer.", step)))


def test_a_definition_in_json_gives_the_schema(facts: Finds) -> None:
    definition = {
        "name": "find_boat",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The name."},
                "most": {"type": "integer", "maximum": 9, "default": 3},
                "place": {"type": "object", "properties": {"lat": {"type": "number"}}},
            },
            "required": ["name"],
        },
    }
    text = requirement(f"\n```json\n{json.dumps(definition)}\n```")

    assert inputs(facts(text)) == {
        "name": {"type": "string", "required": True},
        "most": {"type": "integer", "maximum": 9, "default": 3},
        "place": {"type": "object"},
    }


def test_a_definition_in_json_with_several_types_leaves_the_type_open(facts: Finds) -> None:
    properties = {"name": {"type": ["string", "null"]}, "most": {"type": "integer"}}
    definition = {"name": "find_boat", "inputSchema": {"type": "object", "properties": properties}}
    text = requirement(f"\n```json\n{json.dumps(definition)}\n```")

    assert inputs(facts(text)) == {"name": {"type": "string"}, "most": {"type": "integer"}}


def test_a_list_of_parameters_gives_types_limits_and_defaults(facts: Finds) -> None:
    text = requirement(
        "It SHALL accept these parameters:\n\n"
        "- `name` (string, required): the name\n"
        "- `kind` (string, enum: `sail`, `motor`, default: `sail`) -- the kind\n"
        "- `most` (integer, 1-50, default: 20) — at most so many\n"
    )

    assert inputs(facts(text)) == {
        "name": {"type": "string", "required": True},
        "kind": {"type": "string", "enum": ["sail", "motor"], "default": "sail"},
        "most": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20},
    }


def test_a_table_of_parameters_gives_types_and_defaults(facts: Finds) -> None:
    text = requirement(
        "\n| Parameter | Type | Required | Default | Description |\n|---|---|---|---|---|\n"
        "| `name` | string | yes | | The name |\n| `most` | integer | no | 20 | At most |\n"
    )

    assert inputs(facts(text)) == {
        "name": {"type": "string", "required": True},
        "most": {"type": "integer", "default": 20},
    }


def test_a_table_of_results_gives_no_argument(facts: Finds) -> None:
    text = requirement("\n| Field | Type |\n|---|---|\n| `length` | number |\n")

    assert inputs(facts(text)) == {}


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('a client calls `find_boat` with `name: "Pequod"`, `most: 3`', {"name": "string", "most": "integer"}),
        ("`find_boat` is called with `kind` set to `sail` and `most` set to `2`", {"kind": "string", "most": "integer"}),
        ("`find_boat` is called with a valid `name` and `most`", {"name": "string", "most": "string"}),
        ("a client calls `find_boat(name=\"Pequod\", deep=True)`", {"name": "string", "deep": "boolean"}),
        ("Agent 调用 `find_boat`，参数 `{\"name\": \"Pequod\"}`", {"name": "string"}),
        ("Agent 调用 `find_boat` 工具，传入 `{ deep: true }`", {"deep": "boolean"}),
    ],
)  # fmt: skip
def test_a_call_names_arguments(facts: Finds, step: str, expected: Mapping[str, str]) -> None:
    result = inputs(facts(requirement("It SHALL answer.", f"**WHEN** {step}")))

    assert {name: schema["type"] for name, schema in result.items()} == expected


def test_members_of_the_result_in_the_same_sentence_are_no_arguments(facts: Finds) -> None:
    text = requirement("The tool SHALL accept a `name` and return `length` and `owner`.")

    assert set(inputs(facts(text))) == {"name"}


def test_a_name_in_bold_is_read_like_a_name_in_back_ticks(facts: Finds) -> None:
    text = requirement(
        "The tool SHALL accept a **boatName** and **most_boats**. **Important** too."
    )

    assert set(inputs(facts(text))) == {"boatName", "most_boats"}


def test_names_of_a_result_are_no_arguments(facts: Finds) -> None:
    text = requirement(
        "It SHALL answer.",
        "**WHEN** a client calls `find_boat` with a `name`",
        "**THEN** the result contains `length` and `owner`",
    )

    assert set(inputs(facts(text))) == {"name"}


@pytest.mark.parametrize(
    ("sentence", "description"),
    [
        ("SHALL expose a `find_boat` tool that finds boats by `name`.", "Finds boats by name."),
        ("SHALL provide a `find_boat` MCP tool to look for a boat.", "Look for a boat."),
        ("SHALL expose a `find_boat` tool returning the boats.", "Returns the boats."),
        ("SHALL expose a `find_boat` tool.", ""),
        ("SHALL register a tool `find_boat` wrapping `POST /boats`.", "Wraps POST /boats."),
        ("SHALL expose a `find_boat` tool. The `find_boat` tool SHALL list all boats.", "List all boats."),
        ("SHALL expose a `find_boat` tool. The `find_boat` tool SHALL accept a `name`.", ""),
        ("SHALL have tools: `find_boat(name)` — finds boats by name; `add` — adds one.", "Finds boats by name."),
        ("SHALL expose the tools `find_boat` (finds boats by name) and `add_boat`.", "Finds boats by name."),
        ("SHALL expose the tools `add_boat` and `find_boat` — each of one kind.", ""),
        ("SHALL 提供 `find_boat` 工具，从列表读取船。", "从列表读取船。"),
    ],
)  # fmt: skip
def test_the_purpose_behind_the_name_describes_the_tool(
    facts: Finds, sentence: str, description: str
) -> None:
    text = f"### Requirement: Boats\n\nThe MCP server {sentence}\n"

    assert description_of("find_boat", facts(text)) == description


@pytest.mark.parametrize(
    "sentence", ["No tools have a `name` parameter.", "Every tool SHALL advertise `trace`."]
)
def test_a_sentence_about_all_tools_is_about_the_tools_of_its_capability(
    requirements: Callable[..., Requirements], sentence: str
) -> None:
    boats = requirement("`find_boat(name: string)` finds.", "**WHEN** `find_boat` is called")
    ports = requirement(sentence, "**WHEN** `list_ports` is called").replace(
        "find_boat", "list_ports"
    )
    every_facts = facts_of_all([requirements(boats, "boats.md"), requirements(ports, "ports.md")])
    joined = Facts(tuple(fact for facts in every_facts for fact in facts.all))

    assert list(inputs_of("find_boat", joined)) == ["name"]
