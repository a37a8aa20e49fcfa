"""A server of the generated projects' runtime: `python -m benchmarks.serving.runtime_server PORT TOOLS UPSTREAM`.

The environment variable `MEASURED_FAST_PATH=false` switches the fast path off.
"""

from __future__ import annotations

import asyncio
import gc
import sys

from pydantic_settings import SettingsConfigDict

from benchmarks.serving.catalogue import COUNTED, GREETING, TRIVIAL, WORDS, names, parameters
from mcpgen_runtime.fast_path.fast_path import open_fast_path
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import App, ServerInfo, create_app
from mcpgen_runtime.server.cli import main
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

HINTS = Hints(read_only=True, destructive=False, idempotent=True, brief=True)
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 50


class MeasuredSettings(ServerSettings):
    """Settings with environment variables named `MEASURED_*`."""

    model_config = SettingsConfigDict(env_prefix="MEASURED_")


async def count_objects(_: Call) -> Result:
    """Numbers of asyncio tasks and of objects that the garbage collector tracks."""
    gc.collect()
    return Result.json({"tasks": len(asyncio.all_tasks()), "objects": len(gc.get_objects())})


async def greet(_: Call) -> Result:
    """Answers without a request to the API."""
    return Result.text(GREETING)


def create(settings: MeasuredSettings) -> App:
    """The application with `COUNT` tools."""
    arguments = tuple(
        Argument(name, "query", kind, required=name == "word_0", style="form", explode=True)
        for name, kind in parameters().items()
    )
    tools = [
        Tool(name, "", WORDS, Route("GET", f"/{name}"), HINTS, arguments) for name in names(COUNT)
    ]
    identity = ServerInfo("measured", "Measured", "1.0.0")
    return create_app(
        identity,
        tools,
        (),
        settings,
        Hooks({TRIVIAL: greet, COUNTED: count_objects}),
        fast_path=open_fast_path,
    )


if __name__ == "__main__":
    main(
        "runtime_server",
        MeasuredSettings,
        create,
        ["--port", sys.argv[1], "--upstream", sys.argv[3], *sys.argv[4:]],
    )
