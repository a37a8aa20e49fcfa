"""Client certificates for APIs with mutual TLS."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.certificates import certificate
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
SCHEME = SecurityScheme("mtls", "mutualTLS", setting="mtls")
TOOL = Tool("t", "T", "", Route("GET", "/t", security=(("mtls",),)), HINTS)


@asynccontextmanager
async def run_tls_api(folder: Path, trusted_certificate: Path) -> AsyncIterator[WireUpstream]:
    """Runs an API over TLS that requires the trusted client certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(folder, "server"))
    context.load_verify_locations(trusted_certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    upstream = WireUpstream()
    server = await asyncio.start_server(upstream.serve, "127.0.0.1", 0, ssl=context)
    upstream.port = server.sockets[0].getsockname()[1]
    async with server:
        yield upstream


@pytest.mark.parametrize(
    ("certificate_name", "is_answered"), [("client", True), ("stranger", False)]
)
async def test_the_certificate_from_the_environment_is_shown(
    tmp_path: Path,
    serving: Serving,
    monkeypatch: pytest.MonkeyPatch,
    certificate_name: str,
    is_answered: bool,
) -> None:
    trusted_certificate, _ = certificate(tmp_path, "client")
    files = {"client": (trusted_certificate, tmp_path / "client.key")}
    files["stranger"] = certificate(tmp_path, "stranger")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    path, key = files[certificate_name]

    async with (
        run_tls_api(tmp_path, trusted_certificate) as upstream,
        serving(
            TOOL,
            schemes=(SCHEME,),
            upstream=f"https://127.0.0.1:{upstream.port}",
            mtls_certificate=str(path),
            mtls_key=str(key),
        ) as client,
    ):
        result = await client.call("t")

    assert bool(result.get("isError")) is not is_answered
    assert len(upstream.requests) == is_answered


async def test_without_a_certificate_nothing_is_sent(tmp_path: Path, serving: Serving) -> None:
    trusted_certificate, _ = certificate(tmp_path, "client")

    async with (
        run_tls_api(tmp_path, trusted_certificate) as upstream,
        serving(TOOL, schemes=(SCHEME,), upstream=f"https://127.0.0.1:{upstream.port}") as client,
    ):
        result = await client.call("t")

    assert result["isError"]
    assert "MTLS" in str(result)
    assert upstream.requests == []


async def test_a_certificate_that_cannot_be_read_is_an_error_of_the_call(
    tmp_path: Path, serving: Serving
) -> None:
    missing = str(tmp_path / "missing.pem")

    async with serving(
        TOOL,
        schemes=(SCHEME,),
        upstream="https://127.0.0.1:9",
        mtls_certificate=missing,
        mtls_key=missing,
    ) as client:
        result = await client.call("t")

    assert result["isError"]
    text = result["content"][0]["text"]
    assert text == "The API could not be reached, as a certificate cannot be read."
