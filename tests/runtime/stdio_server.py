"""Server for tests of stdio: tools that print, ask, report progress, wait, and answer at length."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

from pydantic_settings import SettingsConfigDict
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.observability.request_id import RequestIds, request_id
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.cli import main
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

HINTS = Hints(True, False, True)
SURE = {"type": "object", "properties": {"sure": {"type": "boolean"}}}


class StdioSettings(CanarySettings, RateSettings):
    """Settings with rate limits."""

    model_config = SettingsConfigDict(env_prefix="CANARY_")


async def echo(call: Call) -> Result:
    """Returns the arguments, the caller, and whether the request has an id."""
    facts = {"caller": call.caller.subject, "has_id": bool(request_id())}
    return Result.json({**call.arguments, **facts})


async def prints(call: Call) -> Result:
    """Writes to standard output in every way, and reads standard input."""
    print("printed")
    sys.stdout.flush()
    os.write(1, b"written\n")
    subprocess.run(["echo", "echoed"], check=True)
    return Result.text(f"read {sys.stdin.read()!r}")


async def ask(call: Call) -> Result:
    """Returns the user's answer."""
    reply = await call.elicit("Sure?", SURE)
    return Result.text(f"{reply.action} {reply.content}")


async def tell(call: Call) -> Result:
    """Reports progress."""
    await call.progress(1, 2, "half")
    return Result.text("done")


async def wait(call: Call) -> Result:
    """Waits until the call is cancelled, and says so on standard error."""
    try:
        await asyncio.sleep(call.arguments.get("seconds", 600))
    except asyncio.CancelledError:
        print("cancelled", file=sys.stderr, flush=True)
        raise
    return Result.text("waited")


async def large(call: Call) -> Result:
    """Returns a text of some characters, with a line separator."""
    return Result.text("\u2028" + "x" * int(call.arguments["size"]))


HANDLERS = {f.__name__: f for f in (echo, prints, ask, tell, wait, large)}
NUMBER = {"type": "number"}
ARGUMENTS = {
    "echo": (Argument("text", "query", {"type": "string"}),),
    "wait": (Argument("seconds", "query", NUMBER),),
    "large": (Argument("size", "query", NUMBER, required=True),),
}
TOOLS = tuple(
    Tool(name, name.title(), "", Route("GET", f"/{name}"), HINTS, ARGUMENTS.get(name, ()))
    for name in HANDLERS
)


def create(settings: StdioSettings) -> App:
    """Creates the server; `echo` may be called ten times an hour."""
    rates = RateLimits(settings, Rates(tools={"echo": "10/hour"}), code=-32002)
    rules = (RequestIds(), rates)
    return create_app(
        ServerInfo("canary", "Canary", "1"), TOOLS, (), settings, Hooks(HANDLERS), rules
    )


if __name__ == "__main__":
    raise SystemExit(main("canary_mcp", StdioSettings, create))
