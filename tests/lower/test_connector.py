"""Operations as the connector tools `search` and `fetch`, and reported obstacles."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import (
    ArgumentConfig,
    Config,
    DiscoveryConfig,
    DiscoveryMode,
    FetchConfig,
    SearchConfig,
    ToolConfig,
)
from mcpgen.diagnostics import Location
from tests import runtime_harness

BOOK = {
    "type": "object",
    "properties": {
        "number": {"type": "integer"},
        "name": {"type": "string"},
        "links": {"type": "object", "properties": {"html": {"type": "string"}}},
    },
}
FOUND = {"type": "object", "properties": {"found": {"type": "array", "items": BOOK}}}
SEARCH = SearchConfig("findBooks", "number", "name", results="found", url="links.html")
FETCH = FetchConfig("GET /books/{number}", "name", url="links.html", metadata=("number",))
AT = Location("mcpgen.toml", ("connector", "search", "id"), 5, 1)


def lower_api(build: Any, config: Config, *more: Any) -> Any:
    """Returns the server of a library; its search may take several arguments."""
    term = build.parameter("query", "term", required=True)
    number = build.parameter("path", "number", {"type": "integer"})
    return build.lower(
        build.api(
            build.operation(
                term, *more, id="findBooks", path="/books", responses=(build.response(FOUND),)
            ),
            build.operation(
                number, id="readBook", path="/books/{number}", responses=(build.response(BOOK),)
            ),
        ),
        config,
    )


def test_tools_take_and_announce_exactly_the_contract(build: Any) -> None:
    result = lower_api(build, Config(search=SEARCH, fetch=FETCH), build.parameter("query", "limit"))

    search, fetch = result.server.tools
    assert not list(result.diagnostics)
    assert (search.name, fetch.name) == ("search", "fetch")
    assert list(search.input_schema["properties"]) == search.input_schema["required"] == ["query"]
    assert list(fetch.input_schema["properties"]) == fetch.input_schema["required"] == ["id"]
    assert search.output["properties"]["results"]["items"]["required"] == ["id", "title", "url"]
    assert fetch.output["required"] == ["id", "title", "text", "url", "metadata"]


def test_number_of_a_path_is_taken_as_text(build: Any) -> None:
    result = lower_api(build, Config(fetch=FETCH))
    fetch = result.server.tools[1]

    assert runtime_harness.build_request(result.server, {"id": "17"}, fetch).path == "/books/17"
    with pytest.raises(runtime_harness.InvalidArguments, match="must match"):
        runtime_harness.build_request(result.server, {"id": "x"}, fetch)


@pytest.mark.parametrize("value", [ArgumentConfig(fixed="new"), ArgumentConfig(default="new")])
def test_other_required_argument_is_sent_with_its_configured_value(
    build: Any, value: ArgumentConfig
) -> None:
    shelf = build.parameter("query", "shelf", required=True)
    config = Config(search=SEARCH, tools={"findBooks": ToolConfig(arguments={"shelf": value})})

    result = lower_api(build, config, shelf)

    assert not list(result.diagnostics)
    assert (
        result.scenario("required_only").expected_request.target == "/books?term=sample&shelf=new"
    )


@pytest.mark.parametrize(
    ("search", "code", "expected"),
    [
        (SearchConfig("findBoks", "number", "name"), "MG363", "did you mean `findBooks`?"),
        (SearchConfig("findBooks", "number", "name", "trm"), "MG364", "did you mean `term`?"),
        (SearchConfig("findBooks", "numbr", "name", "", "found"), "MG309", "`found.number`?"),
    ],
)
def test_operation_argument_or_path_that_does_not_fit_is_reported(
    build: Any, search: SearchConfig, code: str, expected: str
) -> None:
    config = Config(search=search, locations={AT.path: AT})

    diagnostics = [
        diagnostic
        for diagnostic in lower_api(build, config).diagnostics
        if diagnostic.code.id == code
    ]

    assert len(diagnostics) == 1
    assert expected in diagnostics[0].message + diagnostics[0].hint
    assert (diagnostics[0].at == AT) is (code == "MG309")


def test_second_required_argument_without_a_value_is_reported(build: Any) -> None:
    result = lower_api(
        build, Config(search=SEARCH), build.parameter("query", "shelf", required=True)
    )

    (finding,) = result.diagnostics
    assert finding.code.id == "MG364"
    assert "it also requires `shelf`" in finding.message


def test_another_name_for_the_operation_contradicts(build: Any) -> None:
    result = lower_api(build, Config(search=SEARCH, names={"findBooks": "find"}))

    (finding,) = result.diagnostics
    assert finding.code.id == "MG364"
    assert "`[names]` or `[tools]` calls it `find`" in finding.message


def test_name_that_another_operation_wants_is_reported(build: Any) -> None:
    result = lower_api(build, Config(search=SEARCH, names={"readBook": "search"}))

    assert "MG304" in result.codes


def test_a_connector_finds_its_tools_in_the_list_of_discovery_mode(build: Any) -> None:
    config = Config(finding=DiscoveryConfig(DiscoveryMode.ON), search=SEARCH, fetch=FETCH)

    names = [tool.name for tool in lower_api(build, config).server.listed]

    assert names == ["search_tools", "describe_tool", "call_read_tool", "search", "fetch"]
