"""Named sets of tools, each with an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcpgen.config import validators
from mcpgen.config.key_spec import SELECTORS, KeySpec, KeyType, table, tables, text
from mcpgen.config.tables.selection import Selector

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


@dataclass(frozen=True, slots=True)
class ToolsetConfig:
    """The tools of a set, selected as in `Selection`, and the instructions for hosts, `""` for the
    instructions of the whole server."""

    include: tuple[Selector, ...] = ()
    exclude: tuple[Selector, ...] = ()
    instructions: str = ""


NAME_RULE = "lower-case words of letters and digits joined by `-`, at most 40 characters"

_KEYS = (
    KeySpec("include", KeyType.SELECTORS, None, "Tools of the set; all of them without it."),
    KeySpec("exclude", KeyType.SELECTORS, None, "Tools that are not in the set."),
    KeySpec(
        "instructions",
        KeyType.STRING,
        None,
        "Instructions for hosts at this endpoint, in place of the server's own.",
        validators.PROSE_RULE,
        validators.is_prose,
    ),
)


def _read_toolsets(
    reader: ConfigReader, key: KeySpec, value: Any, path: tuple[str, ...]
) -> Mapping[str, ToolsetConfig]:
    """The sets by name; a list stands for the selectors of a table's `include`."""
    configs: dict[str, ToolsetConfig] = {}
    for name, member in reader.members(key, value, path):
        inner = (*path, name)
        if not validators.is_toolset(name):
            reader.report_illegal(f"{key.path}.{name}", f"named with {NAME_RULE}", name, inner)
            continue
        if isinstance(member, list):
            # Selectors of a list are known by the set's name alone.
            values: dict[str, Any] = {
                "include": reader.read_selectors(f"{key.path}.{name}", member, inner)
            }
            for index in range(len(values["include"])):
                reader.locations[*inner, "include", str(index)] = reader.locations[
                    *inner, str(index)
                ]
        else:
            values = reader.read_nested_table(_KEYS, member, inner)
        reader.record_locations(inner)
        configs[name] = ToolsetConfig(**values)
    return configs


KEYS = (
    text(
        "toolset",
        "The set of tools that `/mcp` itself serves; all tools if empty.",
        "the name of a set of `toolsets`",
        validators.is_toolset,
    ),
    KeySpec(
        "toolsets",
        KeyType.TABLES,
        {},
        "Sets of tools by name, each served at an endpoint of its own such as `/mcp/billing`: a list "
        "of selectors, or a table of `include`, `exclude` and `instructions`.",
        read=_read_toolsets,
        form=tables({"anyOf": [SELECTORS, table(_KEYS)]}, validators.is_toolset),
        example='# "billing" = ["tag:billing", "GET /invoices*"]',
    ),
)
