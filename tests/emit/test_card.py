"""Registration data: the server card, and the manifest for the official registry."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from emit_servers import GET_PET, PETS, server, tool
from jsonschema import Draft7Validator
from tests.venvs import python_with

from mcpgen.config import Config
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.config.tables.server import RegistryConfig, RegistryFlow
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.card import REVISION, SCHEMA
from mcpgen.ir.policy import Policy
from mcpgen.ir.project import Owner
from mcpgen.ir.resources_prompts import (
    CompletionSource,
    Notifications,
    PromptArgumentSpec,
    PromptSpec,
    ResourceSpec,
    ServerFeatures,
)
from mcpgen.ir.server import Server

LOCK = Path(__file__).parent / "registry" / "skillsaw.lock"
"""Lock of a linter with the official registry's rules and published schema."""

PUBLIC = "https://pets.example.com"

LOCKED = Policy(
    path="/shops/{shopId}/mcp",
    samples={"shopId": "7"},
    authentication=AuthenticationConfig(),
    public_url=PUBLIC,
)
LONG = "Pets, " * 60

MANIFESTS: dict[str, Server] = {
    "at home": PETS,
    "in public": replace(PETS, policy=Policy(public_url=PUBLIC)),
    "with callers and a path of its own": replace(PETS, policy=LOCKED),
    "named": replace(PETS, registry=RegistryConfig("io.github.someone/pets")),
    "with a long title": replace(PETS, title=LONG),
    "without a title": replace(PETS, title=""),
    "with a title of breakouts": replace(PETS, title='"}, {"\n\u202e\ud800</script>'),
    "with a range for a version": replace(PETS, version="^1.2.3"),
    "with a wildcard for a version": replace(PETS, version="1.x"),
    "with no version to speak of": replace(PETS, version="latest"),
    "with an endless version": replace(PETS, version="1" * 300),
    "at an address": replace(PETS, policy=Policy(public_url="https://127.0.0.1:8443")),
    "on this machine": replace(PETS, policy=Policy(public_url="http://localhost:8000")),
    "at a host that is no name": replace(PETS, policy=Policy(public_url="https://my_host.example")),
    "at an endless host": replace(PETS, policy=Policy(public_url=f"https://{'a.' * 120}example")),
}
"""Servers of every kind for which the manifest needs texts."""


def texts(server: Server) -> dict[str, str]:
    """Returns the texts of a project, by path."""
    return {file.path: file.text for file in emit(server, Config(), Diagnostics()).files}


def card(server: Server) -> Any:
    """Returns the card of a server."""
    return json.loads(texts(server)["server-card.json"])


def manifest(server: Server) -> Any:
    """Returns the manifest of a server."""
    return json.loads(texts(server)["server.json"])


@pytest.fixture(scope="module")
def linter() -> Path:
    """Interpreter of the linter's environment."""
    return python_with(LOCK)


@pytest.fixture(scope="module")
def registry_schema(linter: Path) -> Any:
    """Schema published by the official registry."""
    (path,) = linter.parents[1].glob("**/mcp_registry/v2025_12_11/server.schema.json")
    return json.loads(path.read_text("utf-8"))


def test_every_project_has_a_card_and_a_manifest_that_mcpgen_owns() -> None:
    project = emit(PETS, Config(), Diagnostics())

    owners = {file.path: file.owner for file in project.files if file.path.startswith("server")}

    assert owners == dict.fromkeys(("server-card.json", "server.json"), Owner.MCPGEN)


def test_a_card_has_the_members_that_registries_know_in_their_order() -> None:
    result = card(PETS)

    assert list(result) == [
        *("mcpVersion", "serverInfo", "endpoints", "capabilities"),
        *("tools", "resources", "prompts", "instructions"),
    ]
    assert result["mcpVersion"] == REVISION
    assert result["serverInfo"] == {"name": "pets", "title": "Pets", "version": "1.2.0"}
    assert result["instructions"] == "Pets of a small shop."


def test_tools_stand_in_a_card_as_they_are_announced() -> None:
    result = card(PETS)

    assert result["tools"] == [tool.announced for tool in PETS.listed]
    assert "outputSchema" in next(tool for tool in result["tools"] if tool["name"] == "get_pet")


def test_a_server_of_whose_host_nobody_has_said_anything_tells_its_path_alone() -> None:
    result, server_manifest = card(PETS), manifest(PETS)

    assert result["endpoints"] == {"streamableHttp": "/mcp"}
    assert "remotes" not in server_manifest
    assert server_manifest["name"] == "localhost.pets/pets"


def test_the_public_address_stands_in_the_card_and_in_the_manifest() -> None:
    public = replace(PETS, policy=LOCKED)

    url = f"{PUBLIC}/shops/{{shopId}}/mcp"
    assert card(public)["endpoints"] == {"streamableHttp": url}
    (remote,) = manifest(public)["remotes"]
    assert (remote["type"], remote["url"]) == ("streamable-http", url)
    assert remote["variables"] == {"shopId": {"isRequired": True}}
    assert [header["name"] for header in remote["headers"] if header["isSecret"]] == [
        "Authorization"
    ]
    assert manifest(public)["name"] == "com.example.pets/pets"


def test_a_tool_that_does_not_exist_for_everybody_is_in_no_card() -> None:
    guarded_server = server(
        GET_PET, tool("drop_shop"), policy=Policy(roles={"drop_shop": ("admin",)})
    )

    result = texts(guarded_server)

    assert [tool["name"] for tool in card(guarded_server)["tools"]] == ["get_pet"]
    assert 'HIDDEN_TOOLS = ["drop_shop"]' in result["tests/test_contract.py"]


