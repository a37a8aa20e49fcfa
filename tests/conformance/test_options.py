"""Options: callable tools, selected checks, enforced levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from base_server import ConformingServer, ReceivedRequest, Reply, serving, tool
from tests.time_limits import ends_within

from mcpgen.conformance import CallableTools, CheckOptions, CheckStatus, Level, check


class Shop(ConformingServer):
    """A server with a read-only and a destructive tool."""

    def __init__(self) -> None:
        super().__init__()
        destructive = {"readOnlyHint": False, "destructiveHint": True}
        self.tools = [tool("look", {}, []), tool("burn", {}, [], annotations=destructive)]


class RequiresToken(ConformingServer):
    """A server that requires a token."""

    def guard(self, request: ReceivedRequest) -> Reply | None:
        is_authorized = request.headers.get("authorization") == "Bearer t0ken"
        refusal = Reply(401, headers={"WWW-Authenticate": "Bearer"})
        return super().guard(request) or (None if is_authorized else refusal)


class LegacyOnly(ConformingServer):
    """A server of the year 2025."""

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if request.headers.get("mcp-protocol-version") == "2026-07-28":
            return Reply(400)
        return super().single(request, message)


class WithoutTools(ConformingServer):
    """A server without capabilities."""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().initialize(params) | {"capabilities": {}}

    def discover(self) -> dict[str, Any]:
        return super().discover() | {"capabilities": {}}

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        return self.unknown_method("tools/list")


def statuses(server: ConformingServer, options: CheckOptions) -> Mapping[str, set[CheckStatus]]:
    """The statuses of every check on a server."""
    result: dict[str, set[CheckStatus]] = {}
    with serving(server) as url:
        for outcome in check(url, options).outcomes:
            result.setdefault(outcome.check.id, set()).add(outcome.status)
    return result


def test_safe_calls_only_tools_announced_read_only() -> None:
    shop = Shop()

    with serving(shop) as url:
        report = check(url, CheckOptions(call=CallableTools.SAFE))

    assert set(shop.called_tools) == {"look"}
    assert "1 of 2 tools were not called (calls: safe)" in report.notes


def test_bad_calls_are_mentioned_only_if_they_were_made() -> None:
    options = CheckOptions(call=CallableTools.ALL, bad_calls=1)
    other, bad = (
        replace(options, only=frozenset({id})) for id in ("speaks-mcp", "bad-arguments-refused")
    )

    with serving(Shop()) as url:
        notes = [check(url, choice).notes for choice in (other, bad)]

    sentence = "bad arguments were sent to the first 1 of 2 tools"
    assert [sentence in texts for texts in notes] == [False, True]


def test_call_none_omits_calls_and_their_checks() -> None:
    shop = Shop()

    result = statuses(shop, CheckOptions(call=CallableTools.NONE))

    assert shop.called_tools == []
    assert "tool-result-shape" not in result
    assert result["unknown-tool-error"] == {CheckStatus.PASSED}


def test_tool_in_never_call_is_not_called() -> None:
    shop = Shop()

    statuses(shop, CheckOptions(call=CallableTools.ALL, never_call=frozenset({"burn"})))

    assert set(shop.called_tools) == {"look"}


def test_headers_of_the_options_go_with_every_request() -> None:
    options = CheckOptions(headers={"Authorization": "Bearer t0ken"}, call=CallableTools.ALL)

    with serving(RequiresToken()) as url:
        with_token = check(url, options)
        report_without_token = check(url)

    assert not with_token.failed
    assert "it wants credentials" in report_without_token.outcomes[0].saw


def test_revision_that_is_not_spoken_is_not_applicable() -> None:
    result = statuses(LegacyOnly(), CheckOptions())

    assert result["discover-result-shape"] == {CheckStatus.NOT_APPLICABLE}
    assert result["initialize-result-shape"] == {CheckStatus.PASSED}


def test_revision_that_is_required_but_not_spoken_has_failed() -> None:
    result = statuses(LegacyOnly(), CheckOptions(require=("2026-07-28",)))

    assert CheckStatus.FAILED in result["speaks-mcp"]
    assert result["discover-result-shape"] == {CheckStatus.BLOCKED}


def test_checks_of_tools_are_not_applicable_without_the_capability() -> None:
    result = statuses(WithoutTools(), CheckOptions(call=CallableTools.ALL))

    assert result["tools-list-shape"] == {CheckStatus.NOT_APPLICABLE}
    assert result["ping-answers"] == {CheckStatus.PASSED}


def test_host_level_warns_unless_it_is_enforced() -> None:
    server = Shop()
    server.tools[0]["annotations"] = {}

    default_statuses = statuses(server, CheckOptions())["universal-annotations"]
    enforced_statuses = statuses(server, CheckOptions(enforce=frozenset(Level)))[
        "universal-annotations"
    ]

    assert default_statuses == {CheckStatus.WARNING}
    assert enforced_statuses == {CheckStatus.FAILED}


def test_only_and_skip_select_checks() -> None:
    only_statuses = statuses(
        ConformingServer(), CheckOptions(only=frozenset({"ping-answers", "tool-name-legal"}))
    )
    statuses_without_ping = statuses(
        ConformingServer(), CheckOptions(skip=frozenset({"ping-answers"}))
    )

    assert set(only_statuses) == {"ping-answers", "tool-name-legal"}
    assert "ping-answers" not in statuses_without_ping
    assert "tool-name-legal" in statuses_without_ping


def test_vouched_tool_that_is_not_announced_fails() -> None:
    options = CheckOptions(call=CallableTools.ALL, arguments={"no_such": ({},)})

    assert statuses(ConformingServer(), options)["vouched-call-succeeds"] == {CheckStatus.FAILED}


def test_tool_name_outside_ascii_is_sent_encoded() -> None:
    server = ConformingServer()
    server.tools.append(tool("größe", {}, []))

    statuses(server, CheckOptions(call=CallableTools.ALL))

    assert "größe" in server.called_tools


@pytest.mark.repeated("repeats the calls of all tools with more tools")
def test_twelve_hundred_tools_are_all_called() -> None:
    server = ConformingServer()
    server.tools = [tool(f"tool_{number}", {}, []) for number in range(1_200)]

    with serving(server) as url, ends_within(150):
        report = check(url, CheckOptions(call=CallableTools.ALL))

    assert not report.failed
    assert len(set(server.called_tools)) == 1_200
