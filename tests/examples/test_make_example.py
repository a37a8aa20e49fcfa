"""`make example NAME=…` starts the API of an example and the generated server."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from docs.examples.__main__ import EXAMPLES, ROOT, main
from tests.examples.project_process import PATIENCE
from tests.thorough import keep

AFTER_RESTART: dict[str, tuple[str, dict[str, Any], str]] = {
    "agent-registry": ("discover_agents", {"name": "weather", "live": True}, '"isLive":true'),
    "launchpad": (
        "admin_deploy_worker",
        {"name": "greeter", "script": "export default {}"},
        '"version":2',
    ),
    "pressroom": ("get_page", {"page": "spring-fair"}, '"text":"Comeandsee."'),
    "reading-room": ("list_knowledge_bases", {}, '"name":"Pilotnotes"'),
}
"""For each example: a call after a restart, and a part of its result that the call to try has stored."""


@pytest.mark.parametrize(
    "name", keep(EXAMPLES, {"launchpad"}, "repeats the proof with other examples")
)
def test_an_example_keeps_its_state_over_a_restart(name: str, tmp_path: Path) -> None:
    tool, arguments, expected_text = AFTER_RESTART[name]

    with run_example(name, tmp_path) as first:
        result = post(first)
    with run_example(name, tmp_path) as second:
        after = post(second, tool, arguments)

    assert not result["isError"], result
    assert not after["isError"], after
    assert expected_text in after["content"][0]["text"].replace(" ", "")
    for line in (first, second):
        with pytest.raises(httpx2.ConnectError):
            post(line)


def test_without_a_name_the_names_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["example"])

    code = main()

    names = capsys.readouterr().out.splitlines()
    assert (code, names) == (0, [f"make example NAME={name}" for name in sorted(EXAMPLES)])


def test_a_port_in_use_is_an_error_that_names_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        command = ["example", "pressroom", "--port", port, "--folder", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", command)

        code = main()

    assert code == 1
    assert "pressroom cannot start" in capsys.readouterr().err


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_runs_the_command() -> None:
    command = [
        "make",
        "--no-print-directory",
        "--dry-run",
        "example",
        "NAME=launchpad",
        "PORT=8001",
    ]

    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert output.rstrip().endswith("/python -m docs.examples launchpad --port 8001")


@contextmanager
def run_example(name: str, folder: Path) -> Iterator[str]:
    """The example call that the program prints; ends the example by SIGINT."""
    command = [sys.executable, "-m", "docs.examples", name, "--port", "0", "--folder", str(folder)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout
        call = ""
        try:
            for line in process.stdout:
                call = line if line.lstrip().startswith("curl ") else call
                if line.startswith("Ctrl-C"):
                    break
            yield call
        finally:
            # A terminal sends SIGINT to all processes of the command, which are a group here.
            os.killpg(process.pid, signal.SIGINT)
            message, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert message.endswith("Everything has stopped.\n")


def post(line: str, tool: str = "", arguments: dict[str, Any] | None = None) -> Any:
    """The result of the printed call, or of another tool with the same URL and headers."""
    _, _, url, *options = shlex.split(line)
    values = list(zip(options[::2], options[1::2], strict=True))
    headers = dict(value.split(": ", 1) for option, value in values if option == "-H")
    message = json.loads(dict(values)["-d"])
    if tool:
        message["params"] = {"name": tool, "arguments": arguments}
    response = httpx2.post(url, headers=headers, json=message, timeout=PATIENCE, verify=False)
    assert response.status_code == 200, response.text
    return response.json()["result"]
