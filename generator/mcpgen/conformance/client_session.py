"""A server spoken to in one protocol revision, and what it has said so far."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Mapping
from functools import cached_property

from mcpgen.conformance import revisions as r
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import NotApplicable, PrerequisiteMissing
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.probe import Probe, ProbeRequest
from mcpgen.conformance.server_messages import (
    ServerMessage,
    request_method,
    response_problems,
    server_messages,
)
from mcpgen.conformance.strict_json import Json, dumps

ACCEPT = "application/json, text/event-stream"

HEARD = 1_000
"""Messages beside the answers that are kept; a server may send them without end."""

Headers = Mapping[str, str | None]


def header_value(text: str) -> str:
    """`text` as a header can carry it: as it is, or in the specification's base64 form."""
    plain = all(0x20 <= ord(c) <= 0x7E for c in text) and text == text.strip()
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    return f"=?base64?{encoded}?="


class ProbeSession:
    """Requests in the words of one revision. What is asked once is remembered, not asked again.

    `server_messages` are the messages the server sent beside its answers, `misshapen` what is wrong with the
    shape of its responses, each with the first method it was seen with, `codes` those of its
    JSON-RPC errors: all that came up to now.

    Exchanges are values and never raise; `ask`, `opened` and `declared` raise Unmet or
    NotDeclared, which end the check that needed them.
    """

    def __init__(self, probe: Probe, revision: str, options: CheckOptions) -> None:
        self.probe = probe
        self.revision = revision
        self.options = options
        self.modern = revision in r.MODERN
        self.session_id = ""
        self.messages_received: list[ServerMessage] = []
        self.response_faults: dict[str, str] = {}
        self.codes: set[int] = set()
        self._ids = itertools.count(1)

    @cached_property
    def opening(self) -> HttpExchange:
        """The answer to `server/discover` or `initialize`; the latter's session is kept."""
        if self.modern:
            return self.send("server/discover", identifier="opening")
        exchange = self.initialize(self.revision, "opening")
        self.session_id = exchange.headers.get("mcp-session-id", "")
        return exchange

    def initialize(self, version: str, identifier: Json) -> HttpExchange:
        """The answer to an `initialize` that asks for `version`; no session is kept."""
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": r.CLIENT}
        return self.post(self.message("initialize", params, identifier), {}, awaits=identifier)

    @property
    def is_supported(self) -> bool:
        """Whether the server agreed to speak this very revision."""
        result = (self.opening.response("opening") or {}).get("result")
        if not isinstance(result, dict):
            return False
        if self.modern:
            versions = result.get("supportedVersions")
            return not isinstance(versions, list) or self.revision in versions
        return result.get("protocolVersion") == self.revision

    @cached_property
    def initialized_exchange(self) -> HttpExchange:
        """The answer to `notifications/initialized`, or to a notification of no consequence in
        revisions without a handshake."""
        self.opening_result()
        method = "notifications/cancelled" if self.modern else "notifications/initialized"
        params = {"requestId": "none", "reason": "a notification"} if self.modern else None
        return self.post(self.message(method, params, None), self.headers(method, params))

    def opening_result(self) -> dict[str, Json]:
        """The result of the opening request. Raises Unmet when there is none."""
        method = "server/discover" if self.modern else "initialize"
        return self.result_of(self.opening, "opening", method)

    def require_capability(self, capability: str, feature: str = "") -> None:
        """Raises NotDeclared unless the server declared the capability, and the feature of it."""
        if not self.has_capability(capability, feature):
            raise NotApplicable(feature or capability)

    def has_capability(self, capability: str, feature: str = "") -> bool:
        """Whether the server declared the capability, and the feature of it if one is named."""
        capabilities = self.opening_result().get("capabilities")
        if not isinstance(capabilities, dict) or capability not in capabilities:
            return False
        declared = capabilities[capability]
        return not feature or (isinstance(declared, dict) and declared.get(feature) is True)

    def next_id(self) -> int:
        """An id not used before in this conversation."""
        return next(self._ids)

    def message(
        self, method: str, params: Mapping[str, Json] | None, identifier: Json
    ) -> dict[str, Json]:
        """A JSON-RPC message as this revision wants it; `identifier` None is a notification."""
        message: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
        if identifier is not None:
            message["id"] = identifier
        if self.modern and identifier is not None:
            more = (params or {}).get("_meta") or {}
            params = {**(params or {}), "_meta": {**self.meta(), **more}}
        if params is not None:
            message["params"] = dict(params)
        return message

    def meta(self) -> dict[str, Json]:
        """The `_meta` that every modern request carries."""
        return {r.META_VERSION: self.revision, r.META_CLIENT: r.CLIENT, r.META_CAPABILITIES: {}}

    def headers(self, method: str, params: Mapping[str, Json] | None) -> dict[str, str]:
        """The headers this revision demands for a request."""
        headers: dict[str, str] = {}
        if self.modern:
            headers = {"MCP-Protocol-Version": self.revision, "Mcp-Method": method}
            if method in r.NAMED:
                headers["Mcp-Name"] = header_value(str((params or {}).get(r.NAMED[method], "")))
        elif self.revision in r.WITH_VERSION_HEADER and method != "initialize":
            headers = {"MCP-Protocol-Version": self.revision}
        if self.session_id and method != "initialize":
            headers["Mcp-Session-Id"] = self.session_id
        return headers

    def send(
        self,
        method: str,
        params: Mapping[str, Json] | None = None,
        *,
        identifier: Json = None,
        headers: Headers | None = None,
    ) -> HttpExchange:
        """The answer to one request; `headers` replace (or, when None, remove) single headers."""
        identifier = self.next_id() if identifier is None else identifier
        message = self.message(method, params, identifier)
        merged = {**self.headers(method, params), **(headers or {})}
        return self.post(message, merged, awaits=identifier)

    def post(
        self,
        message: Json,
        headers: Headers,
        *,
        awaits: Json = None,
        raw: bytes | None = None,
        target: str = "",
        first: bool = False,
        hang_up: bool = False,
    ) -> HttpExchange:
        """The answer to a POST of `message`, or of the bytes `raw` in its place; the rest is as in
        `ProbeRequest`."""
        common: Headers = {"Accept": ACCEPT, "Content-Type": "application/json"}
        body = dumps(message) if raw is None else raw
        merged = {**common, **self.options.headers, **headers}
        exchange = self.probe.send(
            ProbeRequest("POST", merged, body, awaits, first=first, hang_up=hang_up, target=target)
        )
        self._listen(message, awaits, exchange)
        return exchange

    def _listen(self, message: Json, awaits: Json, exchange: HttpExchange) -> None:
        if len(self.messages_received) < HEARD:
            self.messages_received.extend(server_messages(message, awaits, exchange))
        if len(self.response_faults) < HEARD:
            for problem in response_problems(message, awaits, exchange):
                self.response_faults.setdefault(problem, request_method(message)[0])
        if isinstance(exchange.code, int):
            self.codes.add(exchange.code)

    def get(self) -> HttpExchange:
        """The answer to a GET that asks for an event stream; only its head is read."""
        headers = {**self.headers("", None), "Accept": "text/event-stream"}
        merged = {**self.options.headers, **headers}
        return self.probe.send(ProbeRequest("GET", merged, headers_only=True))

    def delete(self, headers: Headers) -> HttpExchange:
        """The answer to a DELETE, which ends a session."""
        merged = {**self.headers("", None), **self.options.headers, **headers}
        return self.probe.send(ProbeRequest("DELETE", merged))

    def fetch(self, target: str) -> HttpExchange:
        """The answer to a plain GET of another path, without any credentials."""
        return self.probe.send(ProbeRequest("GET", {"Accept": "application/json"}, target=target))

    def request(self, method: str, params: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """The result of one request. Raises Unmet when the answer is not a result."""
        self.open()
        identifier = self.next_id()
        return self.result_of(self.send(method, params, identifier=identifier), identifier, method)

    def open(self) -> None:
        """Opens the conversation as a client must, before its first request. Raises Unmet."""
        self.opening_result()
        if not self.modern:
            _ = self.initialized_exchange

    def result_of(self, exchange: HttpExchange, identifier: Json, method: str) -> dict[str, Json]:
        """The result object in the response to `identifier`. Raises Unmet when there is none."""
        result = (exchange.response(identifier) or {}).get("result")
        if not isinstance(result, dict):
            raise PrerequisiteMissing(f"`{method}` answers with a result", str(exchange))
        return result
