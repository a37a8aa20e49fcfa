"""A client session in one protocol revision, with everything the server has sent."""

from __future__ import annotations

import base64
import itertools
import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from mcpgen.conformance import revisions as r
from mcpgen.conformance.exchange import HttpExchange, printable
from mcpgen.conformance.message_schemas import notification_problem, result_problem
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

BATCHING_REVISION = "2025-03-26"
"""The only revision in which a server may send batches."""

OWNERS = {
    "server/discover": "discover-result-shape",
    "initialize": "initialize-result-shape",
    "ping": "ping-answers",
    "tools/list": "tools-list-shape",
    "resources/list": "resources-list-shape",
    "resources/templates/list": "resource-templates-shape",
    "prompts/list": "prompts-list-shape",
}
"""The check that fails if a method has no result; other checks are blocked by the check."""

MAX_MESSAGES = 1_000
"""Limit for kept messages; a server may send messages without end."""

SESSION = "mcp-session-id"
MAX_VAIN_RENEWALS = 3
"""Limit for sessions that are opened after HTTP 404 and also get HTTP 404."""

Headers = Mapping[str, str | None]


def header_value(text: str) -> str:
    """`text` as a header value: unchanged, or as `=?base64?…?=` if a header cannot carry the text.

    Example: `header_value("größe")` is `=?base64?Z3LDtsOfZQ==?=`.
    """
    plain = all(0x20 <= ord(c) <= 0x7E for c in text) and text == text.strip()
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    return f"=?base64?{encoded}?="


