"""Builds a server from a document and runs the server in this process."""

from __future__ import annotations

import importlib
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from tests.oracle.documents import CORPUS
from tests.oracle.recorder import RecordedRequest, UpstreamRecorder, record_requests

from mcpgen.config import Config, CredentialsConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.ir.source import Dialect
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read

BASE_URL = "https://api.example.com"
"""Where documents without an absolute server live."""

CREDENTIAL = "judge-credential"
"""The value of every credential."""

_NOT_INVENTED = ("_client_id", "_client_secret", "_certificate")
"""Credentials that stay unset: a ready token stands beside a client's, and no certificate can be
made up."""


@dataclass(frozen=True)
class BuiltServer:
    """A document and its server; `upstream` is the base URL for a document without servers."""

    document: Path
    api: ApiDescription
    server: Server
    diagnostics: Diagnostics
    upstream: str

    @property
    def is_old(self) -> bool:
        """True for Swagger 2.0."""
        return self.api.dialect is Dialect.SWAGGER_2_0


def build_server(document: Path) -> BuiltServer | Diagnostics:
    """The server of a document, or the findings that stop the build."""
    diagnostics = Diagnostics()
    source = read(str(document), diagnostics, root=_root(document))
    api = parse(source, diagnostics) if source else None
    if api is None:
        return diagnostics
    # A user names the hosts of operations with a server of their own; else no credential is sent there.
    hosts = {
        urlsplit(api_server.url).hostname or ""
        for operation in api.operations
        for api_server in operation.servers
    }
    credentials = CredentialsConfig(own_hosts=tuple(sorted(hosts - {""})))
    server = lower(api, Config(keep_going=True, credentials=credentials), diagnostics)
    if not server.tools:
        return diagnostics
    path = api.servers[0].url if api.servers else ""
    relative = path if path.startswith("/") else ""
    return BuiltServer(
        document,
        api,
        server,
        diagnostics,
        "" if server.upstream else f"{BASE_URL}{relative}".rstrip("/"),
    )


def _root(document: Path) -> str | None:
    """The folder that contains the document and its references."""
    if not document.is_relative_to(CORPUS) or document.parent == CORPUS:
        return None
    return str(CORPUS / document.relative_to(CORPUS).parts[0])


@dataclass(frozen=True)
class CallOutcome:
    """The request that a call caused, or the text of the result."""

    request: RecordedRequest | None
    message: str
    failed: bool


@dataclass
class StartedServer:
    """A started server with its recorder."""

    client: httpx2.AsyncClient
    recorder: UpstreamRecorder

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Calls a tool over MCP."""
        self.recorder.requests.clear()
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = (await self.client.post("/mcp", json=message)).json()
        if "result" not in answer:
            return CallOutcome(None, str(answer["error"]["message"]), failed=True)
        result = answer["result"]
        result_text = str(result["content"][0]["text"])
        requests = self.recorder.requests
        return CallOutcome(
            requests[0] if requests else None, result_text, bool(result.get("isError"))
        )


@asynccontextmanager
async def run_server(project: BuiltServer, folder: Path) -> AsyncIterator[StartedServer]:
    """Writes the project into a folder and starts its server before a recorder."""
    package = project.server.package
    for file in emit(project.server, Config(spec=project.document.name), Diagnostics()).files:
        if file.path.startswith(f"{package}/"):
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")
    with _importable(folder, package):
        server = importlib.import_module(f"{package}.server")
        hooks = importlib.import_module(f"{package}.hooks").Hooks
        settings = importlib.import_module(f"{package}.settings").Settings
        async with record_requests() as recorder:
            app = server.create(
                settings(**_settings(settings, project.upstream)), hooks(client=recorder.client)
            )
            async with (
                app.running(),
                httpx2.AsyncClient(
                    transport=httpx2.ASGITransport(app), base_url="http://localhost"
                ) as client,
            ):
                yield StartedServer(client, recorder)


def _settings(settings: Any, upstream: str) -> dict[str, str]:
    names = [name for name in settings.__annotations__ if name not in ("upstream", "model_config")]
    values = {name: CREDENTIAL for name in names if not name.endswith(_NOT_INVENTED)}
    certificate_stems = [
        name.removesuffix("_certificate") for name in names if name.endswith("_certificate")
    ]
    for stem in certificate_stems:
        values.pop(f"{stem}_key", None)
    return values | ({"upstream": upstream} if upstream else {})


@contextmanager
def _importable(folder: Path, package: str) -> Iterator[None]:
    """Makes a package importable while the body runs. A package of the same name from another folder
    is neither used nor left behind."""
    _forget(package)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        _forget(package)


def _forget(package: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
