"""Starts a project of `generated/` and sends requests."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx2
from tests.forkserver.servers import start_server

GENERATED = Path(__file__).parents[2] / "generated"

FAST_PATH = "EXAMPLES_FAST_PATH"
"""The variable that tells whether the servers of examples have the fast path."""

PATIENCE = 120.0
"""Seconds until a server that should start, answer or end is given up."""


@dataclass(frozen=True)
class ServerEndpoint:
    """A running server at a path, with headers for every request. `output` and `log` are the lines so
    far."""

    origin: str
    path: str
    output: list[str] = field(repr=False)
    log: list[str] = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)

    def at(self, path: str) -> ServerEndpoint:
        """The same server at another path."""
        return replace(self, path=path)

    def showing(self, **headers: str) -> ServerEndpoint:
        """The same server with these headers; empty headers are removed, and `_` stands for `-`."""
        new_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return replace(self, headers={**self.headers, **new_headers})

    def request(self, method: str, path: str = "", **options: Any) -> httpx2.Response:
        """The response to one request, to `path` or the path of this object."""
        # Nothing here speaks TLS, and reading what certificates to trust takes longer than the rest.
        with httpx2.Client(base_url=self.origin, timeout=PATIENCE, verify=False) as client:
            request = client.build_request(method, path or self.path, **options)
            for name, value in self.headers.items():
                if value:
                    request.headers[name] = value
                else:
                    request.headers.pop(name, None)
            return client.send(request)

    def post(self, method: str, **params: Any) -> httpx2.Response:
        """The response to one message."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.request("POST", json=message)

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a method."""
        response = self.post(method, **params)
        assert response.status_code == 200, response.text
        return response.json()["result"]

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)
        return result

    def tools(self) -> dict[str, dict[str, Any]]:
        """Listed tools by name."""
        return {tool["name"]: tool for tool in self.ask("tools/list")["tools"]}

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        """The JSON in the only block of a successful result."""
        result = self.call(tool, **arguments)
        assert not result["isError"], result
        return only_json(result)

    def refused(self, tool: str, /, **arguments: Any) -> Any:
        """The JSON in the only block of an error result."""
        result = self.call(tool, **arguments)
        assert result["isError"], result
        return only_json(result)

    def events(self, subject: str, count: int) -> list[dict[str, Any]]:
        """Events about a caller in the output, as soon as there are `count`."""
        ends = time.monotonic() + PATIENCE
        while True:
            all_events = (json.loads(line) for line in self.output if line.startswith("{"))
            result = [event for event in all_events if event.get("subject") == subject]
            if len(result) >= count or time.monotonic() > ends:
                return result
            time.sleep(0.01)


def only_json(result: Mapping[str, Any]) -> Any:
    """The JSON in the only block of a result."""
    (block,) = result["content"]
    assert block["type"] == "text"
    return json.loads(block["text"])


@contextmanager
def serving(project: str, upstream: str, **settings: str) -> Iterator[ServerEndpoint]:
    """The server of a project before an API, with these settings as environment variables, on a free
    port unless the settings name a port."""
    fast_path = os.environ.get(FAST_PATH, "true")
    settings = {"port": "0", "upstream": upstream, "fast_path": fast_path, **settings}
    content = json.loads((GENERATED / project / "mcpgen.lock").read_text("utf-8"))
    prefix = project.upper().replace("-", "_")
    own_variables = {f"{prefix}_{name.upper()}": value for name, value in settings.items()}
    inherited_variables = {
        name: value for name, value in os.environ.items() if not name.startswith(prefix)
    }
    folder = GENERATED / project
    process, *streams = start_server(
        folder, content["package"], environment=inherited_variables | own_variables
    )
    output, log = map(_lines, streams)
    try:
        url = urlsplit(_address(process, output, log))
        yield ServerEndpoint(f"{url.scheme}://{url.netloc}", url.path, output, log)
    finally:
        process.terminate()
        process.join(PATIENCE)
        process.close()


def _address(process: BaseProcess, output: list[str], log: list[str]) -> str:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and process.is_alive():
        for line in output:
            if " at http" in line:
                return line.rpartition(" at ")[2].strip()
        time.sleep(0.01)
    raise AssertionError("\n".join(["the server did not start", *output, *log]))


def _lines(stream: IO[str]) -> list[str]:
    """A list that a thread fills with the lines of a stream."""
    lines: list[str] = []

    def read() -> None:
        with stream:
            lines.extend(stream)

    threading.Thread(target=read, daemon=True).start()
    return lines
