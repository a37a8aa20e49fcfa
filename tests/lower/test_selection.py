"""The user chooses operations."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, Selection, Selector
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import ApiDescription, Extension, Operation, Tag
from mcpgen.ir.source import Dialect
from mcpgen.lower.selectors import select_operations


def selected_ids(build: Any, selection: Selection) -> tuple[list[str], list[str]]:
    api = build.api(
        build.operation(id="listPets", path="/pets", tags=("pets",)),
        build.operation(id="deletePet", path="/pets/{id}", method="DELETE", tags=("pets",)),
        build.operation(id="listUsers", path="/users", tags=("people",)),
        build.operation(id="secret", path="/secret", extension=Extension(hidden=True)),
    )
    diagnostics = Diagnostics()
    operations = select_operations(api, Config(selection=selection), diagnostics)
    return [o.id for o in operations], [f"{d.code.id} {d.hint}" for d in diagnostics]


def test_everything_but_what_is_hidden_is_selected_by_default(build: Any) -> None:
    assert selected_ids(build, Selection())[0] == ["listPets", "deletePet", "listUsers"]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (Selector(operation="listPets"), ["listPets"]),
        (Selector(operation="GET /users"), ["listUsers"]),
        (Selector(tag="pets"), ["listPets", "deletePet"]),
        (Selector(path="/pets*"), ["listPets", "deletePet"]),
        (Selector(path="/pets/{id}"), ["deletePet"]),
        (Selector(method="delete"), ["deletePet"]),
        (Selector(tag="pets", method="GET"), ["listPets"]),
    ],
)
def test_an_include_keeps_what_it_matches(
    build: Any, selector: Selector, expected: list[str]
) -> None:
    assert selected_ids(build, Selection(include=(selector,)))[0] == expected


def test_an_exclude_wins_over_an_include(build: Any) -> None:
    selection = Selection(include=(Selector(tag="pets"),), exclude=(Selector(method="DELETE"),))

    assert selected_ids(build, selection)[0] == ["listPets"]


def test_a_selector_that_matches_nothing_is_an_error_with_the_nearest_name(build: Any) -> None:
    names, texts = selected_ids(build, Selection(exclude=(Selector(operation="deletePets"),)))

    assert "deletePet" in names
    assert texts == ["MG301 did you mean `deletePet`?"]


def test_selecting_nothing_is_an_error(build: Any) -> None:
    _, texts = selected_ids(build, Selection(exclude=(Selector(path="*"),)))

    assert [text[:5] for text in texts] == ["MG302"]


AT = Location("api.yaml")


def _operation(path: str, *tags: str) -> Operation:
    return Operation("", "GET", path, (), None, (), (), (), AT, tags=tags)


def test_a_tag_stands_for_those_below_it() -> None:
    operations = (_operation("/lion", "lion"), _operation("/cat", "cat"), _operation("/dog", "dog"))
    tags = (Tag("cat", AT), Tag("lion", AT, parent="cat"), Tag("dog", AT))
    api = ApiDescription("A", "1", "", Dialect.OPENAPI_3_2, (), operations, {}, {}, AT, (), tags)
    diagnostics = Diagnostics()

    config = Config(selection=Selection(include=(Selector(tag="cat"),)))
    selected_operations = select_operations(api, config, diagnostics)

    assert selected_operations == operations[:2]
    assert not list(diagnostics)
