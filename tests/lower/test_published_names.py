"""Published tool names follow moved operations; lost names are reported."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mcpgen.config import Config, Selection, Selector, ToolConfig
from mcpgen.ir.api import MissingTool

LOST = {"MG374", "MG375"}


def _operation(build: Any, path: str, **fields: Any) -> Any:
    """Returns an operation with the parameters of its path."""
    names = re.findall(r"{(.*?)}", path)
    return build.operation(*(build.parameter("path", name) for name in names), path=path, **fields)


def _lower_operations(
    build: Any, *operations: Any, **choices: Any
) -> tuple[list[str], list[tuple[str, str]]]:
    """Returns the tool names, and the findings about published tools with their messages."""
    result = build.lower(build.api(*operations), Config(**choices))
    findings = [(d.code.id, d.message) for d in result.diagnostics if d.code.id in LOST]
    return [tool.name for tool in result.server.tools], findings


def _before(key: str, name: str, operation_id: str = "") -> dict[str, Any]:
    """Returns the lock's facts about one operation."""
    ids = {key: operation_id} if operation_id else {}
    return {"tool_names": {key: name}, "operation_ids": ids}


@pytest.mark.parametrize(
    ("key", "operation_id", "new_fields"),
    [
        ("GET /pets", "listPets", {"id": "searchPets", "path": "/pets"}),
        ("GET /pets", "listPets", {"id": "listPets", "path": "/v2/animals"}),
        ("POST /pets/find", "listPets", {"id": "listPets", "path": "/pets"}),
        ("GET /pets/{pet_id}", "get_pet_pets__pet_id__get", {"id": "x", "path": "/pets/{id}"}),
        ("GET /pets", "", {"id": "other", "path": "/pets"}),
    ],
)
def test_name_stays_while_the_operation_id_or_method_and_path_stay(
    build: Any, key: str, operation_id: str, new_fields: dict[str, str]
) -> None:
    names, result = _lower_operations(
        build, _operation(build, **new_fields), **_before(key, "pets", operation_id)
    )

    assert (names, result) == (["pets"], [])


def test_an_operation_id_of_several_operations_reports_nothing(build: Any) -> None:
    operations = [build.operation(id="list", path=path) for path in ("/dogs", "/cats")]

    names, result = _lower_operations(build, *operations, **_before("GET /pets", "pets", "list"))

    assert "pets" not in names
    assert [id for id, _ in result] == ["MG375"]


@pytest.mark.parametrize(
    ("before", "operation_id", "path", "new_id"),
    [
        ("/pets/{id}", "get_pet_pets__id__get", "/api/pets/{pet_id}", "getPetApi"),
        ("/v1/pets", "listPetsV1", "/v2/pets", "listPetsV2"),
        ("/pets/{id}", "get_pet_pets__id__get", "/zoo/{id}", "get_pet_zoo__id__get"),
    ],
)
def test_a_tool_whose_operation_moved_altogether_is_reported_with_both_names(
    build: Any, before: str, operation_id: str, path: str, new_id: str
) -> None:
    operation = _operation(build, path, id=new_id)
    lock = _before(f"GET {before}", "pet_by_id", operation_id)

    result = build.lower(build.api(operation), Config(**lock))

    (finding,) = [d for d in result.diagnostics if d.code.id in LOST]
    (tool,) = result.server.tools
    assert (finding.code.id, finding.at) == ("MG374", operation.at)
    assert finding.message.startswith(f"the published tool `pet_by_id` is now `{tool.name}`")
    assert f'"GET {path}" = "pet_by_id"' in finding.hint


@pytest.mark.parametrize("path", ["/users/{id}", "/", "/pets/{id}/toys"])
def test_a_tool_without_a_successor_is_reported_to_be_gone(build: Any, path: str) -> None:
    operation = build.operation(id="other", path=path)

    _, result = _lower_operations(
        build, operation, **_before("GET /pets/{id}", "get_pet", "getPet")
    )

    message = "the published tool `get_pet` is gone: `GET /pets/{id}` is no longer in the document"
    assert result == [("MG375", message)]


def test_the_only_new_operation_of_the_method_is_offered_for_the_name_of_a_tool_that_is_gone(
    build: Any,
) -> None:
    operations = [
        _operation(build, "/things/{id}", id="fetchThing"),
        _operation(build, "/things", id="addThing", method="POST"),
    ]

    result = build.lower(
        build.api(*operations), Config(**_before("GET /pets/{id}", "get_pet", "getPet"))
    )

    (finding,) = [d for d in result.diagnostics if d.code.id in LOST]
    assert "the new tool `fetch_thing` replaces `get_pet`" in finding.hint
    assert '"GET /things/{id}" = "get_pet"' in finding.hint


@pytest.mark.parametrize("paths", [(), ("/things", "/goods")])
def test_no_operation_is_offered_where_none_or_several_could_replace_the_one_that_is_gone(
    build: Any, paths: tuple[str, ...]
) -> None:
    unchanged_operation = build.operation(id="addThing", path="/things", method="POST")
    operations = [build.operation(id=f"list{path[1:]}", path=path) for path in paths]

    result = build.lower(
        build.api(unchanged_operation, *operations),
        Config(**_before("GET /pets/{id}", "get_pet", "getPet")),
    )

    (finding,) = [d for d in result.diagnostics if d.code.id in LOST]
    assert finding.hint == (
        "if a new operation replaces `GET /pets/{id}`, "
        "give the new operation the name `get_pet` under `[names]`"
    )


def test_another_method_is_no_successor(build: Any) -> None:
    operation = build.operation(id="other", path="/v2/pets", method="DELETE")

    _, result = _lower_operations(build, operation, **_before("GET /v1/pets", "list_pets"))

    assert [id for id, _ in result] == ["MG375"]


def test_a_tool_that_the_user_left_out_is_not_reported(build: Any) -> None:
    operations = [build.operation(id="a", path="/a"), build.operation(id="b", path="/b")]
    selection = Selection(exclude=(Selector(path="/a"),))

    _, result = _lower_operations(
        build, *operations, selection=selection, **_before("GET /a", "a", "a")
    )

    assert result == []


def test_a_tool_that_the_user_renamed_is_not_reported(build: Any) -> None:
    operation = build.operation(id="listPets", path="/v2/pets")
    lock = _before("GET /v1/pets", "old", "listPets")

    names, result = _lower_operations(build, operation, names={"listPets": "mine"}, **lock)

    assert (names, result) == (["mine"], [])


def test_an_operation_that_cannot_be_read_is_not_reported_twice(build: Any) -> None:
    operation = build.operation(id="a", path="/a")
    missing = MissingTool("GET /pets", "it is broken", operation.at)
    api = build.api(operation, missing=(missing,))

    result = build.lower(api, Config(**_before("GET /pets", "list_pets")))

    assert not [d for d in result.diagnostics if d.code.id in LOST]


def test_an_entry_of_tools_about_an_operation_that_is_gone_is_reported_once(build: Any) -> None:
    key = "GET /pets"
    choice = ToolConfig(name="pets", fields=("id",))
    config = Config(
        tools={key: choice},
        names={key: "pets"},
        fields={key: ("id",)},
        **_before(key, "pets"),
    )

    result = build.lower(build.api(build.operation()), config)

    assert [d.code.id for d in result.diagnostics] == ["MG342"]
