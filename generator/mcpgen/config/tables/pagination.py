"""Pagination of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, within
from mcpgen.config.tables.tools import LEAST_BYTES, MOST_BYTES, MOST_ITEMS
from mcpgen.config.validators import ValueRule


@dataclass(frozen=True, slots=True)
class PaginationConfig:
    """The largest page of a result, in bytes of text and in items; 0 sets no limit."""

    limit_bytes: int = 0
    limit_items: int = 0


def read_pagination(values: Mapping[str, Any]) -> PaginationConfig:
    """The limits configured by the keys."""
    return PaginationConfig(values["results.limit_bytes"], values["results.limit_items"])


KEYS = (
    KeySpec(
        "results.limit_bytes",
        KeyType.INTEGER,
        0,
        "Bytes of a result that one call shows; a longer one is cut between two items. 0 for all.",
        f"0, or from {LEAST_BYTES} to {MOST_BYTES}",
        ValueRule(minimum=LEAST_BYTES, maximum=MOST_BYTES, unset=0),
    ),
    KeySpec(
        "results.limit_items",
        KeyType.INTEGER,
        0,
        "Items of a result that one call shows. 0 for all.",
        f"from 0 to {MOST_ITEMS}",
        within(0, MOST_ITEMS),
    ),
)
