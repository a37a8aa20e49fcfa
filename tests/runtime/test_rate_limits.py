"""Rate limits: exact counts by caller, by tool and in total."""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import replace

import httpx2
import pytest
from limits import parse
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings, Client, Serving, WireUpstream

from mcpgen_runtime.caller import Caller, scope_with_caller
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.limits.sliding_window import SlidingWindows
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send
from mcpgen_runtime.server.invocation import Invocation
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.opt_in_tools import OptInSettings
from mcpgen_runtime.server.process import DrainingServer
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

CLOCK = "mcpgen_runtime.limits.sliding_window.monotonic"
"""Clock of the sliding windows. A patched `time.monotonic` would change the event loop of another
thread."""

TOOL = Tool("get", "Get", "Gets it.", Route("GET", "/it"), Hints(True, False, True))
OTHER = replace(TOOL, name="other")
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class SubjectHeaderRule(Middleware):
    """Believes the header `X-Subject`."""

    def gate(self, app: Asgi) -> Asgi:
        """Lets the header name the caller."""

        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            text = dict(scope["headers"]).get(b"x-subject", b"").decode()
            caller = Caller(text, credential="shown") if text else Caller()
            await app(scope_with_caller(scope, caller), receive, send)

        return app_with_caller


def limits(rates: Rates, **more: object) -> tuple[Middleware, ...]:
    """Returns the rules of a server with rate limits and named callers."""
    settings = more.pop("settings", None) or RateSettings()
    return SubjectHeaderRule(), RateLimits(settings, rates, code=429, **more)  # type: ignore[arg-type]


def message(tool: str, id: int = 1) -> dict[str, object]:
    """Returns the message of a call."""
    return {
        "jsonrpc": "2.0",
        "id": id,
        "method": "tools/call",
        "params": {"name": tool, "arguments": {}},
    }


async def call_as(client: Client, tool: str = "get", subject: str = "") -> httpx2.Response:
    """Returns the response to a call by a subject."""
    return await client.post(message(tool), **({"X_Subject": subject} if subject else {}))


async def statuses(client: Client, count: int, tool: str = "get", subject: str = "") -> list[int]:
    """Returns the statuses of consecutive calls."""
    return [(await call_as(client, tool, subject)).status_code for _ in range(count)]


