"""MCP clients on a user's machine: the configuration file of each client, and the entry for a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ConfigFormat(StrEnum):
    """The format of a configuration file. JSON may have comments and commas before a closing
    bracket."""

    JSON = "json"
    TOML = "toml"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """A server to connect: `url` over HTTP, or `command`, which starts the server over stdio.

    `variables`: environment variables that the started server reads. `bearer`: the variable with the
    token for `Authorization`, `""` for none.
    """

    name: str
    url: str = ""
    command: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    bearer: str = ""


@dataclass(frozen=True, slots=True)
class Client:
    """A client and its configuration.

    `files`: the user's file by `sys.platform`, with `{home}`, `{config}` and `{appdata}`.
    `project_file`: the file of a project, `""` without this scope. `key`: the member of the file
    with the servers. `reference`: how a value names the environment variable `NAME`, `""` if the
    client has no references in values. `advice`: what the user does about a variable that the entry
    does not hand over, `""` if the client hands over every variable of the entry. `source`:
    documentation or source code that states the format.
    """

    id: str
    title: str
    key: str
    files: Mapping[str, str]
    make_entry: Callable[[ServerEntry, Callable[[str], str]], dict[str, Any]]
    source: str
    format: ConfigFormat = ConfigFormat.JSON
    project_file: str = ""
    reference: str = ""
    advice: str = ""
    forbidden: str = ""
    """Characters that a server's name must not have."""

    def entry(self, server: ServerEntry) -> dict[str, Any]:
        """The value of the server's entry. No value of a variable is part of the entry."""
        return self.make_entry(server, self._refer)

    def snippet(self, server: ServerEntry) -> str:
        """The server's entry with the enclosing key, as text of the client's format."""
        value = self.entry(server)
        if self.format is ConfigFormat.TOML:
            return toml_table(self.key, server.name, value)
        if self.format is ConfigFormat.YAML:
            return "\n".join([f"{self.key}:", *yaml_lines(server.name, value, "  "), ""])
        return json.dumps({self.key: {server.name: value}}, ensure_ascii=False) + "\n"

    @property
    def file_name(self) -> str:
        """The file of a project, else the name of the user's file."""
        return self.project_file or self.files["linux"].rpartition("/")[2]

    def _refer(self, variable: str) -> str:
        return self.reference.replace("NAME", variable)


def toml_table(key: str, name: str, value: Mapping[str, Any]) -> str:
    """The table `[key.name]` with a line per member."""
    lines = [f"[{key}.{_toml_key(name)}]"]
    lines += [f"{_toml_key(member)} = {_toml_value(part)}" for member, part in value.items()]
    return "\n".join([*lines, ""])


def yaml_lines(name: str, value: Mapping[str, Any], indent: str = "") -> list[str]:
    """The entry of a block mapping: a line with the name, and a line per member. JSON texts are
    YAML 1.2 flow values."""
    members = (f"{indent}  {member}: {_json_text(part)}" for member, part in value.items())
    return [f"{indent}{_json_text(name)}:", *members]


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _toml_key(name: str) -> str:
    """A bare key where TOML allows the name bare."""
    is_bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if is_bare else _toml_value(name)


