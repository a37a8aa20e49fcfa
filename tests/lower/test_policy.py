"""The access policy from configuration and document, and reported mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.lower.conftest import Builder, Lowered, request_of

from mcpgen.config import Config, load
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import Extension, Operation, SchemeUse
from mcpgen.ir.policy import OptInSpec, Policy

REQUIRED = "[authentication]\nrequired = true\n"


def config(text: str) -> Config:
    """Returns the configuration of a text without mistakes."""
    diagnostics = Diagnostics()
    loaded_config = load(text.encode(), "mcpgen.toml", diagnostics)
    assert not list(diagnostics)
    return loaded_config


def two_tools(build: Builder, text: str, **look: Any) -> Lowered:
    """Returns a server of the tools `look` and `purge_it`; `look` has the given scopes."""
    operations = (
        build.operation(path="/look", id="look", **look),
        build.operation(path="/purge", id="purgeIt"),
    )
    return build.lower(build.api(*operations), config(text))


def findings_of(lowering: Lowered) -> list[str]:
    """Returns the findings: code, line in the file, message and hint."""
    return [
        f"{diagnostic.code.id}:{diagnostic.at.line} {diagnostic.message} ({diagnostic.hint})"
        for diagnostic in lowering.diagnostics
        if diagnostic.code.id != "MG303"
    ]


def test_without_choices_there_is_no_policy(build: Builder) -> None:
    assert two_tools(build, "").server.policy == Policy()


@pytest.mark.parametrize("name", ["purge_it", "purgeIt", '"GET /purge"'])
def test_a_tool_is_named_in_any_way_that_it_is_known_by(build: Builder, name: str) -> None:
    lowering = two_tools(build, f'{REQUIRED}[scopes]\n{name} = ["write:it"]\n"*" = ["read"]\n')

    assert lowering.server.policy.scopes == {"look": ("read",), "purge_it": ("write:it",)}
    assert findings_of(lowering) == []


def test_choices_win_over_the_extension_and_that_over_security(build: Builder) -> None:
    look: Mapping[str, Any] = {
        "extension": Extension(scopes=("of:extension",)),
        "security": ((SchemeUse("key"),), (SchemeUse("oauth", ("of:security",)),)),
    }
    secured_text = f"{REQUIRED}[authorization]\nfrom_security = true\n"

    lowering = two_tools(build, f'{REQUIRED}[scopes]\nlook = ["chosen"]\n', **look)
    extended_result = two_tools(build, secured_text, **look)
    documented = two_tools(build, secured_text, security=look["security"])
    silent = two_tools(build, REQUIRED, security=look["security"])

    result = [
        variant.server.policy.scopes.get("look")
        for variant in (lowering, extended_result, documented, silent)
    ]
    assert result == [("chosen",), ("of:extension",), ("of:security",), None]


@pytest.mark.parametrize("name", ['a"\r\nX-Evil: 1', "read all", "é", "", "a\\", 'a"'])
def test_a_scope_of_the_document_that_no_header_can_carry_is_a_mistake(
    build: Builder, name: str
) -> None:
    security = ((SchemeUse("oauth", ("fine", name)),),)
    choice = f"{REQUIRED}[authorization]\nfrom_security = true\n"

    lowering = two_tools(build, choice, security=security)
    overridden_result = two_tools(build, f'{choice}[scopes]\nlook = ["read"]\n', security=security)

    assert lowering.diagnostics.failed
    assert [finding for finding in findings_of(lowering) if finding.startswith("MG399")]
    assert overridden_result.server.policy.scopes["look"] == ("read",)


def test_scopes_of_the_document_that_nobody_enforces_are_reported(build: Builder) -> None:
    lowering = two_tools(build, "", extension=Extension(scopes=("read",)))

    assert lowering.server.policy.scopes == {}
    assert [name.partition(":")[0] for name in findings_of(lowering)] == ["MG272"]


def test_resources_and_prompts_have_scopes_that_are_reported_like_an_ordinary_one(
    build: Builder,
) -> None:
    choice = '[authorization]\nresource_scopes = ["see"]\nprompt_scopes = ["ask"]\n'

    lowering = two_tools(build, f'{REQUIRED}{choice}[scopes]\nlook = ["read"]\n')

    policy = lowering.server.policy
    assert policy.family_scopes == {"resources": ("see",), "prompts": ("ask",)}
    assert policy.all_scopes == ("ask", "read", "see")


def test_rights_without_callers_are_a_mistake(build: Builder) -> None:
    tables = '[scopes]\nlook = ["read"]\n[roles]\nlook = ["admin"]\n'
    families = '[authorization]\nresource_scopes = ["see"]\n'

    lowering = two_tools(build, tables + families)

    assert lowering.diagnostics.failed
    assert [name.split(" ")[0] for name in findings_of(lowering)] == [
        "MG394:2",
        "MG394:4",
        "MG394:6",
    ]


MISTAKES = {
    '[scopes]\nlok = ["read"]\n': "MG390:4 `[scopes]` names `lok`, which is not a tool of this "
    "server (did you mean `look`?)",
    '[roles]\npurgeIT = ["admin"]\n': "MG390:4 `[roles]` names `purgeIT`, which is not a tool of "
    "this server (did you mean `purgeIt`?)",
    '[features]\nchat = ["look", "chatt"]\n': "MG390:4 `[features]` names `chatt`, which is not a tool "
    "of this server (see the tools in the README of the project)",
    '[authorization]\nknown_scopes = ["read"]\n[scopes]\nlook = ["reed"]\n': "MG391:6 `look` requires "
    "the scope `reed`, which is not among `authorization.known_scopes` (did you mean `read`?)",
    '[authorization]\nknown_scopes = ["read"]\nprompt_scopes = ["read", "reed"]\n': "MG391:5 "
    "`prompt_scopes` requires the scope `reed`, which is not among `authorization.known_scopes` "
    "(did you mean `read`?)",
    '[authorization]\nknown_roles = ["admin"]\n[roles]\nlook = ["boss"]\n': "MG392:6 `look` requires "
    "the role `boss`, which is not among `authorization.known_roles` (there are admin)",
    '[feature_needs]\nchat = ["model"]\n': "MG396:4 `[feature_needs]` names `chat`, which is not a "
    "feature (name its tools under `[features]`)",
    '[authentication.path_claims]\nspace = "s"\n': "MG395:4 `authentication.path_claims` names "
    "`space`, which is not a parameter of `endpoint.path` (the path is `/mcp`)",
}


@pytest.mark.parametrize(
    ("more", "told_of"),
    [
        ("", ["MG373:3"]),
        ('jwks_url = "https://id.example/keys"', []),
        ('introspection_url = "https://id.example/told"', []),
    ],
)
def test_an_issuer_whose_tokens_nobody_could_verify_is_reported(
    build: Builder, more: str, told_of: list[str]
) -> None:
    lowering = two_tools(build, f'{REQUIRED}issuer = "https://id.example"\n{more}\n')

    assert [name.partition(" ")[0] for name in findings_of(lowering)] == told_of


@pytest.mark.parametrize("text", MISTAKES)
def test_a_name_that_does_not_exist_is_reported_with_its_place_and_the_nearest(
    build: Builder, text: str
) -> None:
    lowering = two_tools(build, REQUIRED + text)

    assert findings_of(lowering) == [MISTAKES[text]]
    assert lowering.diagnostics.failed


def test_features_name_tools_and_what_they_need(build: Builder) -> None:
    text = '[features]\nchat = ["purgeIt"]\n[feature_needs]\nchat = ["chat_model"]\n'

    lowering = two_tools(build, text)

    assert lowering.server.policy.features == (OptInSpec("chat", ("purge_it",), ("chat_model",)),)


def in_workspace(build: Builder, **schema: Any) -> Operation:
    """Returns an operation with an endpoint parameter and a parameter of its own."""
    return build.operation(
        build.parameter("path", "workspaceId", {"type": "string", **schema}),
        build.parameter("path", "id"),
        path="/workspaces/{workspaceId}/things/{id}",
    )


ENDPOINT = '[endpoint]\npath = "/api/w/{workspaceId}/mcp"\n'


@pytest.mark.parametrize("mode", ["flat", "strict", "nested"])
def test_a_parameter_of_the_endpoint_is_no_argument_in_any_mode(build: Builder, mode: str) -> None:
    text = f'{ENDPOINT}[flatten]\nmode = "{mode}"\n'

    lowering = build.lower(build.api(in_workspace(build)), config(text))

    assert [argument.name for argument in lowering.tool.arguments] == ["id"]
    assert [argument_spec.target for argument_spec in lowering.tool.bound] == [("workspaceId",)]
    assert lowering.tool.constants == ()
    sample = lowering.server.policy.samples["workspaceId"]
    targets = {scenario.expected_request.target for scenario in lowering.tool.scenarios}
    assert targets
    assert all(target.startswith(f"/workspaces/{sample}/things/") for target in targets)


def test_the_sample_of_a_parameter_is_one_that_the_document_allows(build: Builder) -> None:
    operation = in_workspace(build, enum=["berlin"])

    lowering = build.lower(build.api(operation), config(ENDPOINT))

    assert lowering.server.policy.samples == {"workspaceId": "berlin"}


def test_a_sample_that_cannot_stand_in_a_path_is_replaced(build: Builder) -> None:
    operation = in_workspace(build, enum=["../x"])

    lowering = build.lower(build.api(operation), config(ENDPOINT))

    assert lowering.server.policy.samples == {"workspaceId": "sample"}


def test_without_the_endpoint_the_parameter_is_an_argument(build: Builder) -> None:
    lowering = build.lower(build.api(in_workspace(build)))

    assert [argument.name for argument in lowering.tool.arguments] == ["workspaceId", "id"]
    assert lowering.tool.bound == ()
    arguments = {"workspaceId": "a", "id": "b"}
    assert request_of(lowering, arguments).path == "/workspaces/a/things/b"


def test_a_parameter_of_the_endpoint_that_goes_nowhere_is_reported(build: Builder) -> None:
    text = ENDPOINT.replace("workspaceId", "workspaceid")

    lowering = build.lower(build.api(in_workspace(build)), config(text))

    assert findings_of(lowering) == [
        "MG393:2 no operation has the parameter `workspaceid` of `endpoint.path` in its path "
        "(did you mean `workspaceId`?)"
    ]
    assert not lowering.diagnostics.failed


def test_a_mistake_in_the_path_of_the_endpoint_stands_in_the_file_of_the_configuration(
    build: Builder,
) -> None:
    diagnostics = Diagnostics()
    text = ENDPOINT.replace("workspaceId", "workspaceid")
    other_config = load(text.encode(), "other.toml", diagnostics)

    lowering = build.lower(build.api(in_workspace(build)), other_config)

    places = [(finding.at.file, finding.at.line) for finding in lowering.diagnostics]
    assert places == [("other.toml", 2)]


def test_a_path_of_the_document_itself_is_kept(build: Builder) -> None:
    operation = replace(in_workspace(build), extension=Extension(scopes=("read",)))

    lowering = build.lower(build.api(operation), config(REQUIRED + ENDPOINT))

    assert lowering.route.path == "/workspaces/{workspaceId}/things/{id}"
    assert lowering.server.policy.scopes == {lowering.tool.name: ("read",)}
