"""The template of `mcpgen.toml`: every key with an explanation, at the default."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcpgen.config.key_spec import KeySpec, KeyType
from mcpgen.config.schema import KEYS

SCHEMA = "mcpgen.schema.json"
"""The JSON Schema of `mcpgen.toml` in a project's folder. A path works offline, and fits the version
of mcpgen that has built the project; an address on the web would do neither."""

SCHEMA_LINE = f"#:schema ./{SCHEMA}"
"""The line of `mcpgen.toml` by which editors find the schema
(https://taplo.tamasfe.dev/configuration/directives.html). Without the line a project has no schema."""

HEADER = (
    f"{SCHEMA_LINE}\n# Your choices for this server. After a change, run `mcpgen build` again.\n"
)

_TABLES = {
    KeyType.NAMES: '# "GET /pets/{id}" = "get_pet"',
    KeyType.CHOICES: '# "POST /pets" = "application/xml"',
    KeyType.FIELDS: '# "GET /pets" = ["id", "owner.name"]',
    KeyType.TABLE: "",
    KeyType.TABLES: "",
}
"""The types of keys that are tables with the user's own keys, each with an example."""


def render_config(values: Mapping[str, str | list[str]]) -> str:
    """The text of a configuration with the keys in `values` set.

    All other keys are written as comments, so the file documents every key.
    """
    lines = [HEADER]
    table = ""
    for key in sorted(KEYS, key=lambda key: "." in key.path or key.kind in _TABLES):
        owner = key.path if key.kind in _TABLES else key.path.rpartition(".")[0]
        if owner != table:
            lines.append(f"\n[{owner}]")
            table = owner
        lines.append(f"# {key.meaning}")
        lines.append(_line(key, values))
    return "\n".join(lines) + "\n"


def _line(key: KeySpec, values: Mapping[str, str | list[str]]) -> str:
    """The key and the value, as a comment unless a value is set."""
    if key.kind in _TABLES:
        return key.example or _TABLES[key.kind]
    name = key.path.rpartition(".")[2]
    if key.path in values:
        return f"{name} = {json.dumps(values[key.path], ensure_ascii=False)}"
    default = list(key.default) if key.default == () else key.default
    return f"# {name} = {json.dumps(default)}"
