"""The manifest of an MCP bundle: valid by the published schema, with a question per setting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from emit_servers import GET_PET, server
from jsonschema import Draft7Validator

from mcpgen.config import Config, DeploymentConfig
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit, mcpb
from mcpgen.ir.policy import Policy
from mcpgen.pipeline.load_tools import load_tools

ROOT = Path(__file__).parents[2]
SCHEMA = Draft7Validator(
    json.loads((Path(__file__).parent / "mcpb-manifest-v0.4.schema.json").read_text("utf-8"))
)
"""The schema by which Claude and the tool `mcpb` check bundles."""

PROJECTS = ("tides", "launchpad", "workshop", "mcp_adapter")


@pytest.mark.parametrize("name", PROJECTS)
def test_the_manifest_is_valid_and_hands_every_answer_to_the_server(name: str) -> None:
    project = load_tools((ROOT / "generated" / name).as_posix()).server
    assert project is not None

    manifest: dict[str, Any] = mcpb.manifest(project)

    assert [error.message for error in SCHEMA.iter_errors(manifest)] == []
    assert manifest["manifest_version"] == "0.4"
    env = manifest["server"]["mcp_config"]["env"]
    references = {f"${{user_config.{field}}}" for field in manifest["user_config"]}
    assert {value for value in env.values() if value.startswith("$")} == references


def test_keys_are_asked_as_secrets_and_may_be_left_out() -> None:
    tides = load_tools((ROOT / "generated" / "tides").as_posix()).server
    assert tides is not None

    user_config: Any = mcpb.manifest(tides)["user_config"]

    assert user_config == {
        "api_key": {
            "type": "string",
            "title": "API key",
            "description": "API key",
            "default": "",
            "sensitive": True,
        },
        "upstream": {
            "type": "string",
            "title": "Upstream",
            "description": "Base URL of the API",
            "default": "https://api.tides.example/v1",
        },
    }


def test_the_token_of_the_local_user_is_required_where_callers_are_authenticated() -> None:
    policy = Policy(authentication=AuthenticationConfig(jwks_url="https://issuer.example/jwks"))

    user_config: Any = mcpb.manifest(server(GET_PET, policy=policy))["user_config"]

    assert user_config["stdio_token"]["required"]
    assert user_config["stdio_token"]["sensitive"]


def test_a_project_has_the_manifest_only_with_the_key() -> None:
    with_manifest = Config(spec="openapi.yaml", deployment=DeploymentConfig(mcpb=True))

    files_with_key, files_without_key = (
        {file.path: file.text for file in emit(server(GET_PET), config, Diagnostics()).files}
        for config in (with_manifest, Config(spec="openapi.yaml"))
    )

    assert json.loads(files_with_key[mcpb.PATH]) == mcpb.manifest(server(GET_PET))
    del (
        files_with_key[".gitattributes"],
        files_without_key[".gitattributes"],
    )  # The file lists the files.
    assert files_without_key == {
        path: text for path, text in files_with_key.items() if path in files_without_key
    }
    assert {*files_with_key} - {*files_without_key} == {mcpb.PATH}
