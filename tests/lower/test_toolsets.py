"""Toolsets: their tools, and invalid configuration."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, Selection, Selector, ToolsetConfig
from mcpgen.diagnostics import Location
from mcpgen.ir.server import Toolset

AT = Location("mcpgen.toml", ("toolsets", "pets"), 3, 1)
PETS = ToolsetConfig((Selector(tag="pets"),))


def lower_api(build: Any, config: Config) -> Any:
    """Returns the server of two operations on pets and one on shops."""
    return build.lower(
        build.api(
            build.operation(id="listPets", tags=("pets",)),
            build.operation(id="addPet", tags=("pets",), method="POST", path="/pets"),
            build.operation(id="listShops", tags=("shops",), path="/shops"),
        ),
        config,
    )


def test_set_holds_what_its_selectors_match_in_the_order_of_the_server(build: Any) -> None:
    reading = ToolsetConfig((Selector(read_only=True),), (Selector(tag="shops"),), "Reads.")
    result = lower_api(build, Config(toolsets={"pets": PETS, "reading": reading}))

    assert result.server.toolsets == (
        Toolset("pets", ("list_pets", "add_pet")),
        Toolset("reading", ("list_pets",), "Reads."),
    )
    assert [tool.name for tool in result.server.served("pets")] == ["list_pets", "add_pet"]
    assert result.server.served("") == result.server.tools


def test_default_set_is_what_the_main_endpoint_serves(build: Any) -> None:
    shops = ToolsetConfig((Selector(tag="shops"),))
    result = lower_api(build, Config(toolsets={"pets": PETS, "shops": shops}, toolset="shops"))

    assert [tool.name for tool in result.server.served("")] == ["list_shops"]
    assert not result.codes & {"MG349", "MG362"}


@pytest.mark.parametrize(
    ("config", "code", "expected"),
    [
        (Config(toolsets={"pets": ToolsetConfig((Selector(tag="pest"),))}), "MG301", "`pets`?"),
        (
            Config(toolsets={"pets": ToolsetConfig(exclude=(Selector(path="*"),))}),
            "MG348",
            "widen its `include`",
        ),
        (Config(toolsets={"pets": PETS}, toolset="pest"), "MG349", "did you mean `pets`?"),
        (Config(toolset="pets"), "MG349", "name sets under `[toolsets]`"),
        (Config(toolsets={"pets": PETS}, toolset="pets"), "MG362", "add the tool to a set"),
    ],
)
def test_mistake_about_a_set_is_reported(
    build: Any, config: Config, code: str, expected: str
) -> None:
    (finding,) = [
        diagnostic
        for diagnostic in lower_api(build, config).diagnostics
        if diagnostic.code.id[:3] != "MG2"
    ]

    assert finding.code.id == code
    assert expected in finding.hint


def test_set_takes_from_what_was_selected_alone(build: Any) -> None:
    selection = Selection(exclude=(Selector(tag="pets"),))
    config = Config(selection=selection, toolsets={"pets": PETS}, locations={AT.path: AT})

    (finding,) = lower_api(build, config).diagnostics

    assert (finding.code.id, finding.at) == ("MG301", AT)