def test_a_server_registers_only_where_it_is_told_to() -> None:
    registry_config = RegistryConfig(url="https://registry.example", ttl=60)
    public = Policy(public_url=PUBLIC, path="/pets")

    result, plain_texts = texts(replace(PETS, registry=registry_config, policy=public)), texts(PETS)
    agent = texts(
        replace(PETS, registry=replace(registry_config, ttl=0, flow=RegistryFlow.GENERIC))
    )

    module_names = {"registration", "client", "server_card"}
    assert {
        f"pets_mcp/_runtime/registry/{name}.py" for name in module_names
    } <= result.keys() - plain_texts.keys()
    assert 'SelfRegistration(settings, path="/pets", ttl=60)' in result["pets_mcp/policy.py"]
    assert "SelfRegistration(settings, generic=True)" in agent["pets_mcp/policy.py"]
    assert f'public_url: str = "{PUBLIC}"' in result["pets_mcp/settings.py"]
    assert 'registry_url: str = "https://registry.example"' in result["pets_mcp/settings.py"]
    assert "`PETS_REGISTRY_TOKEN`" in result["README.md"]


@pytest.mark.parametrize(
    ("policy", "absent"),
    [
        (Policy(), "the server does not start"),
        (Policy(authentication=AuthenticationConfig()), "the server does not start"),
        (Policy(public_url=PUBLIC), PUBLIC.replace(":", r"\:")),
    ],
)
def test_the_readme_says_that_registering_needs_a_public_address(
    policy: Policy, absent: str
) -> None:
    registered_server = replace(
        PETS, registry=RegistryConfig(url="https://registry.example"), policy=policy
    )

    (row,) = [
        line
        for line in texts(registered_server)["README.md"].splitlines()
        if "`PETS_PUBLIC_URL`" in line
    ]
    assert row.endswith(f"| {absent} |")


def test_a_server_without_instructions_has_none_in_its_card() -> None:
    assert "instructions" not in card(replace(PETS, instructions=""))


def test_a_card_is_laid_out_for_comparison_and_in_ascii() -> None:
    text = texts(replace(PETS, instructions="Größe \u202e 🐕 \ud800"))["server-card.json"]

    assert text.isascii()
    assert text.endswith("}\n")
    assert '  "capabilities": {"tools": {"listChanged": false}},\n' in text
    assert json.loads(text)["instructions"] == "Größe \u202e 🐕 \ud800"


@pytest.mark.parametrize("kind", MANIFESTS)
def test_a_manifest_meets_the_schema_that_the_official_registry_has_published(
    kind: str, registry_schema: Any
) -> None:
    result = manifest(MANIFESTS[kind])

    assert registry_schema["$id"] == result["$schema"] == SCHEMA
    assert [error.message for error in Draft7Validator(registry_schema).iter_errors(result)] == []


def test_the_schema_finds_what_a_manifest_must_not_be(registry_schema: Any) -> None:
    wrong = {**manifest(PETS), "name": "pets", "description": LONG}

    json_paths = {error.json_path for error in Draft7Validator(registry_schema).iter_errors(wrong)}

    assert json_paths == {"$.name", "$.description"}


def test_no_rule_of_the_official_registry_is_broken_by_a_manifest(
    linter: Path, tmp_path: Path
) -> None:
    for number, result in enumerate(MANIFESTS.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "server.json").write_text(texts(result)["server.json"])
    command = [linter, "-m", "skillsaw", "lint", "--format", "json", "--no-plugins"]
    command += ["--rule", "mcp-registry-server-json-valid", *sorted(tmp_path.iterdir())]

    completed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert json.loads(completed.stdout)["violations"] == [], completed.stderr


def test_resources_and_prompts_stand_in_a_card_as_they_are_announced() -> None:
    list_resource = ResourceSpec("pets://all", "all", tool="list_pets")
    resource_spec = ResourceSpec(
        "pets://{petId}", "one", tool="get_pet", complete={"petId": CompletionSource(("7",))}
    )
    prompt_spec = PromptSpec("greet", arguments=(PromptArgumentSpec("name", required=True),))

    result = card(
        replace(PETS, offers=ServerFeatures((list_resource, resource_spec), (prompt_spec,)))
    )

    assert result["capabilities"] == {
        "tools": {"listChanged": False},
        "resources": {"subscribe": False, "listChanged": False},
        "prompts": {"listChanged": False},
        "completions": {},
    }
    assert result["resources"] == [list_resource.announced]
    assert result["resourceTemplates"] == [resource_spec.announced]
    assert result["prompts"] == [prompt_spec.announced]


def test_resources_are_subscribed_to_where_sessions_are_kept_and_changes_told() -> None:
    offers = ServerFeatures(
        (ResourceSpec("pets://all", "all", tool="list_pets"),), notices=Notifications(True)
    )

    flags = [
        card(replace(PETS, offers=offers, sessions=item))["capabilities"]["resources"]
        for item in (True, False)
    ]

    assert [flag["subscribe"] for flag in flags] == [True, False]


def test_what_is_read_through_a_tool_that_is_not_for_everybody_is_in_no_card() -> None:
    secret = Policy(roles={"get_pet": ("keeper",)})
    resource_spec = ResourceSpec("pets://{petId}", "one", tool="get_pet")

    result = card(replace(PETS, policy=secret, offers=ServerFeatures((resource_spec,))))

    assert "resourceTemplates" not in result
