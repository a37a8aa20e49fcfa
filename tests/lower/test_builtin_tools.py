"""Built-in tools for scripts and documentation, and the documented modules."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mcpgen.config import (
    Config,
    DiscoveryConfig,
    DiscoveryMode,
    DocsConfig,
    DocsMode,
    ScriptConfig,
    ScriptMode,
)
from mcpgen.config.tables.access import AuthenticationConfig, AuthorizationConfig
from mcpgen.config.tables.limits import LimitsConfig
from mcpgen.ir.builtin_tools import ScriptSpec
from mcpgen.ir.server import HintsSpec

ON = Config(scripting=ScriptConfig(ScriptMode.ON), documenting=DocsConfig(DocsMode.ON))


def script_in(lowering: Any) -> ScriptSpec:
    """Returns the tool for scripts."""
    assert lowering.server.script is not None
    script: ScriptSpec = lowering.server.script
    return script


def modules(build: Any, *operations: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Returns the modules of the operations."""
    result = [build.operation(**operation) for operation in operations]
    script_modules = script_in(build.lower(build.api(*result), ON)).modules
    return {module: dict(methods) for module, methods in script_modules.items()}


def test_nothing_stands_beside_the_tools_unless_it_is_wanted(build: Any) -> None:
    lowering = build.lower(build.api(build.operation()))

    assert lowering.server.script is None
    assert lowering.server.docs is None
    assert lowering.server.listed == lowering.server.tools


def test_own_tools_are_listed_behind_those_of_the_api(build: Any) -> None:
    lowering = build.lower(build.api(build.operation(id="list_pets")), ON)

    assert [tool.name for tool in lowering.server.listed] == ["list_pets", "do", "docs"]


def test_own_tools_are_flat(build: Any, faults_of: Any) -> None:
    lowering = build.lower(build.api(build.operation()), ON)

    assert [faults_of(tool) for tool in lowering.server.listed[1:]] == [[], []]


def test_a_module_is_a_tag_and_a_method_is_a_name_without_it(build: Any) -> None:
    pets = {"tags": ("Pet Shops",)}

    result = modules(
        build,
        {"id": "listPetShops", "path": "/a", **pets},
        {"id": "get_pet_shop", "path": "/b", **pets},
        {"id": "close", "path": "/c", **pets},
        {"id": "petShops", "path": "/d", **pets},
    )

    assert result == {
        "petShops": {
            "list": "list_pet_shops",
            "get": "get_pet_shop",
            "close": "close",
            "petShops": "pet_shops",
        }
    }


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("/orders/{id}", "orders"),
        ("/api/v2/open-orders", "openOrders"),
        ("/{tenant}/orders", "orders"),
        ("/v1", "api"),
        ("/{id}", "api"),
        ("/3d", "_3D"),
        ("/then", "then_"),
        ("/md", "md_"),
        ("/заказы/orders", "orders"),
    ],
)
def test_without_a_tag_a_module_is_the_first_segment_that_says_something(
    build: Any, path: str, module: str
) -> None:
    parameters = [build.parameter("path", name) for name in re.findall(r"{(\w+)}", path)]

    lowering = build.lower(build.api(build.operation(*parameters, id="run_it", path=path)), ON)

    assert [*script_in(lowering).modules] == [module]


def test_two_methods_that_would_be_one_have_their_whole_names(build: Any) -> None:
    tag = {"tags": ("orders",)}

    result = modules(
        build,
        {"id": "get_order", "path": "/a", **tag},
        {"id": "get_orders", "path": "/b", **tag},
        {"id": "getOrder_s", "path": "/c", **tag},
    )

    names = [*result["orders"]]
    assert len({name.lower() for name in names}) == 3
    assert names[:2] == ["getOrder", "getOrders"]


