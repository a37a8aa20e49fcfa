"""Receivers of the credentials that a host sends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.examples.local_api import LocalApi, issuer_app, running
from tests.examples.pressroom.conftest import PUBLIC, PressroomLauncher, editing
from tests.examples.pressroom.host import APPLICATION, ChatHost
from tests.examples.project_process import GENERATED, PATIENCE, ServerEndpoint
from tests.runtime.auth_servers import entry
from tests.runtime.issuer import JwtIssuer, elliptic

CALL = {"name": "list_pages", "arguments": {}}
EVERYTHING = (("list_pages", ""), ("get_page", "moved"), ("get_page", "none"), ("get_page", "a b"))
"""Calls that go well, that lead elsewhere, that the API refuses, and that are none; each with a page."""


def test_the_api_gets_the_token_and_the_application_byte_for_byte(
    press: PressroomLauncher, editor: ServerEndpoint, token: str
) -> None:
    ChatHost(editor).call("list_pages")

    headers = press.api.last.headers
    assert headers["authorization"] == f"Bearer {token}"
    assert headers["x-api-key"] == APPLICATION
    assert str(press.api.last).count(token) == 1


def test_nobody_else_gets_them(
    press: PressroomLauncher, third_party: LocalApi, token: str, tmp_path: Path
) -> None:
    events = tmp_path / "audit.jsonl"
    secret = "application-secret-4711"
    with press.server(audit_file=str(events)) as front:
        host = ChatHost(editing(front, token, secret))
        pages = [(tool, {"page": page} if page else {}) for tool, page in EVERYTHING]
        results = [host.open(), *(host.call(tool, **arguments) for tool, arguments in pages)]

    text = "".join([*front.output, *front.log, events.read_text("utf-8"), str(results)])
    requests_text = f"{press.login.requests}{third_party.requests}"
    for output in (token, secret):
        assert output not in text
        assert output not in requests_text
    assert len(events.read_text("utf-8").splitlines()) == len(EVERYTHING)
    assert press.login.requests


def test_a_redirect_to_somebody_else_is_not_followed(
    third_party: LocalApi, editor: ServerEndpoint
) -> None:
    result = ChatHost(editor).call("get_page", page="moved")

    assert result["isError"] is True
    assert third_party.requests == []


def test_each_user_is_who_they_are(press: PressroomLauncher, desk: ServerEndpoint) -> None:
    tokens = [press.token(sub=name) for name in ("ada", "bob")]

    for token in (*tokens, *tokens):
        editing(desk, token).call_json("list_pages")

    authorizations = [request.headers["authorization"] for request in press.api.requests[-4:]]
    assert authorizations == [f"Bearer {token}" for token in (*tokens, *tokens)]


def test_headers_that_a_host_adds_go_no_further(
    press: PressroomLauncher, editor: ServerEndpoint
) -> None:
    editor.showing(X_My_Api_Key="mine", Cookie="session=mine").call_json("list_pages")

    assert "mine" not in str(press.api.last)


def test_a_user_without_an_application_is_let_in_too(
    press: PressroomLauncher, token: str, desk: ServerEndpoint
) -> None:
    desk.showing(Authorization=f"Bearer {token}").call_json("list_pages")

    assert "x-api-key" not in press.api.last.headers


def test_an_application_alone_opens_nothing(press: PressroomLauncher, desk: ServerEndpoint) -> None:
    before = len(press.api.requests)

    response = desk.showing(x_api_key=APPLICATION).post("tools/call", **CALL)

    assert response.status_code == 401
    assert len(press.api.requests) == before


@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call"])
def test_whoever_shows_nothing_is_refused(desk: ServerEndpoint, method: str) -> None:
    response = desk.post(method, **CALL)

    assert response.status_code == 401
    assert f"{PUBLIC}/.well-known/" in response.headers["www-authenticate"]


@pytest.mark.parametrize("wrong", ["expired", "audience", "issuer", "key", "unsigned", "garbage"])
def test_a_token_that_is_not_good_goes_nowhere(
    press: PressroomLauncher, desk: ServerEndpoint, wrong: str
) -> None:
    tokens = {
        "expired": press.token(exp=1),
        "audience": press.token(aud="https://elsewhere.example"),
        "issuer": press.token(iss="https://elsewhere.example"),
        "key": PressroomLauncher(press.api, press.login, JwtIssuer()).token(),
        "unsigned": ".".join([*press.token().split(".")[:2], ""]),
        "garbage": "not-a-token",
    }
    before = len(press.api.requests)

    response = editing(desk, tokens[wrong]).post("tools/call", **CALL)

    assert response.status_code == 401
    assert response.json()["error"]["data"]["error"] == "invalid_token"
    assert len(press.api.requests) == before


def test_a_good_token_is_no_license(press: PressroomLauncher, desk: ServerEndpoint) -> None:
    reader = editing(desk, press.token(scope="pages:read"))
    before = len(press.api.requests)

    denial = reader.refused("save_page", page="opening", title="Mine", text="Now.")

    assert (denial["code"], denial["required"]) == ("scope_required", "pages:write")
    assert len(press.api.requests) == before
    assert reader.call_json("list_pages")


def test_nobody_is_let_in_while_the_issuer_is_away(press: PressroomLauncher, token: str) -> None:
    with press.server(caller_jwks_url="http://127.0.0.1:9/keys") as front:
        before = len(press.api.requests)

        response = editing(front, token).post("tools/call", **CALL)

    assert response.status_code == 503
    assert len(press.api.requests) == before


@pytest.mark.repeated("tests/runtime/test_authentication.py holds the change of keys")
def test_no_call_fails_while_the_issuer_changes_its_keys(press: PressroomLauncher) -> None:
    issuer = JwtIssuer()
    with (
        running(issuer_app(issuer)) as login,
        press.server(workers="2", caller_jwks_url=f"{login.url}/keys") as front,
    ):
        rotating = PressroomLauncher(press.api, login, issuer)

        def status(number: int) -> int:
            if number in (20, 40):
                issuer.keys.append(elliptic(f"key-{number}"))
            token = rotating.token(sub=f"editor-{number}")
            return editing(front, token).post("tools/call", **CALL).status_code

        with ThreadPoolExecutor(4) as callers:
            statuses = list(callers.map(status, range(60)))

    assert statuses == [200] * 60
    assert len(login.requests) > 2


def test_a_key_of_the_server_opens_the_server_and_not_the_api(press: PressroomLauncher) -> None:
    key = "sk_of_an_agent_0123456789abcdef"
    with press.server(caller_keys=json.dumps([entry(key, "agent", scopes=["pages"])])) as front:
        before = len(press.api.requests)
        agent = editing(front, key, application="")

        assert "list_pages" in agent.tools()
        result = agent.call("list_pages")

    assert "showed no credential that could be handed on" in result["content"][0]["text"]
    assert len(press.api.requests) == before


LIST = "*.press.example, only.example"

TRUSTED = (
    "https://press.example",
    "https://api.press.example/v1",
    "https://deep.api.press.example",
    "https://API.Press.EXAMPLE/v1",
    "https://only.example:8443",
)
OTHERS = (
    "https://api.only.example",
    "https://xpress.example",
    "https://press.example.attacker.example",
    "https://press.example%2eattacker.example",
    "https://press.example\\.attacker.example",
    "https://press.example:99999",
    "http://api.press.example",
    "https://127.0.0.1",
)
UNREADABLE = ("https://[press.example", "https://attacker.example@press.example", "press.example")

ACCEPTED = """
import json
import sys
from pressroom_mcp.server import create
from pressroom_mcp.settings import Settings

