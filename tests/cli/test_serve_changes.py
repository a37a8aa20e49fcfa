"""`mcpgen serve --watch`: changes are served without a restart, whole or not at all."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcp.client.client import Client
from tests.cli.serving import HOOKS, ServeProcess, serve
from typer.testing import CliRunner

from mcpgen.cli.app import app

TIDES = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"
ADDED = """  /tides/{day}:
    get:
      operationId: getDay
      summary: Get the tides of all harbours on a day.
      parameters:
        - {name: day, in: path, required: true, schema: {type: string}}
      responses:
        "200":
          description: The tides.
          content:
            application/json:
              schema: {type: object, properties: {day: {type: string}}}
"""


@pytest.fixture(name="document")
def document_fixture(tmp_path: Path) -> Path:
    """A copy of the description of tides."""
    path = tmp_path / "openapi.yaml"
    shutil.copy(TIDES, path)
    return path


@pytest.fixture(name="watching")
def watching_fixture(document: Path) -> Iterator[ServeProcess]:
    """`mcpgen serve --watch --mock` of the copy."""
    with serve(document.parent, document.name, "--mock", "--watch") as process:
        yield process


def errors_of(process: ServeProcess) -> str:
    """The text on standard error so far."""
    process.errors.seek(0)
    return process.errors.read()


def wait_for(condition: Callable[[], bool]) -> None:
    """Waits at most a minute. Raises AssertionError if the condition stays false."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def add_operation(document: Path) -> None:
    """Adds an operation to the description."""
    text = document.read_text("utf-8")
    document.write_text(text.replace("paths:\n", f"paths:\n{ADDED}", 1), "utf-8")


def remove_operation(document: Path) -> None:
    """Hides an operation of the description."""
    text = document.read_text("utf-8")
    changed_text = re.sub(
        r"( +)operationId: createAlert\n", r"\g<0>\1x-mcp: {hidden: true}\n", text
    )
    assert changed_text != text
    document.write_text(changed_text, "utf-8")


def test_added_operation_is_served_and_listening_clients_are_notified(
    document: Path, watching: ServeProcess
) -> None:
    async def listen() -> tuple[str, int | None]:
        async with (
            Client(watching.url) as client,
            client.listen(tools_list_changed=True) as events,
        ):
            lifetime = (await client.list_tools()).ttl_ms
            add_operation(document)
            event = await asyncio.wait_for(anext(aiter(events)), 60)
        return type(event).__name__, lifetime

    event, lifetime = asyncio.run(listen())

    assert (event, lifetime) == ("ToolsListChanged", 0)
    assert watching.tools() == ["get_day", "list_harbours", "get_tides", "create_alert"]
    assert watching.call("list_harbours")["isError"] is False
    assert watching.call("get_day", day="today")["isError"] is False


def test_breaking_change_is_refused(document: Path, watching: ServeProcess) -> None:
    remove_operation(document)
    wait_for(lambda: "not served: 1 breaking change" in errors_of(watching))

    tools = watching.tools()

    assert tools == ["list_harbours", "get_tides", "create_alert"]


def test_breaking_change_is_served_if_allowed(document: Path) -> None:
    with serve(document.parent, document.name, "--mock", "--watch", "--allow-breaking") as process:
        remove_operation(document)
        wait_for(lambda: len(process.tools()) == 2)

        assert process.tools() == ["list_harbours", "get_tides"]


def test_broken_description_leaves_the_server_as_it_was(
    document: Path, watching: ServeProcess
) -> None:
    document.write_text("openapi: [", "utf-8")
    wait_for(lambda: "not served" in errors_of(watching))

    tools_while_broken = watching.tools()
    shutil.copy(TIDES, document)
    add_operation(document)
    wait_for(lambda: len(watching.tools()) == 4)

    assert tools_while_broken == ["list_harbours", "get_tides", "create_alert"]


def test_changed_configuration_is_served(document: Path, watching: ServeProcess) -> None:
    text = '[tools."listHarbours"]\ntitle = "All harbours"\n'
    (document.parent / "mcpgen.toml").write_text(text, "utf-8")

    wait_for(lambda: watching.request("tools/list")["tools"][0].get("title") == "All harbours")


def test_changed_hooks_run(document: Path) -> None:
    folder = document.parent
    result = CliRunner().invoke(
        app, ["build", str(document), "-o", str(folder / "tides"), "--no-verify"]
    )
    hooks = folder / "tides" / "tides_mcp" / "hooks.py"

    with serve(folder, "tides", "--mock", "--watch") as process:
        before = process.call("list_harbours")["content"][0]["text"]
        hooks.write_text(HOOKS, encoding="utf-8")
        wait_for(lambda: process.call("list_harbours")["content"][0]["text"] != before)
        after = process.call("list_harbours")["content"][0]["text"]

    assert result.exit_code == 0, result.output
    assert json.loads(after) == {"hooked": True}
