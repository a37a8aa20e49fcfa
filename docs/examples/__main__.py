"""`make example NAME=launchpad`: starts the API of an example and the generated server in front of it.

What the API stores stays in `.demo/NAME` until that folder is deleted. Ctrl-C ends every process.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from docs.examples import agent_registry, launchpad, pressroom, reading_room
from docs.examples.example import Example, serve, wait_until

from mcpgen.conformance.targets.command import free_port

ROOT = Path(__file__).resolve().parents[2]

EXAMPLES: Mapping[str, Callable[[Path, ExitStack], Example]] = {
    "agent-registry": agent_registry.start,
    "launchpad": launchpad.start,
    "pressroom": pressroom.start,
    "reading-room": reading_room.start,
}
"""Starts the storage of an example in a folder; what has to be closed goes on the stack."""


def main() -> int:
    """Runs one example until Ctrl-C, or lists the names; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make example", description=__doc__)
    parser.add_argument("name", nargs="?", choices=sorted(EXAMPLES))
    parser.add_argument(
        "--port", type=int, default=8000, help="of the MCP server; 0 for a free one"
    )
    parser.add_argument("--folder", type=Path, help="for what the API stores")
    options = parser.parse_args()
    if options.name is None:
        for name in sorted(EXAMPLES):
            print(f"make example NAME={name}")
        return 0
    # A shell starts a job in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = options.folder or ROOT / ".demo" / options.name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with ExitStack() as stack:
            example = EXAMPLES[options.name](folder, stack)
            api = stack.enter_context(serve(example.app))
            process = start_server(example, api, options.port or free_port(), stack)
            return process.wait()
    except KeyboardInterrupt:
        print("\nEverything has stopped.")
        return 0
    except (OSError, RuntimeError) as error:
        print(f"{options.name} cannot start: {error}", file=sys.stderr)
        return 1


def start_server(
    example: Example, api: str, port: int, stack: ExitStack
) -> subprocess.Popen[bytes]:
    """Starts the generated server, and prints its address and a call to try once it is ready."""
    project = ROOT / "generated" / example.project
    package = json.loads((project / "mcpgen.lock").read_text("utf-8"))["package"]
    prefix = example.project.upper().replace("-", "_")
    settings = {"port": str(port), "upstream": f"{api}{example.base}", **example.settings(api)}
    environment = os.environ | {f"{prefix}_{name.upper()}": text for name, text in settings.items()}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
    # Raises OSError if another process listens on the port, whose `/healthz` might answer.
    socket.create_server(("127.0.0.1", port)).close()
    process = subprocess.Popen([sys.executable, "-m", package], cwd=project, env=environment)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    wait_until(process, lambda: _is_healthy(port))
    print(f"\nThe API runs at {api}{example.base}, the MCP server at")
    print(f"  http://127.0.0.1:{port}{example.path}")
    print(f"Call a tool:\n  {curl(example, port)}")
    print("Ctrl-C ends both.", flush=True)
    return process


def curl(example: Example, port: int) -> str:
    """The call to try, as a command line."""
    params = {"name": example.tool, "arguments": example.arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Content-Type": "application/json", **example.headers}
    shown = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    url = f"http://127.0.0.1:{port}{example.path}"
    return shlex.join(["curl", "-s", url, *shown, "-d", json.dumps(message)])


def _is_healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    # SIGTERM ends the processes in the same order as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    raise SystemExit(main())
