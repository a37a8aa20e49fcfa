"""Broken calls of tools."""

from __future__ import annotations

import json
import threading
from typing import Any

from base_server import ConformingServer, ReceivedRequest, Refusal, Reply
from builder import breaks


class EchoServer(ConformingServer):
    """A server with another result of `echo`."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return self.echo() if name == "echo" else super().run(name, arguments)

    def echo(self) -> dict[str, Any]:
        """The result of `echo`."""
        return {"content": [{"type": "text", "text": "fine"}]}


@breaks("tool-call-answered", "vouched-call-succeeds", warned=True)
class InternalError(EchoServer):
    def echo(self) -> dict[str, Any]:
        raise Refusal(-32603, "Internal error", 500)


@breaks(
    "tool-call-answered", "vouched-call-succeeds", "response-keeps-id", "tool-result-every-revision"
)
class NoResponseToCalls(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        params = message.get("params") if isinstance(message, dict) else None
        if isinstance(params, dict) and params.get("name") == "echo":
            return Reply(500, b"Internal Server Error", {"Content-Type": "text/plain"})
        return super().single(request, message)


@breaks("tool-result-shape")
class BareText(EchoServer):
    def echo(self) -> dict[str, Any]:
        return {"content": "fine"}


@breaks("tool-result-shape")
class HollowBlock(EchoServer):
    def echo(self) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "fine"}, {"type": "image"}]}


@breaks("tool-result-every-revision")
class NoCallsIn2024(ConformingServer):
    version = ""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        self.version = params["protocolVersion"]
        return super().initialize(params)

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        calls_add = message.get("params", {}).get("name") == "add"
        if request is not None and message["method"] == "tools/call" and calls_add:
            raise Refusal(-32601, "Method not found")
        return super().result(message, request)


@breaks("first-block-text")
class PictureFirst(EchoServer):
    def echo(self) -> dict[str, Any]:
        return {"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]}


class Adding(ConformingServer):
    """A server with another result of `add`."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = super().run(name, arguments)
        return self.add(result) if name == "add" else result

    def add(self, result: dict[str, Any]) -> dict[str, Any]:
        """The result of `add`."""
        return result


@breaks("structured-content-matches", "tool-result-every-revision")
class WrongSum(Adding):
    def add(self, result: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps({"sum": "three"})
        block = {"type": "text", "text": text}
        return {"content": [block], "structuredContent": {"sum": "three"}}


@breaks("structured-content-matches", "tool-result-every-revision")
class Unstructured(Adding):
    def add(self, result: dict[str, Any]) -> dict[str, Any]:
        return {"content": result["content"]}


@breaks("structured-content-object")
class ListInLegacy(Adding):
    def add(self, result: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "[3]"}], "structuredContent": [3]}

    def modern_result(self, message: Any) -> dict[str, Any]:
        result = super().modern_result(message)
        if "structuredContent" in result:
            result["structuredContent"] = {"sum": 3}
            result["content"] = [{"type": "text", "text": '{"sum": 3}'}]
        return result


@breaks("structured-content-mirrored")
class Unmirrored(Adding):
    def add(self, result: dict[str, Any]) -> dict[str, Any]:
        return result | {"content": [{"type": "text", "text": "see the structured content"}]}


@breaks("vouched-call-succeeds")
class AlwaysSorry(EchoServer):
    def echo(self) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "sorry"}], "isError": True}


@breaks("unknown-tool-error", "unknown-tool-32602")
class SorryForUnknownTools(ConformingServer):
    def unknown_tool(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "unknown tool"}], "isError": True}


@breaks("unknown-tool-32602")
class VagueAboutUnknownTools(ConformingServer):
    def unknown_tool(self, params: dict[str, Any]) -> dict[str, Any]:
        raise Refusal(-32601, "Unknown tool", 404)


