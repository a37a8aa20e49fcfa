"""Reads `mcpgen.toml` into a `Config`, with every error at once, and renders its template."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, read_table
from mcpgen.config.model import CONFIG_TABLES, Config
from mcpgen.config.reader import ConfigReader
from mcpgen.config.schema import KEYS
from mcpgen.config.tables.project import PROJECT_KEYS, budgets
from mcpgen.config.tables.selection import selection
from mcpgen.config.tables.tool_schemas import OutputMode
from mcpgen.config.tables.tools import field_selections, tool_names
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes

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


def render_config(values: Mapping[str, bool | str | list[str]]) -> str:
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
        lines.append(_template_line(key, values))
    return "\n".join(lines) + "\n"


def _template_line(key: KeySpec, values: Mapping[str, bool | str | list[str]]) -> str:
    """The key and the value, as a comment unless a value is set."""
    if key.kind in _TABLES:
        return key.example or _TABLES[key.kind]
    name = key.path.rpartition(".")[2]
    if key.path in values:
        return f"{name} = {json.dumps(values[key.path], ensure_ascii=False)}"
    default = list(key.default) if key.default == () else key.default
    return f"# {name} = {json.dumps(default)}"


NAME = "mcpgen.toml"
"""The file's name in a project's folder."""


def load(content: bytes, name: str, diagnostics: Diagnostics) -> Config:
    """The configuration in the bytes of a file; messages call the file `name`.

    A wrong value is reported and replaced by the default. Adds BROKEN_CONFIG, UNKNOWN_KEY,
    RENAMED_TABLE, WRONG_TYPE, ILLEGAL_VALUE and ILLEGAL_SELECTOR.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        at = Location(name, (), line, 1)
        diagnostics.add(codes.BROKEN_CONFIG, at, reason="a byte that is not UTF-8")
        return Config()
    return _parse_config(text.replace("\r\n", "\n"), name, diagnostics)


def _parse_config(text: str, name: str, diagnostics: Diagnostics) -> Config:
    try:
        tree = tomllib.loads(text)
        # Python limits the digits of a hexadecimal integer only when the integer is written.
        repr(tree)
    except tomllib.TOMLDecodeError as error:
        reason, line, column = _syntax_error(str(error), text)
        diagnostics.add(codes.BROKEN_CONFIG, Location(name, (), line, column), reason=reason)
        return Config()
    except RecursionError:
        reason = "lists or tables are nested too deeply"
        diagnostics.add(codes.BROKEN_CONFIG, Location(name), reason=reason)
        return Config()
    except ValueError:
        # Python converts no integer with more than 4300 digits.
        reason = "a number has too many digits"
        diagnostics.add(codes.BROKEN_CONFIG, Location(name), reason=reason)
        return Config()
    reader = ConfigReader(text, name, diagnostics)
    config = _build_config(reader.read_values(tree), reader)
    has_schema = any(line.rstrip() == SCHEMA_LINE for line in text.splitlines())
    return replace(config, locations=reader.locations, has_schema=has_schema)


def _build_config(values: Mapping[str, Any], reader: ConfigReader) -> Config:
    """The configuration, from a value for every key of the table."""
    tables = {name: read_table(table, values) for name, table in CONFIG_TABLES.items()}
    return Config(
        **{key.path: key.value(values[key.path]) for key in PROJECT_KEYS},
        **tables | {"budgets": budgets(values)},
        selection=selection(values),
        names=tool_names(reader, values),
        fields=field_selections(reader, values),
        tools=values["tools"],
        toolset=values["toolset"],
        toolsets=values["toolsets"],
        bodies=values["bodies"],
        output_schemas=OutputMode(values["output.schemas"]),
        search=values["connector.search"] or None,
        fetch=values["connector.fetch"] or None,
        resources=values["resources"],
        prompts=values["prompts"],
    )


def _syntax_error(message: str, text: str) -> tuple[str, int, int]:
    """The message of the parser, and the position (line and column from 1)."""
    reason, _, where = message.rpartition(" (at ")
    if numbers := re.match(r"line (\d+), column (\d+)\)", where):
        return reason, int(numbers[1]), int(numbers[2])
    return reason or message, text.count("\n") + 1, len(text) - text.rfind("\n")
