"""Authorization of authenticated callers, by tool and by path."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from tests.runtime.auth_servers import (
    ACCESS,
    TOOL,
    Door,
    describe_caller,
    door,
    entry,
    settings,
    signed_token_settings,
)
from tests.runtime.conftest import Client, Serving, WireUpstream, serving_tools
from tests.runtime.issuer import PUBLIC, JwtIssuer, issuing

from mcpgen_runtime.auth.authentication import Authentication, SteppingUp
from mcpgen_runtime.auth.config import AuthConfig
from mcpgen_runtime.auth.scopes import HiddenScopes, Roles, Scopes, missing_scopes
from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.endpoint import Endpoint, PathTemplate
from mcpgen_runtime.server.invocation import Finish, Invocation
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.opt_in_tools import OptInGroup, OptInSettings, OptInTools
from mcpgen_runtime.tool import Argument, Route

pytestmark = pytest.mark.anyio

PURGE = replace(TOOL, name="purge")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
KEYS = [
    entry("reader", "reader", scopes=["read"]),
    entry("kb", "kb", scopes=["read", "write:kb"]),
    entry("ingester", "ingester", scopes=["read", "write:ingest"]),
    entry("writer", "writer", scopes=["read", "write"]),
    entry("operator", "operator", scopes=None),
]
NEEDED = {"look": ("write:ingest",)}


@pytest.fixture
async def issuer() -> AsyncIterator[JwtIssuer]:
    """Issuer whose tokens the servers accept."""
    async with issuing() as running:
        yield running


async def names(front: Door, token: str) -> list[str]:
    """Returns the names of the tools listed for a caller."""
    headers = {"Authorization": f"Bearer {token}"}
    answer = (await front.http.post(front.path, json=LIST, headers=headers)).json()
    return [tool["name"] for tool in answer["result"]["tools"]]


@pytest.mark.parametrize(
    ("caller_scopes", "needed_scopes", "lacking_scopes"),
    [
        (None, ["a", "b"], ()),
        ([], [], ()),
        (["write"], ["write:ingest", "write:kb:drop"], ()),
        (["write:kb"], ["write:kb:drop", "write:ingest"], ("write:ingest",)),
        (["write:ingest"], ["write"], ("write",)),
        (["writ", "write:"], ["write:ingest"], ("write:ingest",)),
        (["read"], ["write", "read:x"], ("write",)),
    ],
)
def test_a_scope_contains_those_below_it(
    caller_scopes: Any, needed_scopes: list[str], lacking_scopes: Any
) -> None:
    assert (
        missing_scopes(None if caller_scopes is None else frozenset(caller_scopes), needed_scopes)
        == lacking_scopes
    )


async def test_a_call_without_its_scope_gets_the_deny_envelope() -> None:
    async with door(settings(caller_keys=KEYS), AuthConfig(), Scopes(NEEDED)) as front:
        answers = {key: (await front.knock(key)).json()["result"] for key in ("reader", "kb")}

    for key, scopes in (("reader", ["read"]), ("kb", ["read", "write:kb"])):
        (block,) = answers[key]["content"]
        assert answers[key]["isError"] is True
        assert "refused" not in answers[key]
        assert json.loads(block["text"]) == {
            "outcome": "denied",
            "code": "scope_required",
            "required": "write:ingest",
            "subjectScopes": scopes,
            "message": "look needs the scope write:ingest",
        }


@pytest.mark.parametrize("key", ["ingester", "writer", "operator"])
async def test_a_call_with_its_scope_or_one_above_it_is_made(key: str) -> None:
    async with door(settings(caller_keys=KEYS), AuthConfig(), Scopes(NEEDED)) as front:
        assert (await front.subject(key)).startswith(f"{key}|")


async def test_records_can_tell_a_denied_call_from_a_failed_one() -> None:
    outcomes: list[str] = []

    class Record(Middleware):
        """Records the outcome of every call."""

        async def call(self, invocation: Invocation, finish: Finish) -> Result:
            """Records the outcome."""
            result = await finish()
            outcomes.append(result.outcome)
            return result

    rules = (Record(), Scopes(NEEDED))
    async with door(settings(caller_keys=KEYS), AuthConfig(), *rules) as front:
        await front.knock("reader")
        await front.knock("writer")

    assert outcomes == ["denied", "ok"]
    assert Result.error("no").outcome == "failure"


async def test_tools_can_be_hidden_from_who_may_not_call_them() -> None:
    tools, needed_scopes = (TOOL, PURGE), {"purge": ("write:kb",)}

    async with door(
        settings(caller_keys=KEYS), AuthConfig(), Scopes(needed_scopes), tools=tools
    ) as front:
        assert await names(front, "reader") == ["look", "purge"]
    async with door(
        settings(caller_keys=KEYS), AuthConfig(), HiddenScopes(needed_scopes), tools=tools
    ) as front:
        assert await names(front, "reader") == ["look"]
        assert await names(front, "kb") == ["look", "purge"]


async def test_a_tool_for_a_role_does_not_exist_for_others() -> None:
    keys = [entry("plain", scopes=None), entry("boss", scopes=None, roles=["admin"])]

    async with door(
        settings(caller_keys=keys), AuthConfig(), Roles({"look": ("admin",)}), tools=(TOOL, PURGE)
    ) as front:
        error = (await front.knock("plain")).json()["error"]
        await front.subject("boss")
        tool_names = [await names(front, "plain"), await names(front, "boss")]

    assert error == {"code": -32602, "message": "Unknown tool: look"}
    assert tool_names == [["purge"], ["look", "purge"]]


async def test_calls_that_are_not_allowed_take_nothing_from_those_who_may() -> None:
    rights = (Roles({"purge": ("admin",)}), Scopes({"look": ("write",)}))
    rates = Rates(all="4/minute", tools={"look": "2/minute", "purge": "2/minute"})
    keys = [entry("nobody", "nobody"), entry("owner", "owner", scopes=None, roles=["admin"])]
    rules = (*rights, RateLimits(RateSettings(), rates, code=429))

    async with door(settings(caller_keys=keys), ACCESS, *rules, tools=(TOOL, PURGE)) as front:

        async def answers(key: str, tool: str) -> list[int]:
            message = {**LIST, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
            headers = {"Authorization": f"Bearer {key}"}
            responses = [
                await front.http.post("/mcp", json=message, headers=headers) for _ in "123"
            ]
            return [answer.status_code for answer in responses]

        denied_statuses = [await answers("nobody", tool) for tool in ("look", "purge", "made-up")]
        allowed_statuses = [await answers("owner", tool) for tool in ("look", "purge")]

    assert denied_statuses == [[200, 200, 200]] * 3
    assert allowed_statuses == [[200, 200, 429]] * 2


async def test_missing_scopes_can_be_asked_for_in_one_challenge(issuer: JwtIssuer) -> None:
    needed_scopes = {"look": ("read", "write:kb", "write:ingest")}
    access = AuthConfig(step_up=needed_scopes)

    rules = (SteppingUp(signed_token_settings(issuer), access), Scopes(needed_scopes))
    async with serving_tools(TOOL, upstream="http://127.0.0.1:9", rules=rules) as client:
        answer = await Door(client.http).knock(issuer.token(scope="read"))

    assert answer.status_code == 403
    assert answer.json()["error"]["data"] == {
        "error": "insufficient_scope",
        "scope": "write:kb write:ingest",
    }
    assert answer.headers["www-authenticate"] == (
        'Bearer error="insufficient_scope", error_description="look needs more scopes", '
        f'resource_metadata="{PUBLIC}/.well-known/oauth-protected-resource/mcp", '
        'scope="write:kb write:ingest"'
    )


@pytest.mark.parametrize(
    ("method", "params", "scope"),
    [
        ("resources/list", {}, "mcp:resources"),
        ("resources/read", {"uri": "a:b"}, "mcp:resources"),
        ("prompts/list", {}, "mcp:prompts"),
        ("prompts/get", {"name": "greet"}, "mcp:prompts"),
        (
            "completion/complete",
            {
                "ref": {"type": "ref/prompt", "name": "greet"},
                "argument": {"name": "a", "value": ""},
            },
            "mcp:prompts",
        ),
        (
            "completion/complete",
            {
                "ref": {"type": "ref/resource", "uri": "a:{b}"},
                "argument": {"name": "b", "value": ""},
            },
            "mcp:resources",
        ),
    ],
)
async def test_requests_about_resources_and_prompts_have_scopes_of_their_own(
    issuer: JwtIssuer, method: str, params: dict[str, Any], scope: str
) -> None:
    family_scopes = {"resources": ("mcp:resources",), "prompts": ("mcp:prompts",)}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}

    rules = (SteppingUp(signed_token_settings(issuer), AuthConfig(family_scopes=family_scopes)),)
    async with serving_tools(TOOL, upstream="http://127.0.0.1:9", rules=rules) as client:
        answers = {
            name: await client.http.post(
                "/mcp",
                json=message,
                headers={"Authorization": f"Bearer {issuer.token(scope=name)}"},
            )
            for name in ("mcp:tools", scope)
        }

    refusal = answers["mcp:tools"]
    assert refusal.status_code == 403
    assert refusal.json()["error"]["data"] == {"error": "insufficient_scope", "scope": scope}
    assert f'scope="{scope}"' in refusal.headers["www-authenticate"]
    assert answers[scope].status_code != 403


TEMPLATE = "/api/w/{workspaceId}/mcp"
IN_WORKSPACE = replace(
    TOOL,
    route=Route("GET", "/workspaces/{workspaceId}/things"),
    bound=(Argument("workspaceId", "path", {"type": "string"}),),
)


async def test_the_path_of_the_endpoint_goes_into_the_request(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(IN_WORKSPACE, upstream=upstream.url, rules=[Endpoint(TEMPLATE)]) as client:
        for text in ("alpha", "b%20c", "caf%C3%A9"):
            await call_at(client, f"/api/w/{text}/mcp")
        tools = (await client.http.post("/api/w/alpha/mcp/", json=LIST)).json()["result"]["tools"]

    targets = [request.target for request in upstream.requests]
    assert targets == [f"/workspaces/{text}/things" for text in ("alpha", "b%20c", "caf%C3%A9")]
    assert tools[0]["inputSchema"]["properties"] == {}


async def test_the_path_of_the_endpoint_is_no_argument(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(IN_WORKSPACE, upstream=upstream.url, rules=[Endpoint(TEMPLATE)]) as client:
        answer = await call_at(client, "/api/w/alpha/mcp", workspaceId="beta")

    assert answer.json()["result"]["isError"]
    assert upstream.requests == []


@pytest.mark.parametrize(
    "value",
    [
        "..",
        ".",
        "%2e%2e",
        "%252e%252e",
        "..%2f",
        "a%2fb",
        "a%5c..",
        "",
        "%00",
        "%0d%0a",
        "x" * 300,
        "%ff",
        "%ef%bc%8e%ef%bc%8e",
        "..;a",
    ],
)
async def test_a_value_that_could_be_another_path_leads_nowhere(
    serving: Serving, upstream: WireUpstream, value: str
) -> None:
    async with serving(IN_WORKSPACE, upstream=upstream.url, rules=[Endpoint(TEMPLATE)]) as client:
        answers = []
        for text in (value, "harmless"):
            request = httpx2.Request("POST", "http://localhost:8000/", json=LIST)
            request.url = request.url.copy_with(raw_path=f"/api/w/{text}/mcp".encode())
            answers.append((await client.http.send(request)).status_code)

    assert answers == [404, 200]
    assert upstream.requests == []


async def call_at(client: Client, path: str, **arguments: Any) -> httpx2.Response:
    """Returns the answer to a call of the tool at a path."""
    params = {"name": "look", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return await client.http.post(path, json=message)


async def test_the_endpoint_is_nowhere_else_and_the_probe_stays(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(IN_WORKSPACE, upstream=upstream.url, rules=[Endpoint(TEMPLATE)]) as client:
        assert (await client.http.post("/mcp", json=LIST)).status_code == 404
        assert (await client.http.post("/api/w/a", json=LIST)).status_code == 404
        assert (await client.http.get("/healthz")).status_code == 200


def test_what_lies_below_the_endpoint_keeps_its_place() -> None:
    template = PathTemplate(TEMPLATE)

    assert template.path_below("/api/w/a/mcp/billing") == "/billing"
    assert template.fill({"workspaceId": "a b"}) == "/api/w/a%20b/mcp"
    assert Endpoint(TEMPLATE).address("/mcp/billing") == f"{TEMPLATE}/billing"


def workspace_door(caller_settings: Any, access: AuthConfig, *tools: Any) -> Any:
    """Runs a server at a path with a parameter, with authentication."""
    rules = (Endpoint(TEMPLATE), Authentication(caller_settings, access))
    return serving_tools(*tools, upstream="http://127.0.0.1:9", rules=rules)


async def test_a_key_of_one_workspace_is_refused_at_another() -> None:
    keys = [
        entry("of-a", path={"workspaceId": "a"}),
        entry("of-all", path={"workspaceId": "*"}),
        entry("of-none"),
    ]
    access = AuthConfig(address=TEMPLATE)

    async with workspace_door(settings(caller_keys=keys), access, TOOL) as client:
        result = {
            (key, place): (await Door(client.http, f"/api/w/{place}/mcp").knock(key)).status_code
            for key in ("of-a", "of-all", "of-none")
            for place in ("a", "b", "a")
        }

    assert result == {
        ("of-a", "a"): 200,
        ("of-a", "b"): 403,
        ("of-all", "a"): 200,
        ("of-all", "b"): 200,
        ("of-none", "a"): 403,
        ("of-none", "b"): 403,
    }


async def test_a_token_is_for_one_workspace_by_its_audience_or_by_a_claim(
    issuer: JwtIssuer,
) -> None:
    by_audience = issuer.token(aud=f"{PUBLIC}/api/w/a/mcp")
    by_claim = issuer.token(workspaces=["a", "c"], aud="all")
    access = AuthConfig(address=TEMPLATE)
    claim_access = AuthConfig(address=TEMPLATE, path_claims={"workspaceId": "workspaces"})
    caller_settings = signed_token_settings(issuer, caller_audience="all")

    async with workspace_door(caller_settings, access, TOOL) as client:
        audience = [
            (await Door(client.http, f"/api/w/{place}/mcp").knock(token)).status_code
            for token in (by_audience, by_claim)
            for place in ("a", "b")
        ]
        place = f"/.well-known/oauth-protected-resource{TEMPLATE.replace('{workspaceId}', 'a')}"
        metadata = (await client.http.get(place)).json()
        root = await client.http.get("/.well-known/oauth-protected-resource")
    async with workspace_door(caller_settings, claim_access, TOOL) as client:
        claims = [
            (await Door(client.http, f"/api/w/{place}/mcp").knock(by_claim)).status_code
            for place in ("a", "b", "c")
        ]

    assert audience == [200, 401, 401, 401]
    assert claims == [200, 403, 200]
    assert metadata["resource"] == f"{PUBLIC}/api/w/a/mcp"
    assert root.status_code == 404


async def test_a_claim_names_a_workspace_as_a_whole(issuer: JwtIssuer) -> None:
    access = AuthConfig(address=TEMPLATE, path_claims={"workspaceId": "workspace"})
    token = issuer.token(workspace="victim mallory", aud="all")

    async with workspace_door(
        signed_token_settings(issuer, caller_audience="all"), access, TOOL
    ) as client:
        answers = {
            place: (await Door(client.http, f"/api/w/{place}/mcp").knock(token)).status_code
            for place in ("victim", "mallory", "victim%20mallory")
        }

    assert answers == {"victim": 403, "mallory": 403, "victim%20mallory": 200}


async def test_a_claim_about_one_value_in_the_path_says_nothing_about_another(
    issuer: JwtIssuer,
) -> None:
    path = "/api/{tenant}/{workspaceId}/mcp"
    access = AuthConfig(address=path, path_claims={"tenant": "tenant"})
    rules = (
        Endpoint(path),
        Authentication(signed_token_settings(issuer, caller_audience="all"), access),
    )
    tokens = [
        issuer.token(tenant="t", aud=audience) for audience in ("all", f"{PUBLIC}/api/t/a/mcp")
    ]

    async with serving_tools(
        TOOL, upstream="http://127.0.0.1:9", hooks=Hooks({"look": describe_caller}), rules=rules
    ) as client:
        answers = [
            (await Door(client.http, f"/api/t/{place}/mcp").knock(token)).status_code
            for token in tokens
            for place in ("a", "b")
        ]

    assert answers == [401, 401, 200, 401]


class ChatSettings(OptInSettings):
    """Settings with a secret for chat."""

    chat_model: SecretStr | None = None


@pytest.mark.parametrize(
    ("values", "is_listed"),
    [
        ({}, False),
        ({"expose": "chat"}, False),
        ({"chat_model": "m"}, False),
        ({"expose": "chat", "chat_model": ""}, False),
        ({"expose": "chat", "chat_model": "m"}, True),
    ],
)
async def test_a_feature_is_there_only_if_it_is_asked_for_and_configured(
    serving: Serving, upstream: WireUpstream, values: dict[str, Any], is_listed: bool
) -> None:
    feature = OptInTools(ChatSettings(**values), (OptInGroup("chat", ("purge",), ("chat_model",)),))

    async with serving(TOOL, PURGE, upstream=upstream.url, rules=[feature]) as client:
        tools = (await client.post(LIST)).json()["result"]["tools"]
        params = {"name": "purge", "arguments": {}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        content = (await client.post(call)).json()

    assert [tool["name"] for tool in tools] == ["look", "purge"][: 1 + is_listed]
    assert ("result" in content) is is_listed


def test_a_feature_that_does_not_exist_keeps_the_server_from_starting() -> None:
    with pytest.raises(ValueError, match=r"EXPOSE names `chatt`, .* did you mean `chat`"):
        OptInTools(OptInSettings(expose=("chatt",)), (OptInGroup("chat", ("purge",)),))


async def test_a_server_that_is_switched_off_cannot_be_probed(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(TOOL, upstream=upstream.url, enabled=False) as client:
        list_response = await client.post(LIST)
        health_response = await client.http.get("/healthz")
        metadata_response = await client.http.get("/.well-known/oauth-protected-resource")

    assert (list_response.status_code, list_response.json()) == (404, {"error": "not_found"})
    assert health_response.status_code == 200
    assert metadata_response.status_code == 404
