"""Server to start as a process. The tools: `slow` calls the API, `pid` returns the process id,
`ask` asks the user."""

from __future__ import annotations

import os
from contextlib import suppress
from multiprocessing import parent_process
from pathlib import Path

from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.cli import main
from mcpgen_runtime.tool import Hints, Route, Tool

HINTS = Hints(True, False, True)
TOOLS = (
    Tool("slow", "Slow", "", Route("GET", "/slow"), HINTS),
    Tool("pid", "Process", "", Route("GET", "/pid"), HINTS),
    Tool("ask", "Ask", "", Route("GET", "/ask"), HINTS),
)


async def pid(call: Call) -> Result:
    """Returns the id of the answering process."""
    return Result.text(str(os.getpid()))


async def ask(call: Call) -> Result:
    """Asks the user, and returns the answer with the id of the process that received the answer."""
    schema = {"type": "object", "properties": {"sure": {"type": "boolean"}}}
    reply = await call.elicit("Sure?", schema)
    return Result.text(f"{reply.action} {os.getpid()}")


def create(settings: CanarySettings) -> App:
    """Creates the server. `CANARY_BROKEN=yes` breaks every worker; a path breaks only the worker
    that creates the file."""
    if parent_process() and (broken_setting := os.environ.get("CANARY_BROKEN")):
        with suppress(FileExistsError):
            if broken_setting != "yes":
                Path(broken_setting).touch(exist_ok=False)
            raise RuntimeError("this worker is broken")
    return create_app(
        ServerInfo("canary", "Canary", "1"), TOOLS, (), settings, Hooks({"pid": pid, "ask": ask})
    )


if __name__ == "__main__":
    raise SystemExit(main("canary_mcp", CanarySettings, create))
