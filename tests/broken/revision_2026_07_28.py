"""Servers with defects in revision 2026-07-28."""

from __future__ import annotations

import base64
import json
from typing import Any

from base_server import LEGACY, META, MODERN, ConformingServer, ReceivedRequest, Refusal, Reply
from builder import Mangled, breaks
from lists import Paged


@breaks("discover-result-shape")
class VaguelyDiscovered(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "server/discover":
            result["supportedVersions"] = MODERN
        return result


@breaks("result-type-present")
class NoResultType(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if modern and method == "tools/list":
            del result["resultType"]
        return result


@breaks("result-type-known")
class InventsResultType(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"resultType": "done"} if modern and method == "tools/call" else {})


@breaks("result-type-known")
class AsksInLists(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | (
            {"resultType": "input_required"} if modern and method == "tools/list" else {}
        )


@breaks("result-type-known", "tool-result-every-revision")
class NoResultTypeOfCalls(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if modern and method == "tools/call":
            del result["resultType"]
        return result


@breaks("discover-result-shape", "speaks-mcp", warned=True)
class DiscoversOthers(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"supportedVersions": [*LEGACY]} if method == "server/discover" else {})


@breaks("meta-missing-32602")
class TakesListsOfParams(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if isinstance(message, dict) and message.get("params") == []:
            return self.result_reply(message.get("id"), {"resultType": "complete"})
        return super().single(request, message)


@breaks("server-info-stamped")
class Anonymous(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return {key: value for key, value in result.items() if key != "_meta"}


@breaks("cache-hints-present")
class Uncacheable(Mangled):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"ttlMs": -1} if "ttlMs" in result else {})


@breaks("meta-missing-32602")
class CarelessAboutMeta(ConformingServer):
    def check_meta(self, meta: dict[str, Any]) -> None:
        meta.setdefault(META + "protocolVersion", MODERN)


@breaks("version-unsupported-32022")
class AnyVersion(ConformingServer):
    def check_version(self, meta: dict[str, Any]) -> None:
        pass


@breaks("version-unsupported-32022")
class SilentAboutVersions(ConformingServer):
    def check_version(self, meta: dict[str, Any]) -> None:
        if meta[META + "protocolVersion"] != MODERN:
            raise Refusal(-32022, "Unsupported protocol version")


class Forgiving(ConformingServer):
    """A server that compares all headers but one."""

    forgives = ""

    def header(self, request: ReceivedRequest, name: str) -> str | None:
        if name != self.forgives:
            return super().header(request, name)
        message = json.loads(request.body)
        bodies: dict[str, str | None] = {
            "mcp-protocol-version": message["params"]["_meta"][META + "protocolVersion"],
            "mcp-method": message["method"],
            "mcp-name": message["params"].get("name"),
        }
        return bodies[name]


@breaks("version-header-mismatch-32020")
class ForgivesVersion(Forgiving):
    forgives = "mcp-protocol-version"


@breaks("version-header-mismatch-32020")
class NeedsNoVersion(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        params = message.get("params") if isinstance(message, dict) else None
        if isinstance(params, dict) and META + "protocolVersion" in params.get("_meta", {}):
            request.headers.setdefault("mcp-protocol-version", MODERN)
        return super().single(request, message)


@breaks("method-header-mismatch-32020")
class ForgivesMethod(Forgiving):
    forgives = "mcp-method"


@breaks("name-header-mismatch-32020")
class ForgivesName(Forgiving):
    forgives = "mcp-name"


for _check in ("version", "method", "name"):
    breaks(f"{_check}-header-mismatch-32020", warned=True)(
        type(f"ReadsLast{_check.title()}", (ConformingServer,), {"reads_last_header": True})
    )


@breaks("name-header-mismatch-32020")
class DecodesUnfinishedNames(ConformingServer):
    def header(self, request: ReceivedRequest, name: str) -> str | None:
        value = request.headers.get(name)
        if name == "mcp-name" and value and value.startswith("=?base64?"):
            return base64.b64decode(value[9:-2]).decode()
        return value


@breaks("name-header-base64")
class Undecoding(ConformingServer):
    def header(self, request: ReceivedRequest, name: str) -> str | None:
        return request.headers.get(name)


@breaks("session-header-ignored")
class SessionInModern(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        reply = super().single(request, message)
        if request.headers.get("mcp-protocol-version") == MODERN:
            reply.headers["Mcp-Session-Id"] = "unasked"
        return reply


@breaks("cache-scope-same-on-pages")
class ScopePerPage(Paged):
    def modern_result(self, message: Any) -> dict[str, Any]:
        result = super().modern_result(message)
        private = "cursor" in message.get("params", {})
        return result | ({"cacheScope": "private"} if private else {})


@breaks("removed-methods-32601")
class KeepsPing(ConformingServer):
    def modern_result(self, message: Any) -> dict[str, Any]:
        if message["method"] == "ping":
            return super().modern_result(message | {"method": "server/discover"})
        return super().modern_result(message)


@breaks("lists-same-on-every-connection")
class ListsByConnection(ConformingServer):
    connection = ""

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        result = super().result(message, request)
        if message["method"] == "tools/list" and self.connection != self.last_connection:
            return result | {"tools": result["tools"][:-1]}
        return result

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        modern = request.headers.get("mcp-protocol-version") == MODERN
        self.last_connection = request.headers["test-connection"] if modern else self.connection
        method = message.get("method") if isinstance(message, dict) else None
        if modern and not self.connection and method == "tools/list":
            self.connection = self.last_connection
        return super().single(request, message)


@breaks("discover-served", "speaks-mcp")
class Undiscovered(ConformingServer):
    def discover(self) -> dict[str, Any]:
        return self.unknown_method("server/discover")
