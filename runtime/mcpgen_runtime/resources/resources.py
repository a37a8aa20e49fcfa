"""Resources, read by URI: results of read-only tools, and files of the project.

https://modelcontextprotocol.io/specification/2025-11-25/server/resources; URI templates:
https://www.rfc-editor.org/rfc/rfc6570#section-1.2 (level 1: `{name}` without an operator)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from importlib.resources import files
from typing import Any
from urllib.parse import unquote_to_bytes

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
from .completion_values import ValueSource


@cache
def bundled_files(package: str) -> dict[str, dict[str, str]]:
    """The files in `files.json` of a package, by name: `{"text": …}`, or `{"blob": …}` in
    base64."""
    content: dict[str, Any] = json.loads(files(package).joinpath("files.json").read_bytes())
    return content


_MAX_URI_LENGTH = 8192
"""Maximum characters of a URI; longer URIs match no resource."""

_VARIABLE = re.compile(r"\{(\w+)\}", re.ASCII)
_VALUE = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
"""The value of a variable in a URI: unreserved characters and percent-encoded bytes."""


@dataclass(frozen=True)
class UriTemplate:
    """A URI or URI template. The generator only accepts templates with a reserved character between
    two variables, so a URI matches in at most one way, and in linear time."""

    text: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables in order, empty for a plain URI."""
        return tuple(_VARIABLE.findall(self.text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces = _VARIABLE.split(self.text)
        return re.compile("".join(_VALUE if i % 2 else re.escape(p) for i, p in enumerate(pieces)))

    def match(self, uri: str) -> dict[str, str] | None:
        """The decoded values of the variables in a URI; None if the URI does not match or a value
        is not UTF-8."""
        match = self._pattern.fullmatch(uri) if len(uri) <= _MAX_URI_LENGTH else None
        if match is None:
            return None
        try:
            decoded = [unquote_to_bytes(value).decode() for value in match.groups()]
        except UnicodeDecodeError:
            return None
        return dict(zip(self.names, decoded, strict=True))


_RESOURCE_NOT_FOUND = -32002
"""Error code of an unknown resource before `_INVALID_PARAMS_REVISION`."""

_INVALID_PARAMS_REVISION = "2026-07-28"
"""The first revision of MCP in which the error code of an unknown resource is `INVALID_PARAMS`."""


def _file_contents(uri: str, mime_type: str, file: Mapping[str, str]) -> list[dict[str, Any]]:
    """The contents of a file of the project, in MCP format."""
    mime_member = {"mimeType": mime_type} if mime_type else {}
    return [{"uri": uri, **mime_member, **file}]


def _result_contents(uri: str, mime_type: str, result: Result) -> list[dict[str, Any]]:
    """The contents of a tool result, in MCP format: the files of the result, or else the texts.

    The first text has the MIME type of the resource. Further texts are notes in plain text.
    """
    files = [contents for block in result.content if (contents := _block_contents(uri, block))]
    if files:
        return files
    texts = [str(block.get("text", "")) for block in result.content if block["type"] == "text"]
    if not texts:
        return [{"uri": uri, "mimeType": mime_type or "text/plain", "text": ""}]
    first = {"uri": uri, "mimeType": mime_type or _guess_mime_type(texts[0]), "text": texts[0]}
    return [first, *({"uri": uri, "mimeType": "text/plain", "text": text} for text in texts[1:])]


def _block_contents(uri: str, block: Block) -> dict[str, Any] | None:
    """The contents of a block with a file, in MCP format; None for other blocks."""
    if block["type"] in ("image", "audio"):
        return {"uri": uri, "mimeType": block["mimeType"], "blob": block["data"]}
    if block["type"] == "resource":
        return {**block["resource"], "uri": uri}
    return None


def _guess_mime_type(text: str) -> str:
    """The MIME type of JSON if the text is valid JSON, else of plain text."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return "text/plain"
    return "application/json"


def resource_not_found(context: Context, uri: str) -> MCPError:
    """The error for a resource that does not exist, or that is hidden from the caller."""
    is_invalid_params = context.protocol_version >= _INVALID_PARAMS_REVISION
    code = INVALID_PARAMS if is_invalid_params else _RESOURCE_NOT_FOUND
    return MCPError(code, "Resource not found", {"uri": uri[:2000]})


def read_error(context: Context, uri: str, result: Result) -> MCPError:
    """The error for a failed call of the tool of a resource."""
    text = "\n".join(str(block["text"]) for block in result.content if block["type"] == "text")
    if result.cause == "absence":
        return resource_not_found(context, uri)
    if result.refused:
        return _denied_error(text)
    code = INVALID_PARAMS if result.cause == "arguments" else INTERNAL_ERROR
    return MCPError(code, text, {"uri": uri[:2000]})


def _denied_error(text: str) -> MCPError:
    """The error for a call that the caller may not make. `text` is the envelope of `Result.denied`.

    An integer `code` in the envelope is the JSON-RPC error code of a rule that checks messages, and
    becomes the code of the error. Other denials have a name as `code`, and become the data.
    """
    try:
        envelope = json.loads(text)
    except ValueError:
        envelope = text
    denial = envelope if isinstance(envelope, dict) else {}
    if type(denial.get("code")) is not int:
        return MCPError(INVALID_REQUEST, "The resource may not be read", envelope)
    data = {
        key: value for key, value in denial.items() if key not in ("outcome", "code", "message")
    }
    return MCPError(denial["code"], str(denial.get("message", "")), data or None)


@dataclass(frozen=True)
class Resource:
    """A resource, or a resource template if `uri` has variables. Read by calling `tool` with the
    variables as arguments, or from `file`, a name in `files.json`.

    `size` is the number of bytes of a file. `annotations` are MCP annotations, and `complete` are
    the sources of completion values by variable.
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
    complete: Mapping[str, ValueSource] = field(default_factory=dict)

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


_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,39})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,39})\.[0-9]{1,40}")
"""Numbers in JSON notation, without an exponent. A text with more digits stays a text."""


