"""A server that wants a token, and what goes wrong with that."""

from __future__ import annotations

import base64
import json
import time
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from base_server import Asked, ConformingServer, Refusal, Reply
from builder import breaks
from sessions import Sessions

TOKEN = "t0ken-of-the-test"
WELL_KNOWN = "/.well-known/oauth-protected-resource"


class Guarded(ConformingServer):
    """A correct server that wants a token, of which it says where to get it."""

    credentials: ClassVar[dict[str, str]] = {"Authorization": f"Bearer {TOKEN}"}

    def guard(self, asked: Asked) -> Reply | None:
        if reply := super().guard(asked):
            return reply
        if asked.path.startswith(WELL_KNOWN):
            return self.metadata(asked)
        return None if self.admits(asked) else self.unauthorized(asked)

    def admits(self, asked: Asked) -> bool:
        """Whether the request has the right token."""
        return asked.headers.get("authorization") == f"Bearer {TOKEN}"

    def unauthorized(self, asked: Asked) -> Reply:
        """The answer to a request without the right token."""
        address = f"{self.origin(asked)}{WELL_KNOWN}/mcp"
        error = ', error="invalid_token"' if "authorization" in asked.headers else ""
        challenge = f'Bearer resource_metadata="{address}", scope="test:call"{error}'
        return Reply(401, b"", {"WWW-Authenticate": challenge})

    def metadata(self, asked: Asked) -> Reply:
        """The metadata of the resource, at the path of the endpoint."""
        if asked.path != f"{WELL_KNOWN}/mcp":
            return Reply(404)
        return self.json_reply(self.document(asked))

    def document(self, asked: Asked) -> dict[str, Any]:
        """What the metadata says."""
        return {
            "resource": f"{self.origin(asked)}/mcp",
            "authorization_servers": ["https://login.example"],
            "bearer_methods_supported": ["header"],
        }

    def origin(self, asked: Asked) -> str:
        """The address of the server, as the client calls it."""
        return f"http://{asked.headers['host']}"

    def claims(self, asked: Asked) -> dict[str, Any]:
        """The claims of a token that is a JSON Web Token, unverified."""
        parts = asked.headers.get("authorization", "").split(".")
        if len(parts) != 3:
            return {}
        found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(parts[1] + "==="))
        return found


@breaks("auth-missing-401", "auth-wrong-401", "auth-query-token-refused")
class TalksToAnyone(Guarded):
    def admits(self, asked: Asked) -> bool:
        return "." not in asked.headers.get("authorization", "")


@breaks("auth-missing-401")
class ForbidsStrangers(Guarded):
    def unauthorized(self, asked: Asked) -> Reply:
        reply = super().unauthorized(asked)
        return reply if "authorization" in asked.headers or "?" in asked.path else Reply(403)


@breaks("auth-wrong-401")
class TakesPrefixes(Guarded):
    def admits(self, asked: Asked) -> bool:
        return asked.headers.get("authorization", "").startswith(f"Bearer {TOKEN}")


@breaks("auth-forged-401")
class Unverified(Guarded):
    def admits(self, asked: Asked) -> bool:
        claims = self.claims(asked)
        here = claims.get("aud") == f"{self.origin(asked)}/mcp"
        return super().admits(asked) or (here and claims["exp"] > time.time())


@breaks("auth-expired-401", "auth-forged-401")
class Eternal(Guarded):
    def admits(self, asked: Asked) -> bool:
        here = self.claims(asked).get("aud") == f"{self.origin(asked)}/mcp"
        return super().admits(asked) or here


@breaks("auth-audience-401")
class ForAnyServer(Guarded):
    def admits(self, asked: Asked) -> bool:
        return super().admits(asked) or "another.example" in self.claims(asked).get("aud", "")


@breaks("auth-query-token-refused")
class TokenInAddress(Guarded):
    def admits(self, asked: Asked) -> bool:
        given = parse_qs(urlsplit(asked.path).query).get("access_token")
        return super().admits(asked) or given == [TOKEN]


@breaks("auth-challenge-present")
class Unchallenged(Guarded):
    def unauthorized(self, asked: Asked) -> Reply:
        return Reply(401)


@breaks("auth-metadata-found")
class Undiscoverable(Guarded):
    def unauthorized(self, asked: Asked) -> Reply:
        error = ' error="invalid_token"' if "authorization" in asked.headers else ""
        return Reply(401, b"", {"WWW-Authenticate": f"Bearer{error}"})

    def metadata(self, asked: Asked) -> Reply:
        return Reply(404)


@breaks("auth-metadata-shape")
class ForeignResource(Guarded):
    def document(self, asked: Asked) -> dict[str, Any]:
        return super().document(asked) | {"resource": "https://another.example/mcp"}


@breaks("auth-metadata-shape")
class NoAuthorizationServer(Guarded):
    def document(self, asked: Asked) -> dict[str, Any]:
        return super().document(asked) | {"authorization_servers": []}


@breaks("auth-challenge-scope")
class Scopeless(Guarded):
    def unauthorized(self, asked: Asked) -> Reply:
        reply = super().unauthorized(asked)
        challenge = reply.headers["WWW-Authenticate"].replace(', scope="test:call"', "")
        return Reply(401, b"", {"WWW-Authenticate": challenge})


@breaks("auth-error-code")
class AlwaysInvalid(Guarded):
    def unauthorized(self, asked: Asked) -> Reply:
        reply = super().unauthorized(asked)
        challenge = reply.headers["WWW-Authenticate"].partition(", error")[0]
        return Reply(401, b"", {"WWW-Authenticate": challenge + ', error="invalid_token"'})


@breaks("session-is-no-credential")
class SessionForToken(Guarded, Sessions):
    def admits(self, asked: Asked) -> bool:
        return super().admits(asked) or asked.headers.get("mcp-session-id") in self.sessions


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
