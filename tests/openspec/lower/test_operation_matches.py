"""Operations of an API that requirements name: evidence, confidence, and what neither side has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.lower.extraction import facts_of
from mcpgen.openspec.lower.operation_matches import (
    MIN_CONFIDENCE,
    OperationMatches,
    match_operations,
)
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.parse import parse
from mcpgen.read import read

API = """openapi: 3.0.3
info: {title: Harbour, version: "1"}
paths:
  /boats:
    get:
      operationId: listBoats
      parameters: [{name: owner, in: query, schema: {type: string}}]
      responses: {"200": {description: Boats.}}
    post:
      operationId: createBoat
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewBoat"}
      responses: {"201": {description: A boat.}}
  /boats/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getBoat, responses: {"200": {description: A boat.}}}
    delete: {operationId: deleteBoat, responses: {"204": {description: Gone.}}}
  /tides/now:
    get: {operationId: current, responses: {"200": {description: The tide.}}}
components:
  schemas:
    NewBoat: {type: object, properties: {hull: {type: string}, mast: {type: string}}}
"""

Parses = Callable[[str], Requirements]
Matches = Callable[[str], OperationMatches]


@pytest.fixture
def matches(tmp_path: Path, requirements: Parses) -> Matches:
    """Matches the operations of the API with a text."""
    (tmp_path / "api.yaml").write_text(API)
    path = (tmp_path / "api.yaml").as_posix()
    diagnostics = Diagnostics()
    source = read(path, diagnostics)
    assert source
    api = parse(source, diagnostics)
    assert api

    def run(text: str) -> OperationMatches:
        parsed = requirements(text)
        return match_operations([(parsed, facts_of(parsed))], path, api)

    return run


def confidences(operation_matches: OperationMatches) -> dict[str, int]:
    """Returns the confidence of the operations with evidence."""
    return {
        match.operation.key: match.confidence
        for match in operation_matches.matches
        if match.evidence
    }


def requirement_text(body: str, step: str = "**THEN** it is so", name: str = "Harbour") -> str:
    """Returns a requirement with one step."""
    return f"### Requirement: {name}\n\n{body}\n\n#### Scenario: One\n\n- {step}\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("The service SHALL answer `GET /boats`.", {"GET /boats": 95}),
        ("The service SHALL answer `GET /boats/:id`.", {"GET /boats/{id}": 95}),
        ("The service SHALL answer GET /boats/<number>.", {"GET /boats/{id}": 95}),
        ("The service SHALL answer `GET /api/v1/boats?owner=me`.", {"GET /boats": 85}),
        ("The service SHALL answer `DELETE /boats/17`.", {"DELETE /boats/{id}": 80}),
        ("The service SHALL answer `createBoat`.", {"POST /boats": 90}),
        ("The service SHALL answer at `/tides/now`.", {"GET /tides/now": 70}),
        ("The service SHALL answer `POST /boats` with `hull` and `mast`.", {"POST /boats": 95}),
        ("The current service SHALL answer.", {}),
    ],
)
def test_requests_ids_and_paths_name_operations(
    matches: Matches, body: str, expected: dict[str, int]
) -> None:
    assert confidences(matches(requirement_text(body))) == expected


def test_the_name_of_a_tool_names_the_operation_with_the_same_meaning(matches: Matches) -> None:
    operation_matches = matches(
        requirement_text("The MCP server SHALL expose a `remove_boat` tool for boats.")
    )

    assert confidences(operation_matches) == {"DELETE /boats/{id}": 85}
    assert operation_matches.has_operation("remove_boat")


def tools(operation_matches: OperationMatches) -> dict[str, str]:
    """Returns the tools of the operations with evidence."""
    return {
        match.tool: match.operation.key for match in operation_matches.matches if match.evidence
    }


SERVER = "The MCP server SHALL expose"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{SERVER} a `launch` tool that maps onto `POST /boats`.", {"launch": "POST /boats"}),
        (
            f"{SERVER} `launch` (a `hull` → `POST /boats`) as an MCP tool.",
            {"launch": "POST /boats"},
        ),
        (
            f"{SERVER} two tools — `see_fleet` and `scrap_hull` — that wrap `GET /boats` and `DELETE /boats/{{id}}`.",
            {"see_fleet": "GET /boats", "scrap_hull": "DELETE /boats/{id}"},
        ),
        (
            f"{SERVER} two tools — `see_fleet` and `scrap_hull` — that wrap `POST /boats`.",
            {"create_boat": "POST /boats"},
        ),
        (
            f"{SERVER} a `launch` tool that does not call `POST /boats`.",
            {"create_boat": "POST /boats"},
        ),
        (f"{SERVER} a `launch` tool beside `POST /boats`.", {"create_boat": "POST /boats"}),
        (
            f"{SERVER} a `launch` tool that calls `POST /boats` and a `moor` tool that calls `POST /boats`.",
            {"launch": "POST /boats"},
        ),
        (
            f"{SERVER} a `launch` tool that calls `POST /boats`. The `launch` tool calls `GET /boats` first.",
            {"create_boat": "POST /boats", "list_boats": "GET /boats"},
        ),
    ],
)
def test_a_tool_whose_request_the_text_states_calls_the_operation(
    matches: Matches, body: str, expected: dict[str, str]
) -> None:
    assert tools(matches(requirement_text(body))) == expected


@pytest.mark.parametrize(
    ("step", "tool"),
    [
        ("the server issues exactly one `POST /boats` with this hull", "launch"),
        ("the MCP server forwards it as `POST /boats`", "launch"),
        ("the server does not issue `POST /boats`", "create_boat"),
        ("somebody else calls `POST /boats`", "create_boat"),
    ],
)
def test_the_request_in_a_scenario_is_that_of_the_called_tool(
    matches: Matches, step: str, tool: str
) -> None:
    text = requirement_text(
        "It SHALL.", f"**WHEN** an MCP client calls `launch`\n- **THEN** {step}"
    )

    assert tools(matches(text)) == {tool: "POST /boats"}


def test_a_body_decides_before_a_scenario_which_request_a_tool_makes(matches: Matches) -> None:
    text = requirement_text(
        f"{SERVER} a `launch` tool that maps onto `POST /boats`.",
        "**WHEN** an MCP client calls `launch`\n- **THEN** the server calls `GET /boats`",
    )

    assert tools(matches(text)) == {"launch": "POST /boats", "list_boats": "GET /boats"}


def test_a_heading_with_verb_and_entity_is_enough_and_its_number_decides(matches: Matches) -> None:
    many = matches(requirement_text("The service SHALL do it.", name="List boats"))
    operation_matches = matches(requirement_text("The service SHALL do it.", name="Get a boat"))

    assert confidences(many) == {"GET /boats": MIN_CONFIDENCE}
    assert confidences(operation_matches) == {"GET /boats/{id}": MIN_CONFIDENCE}


def test_verb_and_entity_in_a_sentence_need_arguments_in_common(matches: Matches) -> None:
    verb_matches = matches(requirement_text("It SHALL.", "**WHEN** a client creates one more boat"))
    argument_matches = matches(
        requirement_text("It SHALL take a `hull`.", "**WHEN** a client creates one more boat")
    )

    assert confidences(verb_matches) == {"POST /boats": 45}
    assert confidences(argument_matches) == {"POST /boats": 60}


def test_a_step_in_a_user_interface_names_no_operation(matches: Matches) -> None:
    operation_matches = matches(
        requirement_text("It SHALL.", "**WHEN** the user clicks to delete the boat")
    )

    assert confidences(operation_matches) == {}


def test_a_request_that_the_api_lacks_is_kept_with_its_position(matches: Matches) -> None:
    operation_matches = matches(
        requirement_text("The service SHALL answer `PUT /boats/{id}/moorings`.")
    )

    ((request, (capability, location)),) = operation_matches.unknown.items()
    assert (request, capability) == ("PUT /boats/{id}/moorings", "cap")
    assert location.line


def test_a_requirement_about_one_operation_describes_it(matches: Matches) -> None:
    text = requirement_text(
        "The harbour service SHALL **store** a new boat with `POST /boats`. It SHALL be quick."
    )

    (match,) = [match for match in matches(text).matches if match.evidence]

    assert match.description == "Store a new boat with `POST /boats`."
