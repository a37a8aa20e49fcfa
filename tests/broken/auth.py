"""A server that requires a token, and servers with defects in authorization."""

from __future__ import annotations

import base64
import json
import time
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from base_server import ConformingServer, ReceivedRequest, Refusal, Reply
from builder import breaks
from sessions import Sessions

TOKEN = "t0ken-of-the-test"
WELL_KNOWN = "/.well-known/oauth-protected-resource"


class Guarded(ConformingServer):
    """A conforming server that requires a token and publishes Protected Resource Metadata."""

    credentials: ClassVar[dict[str, str]] = {"Authorization": f"Bearer {TOKEN}"}

    def guard(self, request: ReceivedRequest) -> Reply | None:
        if reply := super().guard(request):
            return reply
        if request.path.startswith(WELL_KNOWN):
            return self.metadata(request)
        return None if self.admits(request) else self.unauthorized(request)

    def admits(self, request: ReceivedRequest) -> bool:
        """True if the request has the right token."""
        return request.headers.get("authorization") == f"Bearer {TOKEN}"

    def unauthorized(self, request: ReceivedRequest) -> Reply:
        """The answer to a request without the right token."""
        address = f"{self.origin(request)}{WELL_KNOWN}/mcp"
        error = ', error="invalid_token"' if "authorization" in request.headers else ""
        challenge = f'Bearer resource_metadata="{address}", scope="test:call"{error}'
        return Reply(401, b"", {"WWW-Authenticate": challenge})

    def metadata(self, request: ReceivedRequest) -> Reply:
        """The metadata of the resource, at the path of the endpoint."""
        if request.path != f"{WELL_KNOWN}/mcp":
            return Reply(404)
        return self.json_reply(self.document(request))

    def document(self, request: ReceivedRequest) -> dict[str, Any]:
        """The Protected Resource Metadata."""
        return {
            "resource": f"{self.origin(request)}/mcp",
            "authorization_servers": ["https://login.example"],
            "bearer_methods_supported": ["header"],
        }

    def origin(self, request: ReceivedRequest) -> str:
        """The URL of the server, as used by the client."""
        return f"http://{request.headers['host']}"

    def claims(self, request: ReceivedRequest) -> dict[str, Any]:
        """The claims of a JSON Web Token, without verification."""
        parts = request.headers.get("authorization", "").split(".")
        if len(parts) != 3:
            return {}
        result: dict[str, Any] = json.loads(base64.urlsafe_b64decode(parts[1] + "==="))
        return result


@breaks("auth-missing-401", "auth-wrong-401", "auth-query-token-refused")
class TalksToAnyone(Guarded):
    def admits(self, request: ReceivedRequest) -> bool:
        return "." not in request.headers.get("authorization", "")


@breaks("auth-missing-401")
class ForbidsStrangers(Guarded):
    def unauthorized(self, request: ReceivedRequest) -> Reply:
        reply = super().unauthorized(request)
        return reply if "authorization" in request.headers or "?" in request.path else Reply(403)


@breaks("auth-wrong-401")
class TakesPrefixes(Guarded):
    def admits(self, request: ReceivedRequest) -> bool:
        return request.headers.get("authorization", "").startswith(f"Bearer {TOKEN}")


@breaks("auth-forged-401")
class Unverified(Guarded):
    def admits(self, request: ReceivedRequest) -> bool:
        claims = self.claims(request)
        names_this_server = claims.get("aud") == f"{self.origin(request)}/mcp"
        return super().admits(request) or (names_this_server and claims["exp"] > time.time())


@breaks("auth-expired-401", "auth-forged-401")
class Eternal(Guarded):
    def admits(self, request: ReceivedRequest) -> bool:
        names_this_server = self.claims(request).get("aud") == f"{self.origin(request)}/mcp"
        return super().admits(request) or names_this_server


@breaks("auth-audience-401")
class ForAnyServer(Guarded):
    def admits(self, request: ReceivedRequest) -> bool:
        return super().admits(request) or "another.example" in self.claims(request).get("aud", "")