for url in json.load(sys.stdin):
    try:
        create(Settings(upstream=url))
    except ValueError:
        continue
    print(url)
"""
"""Prints those of some addresses of the API with which the server can be made."""


def test_a_domain_stands_for_all_below_it_and_a_name_for_itself() -> None:
    completed = subprocess.run(
        (sys.executable, "-c", ACCEPTED),
        input=json.dumps([*OTHERS, *UNREADABLE, *TRUSTED]),
        **_surroundings(PRESSROOM_TRUSTED_HOSTS=LIST),
    )

    assert completed.stderr == ""
    assert completed.stdout.splitlines() == list(TRUSTED)


@pytest.mark.parametrize("api", ["https://attacker.example", "https://[api.pressroom.example"])
def test_it_does_not_start_before_an_api_that_is_not_trusted(api: str) -> None:
    command = (sys.executable, "-m", "pressroom_mcp", "--port", "0", "--upstream", api)

    completed = subprocess.run(command, **_surroundings())

    assert completed.returncode == 2
    assert completed.stdout == ""
    assert "PRESSROOM_UPSTREAM" in completed.stderr


def test_it_does_not_start_where_tokens_cannot_be_checked() -> None:
    command = (sys.executable, "-m", "pressroom_mcp", "--port", "0", "--host", "0.0.0.0")

    completed = subprocess.run(command, **_surroundings(PRESSROOM_PUBLIC_URL=""))

    assert completed.returncode == 2
    assert "set PRESSROOM_PUBLIC_URL" in completed.stderr


def _surroundings(**variables: str) -> dict[str, Any]:
    """Folder and environment of a server that must not start."""
    base_environment = {"PRESSROOM_PUBLIC_URL": PUBLIC, "PYTHONDONTWRITEBYTECODE": "1"}
    return {
        "cwd": GENERATED / "pressroom",
        "env": os.environ | base_environment | variables,
        "capture_output": True,
        "text": True,
        "timeout": PATIENCE,
    }
