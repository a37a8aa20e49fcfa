"""Resources, prompts, completion, logging and subscriptions, with and without defects."""

from __future__ import annotations

import json
from typing import Any

import streams
from base_server import META, MODERN, ConformingServer, ReceivedRequest, Refusal, Reply
from builder import Mangled, breaks

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
CONTENTS: dict[str, dict[str, str]] = {
    "test:text": {"uri": "test:text", "mimeType": "text/plain", "text": "It roars."},
    "test:image.png": {"uri": "test:image.png", "mimeType": "image/png", "blob": "AAEC"},
}
PROMPTS: list[dict[str, Any]] = [
    {"name": "greet", "arguments": [{"name": "who", "required": True}]},
    {"name": "feed", "description": "Feeds all animals."},
]
TEMPLATES = [{"uriTemplate": "test:item/{number}", "name": "cage"}]


class Rich(ConformingServer):
    """A conforming server with every capability."""

    def capabilities(self) -> dict[str, Any]:
        return {
            "tools": {"listChanged": True},
            "resources": {"subscribe": True},
            "prompts": {},
            "completions": {},
            "logging": {},
        }

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        modern = request.headers.get("mcp-protocol-version") == MODERN
        if modern and isinstance(message, dict) and message.get("method") == "subscriptions/listen":
            try:
                self.check_modern(request, message)
            except Refusal as refusal:
                return self.error_reply(message["id"], refusal, always=True)
            if "notifications" not in message["params"]:
                refusal = Refusal(-32602, "`notifications` is missing")
                return self.error_reply(message["id"], refusal, always=True)
            return self.listen(message)
        return super().single(request, message)

    def listen(self, message: Any) -> Reply:
        """The stream of a subscription."""
        first = {
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"_meta": {META + "subscriptionId": message["id"]}, "notifications": {}},
        }
        body = b"data: " + json.dumps(first).encode() + b"\n\n"
        return Reply(200, body, {"Content-Type": "text/event-stream"}, hold=2.0)

    def modern_result(self, message: Any) -> dict[str, Any]:
        self.check_level(message["params"]["_meta"].get(META + "logLevel", "info"))
        return super().modern_result(message)

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        params = message.get("params") or {}
        method = message["method"]
        legacy = request is not None
        match method:
            case "resources/list":
                return self.paged(params, "resources", self.resources())
            case "resources/templates/list":
                return self.paged(params, "resourceTemplates", TEMPLATES)
            case "resources/read":
                return self.read(params.get("uri"), -32002 if legacy else -32602)
            case "resources/subscribe" | "resources/unsubscribe" if legacy:
                return self.subscribe(params)
            case "prompts/list":
                return self.paged(params, "prompts", PROMPTS)
            case "prompts/get":
                return self.prompt(params.get("name"), params.get("arguments") or {})
            case "completion/complete":
                return self.complete(params.get("ref") or {})
            case "logging/setLevel" if legacy:
                self.check_level(params.get("level"))
                return {}
        return super().result(message, request)

    def paged(self, params: dict[str, Any], key: str, entries: list[Any]) -> dict[str, Any]:
        """A list with one page."""
        if "cursor" in params:
            raise Refusal(-32602, "Unknown cursor")
        return {key: entries}

    def resources(self) -> list[dict[str, Any]]:
        """The listed resources."""
        return [{"uri": uri, "name": uri[4:], "size": 3} for uri in CONTENTS]

    def read(self, uri: Any, code: int) -> dict[str, Any]:
        """The contents of a resource; `code` is the error for an unknown resource."""
        if uri not in CONTENTS:
            raise Refusal(code, "Resource not found")
        return {"contents": [CONTENTS[uri]]}

    def subscribe(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a subscription to a resource, or of the end."""
        if "uri" not in params:
            raise Refusal(-32602, "`uri` is missing")
        return {}

    def prompt(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        """The messages of a prompt."""
        if name not in ("greet", "feed"):
            raise Refusal(-32602, "Unknown prompt")
        if name == "greet" and "who" not in arguments:
            raise Refusal(-32602, "`who` is missing")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}]}

    def complete(self, reference: dict[str, Any]) -> dict[str, Any]:
        """The suggestions for an argument."""
        if reference.get("name") != "greet":
            raise Refusal(-32602, "Unknown reference")
        return {"completion": {"values": ["lion", "lioness"], "total": 2, "hasMore": False}}

    def check_level(self, level: Any) -> None:
        """Refuses an unknown log level."""
        if level not in LEVELS:
            raise Refusal(-32602, "Unknown level")


class MangledRich(Mangled, Rich):
    """A server with every capability whose results are changed before sending."""


@breaks("resources-list-shape")
class NamelessResource(Rich):
    def resources(self) -> list[dict[str, Any]]:
        return [*super().resources(), {"uri": "test:text"}]


@breaks("resources-list-shape")
class PathForUri(Rich):
    def resources(self) -> list[dict[str, Any]]:
        return [*super().resources(), {"uri": "cages/one.txt", "name": "one"}]

    def read(self, uri: Any, code: int) -> dict[str, Any]:
        return super().read("test:text" if uri == "cages/one.txt" else uri, code)


@breaks("resource-templates-shape")
class NamelessTemplate(MangledRich):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "resources/templates/list":
            result["resourceTemplates"] = [{"uriTemplate": "test:item/{number}"}]
        return result


@breaks("resource-read-shape")
class BareContents(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        return {"contents": super().read(uri, code)["contents"][0]}


@breaks("resource-read-shape")
class HexBlob(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        result = super().read(uri, code)["contents"][0]
        return {"contents": [result | ({"blob": "0x00 0x01"} if "blob" in result else {})]}


@breaks("resource-read-shape")
class TemplateWithoutUri(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        return {"contents": [{"text": "1"}]} if uri == "test:item/1" else super().read(uri, code)


@breaks("resource-read-shape", warned=True)
class TemplateOfAnotherType(MangledRich):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "resources/templates/list":
            template = {"uriTemplate": "test:{name}", "name": "any", "mimeType": "text/plain"}
            result["resourceTemplates"] = [template]
        return result

    def read(self, uri: Any, code: int) -> dict[str, Any]:
        if uri != "test:1":
            return super().read(uri, code)
        return {"contents": [{"uri": uri, "mimeType": "application/json", "text": "1"}]}


@breaks("resource-unknown-32602")
@breaks("resource-unknown-refused", "resource-unknown-32602")
class EmptyForUnknown(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        return super().read(uri, code) if uri in CONTENTS else {"contents": []}


@breaks("resource-read-shape", warned=True)
class RelativeContents(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        contents = super().read(uri, code)["contents"]
        return {"contents": [content | {"uri": "text"} for content in contents]}


@breaks("resource-unknown-32602")
@breaks("resource-unknown-refused", "resource-unknown-32602")
class ReadsAnyText(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        return super().read(uri if ":" in str(uri) else "test:text", code)


@breaks("resource-subscribe-answered")
class NothingForSubscribers(Rich):
    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        is_subscribed = message is not None and message["method"] == "resources/subscribe"
        return super().result_reply(identifier, None if is_subscribed else result, message)


@breaks("resource-subscribe-answered", warned=True)
class SubscribesToNothing(Rich):
    def subscribe(self, params: dict[str, Any]) -> dict[str, Any]:
        return {}


@breaks("resource-subscribe-answered")
class NoSubscriptions(Rich):
    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        if message["method"] == "resources/subscribe":
            return self.unknown_method(message["method"])
        return super().result(message, request)


@breaks("prompts-list-shape")
class ArgumentsAsTexts(MangledRich):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method == "prompts/list":
            result["prompts"] = [*PROMPTS, {"name": "feed", "arguments": ["who"]}]
        return result


@breaks("prompt-get-shape")
class ContentAsList(Rich):
    def prompt(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        (message,) = super().prompt(name, arguments)["messages"]
        return {"messages": [message | {"content": [message["content"]]}]}


@breaks("messages-match-schema")
class NumberedPromptDescription(Rich):
    def prompt(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        return super().prompt(name, arguments) | {"description": 7}


@breaks("messages-match-schema")
class TextForExperiments(MangledRich):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        if method in ("initialize", "server/discover"):
            result["capabilities"] = {**result["capabilities"], "experimental": "none"}
        return result


@breaks("prompt-unknown-32602")
class AnyPrompt(Rich):
    def prompt(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        return super().prompt(name if name == "greet" else "feed", arguments)


@breaks("prompt-argument-missing-32602")
class ForgivesArguments(Rich):
    def prompt(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        return super().prompt(name, {"who": ""} | arguments)


@breaks("prompt-argument-missing-32602")
class TakesATextForArguments(Rich):
    def prompt(self, name: Any, arguments: Any) -> dict[str, Any]:
        return super().prompt(
            name, arguments if isinstance(arguments, dict) else {"who": arguments}
        )


@breaks("completion-shape")
class TooManySuggestions(Rich):
    def complete(self, reference: dict[str, Any]) -> dict[str, Any]:
        super().complete(reference)
        return {"completion": {"values": [str(number) for number in range(101)]}}


class NothingToComplete(Rich):
    """A conforming server that declares completions and lists nothing that can be completed."""

    def capabilities(self) -> dict[str, Any]:
        return {"tools": {}, "completions": {}}

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        if message["method"].startswith(("prompts/", "resources/")):
            return self.unknown_method(message["method"])
        return super().result(message, request)


@breaks("completion-unknown-32602")
class CompletesAnything(Rich):
    def complete(self, reference: dict[str, Any]) -> dict[str, Any]:
        return super().complete(reference | {"name": "greet"})


@breaks("log-level-set")
class NoAlerts(Rich):
    def check_level(self, level: Any) -> None:
        super().check_level("none" if level == "alert" else level)


@breaks("log-level-unknown-32602")
class AnyLevel(Rich):
    def check_level(self, level: Any) -> None:
        pass


@breaks("subscription-acknowledged")
class SilentSubscription(Rich):
    def listen(self, message: Any) -> Reply:
        return self.json_reply({"jsonrpc": "2.0", "id": message["id"], "result": {}})


@breaks("subscription-acknowledged")
class StrangeSubscription(Rich):
    def listen(self, message: Any) -> Reply:
        return super().listen({"id": "another"})


@breaks("subscription-acknowledged", warned=True)
class FailsOnAnEmptyFilter(Rich):
    def listen(self, message: Any) -> Reply:
        return super().listen(message) if message["params"]["notifications"] else Reply(500)


@breaks("invalid-params-32602")
class FailsWithoutAName(Rich):
    def prompt(self, name: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        if name is None:
            raise Refusal(-32603, "Internal error")
        return super().prompt(name, arguments)


@breaks("invalid-params-32602")
class ListensWithoutAFilter(Rich):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if isinstance(message, dict) and message.get("method") == "subscriptions/listen":
            message["params"].setdefault("notifications", {})
        return super().single(request, message)


@breaks("subscription-filter-respected")
class SendsEveryKind(Rich):
    def listen(self, message: Any) -> Reply:
        reply = super().listen(message)
        reply.body += (
            b'data: {"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"}\n\n'
        )
        return reply


@breaks("subscription-filter-respected")
class GrantsEveryKind(Rich):
    def listen(self, message: Any) -> Reply:
        reply = super().listen(message)
        all_kinds = b'"notifications": {"promptsListChanged": true}'
        reply.body = reply.body.replace(b'"notifications": {}', all_kinds)
        return reply


@breaks("subscription-filter-respected", warned=True)
class EndsSubscriptions(Rich):
    def listen(self, message: Any) -> Reply:
        reply = super().listen(message)
        reply.hold = 0.0
        return reply


@breaks("pagination-ends")
class EndlessPrompts(MangledRich):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"nextCursor": 7} if method == "prompts/list" else {})


@breaks("cursor-unknown-32602")
class AnyPromptCursor(Rich):
    def paged(self, params: dict[str, Any], key: str, entries: list[Any]) -> dict[str, Any]:
        return {key: entries}


@breaks("name-header-mismatch-32020")
class ForgivesPromptNames(Rich):
    def header(self, request: ReceivedRequest, name: str) -> str | None:
        message = json.loads(request.body)
        if name == "mcp-name" and message["method"] == "prompts/get":
            return str(message["params"]["name"])
        return super().header(request, name)


@breaks("removed-methods-32601")
class KeepsLogging(Rich):
    def modern_result(self, message: Any) -> dict[str, Any]:
        if message["method"] == "logging/setLevel":
            return super().modern_result(message | {"method": "server/discover"})
        return super().modern_result(message)


@breaks("resource-files-safe")
class ReadsFiles(Rich):
    def read(self, uri: Any, code: int) -> dict[str, Any]:
        if str(uri).endswith("/etc/passwd"):
            return {"contents": [{"uri": uri, "text": "root:x:0:0:root:/root:/bin/sh"}]}
        return super().read(uri, code)


@breaks("messages-match-schema")
class TextForTotal(streams.Talking, Rich):
    method = "tools/call"

    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        token = message["params"].get("_meta", {}).get("progressToken")
        params = {"progressToken": token, "progress": 1, "total": "2"}
        return [streams.notification("notifications/progress", **params)] if token else []


@breaks("log-level-respected", warned=True)
class LogsEverything(streams.Talking, Rich):
    method = "tools/call"

    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        meta = message["params"].get("_meta", {})
        log = streams.notification("notifications/message", level="debug", data="cache miss")
        return [log] if META + "logLevel" in meta else []


@breaks("subscription-acknowledged", warned=True)
class NeedsFilters(Rich):
    def listen(self, message: Any) -> Reply:
        if not message["params"]["notifications"]:
            refusal = Refusal(-32603, "KeyError: toolsListChanged", 500)
            return self.error_reply(message["id"], refusal, always=True)
        return super().listen(message)


@breaks("log-level-respected", warned=True)
class DropsTheLevelThatIsSet(streams.Talking, Rich):
    method = "tools/call"
    level = "info"

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        if message["method"] == "logging/setLevel":
            self.level = message["params"].get("level")
        return super().result(message, request)

    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        meta = message["params"].get("_meta", {})
        is_modern = META + "protocolVersion" in meta
        minimum = meta.get(META + "logLevel") if is_modern else self.level
        log = streams.notification("notifications/message", level="error", data="no connection")
        return [log] if minimum in LEVELS[: LEVELS.index("error")] else []


@breaks("call-without-token", warned=True)
class NeedsProgressTokens(Rich):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().call(params)
        if "progressToken" not in params.get("_meta", {}) and "isError" in result:
            raise Refusal(-32603, "KeyError: progressToken")
        return result


@breaks("prompt-name-unique", warned=True)
class PromptTwice(MangledRich):
    def mangle(self, method: str, result: dict[str, Any], modern: bool) -> dict[str, Any]:
        return result | ({"prompts": [*PROMPTS, PROMPTS[0]]} if method == "prompts/list" else {})


@breaks("resource-uri-unique", warned=True)
class ResourceTwice(Rich):
    def resources(self) -> list[dict[str, Any]]:
        return [*super().resources(), {"uri": "test:text", "name": "again"}]