@breaks("auth-query-token-refused")
class TokenInAddress(Guarded):
    def admits(self, request: ReceivedRequest) -> bool:
        tokens = parse_qs(urlsplit(request.path).query).get("access_token")
        return super().admits(request) or tokens == [TOKEN]


@breaks("auth-challenge-present")
class Unchallenged(Guarded):
    def unauthorized(self, request: ReceivedRequest) -> Reply:
        return Reply(401)


@breaks("auth-challenge-present", "speaks-mcp", "initialize-version-spoken")
class UnauthorizedInAnOldRevision(ConformingServer):
    def guard(self, request: ReceivedRequest) -> Reply | None:
        return Reply(401) if b'"2024-11-05"' in request.body else super().guard(request)


@breaks("auth-metadata-found")
class Undiscoverable(Guarded):
    def unauthorized(self, request: ReceivedRequest) -> Reply:
        error = ' error="invalid_token"' if "authorization" in request.headers else ""
        return Reply(401, b"", {"WWW-Authenticate": f"Bearer{error}"})

    def metadata(self, request: ReceivedRequest) -> Reply:
        return Reply(404)


@breaks("auth-metadata-found")
class ChallengeWithoutMetadata(Guarded):
    def unauthorized(self, request: ReceivedRequest) -> Reply:
        error = ', error="invalid_token"' if "authorization" in request.headers else ""
        return Reply(401, b"", {"WWW-Authenticate": f'Bearer scope="test:call"{error}'})


@breaks("auth-metadata-shape")
class ForeignResource(Guarded):
    def document(self, request: ReceivedRequest) -> dict[str, Any]:
        return super().document(request) | {"resource": "https://another.example/mcp"}


@breaks("auth-metadata-shape")
class NoAuthorizationServer(Guarded):
    def document(self, request: ReceivedRequest) -> dict[str, Any]:
        return super().document(request) | {"authorization_servers": []}


@breaks("auth-metadata-shape")
class NamesAnEmptyPlace(Guarded):
    def metadata(self, request: ReceivedRequest) -> Reply:
        return self.json_reply(self.document(request)) if request.path == WELL_KNOWN else Reply(404)


@breaks("auth-challenge-scope")
class Scopeless(Guarded):
    def unauthorized(self, request: ReceivedRequest) -> Reply:
        reply = super().unauthorized(request)
        challenge = reply.headers["WWW-Authenticate"].replace(', scope="test:call"', "")
        return Reply(401, b"", {"WWW-Authenticate": challenge})


@breaks("auth-error-code")
class AlwaysInvalid(Guarded):
    def unauthorized(self, request: ReceivedRequest) -> Reply:
        reply = super().unauthorized(request)
        challenge = reply.headers["WWW-Authenticate"].partition(", error")[0]
        return Reply(401, b"", {"WWW-Authenticate": challenge + ', error="invalid_token"'})


@breaks("session-is-no-credential")
class SessionForToken(Guarded, Sessions):
    def admits(self, request: ReceivedRequest) -> bool:
        return super().admits(request) or request.headers.get("mcp-session-id") in self.sessions


@breaks("credentials-not-echoed")
class Echoing(Guarded):
    def unknown_method(self, method: str) -> dict[str, Any]:
        raise Refusal(-32601, f"Method not found for {TOKEN}", 404)


@breaks("credentials-not-echoed")
class EchoingHeader(Guarded):
    def json_reply(self, body: Any, status: int = 200) -> Reply:
        reply = super().json_reply(body, status)
        reply.headers["X-Seen"] = f"Bearer {TOKEN}"
        return reply


@breaks("auth-wrong-401", warned=True)
class ForbidsWrongKeys(ConformingServer):
    """A server with keys of its own, without OAuth: 401 without a key, 403 for a wrong key."""

    credentials: ClassVar[dict[str, str]] = {"X-Api-Key": TOKEN}

    def guard(self, request: ReceivedRequest) -> Reply | None:
        key = request.headers.get("x-api-key")
        if key is None and not request.path.startswith(WELL_KNOWN):
            return Reply(401, b"", {"WWW-Authenticate": 'ApiKey realm="test"'})
        if request.path.startswith(WELL_KNOWN):
            return Reply(404)
        return super().guard(request) if key == TOKEN else Reply(403)
