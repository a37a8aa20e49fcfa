"""Parts of the smoke test, each alone: environment, hooks, the built-in API."""

from __future__ import annotations

import http.client
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from test_smoke_test import AT, SETTINGS, pet_server

from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.conformance import TABLE, CheckOptions, CheckOutcome, CheckStatus, Report
from mcpgen.conformance.calls import ToolCall
from mcpgen.conformance.checks.run_checks import STARTS
from mcpgen.conformance.checks.tool_calls import RULES
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes.config import MANY_TOOLS
from mcpgen.ir.api import ApiSecurityScheme, SchemeKind
from mcpgen.ir.policy import Policy
from mcpgen.pipeline.write_project import report_outcomes
from mcpgen.smoke_test.environment import auth_environment, child_environment, satisfiable
from mcpgen.smoke_test.inspect_project import HookKey, ProjectInfo, hook_keys, read_settings
from mcpgen.smoke_test.stub_upstream import run_stub, upstream_of


def request_status(
    url: str, method: str, path: str, body: bytes | None = None, **headers: str
) -> int:
    """Returns the status of the API's response."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    connection.request(method, urlsplit(url).path + path, body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_secrets_that_the_settings_declare_are_invented(tmp_path: Path) -> None:
    path = tmp_path / "settings.py"
    path.write_text(SETTINGS)

    project_info = read_settings(path)
    result = child_environment(pet_server(), project_info, "http://127.0.0.1:1/v1", 8123)

    own_variables = {name for name in result if name.startswith("PETSTORE_")}
    assert project_info == ProjectInfo("PETSTORE_", ("api_key", "oauth_client_id"))
    extra_names = {"ENABLED", "LIMITS", "LIMIT_STORE", "METRICS_PORT", "PUBLIC_URL", "REGISTERS"}
    names = {"HOST", "PORT", "UPSTREAM", "API_KEY"} | extra_names
    assert own_variables == {f"PETSTORE_{name}" for name in names}
    assert result["PYTHONDONTWRITEBYTECODE"] == "1"


@pytest.mark.parametrize(
    ("authentication", "variable_names"),
    [
        (AuthenticationConfig(), set()),
        (AuthenticationConfig(issuer="https://id.example"), {"CALLER_JWKS_URL"}),
        (AuthenticationConfig(jwks_url="https://id.example/keys"), {"CALLER_JWKS_URL"}),
    ],
)
def test_an_issuer_that_is_named_alone_has_keys_in_a_trial(
    authentication: AuthenticationConfig, variable_names: set[str]
) -> None:
    server = replace(pet_server(), policy=Policy(authentication=authentication))

    assert (
        auth_environment(server, "http://127.0.0.1:1").keys() - {"ENABLED", "CALLER_KEYS"}
        == variable_names
    )


def test_settings_that_cannot_be_read_leave_the_prefix_of_the_slug(tmp_path: Path) -> None:
    server = replace(pet_server(), slug="pet-store")

    result = child_environment(server, read_settings(tmp_path / "settings.py"), "http://x", 1)

    assert result["PET_STORE_UPSTREAM"] == "http://x"


def test_certificates_cannot_be_invented() -> None:
    login = ApiSecurityScheme("login", SchemeKind.BASIC, AT)
    certificate = ApiSecurityScheme("cert", SchemeKind.MUTUAL_TLS, AT)
    server = replace(pet_server(), security_schemes=(login, certificate))

    assert satisfiable(server, ())
    assert satisfiable(server, ((),))
    assert satisfiable(server, (("cert",), ("login",)))
    assert not satisfiable(server, (("cert", "login"),))


def test_real_credentials_of_the_user_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETSTORE_API_KEY", "real")
    monkeypatch.setenv("PETSTORE_OTHER", "real")

    result = child_environment(pet_server(), ProjectInfo("PETSTORE_"), "http://127.0.0.1:1", 1)

    assert "real" not in result.values()


def test_keys_of_hooks_are_read_without_running_the_file(tmp_path: Path) -> None:
    hooks = tmp_path / "hooks.py"
    hooks.write_text(
        'raise SystemExit\nüü, HOOKS = 1, Hooks(tools={"no": f})\n'
        'HOOKS: Hooks = Hooks(client=x, tools={"a": f, **more, "ü": g, key: h, "b": g})\n'
    )

    result = hook_keys(hooks)

    assert result == (HookKey("a", 3, 39), HookKey("ü", 3, 55), HookKey("b", 3, 71))
    assert hook_keys(tmp_path / "missing.py") == ()


def test_the_place_of_a_hook_counts_the_lines_as_python_does(tmp_path: Path) -> None:
    hooks = tmp_path / "hooks.py"
    hooks.write_text('NOTE = "ü\u2028ü"\n\f\nHOOKS = Hooks(tools={"ü": f, "a": f})\n', "utf-8")

    assert hook_keys(hooks) == (HookKey("ü", 3, 22), HookKey("a", 3, 30))


@pytest.mark.parametrize(
    "text",
    [
        'HOOKS = Hooks({"a": f})',
        'HOOKS = replace(BASE, tools={"a": f})',
        'TOOLS: dict[str, Handler] = {"a": f}\nHOOKS = Hooks(tools=TOOLS)',
        'if LIVE:\n    HOOKS = Hooks(tools={"a": f})',
        'OTHER = Hooks(tools={"b": f})\nHOOKS = Hooks(tools={"a": f})',
    ],
)
def test_keys_of_hooks_are_found_however_they_are_passed(tmp_path: Path, text: str) -> None:
    hooks = tmp_path / "hooks.py"
    hooks.write_text(text)

    assert [key.name for key in hook_keys(hooks)] == ["a"]


def test_other_tables_are_no_hooks(tmp_path: Path) -> None:
    hooks = tmp_path / "hooks.py"
    hooks.write_text('from .mine import HOOKS\nCLIENT = connect(tools={"a": f})\n')

    assert hook_keys(hooks) == ()


def test_api_answers_scenarios_and_takes_down_what_came() -> None:
    server = pet_server()
    upstream, tool = upstream_of(server), server.tools[0]

    with run_stub(upstream) as url:
        assert request_status(url, "GET", "/pets/7?key=1") == 200
        assert request_status(url, "GET", "/pets/8") == 404
        assert request_status(url, "POST", "/pets", b"{}") == 204
        assert request_status(url, "GET", "/cats") == 404

    assert upstream.got(tool, "GET", "/pets/7")
    assert upstream.got(tool, "GET", "/pets/%37")
    assert not upstream.got(tool, "DELETE", "/pets/7")


def test_api_reads_chunked_bodies_and_keeps_the_connection() -> None:
    with run_stub(upstream_of(pet_server())) as url:
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        for _ in range(2):
            connection.request("POST", "/v1/pets", iter([b"ab", b"c"]), encode_chunked=True)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 204
        connection.close()


def test_the_last_lines_of_a_server_that_does_not_start_are_told_in_one_line() -> None:
    diagnostics = Diagnostics()
    saw_text = "it ended with code 1\nTypeError: no such argument (hooks.py, line 8)"
    report = Report("pets", (CheckOutcome(STARTS, CheckStatus.FAILED, "a server", saw_text),))

    report_outcomes(report, pet_server(), "pets", diagnostics)

    (diagnostic,) = diagnostics
    assert diagnostic.message == (
        "the built server did not start: "
        "it ended with code 1: TypeError: no such argument (hooks.py, line 8)"
    )


@pytest.mark.parametrize(("is_reported", "expected"), [(True, []), (False, ["MG703"])])
def test_too_many_tools_are_reported_once(is_reported: bool, expected: list[str]) -> None:
    diagnostics = Diagnostics()
    if is_reported:
        diagnostics.add(MANY_TOOLS, AT, count=41, limit=40, cuts="")
    check = TABLE["universal-tool-count"]
    report = Report(
        "pets", (CheckOutcome(check, CheckStatus.WARNING, "at most 40 tools", "41 tools"),)
    )

    report_outcomes(report, pet_server(), "pets", diagnostics)

    ids = [diagnostic.code.id for diagnostic in diagnostics if diagnostic.code is not MANY_TOOLS]
    assert ids == expected


def test_a_failed_call_is_told_with_tool_check_arguments_and_answer_in_words() -> None:
    diagnostics = Diagnostics()
    tool = {"name": "getPet", "inputSchema": {"type": "object"}}
    tool_result = {"isError": True, "content": [{"type": "text", "text": "no header `X Y` exists"}]}
    answer = {"jsonrpc": "2.0", "id": 7, "result": tool_result}
    exchange = HttpExchange(200, {"content-type": "application/json"}, b"{}", (answer,))
    arguments = {"id": 5, "note": "a" * 90, "x": True, "y": None, "z": [1]}
    visit: Any = SimpleNamespace(
        calls=[ToolCall(tool, arguments, 7, exchange, vouched=True)],
        options=CheckOptions(),
        tools=(tool,),
    )
    (rule,) = [rule for rule in RULES if rule.check.id == "vouched-call-succeeds"]
    (finding,) = rule.judge(visit)
    outcome = CheckOutcome(
        rule.check, CheckStatus.FAILED, finding.expected, finding.saw, finding.tool
    )

    report_outcomes(Report("pets", (outcome,)), pet_server(), "pets", diagnostics)

    (diagnostic,) = diagnostics
    assert diagnostic.message == (
        "the tool `getPet` fails the check `vouched-call-succeeds`: expected success with `id` 5, "
        f"`note` {'a' * 39}…, `x` true, `y` nothing and 1 more; "
        "saw HTTP 200, application/json, error result: no header `X Y` exists"
    )
