# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Responses to refused callers: status, challenge and Protected Resource Metadata (RFC 9728)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import anyio

from ..server.asgi import BodyTooLarge, Receive, Scope, Send, read_body, respond
from ..server.endpoint import PathTemplate
from ..tool import Json
from .config import AuthConfig, AuthError

WELL_KNOWN = "/.well-known/oauth-protected-resource"
"""Path prefix of Protected Resource Metadata, before the path of the resource."""

_LOOKED_AT = 64 * 1024
"""Maximum bytes read of a rejected message, to find the request id."""

_WAITED_SECONDS = 1

_HEADLINES = {
    400: "The request cannot be authenticated",
    401: "Authentication required",
    403: "Access denied",
    503: "Authentication is not possible at the moment",
}
_RETRY_SECONDS = 5


@dataclass(frozen=True)
class Challenger:
    """Builds responses to refused callers. `public` is the server's URL, `issuer` the issuer of
    tokens; without both there is no metadata, because callers with API keys need no metadata."""

    access: AuthConfig
    public: str
    issuer: str

    def resource(self, path: Mapping[str, str]) -> str:
        """The URL of the resource for the path values."""
        return f"{self.public}{PathTemplate(self.access.address).fill(path)}"

    def metadata(self, metadata_path: str) -> Json:
        """The metadata at a path below the well-known prefix, None if absent. An empty path means
        the only resource, if there is only one."""
        template = PathTemplate(self.access.address)
        resource_path = metadata_path.removeprefix(urlsplit(self.public).path)
        path = template.values(resource_path) if resource_path or template.parameters else {}
        if not self.issuer or not self.public or path is None:
            return None
        metadata: dict[str, Json] = {
            "resource": self.resource(path),
            "authorization_servers": [self.issuer],
            "scopes_supported": list(self.access.scopes),
            "bearer_methods_supported": ["header"],
            "resource_signing_alg_values_supported": list(self.access.signing_algorithms),
            "resource_documentation": self.access.documentation_url,
            "resource_policy_uri": self.access.policy_url,
        }
        return {name: value for name, value in metadata.items() if value}

    def _metadata_url(self, path: Mapping[str, str]) -> str:
        """The metadata URL: the well-known prefix comes before the path of the resource.

        https://www.rfc-editor.org/rfc/rfc9728#section-3.1
        """
        parts = urlsplit(self.resource(path))
        return urlunsplit((parts.scheme, parts.netloc, f"{WELL_KNOWN}{parts.path}", "", ""))

    def header(
        self, path: Mapping[str, str], error: str = "", scopes: Iterable[str] = (), reason: str = ""
    ) -> tuple[str, str]:
        """The `WWW-Authenticate` header; names an error only if the request had a credential."""
        parameters = self._legacy_parameters(path) | {
            "error": error,
            "error_description": reason if error else "",
        }
        if self.issuer and self.public:
            parameters["resource_metadata"] = self._metadata_url(path)
        parameters["scope"] = " ".join(scopes)
        pairs = ", ".join(f'{name}="{text}"' for name, text in parameters.items() if text)
        return "WWW-Authenticate", f"Bearer {pairs}".strip()

    def _legacy_parameters(self, path: Mapping[str, str]) -> dict[str, str]:
        """Challenge parameters from before RFC 9728, for older clients."""
        if not self.public:
            return {}
        parameters = {
            "realm": self.resource(path),
            "resource": self._metadata_url(path) if self.issuer else "",
            "authorization_server": self.issuer,
        }
        return {name: parameters[name] for name in self.access.challenge}

    async def answer(
        self,
        rejected: AuthError,
        path: Mapping[str, str],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Answers a rejected request without processing the request body."""
        details = {"error": rejected.error, "error_description": rejected.description}
        headers = []
        if rejected.status == 401:
            error = rejected.error if rejected.has_credential else ""
            name, text = self.header(path, error, self.access.scopes, rejected.description)
            headers.append((name.encode(), text.encode()))
            if self.issuer and self.public:
                details["resource"] = self._metadata_url(path)
        if rejected.status == 503:
            headers.append((b"retry-after", str(_RETRY_SECONDS).encode()))
        if scope["method"] != "POST":
            # JSON-RPC has no response to a non-POST request, so OAuth's JSON error is sent.
            await respond(send, rejected.status, details, tuple(headers))
            return
        error_value = {
            "code": self.access.error_code or rejected.status,
            "message": _HEADLINES[rejected.status],
            "data": details,
        }
        content = {"jsonrpc": "2.0", "id": await _id(scope, receive), "error": error_value}
        await respond(send, rejected.status, content, tuple(headers))


async def _id(scope: Scope, receive: Receive) -> Json:
    """The id of a rejected message, None if the body does not arrive within `_WAITED_SECONDS`."""
    id: Json = None
    with anyio.move_on_after(_WAITED_SECONDS):
        try:
            announced = dict(scope["headers"]).get(b"content-length", b"")
            message = json.loads(await read_body(announced, receive, _LOOKED_AT))
            id = message.get("id") if isinstance(message, dict) else None
        except (BodyTooLarge, ValueError, RecursionError):
            return None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None
