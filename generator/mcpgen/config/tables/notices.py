"""What clients are told of without asking each time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.config.key import Key, Kind
from mcpgen.frozen import frozen


@frozen
class Noticed:
    """Whether clients can subscribe to `changes` of resources, and say what of the `log` they
    want to read."""

    changes: bool = False
    log: bool = False


def noticed(values: Mapping[str, Any]) -> Noticed:
    """What the keys let clients be told of."""
    return Noticed(values["notices.changes"], values["notices.log"])


KEYS = (
    Key(
        "notices.changes",
        Kind.BOOLEAN,
        False,
        "Whether clients can subscribe to resources, and are told of calls that change them.",
        fits=lambda _: True,
    ),
    Key(
        "notices.log",
        Kind.BOOLEAN,
        False,
        "Whether clients can set the level from which on handlers write to their log.",
        fits=lambda _: True,
    ),
)
