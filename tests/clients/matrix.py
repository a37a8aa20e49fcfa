"""Generated servers, the clients that talk to them, and one verdict for each client and feature."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs.examples.example import caller_key, serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.venvs import node, npm_with, python_with

from mcpgen.conformance.targets.command import free_port
from mcpgen.pipeline import BuildOptions, build
from mcpgen.smoke_test.runner import run_project_server

HERE = Path(__file__).parent
START_SECONDS = 60
CLIENT_SECONDS = 180
KEY = "a-key-of-the-client-matrix"
HEADERS = {"Authorization": f"Bearer {KEY}"}
SERVERS = {
    "plain": "",
    "key": "[authentication]\nrequired = true\n",
    "discovery": '[discovery]\nmode = "on"\n',
}
"""The lines of `mcpgen.toml` that make each kind of server."""

FILE = bytes(range(256))
DIGEST = hashlib.sha256(FILE).hexdigest()
UPLOAD = {"id": 7, "file": base64.b64encode(FILE).decode(), "file_filename": "all.bin"}
LISTING = {"name": "list_tickets", "arguments": json.dumps({"tags": ["printer", "urgent"]})}
CALLS: Mapping[str, list[tuple[str, dict[str, Any]]]] = {
    "plain": [
        ("list_tickets", {"tags": ["printer", "urgent"]}),
        ("attach_file", UPLOAD),
        ("list_tickets", {"tags": ["printer"], "status": None, "limit": None}),
        ("get_ticket", {"id": 404}),
    ],
    "key": [("list_tickets", {"tags": ["printer", "urgent"]})],
    "discovery": [("search_tools", {"query": "tickets"}), ("call_read_tool", LISTING)],
}

Report = Mapping[str, Any]
"""The line that a client's program prints: a report for each server, see `drive.py`."""


@dataclass(frozen=True)
class ClientProgram:
    """A row of the table. `name` is the name of the files below `python/` or `javascript/`, `package`
    the package whose version is shown."""

    name: str
    title: str
    package: str
    in_python: bool = True

    @property
    def folder(self) -> Path:
        """The folder of a JavaScript client."""
        return HERE / "javascript" / self.name

    @property
    def lock(self) -> Path:
        """The lock file of the client's environment."""
        return (
            HERE / "python" / f"{self.name}.lock"
            if self.in_python
            else self.folder / "package-lock.json"
        )

    @property
    def version(self) -> str:
        """The version of the package in the lock file."""
        text = self.lock.read_text("utf-8")
        if not self.in_python:
            return str(json.loads(text)["packages"][f"node_modules/{self.package}"]["version"])
        match = re.search(rf"^{re.escape(self.package)}==([^\s;]+)", text, re.MULTILINE)
        assert match, f"{self.lock.name} does not list {self.package}"
        return match[1]

    def command(self) -> list[str]:
        """The command that runs the client; installs the environment on first use."""
        if self.in_python:
            program = HERE / "python" / f"{self.name}.py"
            return [
                str(python_with(self.lock, is_alone=True)),
                str(HERE / "drive.py"),
                str(program),
            ]
        program = npm_with(self.folder) / "client.mjs"
        return [str(node()), str(HERE / "drive.mjs"), str(program)]


CLIENTS = (
    ClientProgram("official_1", "Official Python SDK 1.x", "mcp"),
    ClientProgram("official_2", "Official Python SDK 2.x", "mcp"),
    ClientProgram(
        "typescript_1", "Official TypeScript SDK 1.x", "@modelcontextprotocol/sdk", False
    ),
    ClientProgram(
        "typescript_2", "Official TypeScript SDK 2.x", "@modelcontextprotocol/client", False
    ),
    ClientProgram("fastmcp", "FastMCP", "fastmcp"),
    ClientProgram("langchain", "LangChain", "langchain-mcp-adapters"),
    ClientProgram("openai_agents", "OpenAI Agents", "openai-agents"),
    ClientProgram("pydantic_ai", "Pydantic AI", "pydantic-ai-slim"),
    ClientProgram("google_adk", "Google ADK", "google-adk"),
    ClientProgram("llama_index", "LlamaIndex", "llama-index-tools-mcp"),
    ClientProgram("crewai", "CrewAI", "crewai-tools"),
    ClientProgram("vercel_ai", "Vercel AI SDK", "@ai-sdk/mcp", False),
    ClientProgram("mastra", "Mastra", "@mastra/mcp", False),
)


@dataclass(frozen=True)
class FeatureVerdict:
    """True if a feature works, with a reason of one line."""

    works: bool
    reason: str = ""