def test_every_name_is_legal_and_every_tool_has_one(build: Any) -> None:
    tags = ("delete", "constructor", "a-b", "A B", "x" * 200, "__proto__", "日本", "9", "toString")
    result = [
        {"id": f"{verb}_{number}", "path": f"/p{number}", "tags": (tag,)}
        for number, tag in enumerate(tags)
        for verb in ("then", "new")
        if verb == "then" or number % 2
    ]

    lowering = build.lower(build.api(*(build.operation(**item) for item in result)), ON)
    methods_by_module = script_in(lowering).modules

    methods = [method for item in methods_by_module.values() for method in item]
    assert all(name.isidentifier() and name.isascii() for name in [*methods_by_module, *methods])
    assert len({name.lower() for name in methods_by_module}) == len(methods_by_module)
    assert sorted(name for item in methods_by_module.values() for name in item.values()) == sorted(
        tool.name for tool in lowering.server.tools
    )


def test_a_script_may_do_what_its_tools_may(build: Any) -> None:
    reads, deletes = build.operation(id="a"), build.operation(id="b", path="/b", method="DELETE")

    reading_hints = script_in(build.lower(build.api(reads), ON)).tool.hints
    hints = script_in(build.lower(build.api(reads, deletes), ON)).tool.hints

    assert reading_hints == HintsSpec(True, False, True, True)
    assert hints == HintsSpec(False, True, True, True)


def test_the_description_names_no_module_that_not_everybody_finds(build: Any) -> None:
    rights = AuthorizationConfig(scopes={"hide_it": ("write",)}, hide=True)
    door = AuthenticationConfig(required=True)
    config = Config(scripting=ON.scripting, authorization=rights, authentication=door)
    result = [
        build.operation(id="hide_it", path="/a", tags=("vault",)),
        build.operation(id="show_it", path="/b", tags=("shelf",)),
    ]

    script = script_in(build.lower(build.api(*result), config))

    assert "Modules: `shelf`." in script.tool.description
    assert "vault" not in script.tool.description


def test_the_description_of_many_modules_is_bounded(build: Any) -> None:
    result = [
        build.operation(id=f"get_{number}", path=f"/{number}", tags=(f"a long name {number}",))
        for number in range(200)
    ]

    script = script_in(build.lower(build.api(*result), ON))

    assert ", and 1" in script.tool.description
    assert len(script.tool.description) < 1100


def test_a_tool_of_the_api_gives_way_to_the_tool_for_scripts(build: Any) -> None:
    lowering = build.lower(
        build.api(build.operation(id="do"), build.operation(id="docs", path="/d")), ON
    )

    assert [tool.name for tool in lowering.server.listed][-2:] == ["do", "docs"]
    assert len({tool.name for tool in lowering.server.listed}) == 4


@pytest.mark.parametrize(
    "config",
    [
        Config(
            scripting=ScriptConfig(ScriptMode.ON, name="same"),
            documenting=DocsConfig(DocsMode.ON, name="same"),
        ),
        Config(
            scripting=ScriptConfig(ScriptMode.ON, name="search_tools"),
            finding=DiscoveryConfig(DiscoveryMode.ON),
        ),
    ],
)
def test_two_own_tools_of_one_name_are_an_error(build: Any, config: Config) -> None:
    lowering = build.lower(build.api(build.operation()), config)

    assert "MG610" in lowering.codes


def test_a_name_of_a_tool_that_is_switched_off_is_free(build: Any) -> None:
    config = Config(scripting=ScriptConfig(ScriptMode.ON, name="docs"))

    lowering = build.lower(build.api(build.operation()), config)

    assert [tool.name for tool in lowering.server.listed][-1] == "docs"
    assert "MG610" not in lowering.codes


def test_whoever_runs_scripts_can_need_a_scope_and_have_a_rate(build: Any) -> None:
    config = Config(
        scripting=ON.scripting,
        authentication=AuthenticationConfig(required=True),
        authorization=AuthorizationConfig(scopes={"do": ("scripts",), "*": ("read",)}),
        limits=LimitsConfig(subject_tools={"do": "5/minute"}),
    )

    lowering = build.lower(build.api(build.operation(id="show_it")), config)

    assert lowering.server.policy.scopes == {"show_it": ("read",), "do": ("scripts",)}
    assert lowering.server.limits.subject_tools == {"do": "5/minute"}
    assert not {"MG390"} & lowering.codes
