"""Calls confirmed by users."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import (
    CannotAskPolicy,
    Config,
    ConfirmConfig,
    DeploymentConfig,
    ElicitConfig,
    ElicitMode,
    load,
)
from mcpgen.config.tables.limits import CountStore, LimitsConfig
from mcpgen.diagnostics import Diagnostics, Location

PLACE = Location("mcpgen.toml", ("confirm", "tools"), 3, 1)


def lower_api(build: Any, confirming: ConfirmConfig, method: str = "DELETE", **more: Any) -> Any:
    """Returns the server of one operation with these choices."""
    places = {PLACE.path: PLACE}
    return build.lower_operation(
        method=method, config=Config(confirming=confirming, locations=places, **more)
    )


def test_tools_that_destroy_are_confirmed_where_that_is_chosen(build: Any) -> None:
    confirm_config = ConfirmConfig(destructive=True, unable=CannotAskPolicy.ALLOW)

    confirmation = lower_api(build, confirm_config).server.confirmation

    assert confirmation.tools == ("do_thing",)
    assert confirmation.allows_unconfirmed


def test_tools_are_confirmed_by_name_whatever_they_do(build: Any) -> None:
    result = lower_api(build, ConfirmConfig(tools=("do_thing",)), "GET")

    assert result.server.confirmation.tools == ("do_thing",)
    assert not result.diagnostics


def test_tools_are_confirmed_by_the_scopes_that_they_need(build: Any) -> None:
    text = b"""authentication = {required = true, issuer = "https://login.example.com"}
scopes = {"*" = ["things:write"]}
confirm = {scopes = ["things:write"]}"""

    result = build.lower_operation(method="GET", config=load(text, "mcpgen.toml", Diagnostics()))

    assert result.server.confirmation.tools == ("do_thing",)


@pytest.mark.parametrize("table", ["tools", "scopes"])
def test_name_that_fits_nothing_is_an_error(build: Any, table: str) -> None:
    configs = {
        "tools": ConfirmConfig(tools=("do_thin",)),
        "scopes": ConfirmConfig(scopes=("do_thin",)),
    }

    result = lower_api(build, configs[table])

    (finding,) = result.diagnostics
    assert finding.code.id == "MG386"
    assert f"`{table}`" in finding.message
    assert table == "scopes" or (finding.at == PLACE and "do_thing" in finding.hint)


def test_nothing_to_confirm_is_a_warning(build: Any) -> None:
    result = lower_api(build, ConfirmConfig(destructive=True), "GET")

    assert result.server.confirmation is None
    (finding,) = result.diagnostics
    assert finding.code.id == "MG387"
    assert finding.message.endswith("no tool is destructive")


def test_scopes_that_only_resources_need_are_reported_at_the_scopes(build: Any) -> None:
    text = b"""authentication = {required = true, issuer = "https://login.example.com"}
authorization = {resource_scopes = ["things:read"]}
[confirm]
scopes = ["things:read"]"""

    result = build.lower_operation(config=load(text, "mcpgen.toml", Diagnostics()))

    (finding,) = [finding for finding in result.diagnostics if finding.code.id == "MG387"]
    assert finding.message.endswith("no tool needs one of the scopes")
    assert (finding.at.path, finding.at.line) == (("confirm", "scopes"), 4)


def test_server_asks_nobody_unless_that_is_chosen(build: Any) -> None:
    server = lower_api(build, ConfirmConfig()).server

    assert (server.elicit, server.sessions, server.confirmation) == (None, False, None)


def test_tool_that_asks_takes_its_name_from_the_operations(build: Any) -> None:
    elicit_config = ElicitConfig(ElicitMode.ON, "do_thing", sessions=True)

    server = lower_api(build, ConfirmConfig(), eliciting=elicit_config).server

    assert server.elicit.name == "do_thing"
    assert server.tools[0].name != "do_thing"
    assert server.sessions


@pytest.mark.parametrize(
    ("store", "kubernetes", "ids"),
    [
        (CountStore.MEMORY, True, ["MG616"]),
        (CountStore.MEMORY, False, []),
        (CountStore.REDIS, True, []),
    ],
)
def test_confirmations_in_kubernetes_need_redis(
    build: Any, store: CountStore, kubernetes: bool, ids: list[str]
) -> None:
    deployment = DeploymentConfig(kubernetes=kubernetes)

    result = lower_api(
        build,
        ConfirmConfig(destructive=True),
        limits=LimitsConfig(store=store),
        deployment=deployment,
    )

    assert [diagnostic.code.id for diagnostic in result.diagnostics] == ids
