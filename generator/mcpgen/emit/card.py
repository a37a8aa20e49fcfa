"""`server-card.json` and `server.json`: the descriptions of a server for registries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from mcpgen.config.tables.server import is_registry_name
from mcpgen.config.validators import LOOPBACK
from mcpgen.emit.escape import collapse_to_line, truncate_words
from mcpgen.emit.package_files import api_name
from mcpgen.emit.project_files import UNVERSIONED
from mcpgen.emit.resources_prompts import completion, log_levels
from mcpgen.ir.json_format import FormattedEntry, format_json
from mcpgen.ir.server import Server, ToolSpec
from mcpgen.ir.server_card import Card, ListedFeatures
from mcpgen.ir.source import Json

REVISION = "2025-11-25"
"""The MCP revision of the card: the newest revision with the `initialize` result that cards copy.
"""

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
"""The JSON Schema of `server.json`, with the lengths and patterns used below."""

_MAX_CHARACTERS = 100
"""Characters of a title and of a description."""

_VERSION = re.compile(r"(?!latest$)[0-9A-Za-z](?:[0-9A-Za-z+_-]|\.(?![xX*]))*")
"""An exact version, not a range of versions."""


def server_card(server: Server, entries: Sequence[FormattedEntry]) -> str:
    """The text of `server-card.json`. `entries` are the listing entries of `public_tools`."""
    identity: dict[str, Json] = {"name": server.slug, "title": server.title}
    identity["version"] = server.version
    members = {key: value for key, value in identity.items() if value}
    card = Card(REVISION, members, endpoint_url(server), server.instructions, _announced(server))
    return card.text_with(entries)


def public_tools(server: Server) -> tuple[ToolSpec, ...]:
    """The tools announced to every caller: tools hidden from some callers are left out. The order
    is that of the server."""
    return tuple(tool for tool in server.listed if tool.name not in server.policy.concealed_tools)


def _announced(server: Server) -> ListedFeatures:
    """The capabilities, resources and prompts announced to every caller. Resources read through a
    hidden tool are left out."""
    concealed = server.policy.concealed_tools
    resources = [resource for resource in server.resources if resource.tool not in concealed]
    return ListedFeatures(
        capabilities=_capabilities(server),
        resources=[resource.announced for resource in resources if not resource.variables],
        templates=[resource.announced for resource in resources if resource.variables],
        prompts=[prompt.announced for prompt in server.prompts],
    )


def _capabilities(server: Server) -> dict[str, Json]:
    """The `ServerCapabilities` of `initialize`. Lists never change while the server runs;
    `subscribe` needs sessions."""
    subscribes = server.sessions and server.offers.notices.changes
    offered: tuple[tuple[str, object, Json], ...] = (
        ("tools", True, {"listChanged": False}),
        ("resources", server.resources, {"subscribe": subscribes, "listChanged": False}),
        ("prompts", server.prompts, {"listChanged": False}),
        ("completions", completion(server), {}),
        ("logging", log_levels(server), {}),
    )
    return {name: flags for name, is_there, flags in offered if is_there}


def endpoint_url(server: Server) -> str:
    """The URL of the endpoint, or only the path where `public_url` is not configured."""
    return f"{server.policy.public_url}{server.policy.path}"


def server_json(server: Server) -> str:
    """The text of `server.json`, for the official registry of MCP.

    https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
    """
    manifest: dict[str, Json] = {
        "$schema": SCHEMA,
        "name": server.registry.name or _registry_name(server),
        "title": truncate_words(collapse_to_line(server.title), _MAX_CHARACTERS),
        "description": truncate_words(f"MCP server of the {api_name(server)}", _MAX_CHARACTERS),
        "version": _package_version(server),
    }
    host = urlsplit(server.policy.public_url).hostname
    if host and host not in LOOPBACK:
        manifest["remotes"] = [_remote(server)]
    return format_json({key: value for key, value in manifest.items() if value})


def _registry_name(server: Server) -> str:
    """The reversed labels of the public host, then the slug of the server. A host that is unknown,
    or that makes no valid name, gives a name below `localhost`, a reserved domain (RFC 6761)."""
    host = urlsplit(server.policy.public_url).hostname or ""
    labels = host.split(".")
    if len(labels) > 1 and labels[-1].isalpha():
        name = f"{'.'.join(reversed(labels))}/{server.slug}"
        if is_registry_name(name):
            return name
    return f"localhost.{server.slug}/{server.slug}"


def _package_version(server: Server) -> str:
    is_exact = len(server.version) <= 255 and _VERSION.fullmatch(server.version)
    return server.version if is_exact else UNVERSIONED


def _remote(server: Server) -> dict[str, Json]:
    """The `remotes` entry: the URL, and the variables and headers that clients fill in."""
    policy = server.policy
    remote: dict[str, Json] = {"type": "streamable-http", "url": endpoint_url(server)}
    if policy.samples:
        remote["variables"] = {name: {"isRequired": True} for name in policy.samples}
    if policy.authentication:
        remote["headers"] = [
            {
                "name": "Authorization",
                "description": "`Bearer` and a token or key that the server accepts",
                "isRequired": True,
                "isSecret": True,
            }
        ]
    return remote
