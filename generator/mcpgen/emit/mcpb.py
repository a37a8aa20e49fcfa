"""The manifest of an MCP bundle, a file that desktop hosts install with a click.

https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md, version 0.4
"""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.config.tables.project import RuntimeMode
from mcpgen.emit.card import public_tools
from mcpgen.emit.credentials import settings
from mcpgen.emit.escape import collapse_to_line, truncate_words
from mcpgen.emit.package_files import api_name, variable_prefix
from mcpgen.emit.project_files import release
from mcpgen.emit.required_variables import limit_store, required_variables
from mcpgen.ir.json_format import format_json
from mcpgen.ir.policy import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json

PATH = "deploy/mcpb/manifest.json"
"""The file of a project with `mcpb = true` under `[deploy]`."""

ENTRY_POINT = "main.py"
ICON = "icon.png"

_ACRONYMS = frozenset({"api", "id", "url"})

_MAX_CHARACTERS = 120
"""Characters of a name or a description, which hosts show in a list."""


def manifest(server: Server) -> dict[str, Json]:
    """The manifest of a server by the MCPB specification, as JSON. Hosts ask for the values of
    `user_config`, and keep sensitive values as secrets."""
    name = server.package.replace("_", "-")
    environment_prefix = variable_prefix(server).text
    user_config = dict(_settings(server))
    variables = {
        f"{environment_prefix}{field.upper()}": f"${{user_config.{field}}}" for field in user_config
    }
    if server.registry.url:
        # A registry lists an address, and a server over stdio has none.
        variables[f"{environment_prefix}REGISTERS"] = "false"
    return {
        "manifest_version": "0.4",
        "name": name,
        "display_name": truncate_words(
            collapse_to_line(server.title or server.slug), _MAX_CHARACTERS
        ),
        "version": release(server),
        "description": f"MCP server of the {api_name(server)}",
        "author": {"name": api_name(server)},
        "server": {
            # Type `python` would need all packages inside, and the server's compiled packages exist
            # for one system and Python version each.
            "type": "uv",
            "entry_point": ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", ENTRY_POINT],
                "env": variables,
            },
        },
        "tools": [
            {"name": tool.name, "description": _manifest_line(tool.title or tool.description)}
            for tool in public_tools(server)
        ],
        "tools_generated": bool(server.policy.concealed_tools),
        "prompts_generated": bool(server.prompts),
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": ">=3.11"},
        },
        "user_config": user_config,
    }


def manifest_text(server: Server) -> str:
    """The text of `manifest.json`."""
    return format_json(manifest(server))


def _settings(server: Server) -> Iterator[tuple[str, dict[str, Json]]]:
    """The fields of the settings that users fill in: required settings, the credentials of the API,
    the token of the local user, and the URL of the API."""
    environment_prefix = variable_prefix(server).text
    required = required_variables(server, RuntimeMode.VENDORED, is_local=True)
    for variable in (*required, *limit_store(server)):
        field = variable.name.removeprefix(environment_prefix).lower()
        yield field, _setting(field, variable.meaning, is_secret=variable.is_secret)
    for credential in settings(
        server.security_schemes, [setting.name for setting in server.settings]
    ):
        kind = "string" if credential.secret else "file"
        yield (
            credential.field,
            _setting(credential.field, credential.meaning, credential.secret, kind, default=""),
        )
    if server.policy.authentication or isinstance(
        server.forwarded_credential, PassthroughSpec | TokenExchange
    ):
        yield "stdio_token", _setting("stdio_token", "token of the local user", is_secret=True)
    if server.upstream:
        yield (
            "upstream",
            _setting("upstream", "base URL of the API", False, default=server.upstream),
        )


def _setting(
    field: str, meaning: str, is_secret: bool, kind: str = "string", default: str | None = None
) -> dict[str, Json]:
    """An entry of `user_config`. A setting without a default is required. An empty default replaces
    the reference to a value that the user left out; servers ignore empty variables."""
    words = (word.upper() if word in _ACRONYMS else word for word in field.split("_"))
    title = " ".join(words)
    entry: dict[str, Json] = {
        "type": kind,
        "title": title[:1].upper() + title[1:],
        "description": _manifest_line(meaning[:1].upper() + meaning[1:]),
    }
    if default is None:
        entry["required"] = True
    else:
        entry["default"] = default
    return entry | ({"sensitive": True} if is_secret else {})


def _manifest_line(text: str) -> str:
    return truncate_words(collapse_to_line(text), _MAX_CHARACTERS)