def _toml_value(value: Any) -> str:
    """A value on a line. JSON strings are TOML basic strings, apart from U+007F."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_toml_key(key)} = {_toml_value(part)}" for key, part in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    return _json_text(value).replace("\x7f", "\\u007f")


def _process_entry(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    """`command`, `args`, and `env` with references to variables."""
    entry: dict[str, Any] = {"command": server.command[0], "args": list(server.command[1:])}
    if server.variables and refer("NAME"):
        entry["env"] = {name: refer(name) for name in server.variables}
    return entry


def _token_header(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    """`headers` with the token, or nothing."""
    if not server.bearer or not refer("NAME"):
        return {}
    return {"headers": {"Authorization": f"Bearer {refer(server.bearer)}"}}


def _remote_entry_writer(
    url_key: str,
) -> Callable[[ServerEntry, Callable[[str], str]], dict[str, Any]]:
    """The writer of entries with the URL in `url_key`."""

    def make(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
        if server.url:
            return {url_key: server.url, **_token_header(server, refer)}
        return _process_entry(server, refer)

    return make


def _claude_code(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    if server.url:
        return {"type": "http", "url": server.url, **_token_header(server, refer)}
    # A reference to an unset variable without a default stays in the value; servers ignore empty
    # variables.
    return _process_entry(server, lambda variable: f"${{{variable}:-}}")


def _vs_code(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    if server.url:
        return {"type": "http", "url": server.url, **_token_header(server, refer)}
    return {"type": "stdio", **_process_entry(server, refer)}


def _claude_desktop(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    # The file has entries with commands only. mcp-remote connects a client over stdio to a URL, and
    # replaces `${NAME}` by the variable of its own environment:
    # https://github.com/geelen/mcp-remote#custom-headers
    if server.url:
        header = (
            ["--header", f"Authorization: Bearer ${{{server.bearer}}}"] if server.bearer else []
        )
        return {"command": "npx", "args": ["-y", "mcp-remote", server.url, *header]}
    return _process_entry(server, refer)


def _codex(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    if server.url:
        bearer = {"bearer_token_env_var": server.bearer} if server.bearer else {}
        return {"url": server.url, **bearer}
    variables = {"env_vars": list(server.variables)} if server.variables else {}
    return {"command": server.command[0], "args": list(server.command[1:]), **variables}


def _goose(server: ServerEntry, refer: Callable[[str], str]) -> dict[str, Any]:
    # `timeout` is in seconds; 300 is the default of Goose.
    common = {"enabled": True, "name": server.name, "description": "", "timeout": 300}
    if server.url:
        variables = [server.bearer] if server.bearer else []
        transport = {"type": "streamable_http", "uri": server.url, **_token_header(server, refer)}
    else:
        variables = list(server.variables)
        words = list(server.command)
        transport = {"type": "stdio", "cmd": words[0], "args": words[1:]}
    return {**common, **transport, "envs": {}, "env_keys": variables}


def _everywhere(path: str, windows: str = "") -> dict[str, str]:
    return {"linux": path, "darwin": path, "win32": windows or path}


CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        "mcpServers",
        _everywhere("{home}/.claude.json"),
        _claude_code,
        "https://code.claude.com/docs/en/mcp",
        project_file=".mcp.json",
        reference="${NAME}",
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        "mcpServers",
        {
            "linux": "{config}/Claude/claude_desktop_config.json",
            "darwin": "{home}/Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "{appdata}/Claude/claude_desktop_config.json",
        },
        _claude_desktop,
        "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
        advice="Claude Desktop has no references to variables: install the file of `mcpgen bundle`, "
        "which asks for the values, or set the values under `env` of the entry yourself",
    ),
    Client(
        "cursor",
        "Cursor",
        "mcpServers",
        _everywhere("{home}/.cursor/mcp.json"),
        _remote_entry_writer("url"),
        "https://cursor.com/docs/mcp",
        project_file=".cursor/mcp.json",
        reference="${env:NAME}",
    ),
    Client(
        "vscode",
        "VS Code",
        "servers",
        {
            "linux": "{config}/Code/User/mcp.json",
            "darwin": "{home}/Library/Application Support/Code/User/mcp.json",
            "win32": "{appdata}/Code/User/mcp.json",
        },
        _vs_code,
        "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        project_file=".vscode/mcp.json",
        reference="${env:NAME}",
    ),
    Client(
        "codex",
        "Codex",
        "mcp_servers",
        _everywhere("{home}/.codex/config.toml"),
        _codex,
        "https://github.com/openai/codex/blob/main/codex-rs/config/src/mcp_types.rs",
        format=ConfigFormat.TOML,
        project_file=".codex/config.toml",
    ),
    Client(
        "gemini-cli",
        "Gemini CLI",
        "mcpServers",
        _everywhere("{home}/.gemini/settings.json"),
        _remote_entry_writer("httpUrl"),
        "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
        project_file=".gemini/settings.json",
        reference="${NAME}",
        # Policies split the name `mcp_{server}_{tool}` at the first `_` behind `mcp_`.
        forbidden="_",
    ),
    Client(
        "goose",
        "Goose",
        "extensions",
        _everywhere("{home}/.config/goose/config.yaml", "{appdata}/Block/goose/config/config.yaml"),
        _goose,
        "https://block.github.io/goose/docs/guides/config-files",
        format=ConfigFormat.YAML,
        reference="${NAME}",
    ),
    Client(
        "windsurf",
        "Windsurf",
        "mcpServers",
        _everywhere("{home}/.codeium/windsurf/mcp_config.json"),
        _remote_entry_writer("serverUrl"),
        "https://docs.windsurf.com/windsurf/cascade/mcp",
        reference="${env:NAME}",
    ),
    Client(
        "zed",
        "Zed",
        "context_servers",
        _everywhere("{config}/zed/settings.json", "{appdata}/Zed/settings.json")
        | {"darwin": "{home}/.config/zed/settings.json"},
        _remote_entry_writer("url"),
        "https://zed.dev/docs/ai/mcp",
        project_file=".zed/settings.json",
        advice="Zed has no references to variables: start Zed from a shell where the variables are "
        "set, or set the values in the entry yourself",
    ),
    Client(
        "lm-studio",
        "LM Studio",
        "mcpServers",
        _everywhere("{home}/.lmstudio/mcp.json"),
        _remote_entry_writer("url"),
        "https://lmstudio.ai/docs/app/mcp",
        advice="LM Studio documents no references to variables: set the values in the entry yourself",
    ),
)
"""The supported clients, in the order of the help."""


def find_client(id: str) -> Client | None:
    """The client with an id, or None."""
    return next((client for client in CLIENTS if client.id == id), None)
