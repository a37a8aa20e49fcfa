"""The demonstration: a document becomes a server, and a client calls it.

Builds `.demo/tides` from `specs/openapi/tides.yaml` with the same command as a user, which also starts
and checks the server. Then starts it once more, calls tools through the official client, and shows
what reaches the API: a stand-in that gives the answers the document promises.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from mcp import Client
from mcp_types import CallToolResult, TextContent

from mcpgen.config import Config
from mcpgen.conformance.targets.command import free_port
from mcpgen.diagnostics import Diagnostics
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read
from mcpgen.smoke_test.runner import run_project_server
from mcpgen.smoke_test.stub_upstream import StubUpstream, upstream_of

ROOT = Path(__file__).resolve().parents[2]
SPEC = "specs/openapi/tides.yaml"
PROJECT = ".demo/tides"
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_tides", {"harbour": "gullhaven", "date": "2026-03-21"}),
    (
        "create_alert",
        {
            "harbour": "gullhaven",
            "metres": 3.5,
            "notify_email": "harbour.master@tides.example",
            "notify_hours_before": 12,
        },
    ),
    ("get_tides", {"harbour": "gullhaven"}),
)


def main() -> int:
    """Runs the demonstration; returns the exit code."""
    os.chdir(ROOT)
    shutil.rmtree(PROJECT, ignore_errors=True)
    print(f"A description of {len(Path(SPEC).read_text().splitlines())} lines becomes a server.\n")
    if code := shown([sys.executable, "-m", "mcpgen", "build", SPEC, "-o", PROJECT]):
        return code
    port = free_port()
    with serving(stand_in()) as upstream:
        start = f"$ cd {PROJECT} && python -m tides_mcp --port {port} --upstream {upstream}"
        print(f"\n{colored(start, 1)}")
        settings = {"TIDES_PORT": str(port), "TIDES_UPSTREAM": upstream, "TIDES_API_KEY": "demo"}
        with run_project_server(
            "tides_mcp", Path(PROJECT), os.environ | settings, port, 30
        ) as started:
            if not started.ready:
                print(started.output, file=sys.stderr)
                return 1
            print(f"  ready after {started.seconds:.1f} s")
            asyncio.run(conversation(f"http://127.0.0.1:{port}/mcp"))
    print(
        f"\nThe server has stopped. Its project is in {PROJECT}: read it, run its tests, keep it."
    )
    return 0


async def conversation(url: str) -> None:
    """What a host does: lists the tools, then calls them; shown as it happens."""
    async with Client(url) as client:
        tools = (await client.list_tools()).tools
        print(f"\nThe official client is connected ({client.protocol_version}). The tools:")
        for tool in tools:
            print(f"  {tool.name}({', '.join(tool.input_schema['properties'])})")
        for name, arguments in CALLS:
            print(f"\n{colored('→', 34)} {name} {json.dumps(arguments)}", flush=True)
            result = await client.call_tool(name, arguments)
            if isinstance(result, CallToolResult) and isinstance(result.content[0], TextContent):
                arrow = colored("←", 31 if result.is_error else 32)
                error = "error: " if result.is_error else ""
                print(f"{arrow} {error}{result.content[0].text}")


def colored(text: str, code: int) -> str:
    """The text in an ANSI color if standard output is a terminal."""
    return f"\x1b[{code}m{text}\x1b[0m" if sys.stdout.isatty() else text


def shown(command: list[str]) -> int:
    """The exit code of the command, which is shown as a user would type it."""
    print(colored("$ " + shlex.join(["mcpgen", *command[3:]]), 1), flush=True)
    return subprocess.run(command, check=False).returncode


def stand_in() -> StubUpstream:
    """The API of the document, which answers with the document's own examples."""
    diagnostics = Diagnostics()
    source = read(SPEC, diagnostics)
    api = parse(source, diagnostics) if source else None
    if api is None:
        raise SystemExit(f"{SPEC} cannot be read")
    return upstream_of(lower(api, Config(spec=SPEC), diagnostics))


@contextmanager
def serving(upstream: StubUpstream) -> Iterator[str]:
    """The base URL of the API while it runs; every request is shown as it arrives."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            key = self.headers.get("X-Api-Key")
            print(f"    the API gets: {self.command} {self.path}  X-Api-Key: {key}  {body}")
            answer = upstream.answer(self.command, self.path)
            text = json.dumps(answer.body).encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.media_type)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing more: the request is shown."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{upstream.base}"
        server.shutdown()
        thread.join()


if __name__ == "__main__":
    raise SystemExit(main())
