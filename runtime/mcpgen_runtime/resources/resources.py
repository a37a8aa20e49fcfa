"""Resources of the API and of the project's `files.json`, read by URI.

https://modelcontextprotocol.io/specification/2025-11-25/server/resources; URI templates:
https://www.rfc-editor.org/rfc/rfc6570#section-1.2 (level 1: `{name}` and nothing else)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from importlib.resources import files
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PaginatedRequestParams,
    ReadResourceRequestParams,
)

from ..caller import Caller
from ..result import Block, Result
from ..server.client_channel import Context, caller_in
from ..server.feature import Feature, FeatureMethod, ServerContext, refuse_pages
from ..tool import Json, Tool
from .completion_values import Suggestions


@cache
def bundled_files(package: str) -> dict[str, dict[str, str]]:
    """The files in `files.json` of a package by name, with `text`, or base64 in `blob`."""
    content: dict[str, Any] = json.loads(files(package).joinpath("files.json").read_bytes())
    return content


MAX_URI_LENGTH = 8192
"""Maximum characters of a URI; longer URIs match no resource."""

_VARIABLE = re.compile(r"\{(\w+)\}", re.ASCII)
_VALUE = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
"""A level 1 value: unreserved characters and percent-encoded bytes."""


@dataclass(frozen=True)
class UriTemplate:
    """A URI or URI template. A reserved character separates two variables, so a URI matches in one
    way and in linear time."""

    text: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables in order, empty for a plain URI."""
        return tuple(_VARIABLE.findall(self.text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces = _VARIABLE.split(self.text)
        return re.compile("".join(_VALUE if i % 2 else re.escape(p) for i, p in enumerate(pieces)))

    def values(self, uri: str) -> dict[str, str] | None:
        """The values in a URI, decoded once; None if the URI does not match."""
        match = self._pattern.fullmatch(uri) if len(uri) <= MAX_URI_LENGTH else None
        if match is None:
            return None
        try:
            decoded = [unquote_to_bytes(value).decode() for value in match.groups()]
        except UnicodeDecodeError:
            return None
        return dict(zip(self.names, decoded, strict=True))

    def uri(self, values: Mapping[str, str]) -> str:
        """The URI with the values. Raises `KeyError` for a missing variable."""
        return _VARIABLE.sub(lambda match: quote(values[match[1]], safe=""), self.text)


RESOURCE_NOT_FOUND = -32002
"""Error code of an unknown resource before revision 2026-07-28; since then -32602."""

_MODERN = "2026-07-28"
_BINARY = {"image": "data", "audio": "data"}


def of_file(uri: str, mime_type: str, file: Mapping[str, str]) -> list[dict[str, Any]]:
    """The contents of a file."""
    kind = {"mimeType": mime_type} if mime_type else {}
    return [{"uri": uri, **kind, **file}]


def of_result(uri: str, mime_type: str, result: Result) -> list[dict[str, Any]]:
    """The contents of a tool result: the files, or else the texts. The first text is the resource,
    further texts are notes."""
    files = [file for block in result.content if (file := _file(uri, block))]
    if files:
        return files
    texts = [str(block.get("text", "")) for block in result.content if block["type"] == "text"]
    if not texts:
        return [{"uri": uri, "mimeType": mime_type or "text/plain", "text": ""}]
    first = {"uri": uri, "mimeType": mime_type or _kind(texts[0]), "text": texts[0]}
    return [first, *({"uri": uri, "mimeType": "text/plain", "text": text} for text in texts[1:])]


def _file(uri: str, block: Block) -> dict[str, Any] | None:
    """The contents of a block with a file; None for other blocks."""
    if block["type"] in _BINARY:
        return {"uri": uri, "mimeType": block["mimeType"], "blob": block[_BINARY[block["type"]]]}
    if block["type"] == "resource":
        return {**block["resource"], "uri": uri}
    return None


def _kind(text: str) -> str:
    """The guessed MIME type of a text: JSON or plain text."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return "text/plain"
    return "application/json"


def no_such_resource(context: Context, uri: str) -> MCPError:
    """The error for a resource that does not exist or is hidden from the caller."""
    code = INVALID_PARAMS if context.protocol_version >= _MODERN else RESOURCE_NOT_FOUND
    return MCPError(code, "Resource not found", {"uri": uri[:2000]})


def read_error(context: Context, uri: str, result: Result) -> MCPError:
    """The error for a failed result."""
    text = "\n".join(str(block["text"]) for block in result.content if block["type"] == "text")
    if result.cause == "absence":
        return no_such_resource(context, uri)
    if result.refused:
        return _denied(_envelope(text))
    code = INVALID_PARAMS if result.cause == "arguments" else INTERNAL_ERROR
    return MCPError(code, text, {"uri": uri[:2000]})


def _denied(envelope: Any) -> MCPError:
    """The error for a denied call. A denial with an integer code is also used for messages and
    keeps its own code and text."""
    denial = envelope if isinstance(envelope, dict) else {}
    if type(denial.get("code")) is not int:
        return MCPError(INVALID_REQUEST, "The resource may not be read", envelope)
    data = {
        key: value for key, value in denial.items() if key not in ("outcome", "code", "message")
    }
    return MCPError(denial["code"], str(denial.get("message", "")), data or None)


def _envelope(text: str) -> Any:
    """The denial as an object, or the text if not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Resource:
    """One resource or resource template: read by a `tool` with URI variables as arguments, or a
    `file` of the project.

    `annotations` are MCP annotations; `complete` are completion sources by variable.
    """

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    tool: str = ""
    file: str = ""
    size: int | None = None
    annotations: Mapping[str, Json] = field(default_factory=dict)
    complete: Mapping[str, Suggestions] = field(default_factory=dict)

    @cached_property
    def template(self) -> UriTemplate:
        """The parsed URI template."""
        return UriTemplate(self.uri)

    @property
    def announced(self) -> dict[str, Any]:
        """The resource as MCP lists it, without empty members.

        https://modelcontextprotocol.io/specification/2025-11-25/schema#resource
        """
        optional = {
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": dict(self.annotations),
        }
        address = "uriTemplate" if self.template.names else "uri"
        members = {name: value for name, value in optional.items() if value not in ("", None, {})}
        return {address: self.uri, "name": self.name, **members}


_INTEGER = ("-", "0123456789")


def convert_arguments(tool: Tool, values: Mapping[str, str]) -> dict[str, Json]:
    """Converts strings from a URI or a prompt to the types of a tool's arguments.

    A string that does not parse stays a string, so that the tool's validation reports the error. If
    the tool's schema requires every argument, the missing arguments are null.
    """
    properties = tool.input_schema["properties"]
    missing: dict[str, Json] = dict.fromkeys(properties) if tool.strict else {}
    return missing | {
        name: convert_text(text, properties.get(name, {})) for name, text in values.items()
    }


def convert_text(text: str, schema: Mapping[str, Json]) -> Json:
    """The text as a value of the schema's type, or the text if it does not parse."""
    kinds = schema.get("type")
    if kinds in ("integer", ["integer", "null"]):
        return int(text) if _is_integer(text) else text
    if kinds in ("number", ["number", "null"]):
        return _integer_or_text(text)
    if kinds in ("boolean", ["boolean", "null"]):
        return {"true": True, "false": False}.get(text, text)
    return text


def _is_integer(text: str) -> bool:
    """True for an integer in JSON notation with at most 40 digits."""
    sign, digits = _INTEGER
    bare = text.removeprefix(sign)
    return 0 < len(bare) <= 40 and not bare.strip(digits) and (bare == "0" or bare[0] != "0")


def _integer_or_text(text: str) -> Json:
    if _is_integer(text):
        return int(text)
    integer, dot, fraction = text.partition(".")
    if dot and _is_integer(integer) and 0 < len(fraction) <= 40 and not fraction.strip(_INTEGER[1]):
        return float(text)
    return text


FILE_LASTS_MS = 300_000
"""Cache time of a file in milliseconds; files change only with a release."""


class Resources(Feature):
    """Resources in the order of the list. `withheld` are tools that are called only through
    resources."""

    def __init__(self, resources: Sequence[Resource], withheld: Sequence[str] = ()) -> None:
        self.resources = tuple(resources)
        self.withheld = withheld
        self._plain = {
            resource.uri: resource for resource in resources if not resource.template.names
        }
        self._templates = [resource for resource in resources if resource.template.names]

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The methods that list and read resources."""
        plain, templates = tuple(self._plain.values()), tuple(self._templates)
        lists = {
            "resources/list": ("resources", plain),
            "resources/templates/list": ("resourceTemplates", templates),
        }
        return {
            **{
                method: FeatureMethod(
                    PaginatedRequestParams, partial(_list, server, member, resources)
                )
                for method, (member, resources) in lists.items()
            },
            "resources/read": FeatureMethod(ReadResourceRequestParams, partial(self._read, server)),
        }

    def find(self, uri: str) -> tuple[Resource, dict[str, str]] | None:
        """The resource of a URI with the template values, or None. Plain URIs take precedence over
        templates."""
        if uri in self._plain:
            return self._plain[uri], {}
        for resource in self._templates:
            values = resource.template.values(uri)
            if values is not None:
                return resource, values
        return None

    async def contents(
        self, context: Context, server: ServerContext, uri: str
    ) -> list[dict[str, Any]]:
        """The contents of a resource for the sender of the message. Raises `MCPError`."""
        resource, values = self._get_resource(context, uri)
        return await self._read_contents(context, server, uri, resource, values)

    async def _read_contents(
        self,
        context: Context,
        server: ServerContext,
        uri: str,
        resource: Resource,
        values: Mapping[str, str],
    ) -> list[dict[str, Any]]:
        """Reads the contents of a matched resource."""
        caller = caller_in(context)
        if not resource.tool:
            return of_file(uri, resource.mime_type, bundled_files(server.package)[resource.file])
        tool = server.find_tool(caller, resource.tool)
        if tool is None:
            raise no_such_resource(context, uri)
        result = await server.call(caller, tool.name, convert_arguments(tool, values))
        if result.failed:
            raise read_error(context, uri, result)
        return of_result(uri, resource.mime_type, result)

    async def _read(
        self, server: ServerContext, context: Context, params: ReadResourceRequestParams
    ) -> dict[str, Any]:
        uri = str(params.uri)
        resource, values = self._get_resource(context, uri)
        return {
            "resultType": "complete",
            "contents": await self._read_contents(context, server, uri, resource, values),
            "ttlMs": FILE_LASTS_MS if resource.file else 0,
            "cacheScope": "private",
        }

    def _get_resource(self, context: Context, uri: str) -> tuple[Resource, dict[str, str]]:
        """The resource of a URI with the template values. Raises `MCPError` if unknown."""
        match = self.find(uri)
        if match is None:
            raise no_such_resource(context, uri)
        return match


async def _list(
    server: ServerContext,
    member: str,
    resources: Sequence[Resource],
    context: Context,
    params: PaginatedRequestParams,
) -> dict[str, Any]:
    refuse_pages(params)
    caller = caller_in(context)
    entries = [resource.announced for resource in resources if shows(server, caller, resource)]
    return {"resultType": "complete", member: entries}


def shows(server: ServerContext, caller: Caller, resource: Resource) -> bool:
    """True if the caller may see the resource, that is the tool behind the resource."""
    return not resource.tool or server.find_tool(caller, resource.tool) is not None
