"""Token issuer on the loopback interface: keys, JWKS endpoint and introspection endpoint."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import jwt
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

NAME = "https://issuer.example"
PUBLIC = "https://mcp.example"
RESOURCE = f"{PUBLIC}/mcp"


@dataclass(frozen=True)
class SigningKey:
    """Private key, and the key id under which the public half is published."""

    id: str
    algorithm: str
    private: Any

    def published(self) -> dict[str, Any]:
        """Returns the public half as a JWK."""
        kind = RSAAlgorithm if self.algorithm.startswith(("RS", "PS")) else ECAlgorithm
        result: dict[str, Any] = json.loads(kind.to_jwk(self.private.public_key()))
        return {**result, "kid": self.id, "alg": self.algorithm, "use": "sig"}


def elliptic(id: str) -> SigningKey:
    """Returns a new key for ES256."""
    return SigningKey(id, "ES256", ec.generate_private_key(ec.SECP256R1()))


def rsa_key(id: str, bits: int = 2048) -> SigningKey:
    """Returns a new key for RS256."""
    return SigningKey(id, "RS256", rsa.generate_private_key(65537, bits))


@dataclass
class JwtIssuer:
    """Issuer with its keys and behavior; `asked` lists the requested paths."""

    keys: list[SigningKey] = field(default_factory=lambda: [elliptic("first")])
    active: dict[str, dict[str, Any]] = field(default_factory=dict)
    status: int = 200
    hold_seconds: float = 0
    raw: bytes | None = None
    asked: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    url: str = ""

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Returns valid claims with changes; a value of None removes the claim."""
        now = int(time.time())
        valid_claims = {"iss": NAME, "aud": RESOURCE, "sub": "ada", "iat": now, "exp": now + 600}
        return {
            name: value for name, value in {**valid_claims, **changes}.items() if value is not None
        }

    def token(self, key: SigningKey | None = None, **changes: Any) -> str:
        """Returns a signed token; the default key is the last one."""
        key = key or self.keys[-1]
        return jwt.encode(self.claims(**changes), key.private, key.algorithm, {"kid": key.id})

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answers with the JWKS, or with the introspection of a token."""
        self.asked.append(request.path)
        self.shown.append(request.headers.get("Authorization", ""))
        await asyncio.sleep(self.hold_seconds)
        if self.raw is not None:
            return web.Response(body=self.raw, status=self.status)
        if request.path == "/introspect":
            token = (await request.post())["token"]
            claims = self.active.get(str(token))
            introspection = {"active": claims is not None, **(claims or {})}
            return web.json_response(introspection, status=self.status)
        key_set = {"keys": [key.published() for key in self.keys]}
        return web.json_response(key_set, status=self.status)


@asynccontextmanager
async def issuing() -> AsyncIterator[JwtIssuer]:
    """Runs an issuer on a free port."""
    issuer = JwtIssuer()
    async with RawTestServer(issuer.answer, host="127.0.0.1") as server:
        issuer.url = str(server.make_url("/")).rstrip("/")
        yield issuer