def convert_arguments(tool: Tool, values: Mapping[str, str]) -> dict[str, Json]:
    """Converts texts from a URI or a prompt to the types of a tool's arguments.

    A text that does not parse stays a text, and the validation of the tool reports the error. A
    `strict` tool requires every argument; missing arguments become null.
    """
    properties = tool.input_schema["properties"]
    missing: dict[str, Json] = dict.fromkeys(properties) if tool.strict else {}
    return missing | {
        name: convert_text(text, properties.get(name, {})) for name, text in values.items()
    }


def convert_text(text: str, schema: Mapping[str, Json]) -> Json:
    """The text as a value of the schema's type, or the text itself if it does not parse."""
    types = schema.get("type")
    if types in ("integer", ["integer", "null"]):
        return int(text) if _INTEGER.fullmatch(text) else text
    if types in ("number", ["number", "null"]):
        return _parse_number(text)
    if types in ("boolean", ["boolean", "null"]):
        return {"true": True, "false": False}.get(text, text)
    return text


def _parse_number(text: str) -> Json:
    """The number, or the text itself if it is no number."""
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


_FILE_TTL_MS = 300_000
"""How long a client may cache a file, in milliseconds. Files only change with a release."""


class Resources(Feature):
    """Lists and reads resources, in the given order. `withheld` are names of tools that clients
    cannot call; only resources use the tools."""

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
        """The resource of a URI with the values of the variables, or None. A resource takes
        precedence over templates, and an earlier template over later ones."""
        if uri in self._plain:
            return self._plain[uri], {}
        for resource in self._templates:
            values = resource.template.match(uri)
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
        """Reads the contents of a resource; `values` are the variables of its URI. Raises
        `MCPError`."""
        caller = caller_in(context)
        if not resource.tool:
            return _file_contents(
                uri, resource.mime_type, bundled_files(server.package)[resource.file]
            )
        tool = server.find_tool(caller, resource.tool)
        if tool is None:
            raise resource_not_found(context, uri)
        result = await server.call(caller, tool.name, convert_arguments(tool, values))
        if result.failed:
            raise read_error(context, uri, result)
        return _result_contents(uri, resource.mime_type, result)

    async def _read(
        self, server: ServerContext, context: Context, params: ReadResourceRequestParams
    ) -> dict[str, Any]:
        """Answers `resources/read`."""
        uri = str(params.uri)
        resource, values = self._get_resource(context, uri)
        # A result of a tool may change at any time, and may differ by caller.
        return {
            "resultType": "complete",
            "contents": await self._read_contents(context, server, uri, resource, values),
            "ttlMs": _FILE_TTL_MS if resource.file else 0,
            "cacheScope": "private",
        }

    def _get_resource(self, context: Context, uri: str) -> tuple[Resource, dict[str, str]]:
        """Like `find`, but raises `MCPError` for an unknown URI."""
        match = self.find(uri)
        if match is None:
            raise resource_not_found(context, uri)
        return match


async def _list(
    server: ServerContext,
    member: str,
    resources: Sequence[Resource],
    context: Context,
    params: PaginatedRequestParams,
) -> dict[str, Any]:
    """Answers a list method; `member` is the name of the list in the answer."""
    refuse_pages(params)
    caller = caller_in(context)
    entries = [resource.announced for resource in resources if is_visible(server, caller, resource)]
    return {"resultType": "complete", member: entries}


def is_visible(server: ServerContext, caller: Caller, resource: Resource) -> bool:
    """True if the caller may see the resource: everybody sees files, and a resource of a tool is as
    visible as the tool."""
    return not resource.tool or server.find_tool(caller, resource.tool) is not None
