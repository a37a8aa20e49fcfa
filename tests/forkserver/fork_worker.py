"""Forks for every line of stdin, and runs pytest in the fork; a script that imports nothing of mcpgen.

A line is an order in JSON: `folder`, `arguments`, `environment` and `seconds`. The answer is a line
with `returncode` (None for a killed run) and `output`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from typing import Any

OF_SERVERS = (
    "aiohttp.web",
    "jsonschema_rs",
    "mcp",
    "mcp.server.lowlevel",
    "mcp.server.streamable_http_manager",
    "pydantic_settings",
    "uvicorn",
)
"""The modules that every server loads, and `start_server` before it."""

LOADED = (*OF_SERVERS, "anyio.pytest_plugin", "hypothesis", "pytest", "xdist.plugin")

REWRITTEN = ("anyio", "_hypothesis_globals", "_hypothesis_pytestplugin", "hypothesis", "xdist")
"""Plugins whose assertions pytest would rewrite."""


def main() -> None:
    """Answers orders until stdin ends."""
    for name in LOADED:
        importlib.import_module(name)
    # Plugins that are loaded before pytest rewrites them are a warning, which projects make an error.
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in REWRITTEN:
            module.__doc__ = f"{module.__doc__ or ''}\nPYTEST_DONT_REWRITE"
    for line in sys.stdin:
        print(json.dumps(perform_order(json.loads(line))), flush=True)


def perform_order(order: dict[str, Any]) -> dict[str, Any]:
    """The answer to an order."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if not child:
            _run(order, output.fileno())
        returncode = _wait_for_exit(child, time.monotonic() + order["seconds"])
        output.seek(0)
        return {"returncode": returncode, "output": output.read().decode("utf-8", "replace")}


def _run(order: dict[str, Any], output: int) -> None:
    """Runs pytest in the fork, with streams, folder and environment of the order."""
    os.setsid()
    with open(os.devnull, "rb") as null_device:
        os.dup2(null_device.fileno(), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in os.environ
    sys.argv = ["pytest", *order["arguments"]]
    sys.path[0] = order["folder"]
    code = 3
    try:
        import pytest

        code = int(pytest.main(order["arguments"]))
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _wait_for_exit(child: int, latest: float) -> int | None:
    """The exit code of the child; None after killing the child's process group."""
    while time.monotonic() < latest:
        result, status = os.waitpid(child, os.WNOHANG)
        if result:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


if __name__ == "__main__":
    main()
