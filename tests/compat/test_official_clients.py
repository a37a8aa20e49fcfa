"""Versions 1 and 2 of the official client list and call the tools of a generated server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

pytestmark = pytest.mark.xdist_group("official-clients")

CLIENTS = Path(__file__).parent / "clients"
TOOLS = ["list_harbours", "get_tides", "create_alert"]
ARGUMENTS = {"harbour": "gullhaven", "date": "2026-03-21"}
REQUEST = ("GET", "/harbours/gullhaven/tides?date=2026-03-21", "a-key")


class Upstream(Protocol):
    """The requests of the upstream that the tests read."""

    requests: list[tuple[str, str, str | None]]


def conversation(*command: object) -> Any:
    """The JSON object that a client program prints."""
    completed = subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True, timeout=60
    )
    return json.loads(completed.stdout)


@pytest.mark.repeated("tests/clients calls the same servers with the official clients")
@pytest.mark.parametrize(
    ("mode", "protocol"),
    [
        ("legacy", "2025-11-25"),
        ("auto", "2026-07-28"),
        pytest.param(
            *("2026-07-28", "2026-07-28"),
            marks=pytest.mark.thorough("the client chooses this revision by itself, too"),
        ),
    ],
)
def test_version_2_of_the_client_calls_a_tool(
    mode: str, protocol: str, tides_url: str, tides_upstream: Upstream
) -> None:
    script = CLIENTS / "official_2.py"

    report = conversation(
        sys.executable, script, tides_url, mode, "get_tides", json.dumps(ARGUMENTS)
    )

    assert report["protocol"] == protocol
    assert report["tools"] == TOOLS
    assert json.loads(report["text"])[0]["kind"] == "low"
    assert tides_upstream.requests == [REQUEST]


@pytest.mark.repeated("tests/clients calls the same servers with the official clients")
def test_version_1_of_the_client_calls_a_tool(
    tides_url: str, tides_upstream: Upstream, older_python: Path
) -> None:
    script = CLIENTS / "official_1.py"

    report = conversation(older_python, script, tides_url, "get_tides", json.dumps(ARGUMENTS))

    assert report["server"] == "tides"
    assert report["tools"] == TOOLS
    assert json.loads(report["text"])[0]["kind"] == "low"
    assert tides_upstream.requests == [REQUEST]


@pytest.mark.repeated("tests/clients calls the same servers with the official clients")
def test_a_missing_argument_reaches_version_1_of_the_client_as_a_result(
    tides_url: str, tides_upstream: Upstream, older_python: Path
) -> None:
    script = CLIENTS / "official_1.py"

    report = conversation(older_python, script, tides_url, "get_tides", '{"harbour": "gullhaven"}')

    assert report["failed"]
    assert "date" in report["text"]
    assert tides_upstream.requests == []


@pytest.mark.repeated("tests/clients calls the same servers with the official clients")
def test_a_wrong_argument_reaches_version_2_of_the_client_as_a_result(
    tides_url: str, tides_upstream: Upstream
) -> None:
    script = CLIENTS / "official_2.py"
    arguments = json.dumps({**ARGUMENTS, "harbour": 7})

    report = conversation(sys.executable, script, tides_url, "auto", "get_tides", arguments)

    assert report["failed"]
    assert "harbour" in report["text"]
    assert tides_upstream.requests == []
