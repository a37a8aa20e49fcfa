"""The selection of operations that become tools, and the names of tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType


@dataclass(frozen=True, slots=True)
class Selector:
    """Selects operations that match all fields set; patterns are shell-style globs.

    `operation` is an operationId or `GET /pets/{id}`; `method` is upper case. `scope` is a scope
    that callers need. None in `deprecated` and `read_only` matches every operation.
    """

    operation: str = ""
    tag: str = ""
    path: str = ""
    method: str = ""
    scope: str = ""
    deprecated: bool | None = None
    read_only: bool | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Selects the operations that match any `include` (all, if empty) and no `exclude`."""

    include: tuple[Selector, ...] = ()
    exclude: tuple[Selector, ...] = ()


def selection(values: Mapping[str, Any]) -> Selection:
    """The selection configured by the keys."""
    return Selection(tuple(values["select.include"]), tuple(values["select.exclude"]))


NAME_RULE = "1 to 40 lower-case letters and digits, with single `_` between, starting with a letter"
"""The rule for the name of a tool, as worded in messages."""

KEYS = (
    KeySpec(
        "select.include",
        KeyType.SELECTORS,
        (),
        "Operations that become tools; all of them if the list is empty.",
    ),
    KeySpec(
        "select.exclude",
        KeyType.SELECTORS,
        (),
        "Operations that do not become tools, also when they are included.",
    ),
    KeySpec(
        "names",
        KeyType.NAMES,
        {},
        "Tool names you choose, by operation: its operationId or `GET /pets/{id}`.",
        NAME_RULE,
        validators.is_tool_name,
    ),
)
