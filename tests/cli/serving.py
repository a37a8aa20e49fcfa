"""Runs `mcpgen serve` in a process and talks to the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

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

    process: subprocess.Popen[str]
    url: str
    announcement: str
    errors: IO[str]

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of an MCP request."""
        content = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        sent = urllib.request.Request(self.url, json.dumps(content).encode(), HEADERS)
        with urllib.request.urlopen(sent, timeout=30) as response:
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
        code = self.process.wait(30)
        self.errors.seek(0)
        return code, self.errors.read()


@contextmanager
def serve(folder: Path, *arguments: str, **variables: str) -> Iterator[ServeProcess]:
    """Runs `mcpgen serve` in `folder` at a free port."""
    command = (sys.executable, "-m", "mcpgen", "serve", *arguments, "--port", "0")
    with (
        (folder / "serve-errors.txt").open("w+", encoding="utf-8") as errors,
        subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            lines = []
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if line.startswith("Serving "):
                    break
            else:
                raise AssertionError((folder / "serve-errors.txt").read_text("utf-8"))
            url = lines[-1].rpartition(" at ")[2].strip()
            yield ServeProcess(process, url, "".join(lines), errors)
        finally:
            process.kill()
