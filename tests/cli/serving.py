"""Runs `mcpgen serve` in a process and talks to the server."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.forkserver.servers import ForkedProcess

HOOKS = '''"""Marks the harbours."""

from tides_mcp.runtime.hooks import Call, Hooks, Result


async def list_harbours(call: Call) -> Result:
    """The answer of the hook."""
    return Result.json({"hooked": True})


HOOKS = Hooks(tools={"list_harbours": list_harbours})
'''
"""The text of `hooks.py` of the project of tides, with a hook."""

HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


@dataclass(frozen=True)
class ServeProcess:
    """A running `mcpgen serve`: the endpoint, the announcement on standard output, and standard error."""

    process: ForkedProcess
    url: str
    announcement: str
    errors: IO[str]

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of an MCP request."""
        content = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        request = urllib.request.Request(self.url, json.dumps(content).encode(), HEADERS)
        with urllib.request.urlopen(request, timeout=60) as response:
            result: dict[str, Any] = json.load(response)["result"]
        return result

    def tools(self) -> list[str]:
        """The names of the listed tools."""
        return [tool["name"] for tool in self.request("tools/list")["tools"]]

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call."""
        return self.request("tools/call", name=name, arguments=arguments)

    def stop(self) -> tuple[int, str]:
        """Ends the process with SIGTERM. Returns the exit code and the text on standard error."""
        self.process.terminate()
        code = self.process.wait(60)
        self.errors.seek(0)
        return code, self.errors.read()


@contextmanager
def serve(folder: Path, *arguments: str, **variables: str) -> Iterator[ServeProcess]:
    """Runs `mcpgen serve` in `folder` at a free port, in a fork."""
    path = folder / "serve-errors.txt"
    with (
        path.open("w+", encoding="utf-8") as errors,
        ForkedProcess(
            folder,
            *("mcpgen", "serve", *arguments, "--port", "0"),
            environment=os.environ | variables,
            errors=path,
        ) as process,
    ):
        try:
            lines = []
            for line in map(bytes.decode, process.stdout):
                lines.append(line)
                if line.startswith("Serving "):
                    break
            else:
                raise AssertionError(path.read_text("utf-8"))
            url = lines[-1].rpartition(" at ")[2].strip()
            yield ServeProcess(process, url, "".join(lines), errors)
        finally:
            # Unlike SIGKILL, SIGTERM lets the server delete its temporary folder.
            process.terminate()
            try:
                process.wait(60)
            finally:
                process.kill()