class ProbeSession:
    """A client session in one revision. The opening exchange is made once and cached.

    `messages_received` are messages beside the awaited responses, `response_faults` defects of
    responses with the first method that showed the defect, `codes` the codes of JSON-RPC errors,
    `schema_faults` violations of the published schema with the method of the request,
    `result_types` each method with a `resultType` of its results (a missing member is None),
    `unchallenged` the methods of requests that got HTTP 401 without a challenge, `result_statuses` the
    HTTP statuses of results with the first method; all grow with each exchange.

    Exchanges are values and never raise. `request`, `opening_result` and `require_capability` raise
    PrerequisiteMissing or NotApplicable, which end the check.
    """

    def __init__(self, probe: Probe, revision: str, options: CheckOptions) -> None:
        self.probe = probe.for_session()
        self.revision = revision
        self.options = options
        self.modern = revision in r.MODERN
        self.session_id = ""
        self.messages_received: list[ServerMessage] = []
        self.response_faults: dict[str, str] = {}
        self.codes: set[int] = set()
        self.schema_faults: dict[str, str] = {}
        self.result_types: dict[str, tuple[str, Json]] = {}
        self.unchallenged: set[str] = set()
        self.result_statuses: dict[int, str] = {}
        self._undeclared: dict[str, dict[str, int]] = {}
        self._ids = itertools.count(1)
        self._own_ids: set[str] = set()
        self._renewing = threading.Lock()
        self._vain_renewals = 0

    @cached_property
    def opening(self) -> HttpExchange:
        """The exchange of `server/discover` or `initialize`. The session id of `initialize` is
        kept.
        """
        if self.modern:
            return self.send("server/discover", identifier="opening")
        exchange = self.initialize(self.revision, "opening")
        self.session_id = exchange.headers.get(SESSION, "")
        if self.session_id:
            self._own_ids.add(self.session_id)
        return exchange

    def initialize(
        self, version: str, identifier: Json, headers: Headers | None = None
    ) -> HttpExchange:
        """The exchange of an `initialize` for `version`; the session id is not kept."""
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": r.CLIENT}
        message = self.message("initialize", params, identifier)
        return self.post(message, headers or {}, awaits=identifier)

    @property
    def is_supported(self) -> bool:
        """True if the server agreed to this revision."""
        result = (self.opening.response("opening") or {}).get("result")
        if not isinstance(result, dict):
            return False
        if self.modern:
            versions = result.get("supportedVersions")
            return not isinstance(versions, list) or self.revision in versions
        return result.get("protocolVersion") == self.revision

    @cached_property
    def serves_http_sse(self) -> bool:
        """True if a GET opens a stream with an `endpoint` event, as HTTP+SSE of 2024-11-05 does."""
        if self.probe.is_stdio:
            return False
        headers = {**self.options.headers, "Accept": "text/event-stream"}
        exchange = self.probe.send(ProbeRequest("GET", headers, first=True))
        return any(head.name == "endpoint" for head in exchange.events)

    @cached_property
    def initialized_exchange(self) -> HttpExchange:
        """The exchange of `notifications/initialized`; in revisions without a handshake, of a
        notification without effect.
        """
        self.opening_result()
        method = "notifications/cancelled" if self.modern else "notifications/initialized"
        params = {"requestId": "none", "reason": "a notification"} if self.modern else None
        return self.post(self.message(method, params, None), self.headers(method, params))

    def opening_result(self) -> dict[str, Json]:
        """The result of the opening request. Raises PrerequisiteMissing if there is none."""
        method = "server/discover" if self.modern else "initialize"
        return self.result_of(self.opening, "opening", method)

    def require_capability(self, capability: str, feature: str = "") -> None:
        """Raises NotApplicable unless the server declared the capability (and the feature, if
        given).
        """
        if not self.has_capability(capability, feature):
            raise NotApplicable(feature or capability)

    def has_capability(self, capability: str, feature: str = "") -> bool:
        """True if the server declared the capability (and the feature, if given), or lists entries
        without the declaration.

        The checks of a feature are made for a server that has the feature and hides the capability;
        `capability-declared` reports the missing declaration. Example:
        `session.has_capability("resources", "subscribe")`.
        """
        if self.declares(capability, feature):
            return True
        return not feature and any(self.undeclared_entries(capability).values())

    def declares(self, capability: str, feature: str = "") -> bool:
        """True if the server declared the capability (and the feature, if given)."""
        capabilities = self.opening_result().get("capabilities")
        if not isinstance(capabilities, dict) or capability not in capabilities:
            return False
        declared = capabilities[capability]
        return not feature or (isinstance(declared, dict) and declared.get(feature) is True)

    def undeclared_entries(self, capability: str) -> Mapping[str, int]:
        """The number of entries on the first page of each list of an undeclared capability, by
        method. Lists that are refused are missing.

        Sent once in a session.
        """
        if capability not in self._undeclared:
            self._undeclared[capability] = {}
            for method, (owner, key) in r.LISTS.items():
                if owner == capability:
                    self.open()
                    identifier = f"undeclared {method}"
                    response = self.send(method, identifier=identifier).response(identifier)
                    result = (response or {}).get("result")
                    entries = result.get(key) if isinstance(result, dict) else None
                    if isinstance(entries, list):
                        self._undeclared[capability][method] = len(entries)
        return self._undeclared[capability]

    def next_id(self) -> int:
        """An unused request id."""
        return next(self._ids)

    def message(
        self, method: str, params: Mapping[str, Json] | None, identifier: Json
    ) -> dict[str, Json]:
        """A JSON-RPC message of this revision; a notification if `identifier` is None."""
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
        """The required `_meta` of a modern request."""
        return {r.META_VERSION: self.revision, r.META_CLIENT: r.CLIENT, r.META_CAPABILITIES: {}}

    def headers(self, method: str, params: Mapping[str, Json] | None) -> dict[str, str]:
        """Required headers of a request in this revision."""
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
        timeout: float = 0.0,
        waits: bool = True,
    ) -> HttpExchange:
        """Sends one request. `headers` replace default headers; None removes a header.

        `timeout` and `waits` as in `ProbeRequest`.
        """
        identifier = self.next_id() if identifier is None else identifier
        message = self.message(method, params, identifier)
        merged = {**self.headers(method, params), **(headers or {})}
        return self.post(message, merged, awaits=identifier, timeout=timeout, waits=waits)

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
        timeout: float = 0.0,
        waits: bool = True,
    ) -> HttpExchange:
        """Sends `message`, or the bytes `raw`, by POST. Other parameters as in `ProbeRequest`."""
        common: Headers = {"Accept": ACCEPT, "Content-Type": "application/json"}
        body = dumps(message) if raw is None else raw
        merged = {**common, **self.options.headers, **headers}
        exchange = self._exchange(
            ProbeRequest(
                "POST",
                merged,
                body,
                awaits,
                first=first,
                hang_up=hang_up,
                target=target,
                timeout=timeout,
                progress_token=request_method(message)[1],
                waits=waits,
            )
        )
        self._listen(message, awaits, exchange)
        return exchange

    def _exchange(self, sending: ProbeRequest) -> HttpExchange:
        """Sends a request; in a new session again if the server has ended this session.

        Transports, Session Management, 3 and 4: the server MAY terminate a session at any time, and a
        client that receives HTTP 404 for the session id MUST start a new session.
        """
        exchange = self.probe.send(sending)
        header = next(
            (value for name, value in (sending.headers or {}).items() if name.lower() == SESSION),
            None,
        )
        session_id = (header or "").strip()
        is_ended = exchange.status == 404 and exchange.code != r.METHOD_NOT_FOUND
        if not is_ended or session_id not in self._own_ids or not self._renew(session_id):
            return exchange
        headers = {
            name: (
                value.replace(session_id, self.session_id)
                if value and name.lower() == SESSION
                else value
            )
            for name, value in (sending.headers or {}).items()
        }
        exchange = self.probe.send(replace(sending, headers=headers))
        # A server that answers HTTP 404 in a new session, too, means something else by the status.
        self._vain_renewals = self._vain_renewals + 1 if exchange.status == 404 else 0
        return exchange

    def _renew(self, ended_id: str) -> bool:
        """Opens a session in place of the ended one, once for concurrent requests."""
        with self._renewing:
            if self.session_id != ended_id:
                return True
            if self._vain_renewals >= MAX_VAIN_RENEWALS:
                return False
            exchange = self.initialize(self.revision, "renewed")
            session_id = exchange.headers.get(SESSION, "")
            if not session_id or not exchange.has_result("renewed"):
                return False
            self._own_ids.add(session_id)
            self.session_id = session_id
            message = self.message("notifications/initialized", None, None)
            headers = {"Accept": ACCEPT, "Content-Type": "application/json", **self.options.headers}
            headers |= self.headers("notifications/initialized", None)
            self.probe.send(ProbeRequest("POST", headers, dumps(message)))
            return True

    def _listen(self, message: Json, awaits: Json, exchange: HttpExchange) -> None:
        if len(self.messages_received) < MAX_MESSAGES:
            self.messages_received.extend(server_messages(message, awaits, exchange))
        if len(self.response_faults) < MAX_MESSAGES:
            may_batch = self.revision == BATCHING_REVISION
            for problem in response_problems(message, awaits, exchange, may_batch=may_batch):
                self.response_faults.setdefault(problem, request_method(message)[0])
        result = (exchange.response(awaits) or {}).get("result") if awaits is not None else None
        if isinstance(result, dict):
            self.result_statuses.setdefault(exchange.status, request_method(message)[0])
            method, kind = request_method(message)[0], result.get("resultType")
            if len(self.result_types) < MAX_MESSAGES:
                self.result_types.setdefault(f"{method} {printable(kind)}", (method, kind))
        if len(self.schema_faults) < MAX_MESSAGES:
            self._judge_by_schema(request_method(message)[0], result, exchange)
        if isinstance(exchange.code, int):
            self.codes.add(exchange.code)
        if exchange.status == 401 and "www-authenticate" not in exchange.headers:
            self.unchallenged.add(request_method(message)[0])

    def _judge_by_schema(self, method: str, result: Json, exchange: HttpExchange) -> None:
        """Records violations of the published schema by a result and by notifications."""
        problem = result_problem(self.revision, method, result) if result is not None else ""
        if problem:
            self.schema_faults.setdefault(problem, method)
        for message in exchange.flat_messages():
            is_notification = isinstance(message, dict) and {"method", "id"} & {*message} == {
                "method"
            }
            if is_notification and (problem := notification_problem(self.revision, message)):
                self.schema_faults.setdefault(problem, method)

    def get(self, headers: Headers | None = None) -> HttpExchange:
        """Sends a GET for an event stream; the body is not read."""
        common: Headers = {**self.headers("", None), "Accept": "text/event-stream"}
        merged = {**self.options.headers, **common, **(headers or {})}
        return self._exchange(ProbeRequest("GET", merged, headers_only=True))

    def listen(
        self, seconds: float, headers: Headers | None = None, awaits: Json = None
    ) -> HttpExchange:
        """Sends a GET and reads the event stream until the response `awaits`, or for `seconds`."""
        common: Headers = {**self.headers("", None), "Accept": "text/event-stream"}
        merged = {**self.options.headers, **common, **(headers or {})}
        return self._exchange(ProbeRequest("GET", merged, awaits=awaits, timeout=seconds))

    def delete(self, headers: Headers) -> HttpExchange:
        """Sends a DELETE, which ends a session."""
        merged = {**self.headers("", None), **self.options.headers, **headers}
        return self.probe.send(ProbeRequest("DELETE", merged))

    def patch(self) -> HttpExchange:
        """Sends a PATCH without a body, a method that no revision has."""
        merged = {**self.headers("", None), **self.options.headers}
        return self.probe.send(ProbeRequest("PATCH", merged))

    def fetch(self, target: str) -> HttpExchange:
        """Sends a GET for another path of the host, without credentials."""
        return self.probe.send(ProbeRequest("GET", {"Accept": "application/json"}, target=target))

    def request(self, method: str, params: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """The result of one request. Raises PrerequisiteMissing if the answer is not a result."""
        self.open()
        identifier = self.next_id()
        return self.result_of(self.send(method, params, identifier=identifier), identifier, method)

    def open(self) -> None:
        """Makes the handshake that precedes the first request. Raises PrerequisiteMissing."""
        self.opening_result()
        if not self.modern:
            _ = self.initialized_exchange

    def result_of(self, exchange: HttpExchange, identifier: Json, method: str) -> dict[str, Json]:
        """The result in the response with id `identifier`. Raises PrerequisiteMissing if there is
        none.
        """
        result = (exchange.response(identifier) or {}).get("result")
        if not isinstance(result, dict):
            cause = OWNERS.get(method, "")
            raise PrerequisiteMissing(f"`{method}` answers with a result", str(exchange), cause)
        return result
