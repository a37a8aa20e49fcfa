"""Authentication at the hosted service, and the refusals of everybody else."""

from __future__ import annotations

import re
import time

import pytest
from docs.examples.launchpad import KEY
from tests.examples.launchpad.conftest import KEYS, PUBLIC, SCOPE, with_key_of
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint
from tests.runtime.issuer import NAME, JwtIssuer

METADATA = "/.well-known/oauth-protected-resource"
CALL = {"name": "events_list", "arguments": {}}


def test_a_live_key_is_let_in(pad: ServerEndpoint) -> None:
    assert isinstance(with_key_of(pad, "bob").call_json("events_list"), list)


def test_a_token_of_the_issuer_is_let_in(pad: ServerEndpoint, login: JwtIssuer) -> None:
    token = login.token(aud=PUBLIC, scope=SCOPE)

    assert isinstance(pad.showing(Authorization=f"Bearer {token}").call_json("events_list"), list)


def test_metadata_is_there_for_everybody(pad: ServerEndpoint) -> None:
    response = pad.request("GET", METADATA)

    assert response.status_code == 200
    assert response.json() == {
        "resource": PUBLIC,
        "authorization_servers": [NAME],
        "scopes_supported": ["mcp:prompts", "mcp:resources", "mcp:tools"],
        "bearer_methods_supported": ["header"],
        "resource_signing_alg_values_supported": ["RS256"],
        "resource_documentation": "https://launchpad.example/docs/mcp",
        "resource_policy_uri": "https://launchpad.example/policy",
    }


def test_whoever_shows_nothing_is_told_how_to_be_let_in(api: LocalApi, pad: ServerEndpoint) -> None:
    before = len(api.requests)

    response = pad.post("tools/call", **CALL)

    assert response.status_code == 401
    assert response.json() == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {
            "code": -32001,
            "message": "Authentication required",
            "data": {
                "error": "invalid_token",
                "error_description": "A credential is required",
                "resource": f"{PUBLIC}{METADATA}",
            },
        },
    }
    assert len(api.requests) == before


def test_the_challenge_leads_to_the_metadata(pad: ServerEndpoint) -> None:
    response = pad.showing(Authorization="Bearer sk_live_nobody").post("tools/list")

    scheme, _, message = response.headers["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    assert dict(re.findall(r'(\w+)="([^"]*)"', message)) == {
        "realm": PUBLIC,
        "resource": f"{PUBLIC}{METADATA}",
        "authorization_server": NAME,
        "error": "invalid_token",
        "error_description": "The credential is not known",
        "resource_metadata": f"{PUBLIC}{METADATA}",
        "scope": "mcp:prompts mcp:resources mcp:tools",
    }


@pytest.mark.parametrize("token", ["", "Bearer sk_live_nobody"])
def test_what_is_no_message_is_refused_as_oauth_does_it(pad: ServerEndpoint, token: str) -> None:
    stream = pad.showing(Accept="text/event-stream", Authorization=token)

    response = stream.request("GET")

    assert response.status_code == 401
    assert response.headers["content-type"] == "application/json"
    content = response.json()
    assert content.keys() == {"error", "error_description", "resource"}
    assert content["error"] == "invalid_token"
    assert content["resource"] == f"{PUBLIC}{METADATA}"
    assert response.headers["www-authenticate"].startswith(f'Bearer realm="{PUBLIC}"')


@pytest.mark.parametrize("wrong", ["expired", "audience", "issuer", "key"])
def test_a_token_that_is_not_good_here_is_invalid(
    api: LocalApi, pad: ServerEndpoint, login: JwtIssuer, wrong: str
) -> None:
    tokens = {
        "expired": login.token(aud=PUBLIC, exp=int(time.time()) - 3600),
        "audience": login.token(aud="https://elsewhere.example"),
        "issuer": login.token(aud=PUBLIC, iss="https://elsewhere.example"),
        "key": JwtIssuer().token(aud=PUBLIC),
    }
    before = len(api.requests)

    response = pad.showing(Authorization=f"Bearer {tokens[wrong]}").post("tools/call", **CALL)

    assert response.status_code == 401
    error = response.json()["error"]
    assert (error["code"], error["data"]["error"]) == (-32001, "invalid_token")
    assert len(api.requests) == before


def test_only_administrators_find_the_tools_of_administrators(pad: ServerEndpoint) -> None:
    administrator, user = set(with_key_of(pad, "ada").tools()), set(with_key_of(pad, "bob").tools())

    assert administrator - user == {"admin_deploy_worker"}
    assert user - administrator == set()
    assert "events_list" in user


def test_a_tool_of_administrators_does_not_exist_for_others(
    api: LocalApi, pad: ServerEndpoint
) -> None:
    arguments = {"name": "teller", "script": "export default {}"}
    before = len(api.requests)

    response = with_key_of(pad, "bob").post(
        "tools/call", name="admin_deploy_worker", arguments=arguments
    )

    assert response.json()["error"]["code"] == -32602
    assert "Unknown tool" in response.json()["error"]["message"]
    assert len(api.requests) == before


@pytest.mark.parametrize(
    ("roles", "is_listed"), [(["admin"], True), (["editor"], False), ([], False)]
)
def test_a_token_says_who_is_an_administrator(
    pad: ServerEndpoint, login: JwtIssuer, roles: list[str], is_listed: bool
) -> None:
    token = login.token(aud=PUBLIC, roles=roles, scope=SCOPE)

    tools = pad.showing(Authorization=f"Bearer {token}").tools()

    assert ("admin_deploy_worker" in tools) is is_listed


def test_a_handler_knows_who_calls(pad: ServerEndpoint) -> None:
    result = with_key_of(pad, "ada").call_json(
        "admin_deploy_worker", name="teller", script="export default {}"
    )

    assert result["deployedBy"] == "ada"


def test_nobodys_secret_is_written_or_handed_on(api: LocalApi, pad: ServerEndpoint) -> None:
    with_key_of(pad, "ada").call_json("events_list")

    assert KEYS["ada"] not in str(api.last)
    assert api.last.headers["x-platform-key"] == KEY
    text = "".join(pad.output + pad.log)
    assert not any(secret in text for secret in (*KEYS.values(), KEY))
