"""Rules of the policy over stdio: the token of the local user, and rules that need HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.runtime.apps import create_app
from tests.runtime.auth_servers import ACCESS, RefusingGate, entry, settings
from tests.runtime.stdio_client import request
from tests.runtime.test_stdio_equivalence import Stdio, connect_stdio

from mcpgen_runtime.auth.authentication import Authentication
from mcpgen_runtime.auth.passthrough import Passthrough, PassthroughSettings
from mcpgen_runtime.auth.scopes import Scopes
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import App, ServerInfo, StartupError
from mcpgen_runtime.server.cli import _parser
from mcpgen_runtime.server.endpoint import Endpoint
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.stdio import refuse_http_settings, serve_stdio
from mcpgen_runtime.server.toolsets import Toolsets
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Hints, Route, Tool

TOOLS = [Tool(name, name, "", Route("GET", "/"), Hints(True, False, True)) for name in ("a", "b")]
KEYS = [entry("reader", "ada", scopes=["read"])]
CALL = request("tools/call", name="a")


async def whoami(call: Call) -> Result:
    """Returns the caller."""
    return Result.text(call.caller.subject)


def server(server_settings: ServerSettings, rules: Sequence[Middleware]) -> App:
    """Returns a server whose tools name the caller."""
    hooks = Hooks({"a": whoami, "b": whoami})
    return create_app(ServerInfo("canary", "Canary", "1"), TOOLS, (), server_settings, hooks, rules)


def authenticated_server(token: str, **values: Any) -> App:
    """Returns a server that authenticates the local user; `b` needs a scope that nobody has."""
    caller_settings = settings(caller_keys=KEYS, stdio_token=token, **values)
    return server(
        caller_settings, (Authentication(caller_settings, ACCESS), Scopes({"b": ("write",)}))
    )


async def initialize(stdio: Stdio) -> Any:
    """Performs the handshake, and returns the answer."""
    info = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    return (await stdio.answers(request("initialize", 0, **params)))[-1]


@pytest.mark.anyio
async def test_token_of_the_local_user_has_its_subject_and_rights() -> None:
    app = authenticated_server("reader")
    refuse_http_settings(app)
    async with connect_stdio(app) as stdio:
        await initialize(stdio)
        answer = (await stdio.answers(CALL))[-1]
        refusal = (await stdio.answers(request("tools/call", 2, name="b")))[-1]

    assert answer["result"]["content"][0]["text"] == "ada"
    assert refusal["result"]["isError"]


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/mcp", "/apis/canary"])
@pytest.mark.parametrize(
    ("toolset", "tools", "instructions"),
    [("", ["a", "b"], "All."), ("few", ["b"], "A few."), ("same", ["a"], "All.")],
)
async def test_client_gets_the_chosen_toolset_with_its_instructions(
    path: str, toolset: str, tools: list[str], instructions: str
) -> None:
    rules = (
        *([Endpoint(path)] if path != "/mcp" else ()),
        Toolsets({"few": ("b",), "same": ("a",)}),
    )
    identity = ServerInfo("canary", "Canary", "1", "All.", {"few": "A few.", "same": ""})
    hooks = Hooks({"a": whoami, "b": whoami})
    app = create_app(identity, TOOLS, (), settings(), hooks, rules)
    async with connect_stdio(app, toolset) as stdio:
        first = await initialize(stdio)
        tool_list = (await stdio.answers(request("tools/list", 2)))[-1]
        call_answer = (await stdio.answers(CALL))[-1]

    assert [tool["name"] for tool in tool_list["result"]["tools"]] == tools
    assert first["result"]["instructions"] == instructions
    assert ("error" in call_answer) is ("a" not in tools)


@pytest.mark.anyio
async def test_wrong_token_is_refused_with_the_id_of_the_request() -> None:
    async with connect_stdio(authenticated_server("stranger")) as stdio:
        answer = await initialize(stdio)

    assert (answer["id"], answer["error"]["code"]) == (0, 401)


@pytest.mark.anyio
async def test_refusal_without_a_body_is_answered() -> None:
    async with connect_stdio(server(settings(), (RefusingGate(),))) as stdio:
        answer = await initialize(stdio)

    assert (answer["id"], answer["error"]["code"]) == (0, -32600)


@pytest.mark.anyio
async def test_endpoint_at_another_path_is_served() -> None:
    app = server(settings(), (Endpoint("/api/v1/mcp"),))
    refuse_http_settings(app)
    async with connect_stdio(app) as stdio:
        await initialize(stdio)
        answer = (await stdio.answers(CALL))[-1]

    assert answer["result"]["content"][0]["text"] == "local"


def passthrough_server(**values: Any) -> App:
    """Returns a server that hands on the caller's credential."""
    passthrough_settings = PassthroughSettings(upstream="https://api.example.com", **values)
    return server(passthrough_settings, (Passthrough(passthrough_settings, ("api.example.com",)),))


@pytest.mark.parametrize(
    ("app", "setting_name"),
    [
        (authenticated_server(""), "STDIO_TOKEN"),
        (passthrough_server(), "STDIO_TOKEN"),
        (server(settings(), (Endpoint("/spaces/{id}/mcp"),)), "endpoint.path"),
    ],
    ids=["authentication", "credentials", "path"],
)
def test_rule_that_needs_http_is_named(app: App, setting_name: str) -> None:
    with pytest.raises(StartupError, match=f"^cannot serve over stdio: .*{setting_name}"):
        refuse_http_settings(app)


def test_anonymous_callers_and_tokens_need_no_http() -> None:
    refuse_http_settings(authenticated_server("", caller_anonymous=True))
    refuse_http_settings(passthrough_server(stdio_token="secret"))


def test_token_is_not_shown() -> None:
    assert "hush" not in repr(settings(stdio_token="hush"))


@pytest.mark.parametrize(
    ("arguments", "toolset"), [([], None), (["--stdio"], ""), (["--stdio", "few"], "few")]
)
def test_toolset_is_named_behind_the_option(arguments: list[str], toolset: str | None) -> None:
    options = _parser("canary_mcp", ServerSettings).parse_args(
        [*arguments, "--upstream", "http://a"]
    )

    assert (options.stdio, options.upstream) == (toolset, "http://a")


def test_unknown_toolset_is_refused_with_the_known_names() -> None:
    identity = ServerInfo("canary", "Canary", "1", "", {"few": "", "many": ""})
    app = create_app(identity, TOOLS, (), settings(), Hooks())

    with pytest.raises(StartupError, match=r"no toolset some; toolsets: \['few', 'many'\]"):
        serve_stdio(app, "some")
