"""The server card of a running server, or the reason for a missing card."""

from __future__ import annotations

import json
from typing import Any

import pytest
from auth import TOKEN, Guarded
from base_server import ALL, MODERN, ConformingServer, serving
from features import PROMPTS, TEMPLATES, Rich
from lists import EndlessPages, Paged
from misbehaving_sockets import answer_with, drip_header, json_body, target
from transport import ModernOnly
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.conformance.model import PrerequisiteMissing
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.server_info import describe_server

QUICK = CheckOptions(timeout=0.4, deadline=4)
PATIENT = CheckOptions(timeout=60, deadline=120)


def _run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, ["card", *arguments], env=environment)


def _card(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_card_has_everything_that_the_server_announces() -> None:
    server = Rich()

    with serving(server) as url:
        card = _card(_run(url))

    assert card["mcpVersion"] == "2025-11-25"
    assert card["serverInfo"] == server.initialize({"protocolVersion": ALL[3]})["serverInfo"]
    assert card["endpoints"] == {"streamableHttp": url}
    assert card["capabilities"] == server.capabilities()
    assert (card["tools"], card["resources"]) == (server.tools, server.resources())
    assert (card["resourceTemplates"], card["prompts"]) == (TEMPLATES, PROMPTS)


def test_card_has_all_pages() -> None:
    with serving(Paged()) as url:
        card = _card(_run(url))

    assert len({tool["name"] for tool in card["tools"]}) == 3


def test_undeclared_lists_are_empty_and_not_requested() -> None:
    with serving(ConformingServer()) as url:
        card = _card(_run(url))

    assert (card["resources"], card["prompts"]) == ([], [])
    assert "resourceTemplates" not in card


@pytest.mark.parametrize("revision", ALL[:-1])
def test_server_of_one_revision_has_a_card_of_the_revision(revision: str) -> None:
    class Single(ConformingServer):
        def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
            return super().initialize({**params, "protocolVersion": revision})

    with serving(Single()) as url:
        card = _card(_run(url))

    assert card["mcpVersion"] == revision
    assert (len(card["tools"]), bool(card["serverInfo"]["name"])) == (3, True)


def test_server_without_a_handshake_has_a_card() -> None:
    server = ModernOnly()

    with serving(server) as url:
        card = _card(_run(url))

    assert (card["mcpVersion"], len(card["tools"])) == (MODERN, 3)
    assert card["serverInfo"]["name"]


def test_newer_revision_does_not_change_the_card() -> None:
    assert MODERN in ConformingServer.speaks

    with serving(ConformingServer()) as url:
        assert describe_server(url).revision == "2025-11-25"


def test_card_may_have_a_public_address() -> None:
    with serving(ConformingServer()) as url:
        card = _card(_run(url, "--address", "https://zoo.example.com/mcp"))

    assert card["endpoints"] == {"streamableHttp": "https://zoo.example.com/mcp"}


def test_unsafe_public_address_is_refused_before_any_request() -> None:
    result = _run("http://127.0.0.1:9/mcp", "--address", "http://zoo.example.com/mcp")

    assert result.exit_code == 2
    assert "--address" in result.stderr


def test_partial_list_prevents_the_card() -> None:
    with serving(EndlessPages()) as url:
        result = _run(url)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "the pages come to an end" in result.stderr


def test_entry_that_is_not_an_object_prevents_the_card() -> None:
    class TextEntryServer(ConformingServer):
        def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
            return {"tools": [*self.tools, "add"]}

    with serving(TextEntryServer()) as url:
        result = _run(url)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "every entry of a list is an object" in result.stderr


def test_token_is_sent_to_a_server_with_authorization() -> None:
    with serving(Guarded()) as url:
        result_without_token = _run(url)
        result = _run(url, "--bearer-env", "HERE", HERE=TOKEN)

    assert (result_without_token.exit_code, result.exit_code) == (2, 0)
    assert "it wants credentials" in result_without_token.stderr
    assert TOKEN not in result_without_token.stderr + result.stdout


def test_card_and_messages_contain_no_secret() -> None:
    class ToolWithSecret(ConformingServer):
        def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
            return {"tools": [{**self.tools[0], "description": "Knows hunter2-secret."}]}

    with serving(ConformingServer()) as url:
        address = _run(f"{url}?api_key=hunter2-secret")
        result = _run(f"{url}?api_key=hunter2-secret", "--address", "https://zoo.example.com/mcp")
    with serving(ToolWithSecret()) as url:
        secret_result = _run(url, "--bearer-env", "HERE", HERE="hunter2-secret")

    assert (address.exit_code, result.exit_code, secret_result.exit_code) == (2, 0, 2)
    assert "set --address" in address.stderr
    assert "says back a secret" in secret_result.stderr
    outcomes = (address, result, secret_result)
    assert not any("hunter2-secret" in outcome.stdout + outcome.stderr for outcome in outcomes)


BAD = {
    "web page": (
        answer_with(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"),
        "<html>",
    ),
    "not JSON-RPC": (json_body(b'{"hello": "world"}'), "an MCP server answers there"),
    "slow": (drip_header, "within the time allowed"),
}


@pytest.mark.parametrize("kind", BAD)
def test_target_that_is_not_a_server_is_reported_in_time(kind: str) -> None:
    behavior, message = BAD[kind]

    with target(behavior) as url, pytest.raises(PrerequisiteMissing) as error:
        describe_server(url, QUICK if kind == "slow" else PATIENT)

    assert message in " ".join(error.value.args)


def test_server_without_capabilities_has_no_card() -> None:
    class Mute(ConformingServer):
        def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
            return {"protocolVersion": params["protocolVersion"], "capabilities": {}}

    with serving(Mute()) as url, pytest.raises(PrerequisiteMissing, match="says who it is"):
        describe_server(url, PATIENT)
