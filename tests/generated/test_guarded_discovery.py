"""A server in discovery mode with authentication: callers find, read and call only permitted
tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.generated.run_module import OWN_TESTS, require_success, run, serve_project
from tests.runtime.auth_servers import entry

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"
CHOICES = """
[discovery]
mode = "on"

[authentication]
required = true

[authorization]
hide = true

[scopes]
create_alert = ["write:alerts"]

[confirm]
tools = ["create_alert"]

[roles]
get_tides = ["pilot"]

[limits.subject_tools]
list_harbours = "2/minute"
"""

Post = Callable[..., httpx2.Response]
"""Calls a tool with a key."""


KEYS = [
    entry("reader", "reader", scopes=["read"]),
    entry("pilot", "pilot", scopes=["read", "write:alerts"], roles=["pilot"]),
    entry("hasty", "hasty", scopes=["read"]),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project; the build has called every tool through the discovery tools."""
    folder = tmp_path_factory.mktemp("tides")
    (folder / "mcpgen.toml").write_text(CHOICES, encoding="utf-8")
    completed = run("mcpgen", "build", str(SPEC), "-o", ".", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder


@pytest.fixture(scope="module")
def post(project: Path) -> Iterator[Post]:
    """Sends calls to the project's server, without an API behind the server."""
    variables = {"TIDES_CALLER_KEYS": json.dumps(KEYS), "TIDES_API_KEY": "secret"}
    with serve_project("tides_mcp", project, "http://127.0.0.1:9", **variables) as url:

        def send_call(key: str, tool: str, **arguments: Any) -> httpx2.Response:
            params = {"name": tool, "arguments": arguments}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            accept = "application/json"
            headers = {"Authorization": f"Bearer {key}", "Accept": accept}
            return httpx2.post(url, json=message, headers=headers, timeout=120)

        yield send_call


def text(response: httpx2.Response) -> str:
    """Returns the text of the result."""
    return str(response.json()["result"]["content"][0]["text"])


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_projects_own_tests_pass(project: Path) -> None:
    require_success(project, OWN_TESTS)


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
@pytest.mark.parametrize(
    ("query", "secret"), [("create an alert", "create_alert"), ("tides of a day", "get_tides")]
)
def test_a_search_shows_what_its_caller_may_call(post: Post, query: str, secret: str) -> None:
    reader = text(post("reader", "search_tools", query=query))
    pilot = text(post("pilot", "search_tools", query=query))

    assert secret not in reader
    assert secret in pilot.splitlines()[1]


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
@pytest.mark.parametrize("secret", ["create_alert", "get_tides"])
def test_a_tool_that_its_caller_may_not_find_is_described_like_none(
    post: Post, secret: str
) -> None:
    hidden_text = text(post("reader", "describe_tool", name=secret))
    absent_text = text(post("reader", "describe_tool", name="no_such"))

    assert hidden_text.startswith(f"There is no tool `{secret}`")
    assert absent_text.startswith("There is no tool `no_such`")
    assert f"- {secret}" not in hidden_text
    assert json.loads(text(post("pilot", "describe_tool", name=secret)))["name"] == secret


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_a_call_without_its_scope_is_denied_through_a_caller_as_it_is_directly(post: Post) -> None:
    arguments = {"harbour": "gullhaven", "metres": 3.5, "notify": "{}"}

    indirect_response = post(
        "reader", "call_write_tool", name="create_alert", arguments=json.dumps(arguments)
    )
    direct_response = post("reader", "create_alert", **arguments)

    assert indirect_response.json() == direct_response.json()
    envelope = json.loads(text(indirect_response))
    assert (envelope["outcome"], envelope["required"]) == ("denied", "write:alerts")


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_a_call_without_its_role_is_that_of_a_tool_that_does_not_exist(post: Post) -> None:
    value = json.dumps({"harbour": "gullhaven", "date": "2026-03-21"})

    secret = text(post("reader", "call_read_tool", name="get_tides", arguments=value))
    absent_text = text(post("reader", "call_read_tool", name="get_tidez", arguments=value))

    assert secret.replace("get_tides", "get_tidez") == absent_text


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_calls_through_a_caller_count_for_the_rate_of_the_tool_that_is_meant(post: Post) -> None:
    statuses = [
        post("hasty", "call_read_tool", name="list_harbours").status_code,
        post("hasty", "list_harbours").status_code,
        post("hasty", "call_read_tool", name="list_harbours", arguments="{}").status_code,
        post("hasty", "search_tools", query="harbours").status_code,
    ]

    assert statuses == [200, 200, 429, 200]