@breaks("bad-arguments-refused")
class TakesAnyArguments(ConformingServer):
    def argument_problem(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str:
        return ""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        numbers = {"left": 1, "right": 2}
        return super().run(name, numbers if name == "add" else arguments)


@breaks("bad-arguments-refused")
class TakesAnyArgumentsIn2025(ConformingServer):
    def argument_problem(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str:
        return "" if self.is_legacy else super().argument_problem(schema, arguments)

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return super().run(name, {"left": 1, "right": 2} if name == "add" else arguments)

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        self.is_legacy = request is not None
        return super().result(message, request)


@breaks("bad-arguments-refused", "bad-arguments-readable", warned=True)
class BreaksOnBadArguments(ConformingServer):
    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        raise Refusal(-32603, "Internal error", 500)


@breaks("bad-arguments-readable")
class ProtocolErrorForArguments(ConformingServer):
    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        raise Refusal(-32602, problem)


@breaks("no-stack-trace")
class Tracing(ConformingServer):
    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        trace = f'Traceback (most recent call last):\n  File "a.py", line 3\n{problem}'
        return super().refuse_arguments(trace)


@breaks("tool-result-shape")
class HexPicture(EchoServer):
    def echo(self) -> dict[str, Any]:
        picture = {"type": "image", "data": "not base64!", "mimeType": "image/png"}
        return {"content": [{"type": "text", "text": "fine"}, picture]}


@breaks("tool-result-shape")
class HollowResource(EchoServer):
    def echo(self) -> dict[str, Any]:
        text = {"type": "text", "text": "fine"}
        return {"content": [text, {"type": "resource", "resource": {"uri": "test:text"}}]}


@breaks("tool-result-shape")
class WrongAudience(EchoServer):
    def echo(self) -> dict[str, Any]:
        annotations = {"audience": ["everyone"]}
        return {"content": [{"type": "text", "text": "fine", "annotations": annotations}]}


@breaks("tool-result-every-revision")
class SoundIn2024(Adding):
    def add(self, result: dict[str, Any]) -> dict[str, Any]:
        sound = {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}
        return result | {"content": [*result["content"], sound]}


@breaks("input-requests-declared", "tool-result-every-revision")
class AsksByResult(Adding):
    def modern_result(self, message: Any) -> dict[str, Any]:
        result = super().modern_result(message)
        if message["method"] != "tools/call" or "structuredContent" not in result:
            return result
        request = {"who": {"method": "elicitation/create", "params": {"message": "Who?"}}}
        return {"resultType": "input_required", "inputRequests": request, "_meta": result["_meta"]}


@breaks("bad-arguments-readable", warned=True)
class UnreadableIn2025(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        self.version = request.headers.get("mcp-protocol-version")
        return super().single(request, message)

    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        if self.version == "2025-11-25":
            raise Refusal(-32602, problem)
        return super().refuse_arguments(problem)


class Cancellable(ConformingServer):
    """A conforming server with a tool that takes 0.6 s, unless the call is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.running: dict[Any, threading.Event] = {}

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        params = message.get("params") if isinstance(message, dict) else None
        if not isinstance(params, dict) or params.get("name") != "list_colours":
            return super().single(request, message)
        stop_event = self.running.setdefault(message.get("id"), threading.Event())
        if stop_event.wait(0.6):
            return Reply(200, b": cancelled\n\n", {"Content-Type": "text/event-stream"})
        return super().single(request, message)

    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        cancelled = message.get("params", {}).get("requestId")
        if message["method"] == "notifications/cancelled" and isinstance(cancelled, str | int):
            self.cancel(cancelled)
        return super().notification(request, message)

    def cancel(self, identifier: str | int) -> None:
        """Ends the call with this id, if it runs."""
        if identifier in self.running:
            self.running.pop(identifier).set()


@breaks("cancelled-call-stopped", warned=True)
class IgnoresCancellations(Cancellable):
    def cancel(self, identifier: str | int) -> None:
        pass
