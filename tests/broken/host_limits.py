"""Servers with tools beyond the limits of hosts."""

from __future__ import annotations

import time
from typing import Any

from base_server import ConformingServer, ReceivedRequest, Reply, tool
from builder import TEXT, breaks, taking, with_tool

from mcpgen.conformance import CallableTools

with_tool("universal-tool-name", "CapitalName", {"name": "getPet"})


with_tool("universal-description", "Undescribed", {"description": " "})


with_tool("universal-description", "Verbose", {"description": "very " * 300})


with_tool("universal-schema-root", "CombinedRoot", {"inputSchema": taking() | {"anyOf": [{}]}})


with_tool("universal-argument-name", "DollarKey", {"inputSchema": taking(**{"$top": TEXT})})


with_tool(
    "universal-flat",
    "NestedArgument",
    {"inputSchema": taking(pet={"type": "object", "description": "A pet."})},
)


with_tool(
    "universal-flat",
    "UnionArgument",
    {"inputSchema": taking(pet={"anyOf": [TEXT, {"type": "integer"}], "description": "A pet."})},
)


with_tool(
    "universal-flat",
    "ListOfObjects",
    {
        "inputSchema": taking(
            pets={"type": "array", "items": {"type": "object"}, "description": "Pets."}
        )
    },
)


with_tool(
    "universal-argument-described", "MuteArgument", {"inputSchema": taking(name={"type": "string"})}
)


with_tool(
    "universal-enum",
    "NumberedEnum",
    {"inputSchema": taking(level={"type": "integer", "enum": [1, 2], "description": "A level."})},
)


with_tool("universal-annotations", "Hintless", {"annotations": {"openWorldHint": True}})


class Chatty(ConformingServer):
    """A server with long instructions."""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return super().initialize(params) | {"instructions": "Read this first. " * 200}

    def discover(self) -> dict[str, Any]:
        return super().discover() | {"instructions": "Read this first. " * 200}


breaks("universal-instructions")(Chatty)
breaks("host-instructions", warned=True)(Chatty)


class Crowd(ConformingServer):
    """A server with more tools than hosts take."""

    def __init__(self) -> None:
        super().__init__()
        self.tools = [tool(f"tool_{number}", {}, []) for number in range(130)]


breaks("universal-tool-count", profiles=("universal",), call=CallableTools.NONE, warned=True)(Crowd)
breaks("host-tool-count", profiles=("openai_api",), call=CallableTools.NONE)(Crowd)

MANY = {"type": "string", "description": "One.", "enum": [f"value-{n}" for n in range(1_001)]}

with_tool(
    "universal-enum-total",
    "ManyValues",
    {"inputSchema": taking(choice=MANY)},
    profiles=("universal",),
)


with_tool(
    "host-schema-size",
    "ManyChoices",
    {"inputSchema": taking(choice=MANY)},
    profiles=("openai_api",),
    warned=True,
)


class Verbatim(ConformingServer):
    """A server with a very long result."""

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = super().run(name, arguments)
        return result if name == "add" else {"content": [{"type": "text", "text": "x" * 160_000}]}


breaks("universal-result-size")(Verbatim)
breaks("host-result-size", warned=True)(Verbatim)

with_tool("host-tool-name", "LongName", {"name": "a" * 70})


with_tool("host-argument-name", "FilterKey", {"inputSchema": taking(**{"filter[name]": TEXT})})


with_tool("host-description", "EmptyDescription", {"description": ""})


with_tool("host-schema-root", "AlternativeRoots", {"inputSchema": taking() | {"oneOf": [{}]}})


with_tool(
    "host-schema-keyword",
    "Negated",
    {"inputSchema": taking(name=TEXT | {"not": {"type": "string", "const": "x"}})},
)


with_tool(
    "host-schema-keyword",
    "UntoldValues",
    {"inputSchema": taking(colour=TEXT | {"enum": ["red", "green"]})},
    warned=True,
)


with_tool(
    "host-schema-type",
    "TwoTypes",
    {"inputSchema": taking(name=TEXT | {"type": ["string", "null"]})},
)


with_tool(
    "host-schema-type",
    "CountedLevels",
    {"inputSchema": taking(level={"type": "integer", "enum": [1, 2], "description": "1 or 2."})},
)


with_tool(
    "host-schema-reference",
    "Endless",
    {
        "inputSchema": taking(tree={"$ref": "#/$defs/Tree", "description": "A tree."})
        | {"$defs": {"Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
    },
    warned=True,
)


with_tool(
    "host-schema-dialect",
    "NewerDialect",
    {"inputSchema": taking(names={"type": "array", "items": TEXT, "additionalItems": 5})},
)


with_tool("host-annotations", "Unhinted", {"annotations": {"readOnlyHint": False}}, warned=True)


with_tool("host-output-schema", "Unannounced", {}, warned=True)


with_tool(
    "host-mirrored-header",
    "UnmirroredList",
    {
        "inputSchema": taking(
            names={"type": "array", "items": TEXT, "description": "Names.", "x-mcp-header": "N"}
        )
    },
    "x-mcp-header-valid",
)


@breaks("host-result-content", "tool-result-every-revision")
class Singing(ConformingServer):
    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = super().run(name, arguments)
        song = {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}
        return result | {"content": [*result["content"], song]} if name == "echo" else result


@breaks("host-accept", warned=True)
class WantsBothTypes(ConformingServer):
    def answer(self, request: ReceivedRequest) -> Reply:
        if request.headers.get("accept") == "application/json":
            return Reply(406)
        return super().answer(request)


class PublicName(ConformingServer):
    """A server under a public host name."""

    def host_allowed(self, host: str) -> bool:
        return super().host_allowed(host.replace("127.1:", "127.0.0.1:"))


breaks("host-https", host="127.1")(PublicName)
breaks("workspace-https", host="127.1")(PublicName)


class Slow(ConformingServer):
    """A server with a delay for one method."""

    method = "tools/call"

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if isinstance(message, dict) and message.get("method") == self.method:
            time.sleep(0.07)
        return super().single(request, message)


class SlowInitialize(Slow):
    """A server with a slow `initialize`."""

    method = "initialize"


class SlowDiscover(Slow):
    """A server with a slow `server/discover`."""

    method = "server/discover"


class SlowList(Slow):
    """A server with a slow `tools/list`."""

    method = "tools/list"


HASTE = 0.001
"""A pace at which 60 seconds of a host become 60 milliseconds."""

breaks("host-time", pace=HASTE, profiles=("cline",))(Slow)
breaks("latency-initialize", pace=HASTE, profiles=("latency",))(SlowInitialize)
breaks("latency-discover", pace=HASTE, profiles=("latency",))(SlowDiscover)
breaks("latency-list", pace=HASTE, profiles=("latency",))(SlowList)
breaks("latency-call", pace=HASTE, profiles=("latency",))(Slow)
breaks("workspace-opening-in-time", pace=HASTE, profiles=("experience-workspace",))(SlowInitialize)
breaks("workspace-cold-list", pace=HASTE, profiles=("experience-workspace",))(SlowList)
breaks("workspace-call-in-time", pace=HASTE, profiles=("experience-workspace",))(Slow)