def api() -> Starlette:
    """The API of `desk.yaml`, whose responses repeat the request."""

    async def list_tickets(request: Request) -> Response:
        query = request.query_params
        parameters = {name: query.get(name) for name in ("status", "limit")}
        return JSONResponse({"tags": query.getlist("tags"), **parameters})

    async def get_ticket(request: Request) -> Response:
        message = f"There is no ticket {request.path_params['id']}."
        return JSONResponse({"message": message}, 404)

    async def attach_file(request: Request) -> Response:
        async with request.form() as form:
            file = form["file"]
            assert not isinstance(file, str)
            content = await file.read()
            return JSONResponse(
                {"sha256": hashlib.sha256(content).hexdigest(), "name": file.filename}
            )

    return Starlette(
        routes=[
            Route("/tickets", list_tickets),
            Route("/tickets/{id}", get_ticket),
            Route("/tickets/{id}/attachment", attach_file, methods=["PUT"]),
        ]
    )


@contextmanager
def servers(folder: Path) -> Iterator[Mapping[str, str]]:
    """Builds and starts a server of each kind in front of one API; yields the URL of each."""
    with ExitStack() as stack:
        upstream = stack.enter_context(serve(api()))
        urls = {}
        for kind, lines in SERVERS.items():
            project = folder / kind
            project.mkdir(parents=True)
            (project / "mcpgen.toml").write_text(
                f"spec = {json.dumps(str(HERE / 'desk.yaml'))}\n{lines}"
            )
            result = build("", str(project), BuildOptions(verify=False))
            assert result.status.good, result.diagnostics
            port = free_port()
            settings = {"DESK_PORT": str(port), "DESK_UPSTREAM": upstream}
            if kind == "key":
                settings["DESK_CALLER_KEYS"] = caller_key(KEY)
            environment = os.environ | settings
            project_server = stack.enter_context(
                run_project_server("desk_mcp", project, environment, port, START_SECONDS)
            )
            assert project_server.ready, project_server.output
            urls[kind] = f"http://127.0.0.1:{port}/mcp"
        yield urls


def hold(command: list[str], urls: Mapping[str, str]) -> Report:
    """The report of a client that holds a conversation with each server. Raises RuntimeError if the
    client's program fails."""
    conversations = {
        kind: {"url": url, "headers": HEADERS if kind == "key" else {}, "calls": CALLS[kind]}
        for kind, url in urls.items()
    }
    completed = subprocess.run(
        command,
        input=json.dumps(conversations),
        capture_output=True,
        text=True,
        timeout=CLIENT_SECONDS,
    )
    if completed.returncode:
        raise RuntimeError(completed.stderr[-2000:])
    report: Report = json.loads(completed.stdout.splitlines()[-1])
    return report


def judge(report: Report) -> dict[str, FeatureVerdict]:
    """The verdict on each feature, in the order of the table's columns."""
    return {feature: verdict(report) for feature, verdict in FEATURES.items()}


def _check_tool_list(report: Report) -> FeatureVerdict:
    plain = report["plain"]
    if "raised" in plain:
        return FeatureVerdict(False, plain["raised"])
    expected = {"list_tickets", "get_ticket", "attach_file"}
    return FeatureVerdict(set(plain["tools"]) == expected, f"lists {plain['tools']}")


def _result(server: str, index: int, *texts: str) -> Callable[[Report], FeatureVerdict]:
    """The verdict on one call: the result is no error and contains the texts."""

    def verdict(report: Report) -> FeatureVerdict:
        if "raised" in report[server]:
            return FeatureVerdict(False, report[server]["raised"])
        result = report[server]["results"][index]
        if "raised" in result:
            return FeatureVerdict(False, result["raised"])
        compact = result["text"].replace(" ", "").replace("\\", "")
        return FeatureVerdict(
            not result["is_error"] and all(text in compact for text in texts), result["text"]
        )

    return verdict


def _error(report: Report) -> FeatureVerdict:
    if "raised" in report["plain"]:
        return FeatureVerdict(False, report["plain"]["raised"])
    result = report["plain"]["results"][3]
    if "raised" in result:
        return FeatureVerdict(False, f"raises {result['raised']}")
    if "There is no ticket 404." not in result["text"]:
        return FeatureVerdict(False, result["text"])
    if result["is_error"] is None:
        return FeatureVerdict(
            True, "the text only: the client does not tell errors from other results"
        )
    return FeatureVerdict(result["is_error"], "the result is not marked as an error")


def _discovery(report: Report) -> FeatureVerdict:
    feature_verdict = _result("discovery", 0, "list_tickets")(report)
    return _result("discovery", 1, TAGS)(report) if feature_verdict.works else feature_verdict


TAGS = '"tags":["printer","urgent"]'
FEATURES: Mapping[str, Callable[[Report], FeatureVerdict]] = {
    "connect, list": _check_tool_list,
    "array": _result("plain", 0, TAGS),
    "file": _result("plain", 1, DIGEST),
    "null": _result("plain", 2, '"tags":["printer"]', '"status":null', '"limit":null'),
    "API error": _error,
    "API key": _result("key", 0, TAGS),
    "discovery": _discovery,
}
"""The columns of the table. `null` is an explicit null for each argument that is optional."""