async def test_the_call_after_the_last_allowed_one_is_refused(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = limits(Rates(all="3/minute"))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        status_codes = await statuses(client, 5)

    assert status_codes == [200, 200, 200, 429, 429]
    assert len(upstream.requests) == 3


async def test_a_refusal_says_what_is_allowed_and_when_to_come_back(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = limits(Rates(all="1/30 seconds"))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        await call_as(client)
        refusal = await client.post(message("get", 7))

    assert refusal.headers["x-ratelimit-limit"] == "1"
    assert refusal.headers["x-ratelimit-window"] == "30"
    assert 28 <= int(refusal.headers["retry-after"]) <= 30
    error = refusal.json()["error"]
    assert refusal.json()["id"] == 7
    assert error["code"] == 429
    assert error["message"].startswith("Rate limit exceeded: 1 in 30 seconds; try again in ")
    assert error["data"]["limit"] == 1


async def test_each_caller_has_a_rate_of_its_own(serving: Serving, upstream: WireUpstream) -> None:
    rules = limits(Rates(subject="2/minute"))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        ada = await statuses(client, 3, subject="ada")
        bob = await statuses(client, 3, subject="bob")
        anonymous_codes = await statuses(client, 3)

    assert ada == bob == anonymous_codes == [200, 200, 429]


async def test_a_caller_named_like_nobody_is_somebody(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = limits(Rates(subject="1/minute"))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        anonymous_codes = await statuses(client, 1)
        named_codes = await statuses(client, 2, subject="anonymous")

    assert (anonymous_codes, named_codes) == ([200], [200, 429])


async def test_a_tool_has_a_rate_for_all_and_one_for_each_caller(
    serving: Serving, upstream: WireUpstream
) -> None:
    rates = Rates(tools={"get": "3/minute"}, subject_tools={"get": "2/minute"})

    async with serving(TOOL, OTHER, upstream=upstream.url, rules=limits(rates)) as client:
        ada = await statuses(client, 3, subject="ada")
        bob = await statuses(client, 2, subject="bob")
        other_codes = await statuses(client, 4, tool="other", subject="ada")

    assert ada == [200, 200, 429]
    assert bob == [200, 429]
    assert other_codes == [200] * 4


async def test_calls_that_are_refused_to_one_take_nothing_from_the_others(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = limits(Rates(all="3/minute", subject="1/minute"))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        await statuses(client, 10, subject="ada")
        other_codes = [await statuses(client, 1, subject=name) for name in ("bob", "eve", "kim")]

    assert other_codes == [[200], [200], [429]]


async def test_only_calls_are_counted_unless_every_message_is(
    serving: Serving, upstream: WireUpstream
) -> None:
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    async with serving(TOOL, upstream=upstream.url, rules=limits(Rates(all="1/minute"))) as client:
        calls = [(await client.post(listing)).status_code for _ in range(3)]
    rules = limits(Rates(all="1/minute"), messages=True)
    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        messages = [(await client.post(listing)).status_code for _ in range(3)]

    assert calls == [200, 200, 200]
    assert messages == [200, 429, 429]


@pytest.mark.parametrize("version", ["2025-03-26", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("accept", ["application/json", "application/json, text/event-stream"])
async def test_a_call_counts_once_in_every_era_and_form(
    serving: Serving, upstream: WireUpstream, version: str, accept: str
) -> None:
    rules = limits(Rates(all="2/minute", tools={"get": "2/minute"}))
    call = message("get")
    params = {"name": "get", "arguments": {}}
    modern = {**call, "params": {**params, "_meta": MODERN}}
    headers = {"MCP_Protocol_Version": version, "Accept": accept}
    if version == "2026-07-28":
        headers |= {"Mcp_Method": "tools/call", "Mcp_Name": "get"}

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        content = modern if version == "2026-07-28" else call
        status_codes = [(await client.post(content, **headers)).status_code for _ in range(3)]

    assert status_codes == [200, 200, 429]
    assert len(upstream.requests) == 2


class Within(Middleware):
    """Lets every call of `other` call `get` a number of times, without messages."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.rules: RateLimits | None = None
        self.results: list[Result] = []

    async def call(self, invocation: Invocation, finish: object) -> Result:
        """Returns the result of the last inner call."""
        assert self.rules is not None
        if invocation.tool.name == "other":
            inner = Invocation(TOOL, {}, invocation.caller)
            for _ in range(self.times):
                self.results.append(await self.rules.call(inner, self._done))
        return await self._done()

    async def _done(self) -> Result:
        return Result.text("done")


async def test_a_call_inside_a_call_counts_for_its_own_tool_and_not_again_for_the_caller(
    serving: Serving, upstream: WireUpstream
) -> None:
    rates = Rates(subject="2/minute", tools={"get": "1/minute"})
    limiting = RateLimits(RateSettings(), rates, code=429)
    nested_calls = Within(times=1)
    nested_calls.rules = limiting

    async with serving(
        TOOL, OTHER, upstream=upstream.url, rules=[nested_calls, limiting]
    ) as client:
        status_codes = await statuses(client, 3, tool="other")

    assert status_codes == [200, 200, 429]
    assert [result.refused for result in nested_calls.results] == [False, True]
    assert "Rate limit exceeded: 1 in 60 seconds" in nested_calls.results[1].content[0]["text"]


async def test_every_further_call_inside_a_call_counts_for_the_caller(
    serving: Serving, upstream: WireUpstream
) -> None:
    limiting = RateLimits(RateSettings(), Rates(subject="3/minute"), code=429)
    nested_calls = Within(times=5)
    nested_calls.rules = limiting

    async with serving(
        TOOL, OTHER, upstream=upstream.url, rules=[nested_calls, limiting]
    ) as client:
        await call_as(client, "other")

    assert [result.refused for result in nested_calls.results] == [False] * 3 + [True] * 2


async def test_every_message_of_a_batch_is_counted(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = limits(Rates(all="2/minute"))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        batch = [message("get", number) for number in range(4)]
        content = (await client.post(batch, MCP_Protocol_Version="2025-03-26")).json()

    refused_ids = [answer["id"] for answer in content if answer.get("error", {}).get("code") == 429]
    assert refused_ids == [2, 3]
    assert len(upstream.requests) == 2


async def test_the_environment_wins_over_what_is_declared(
    serving: Serving, upstream: WireUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMIT_ALL", "off")
    monkeypatch.setenv("LIMIT_TOOLS", "get=1/minute, other=2/minute")
    rules = limits(Rates(all="1/minute", tools={"get": "9/minute"}))

    async with serving(TOOL, OTHER, upstream=upstream.url, rules=rules) as client:
        get = await statuses(client, 2)
        other_codes = await statuses(client, 3, tool="other")

    assert (get, other_codes) == ([200, 429], [200, 200, 429])


@pytest.mark.parametrize("rate_text", ["3", "0/minute", "-1/minute", "3/fortnight", "3/0 minutes"])
def test_a_rate_of_the_environment_that_is_none_is_refused_at_start(
    monkeypatch: pytest.MonkeyPatch, rate_text: str
) -> None:
    monkeypatch.setenv("LIMIT_SUBJECT", rate_text)

    with pytest.raises(ValueError, match="must be a rate such as 100/minute, or off"):
        RateSettings()


@pytest.mark.parametrize("field", ["limit_tools", "limit_subject_tools"])
def test_a_rate_of_the_environment_for_a_tool_that_does_not_exist_is_refused_at_start(
    field: str,
) -> None:
    settings = RateSettings(**{field: "gett=3/second"})  # type: ignore[arg-type]
    rules = limits(Rates(), settings=settings)

    with pytest.raises(ValueError, match=f"{field.upper()} names `gett`.* did you mean `get`"):
        create_app(ServerInfo("c", "C", "1"), [TOOL], [], CanarySettings(), Hooks(), rules)


async def test_limits_can_be_put_out_of_force(serving: Serving, upstream: WireUpstream) -> None:
    rules = limits(Rates(all="1/minute"), settings=RateSettings(limits=False))

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        assert await statuses(client, 3) == [200, 200, 200]


async def test_unknown_callers_are_told_apart_by_address_behind_trusted_proxies_only(
    serving: Serving, upstream: WireUpstream
) -> None:
    rates = Rates(subject="1/minute")
    proxy_settings = RateSettings(trusted_proxies="127.0.0.0/8")  # type: ignore[arg-type]

    async def answers(settings: RateSettings) -> list[int]:
        rules = limits(rates, settings=settings, by_address=True)
        async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
            return [
                (await client.post(message("get"), X_Forwarded_For=hops)).status_code
                for hops in ("203.0.113.5", "203.0.113.6", "198.51.100.1, 203.0.113.6")
            ]

    assert await answers(proxy_settings) == [200, 200, 429]
    assert await answers(RateSettings()) == [200, 429, 429]


@pytest.mark.parametrize("bases", [(RateSettings, ServerSettings), (RateSettings, OptInSettings)])
def test_lists_of_every_class_of_settings_are_split_at_commas(
    bases: tuple[type, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1")
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example,b.example")
    monkeypatch.setenv("EXPOSE", "notes")

    settings = type("Settings", bases, {})()

    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.0/8", "192.0.2.1/32"]
    assert settings.allowed_hosts == ("a.example", "b.example")
    assert getattr(settings, "expose", ("notes",)) == ("notes",)


async def test_a_client_cannot_hide_behind_a_header_that_a_proxy_left(
    serving: Serving, upstream: WireUpstream
) -> None:
    proxy_settings = RateSettings(trusted_proxies="127.0.0.0/8")  # type: ignore[arg-type]
    rules = limits(Rates(subject="1/minute"), settings=proxy_settings, by_address=True)

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        status_codes = [
            (
                await client.http.post(
                    "/mcp",
                    json=message("get"),
                    headers=[("X-Forwarded-For", made_up), ("X-Forwarded-For", "203.0.113.5")],
                )
            ).status_code
            for made_up in ("198.51.100.1", "198.51.100.2")
        ]

    assert status_codes == [200, 429]


async def test_nobody_on_this_machine_is_believed_either(upstream: WireUpstream) -> None:
    settings = CanarySettings(upstream=upstream.url)
    rules = limits(Rates(subject="1/minute"), by_address=True)
    identity = ServerInfo("canary", "Canary", "1.0.0")
    serves, sock = asyncio.Event(), socket.create_server(("127.0.0.1", 0))
    server = DrainingServer(create_app(identity, [TOOL], [], settings, Hooks(), rules), serves.set)

    running = asyncio.create_task(server.serve([sock]))
    await serves.wait()
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    async with httpx2.AsyncClient(base_url=url, timeout=120) as http:
        client = Client(http)
        status_codes = [
            (await client.post(message("get"), X_Forwarded_For=made_up)).status_code
            for made_up in ("198.51.100.1", "198.51.100.2")
        ]
    server.should_exit = True
    await running

    assert status_codes == [200, 429]


async def test_a_hook_that_calls_its_tool_twice_is_one_call(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def call_twice(call: Call) -> Result:
        await call.upstream()
        return await call.upstream()

    hooks = Hooks({"get": call_twice})
    rules = limits(Rates(all="2/minute"))
    async with serving(TOOL, upstream=upstream.url, rules=rules, hooks=hooks) as client:
        assert await statuses(client, 3) == [200, 200, 429]


async def test_windows_that_have_ended_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(CLOCK, lambda: clock[0])
    windows = SlidingWindows()

    for number in range(1000):
        clock[0] += 1
        await windows.take(parse("3/10 seconds"), f"subject {number}")

    assert len(windows) <= 12


async def test_no_more_windows_are_kept_than_there_may_be() -> None:
    windows = SlidingWindows(max_keys=5)

    for number in range(100):
        await windows.take(parse("3/hour"), f"subject {number}")

    assert len(windows) == 5


async def test_a_window_slides(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(CLOCK, lambda: clock[0])
    windows = SlidingWindows()

    async def is_allowed_at(moment: float) -> bool:
        clock[0] = moment
        return not await windows.take(parse("2/10 seconds"), "key")

    assert [await is_allowed_at(moment) for moment in (1000, 1009, 1009.5)] == [True, True, False]
    assert [await is_allowed_at(moment) for moment in (1010.5, 1011, 1018.9, 1019.5)] == [
        True,
        False,
        False,
        True,
    ]


async def test_after_a_pause_as_many_calls_are_counted_as_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(CLOCK, lambda: clock[0])
    windows = SlidingWindows()

    async def round_of(*keys: str) -> list[bool]:
        clock[0] += 100
        rate = parse("2/10 seconds")
        return [not await windows.take(rate, key) for _ in range(3) for key in keys]

    assert [await round_of("one") for _ in range(2)] == [[True, True, False]] * 2
    assert [await round_of("one", "two") for _ in range(2)] == [[True] * 4 + [False] * 2] * 2


async def test_a_wall_clock_that_is_set_neither_opens_nor_locks_a_window(
    serving: Serving, upstream: WireUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()

    async with serving(TOOL, upstream=upstream.url, rules=limits(Rates(all="1/minute"))) as client:
        first_codes = await statuses(client, 1)
        monkeypatch.setattr("time.time", lambda: now + 3600)
        codes_with_clock_ahead = await statuses(client, 1)
        monkeypatch.setattr("time.time", lambda: now - 3600)
        response_with_clock_behind = await client.post(message("get"))

    assert (first_codes, codes_with_clock_ahead, response_with_clock_behind.status_code) == (
        [200],
        [429],
        429,
    )
    assert 1 <= int(response_with_clock_behind.headers["retry-after"]) <= 60
