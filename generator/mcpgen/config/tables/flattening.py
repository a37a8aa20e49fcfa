"""How requests become arguments."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mcpgen.config.key import Key, Kind, choice, within
from mcpgen.frozen import frozen


class FlattenMode(StrEnum):
    """The shape in which arguments are announced; the requests are the same in each."""

    FLAT = "flat"
    STRICT = "strict"
    NESTED = "nested"


class Deprecated(StrEnum):
    """What becomes of optional arguments that the document calls deprecated."""

    KEEP = "keep"
    DROP = "drop"


class MethodOverride(StrEnum):
    """What becomes of parameters that change the method or the path of their request."""

    DROP = "drop"
    KEEP = "keep"


@frozen
class Flattening:
    """How requests become arguments, and the limits behind which a body property becomes JSON
    text."""

    max_depth: int = 3
    max_arguments: int = 64
    mode: FlattenMode = FlattenMode.FLAT
    deprecated: Deprecated = Deprecated.KEEP
    method_override: MethodOverride = MethodOverride.DROP


def flattening(values: Mapping[str, Any]) -> Flattening:
    """The shape of the arguments that the keys choose."""
    return Flattening(
        values["flatten.max_depth"],
        values["flatten.max_arguments"],
        FlattenMode(values["flatten.mode"]),
        Deprecated(values["flatten.deprecated"]),
        MethodOverride(values["flatten.method_override"]),
    )


KEYS = (
    Key(
        "flatten.max_depth",
        Kind.INTEGER,
        3,
        "Levels of nested objects that become arguments; what lies deeper is JSON text.",
        "from 0 to 16",
        within(0, 16),
    ),
    Key(
        "flatten.max_arguments",
        Kind.INTEGER,
        64,
        "Arguments a tool may have before nested objects become JSON text.",
        "from 1 to 1000",
        within(1, 1000),
    ),
    choice(
        "flatten.mode",
        "The shape of the arguments: flat for every host, `strict` or `nested` for hosts that can.",
        FlattenMode,
    ),
    choice(
        "flatten.deprecated",
        "Whether optional arguments that the API calls deprecated are announced.",
        Deprecated,
    ),
    choice(
        "flatten.method_override",
        "Whether parameters that change the method or the path of a request are arguments.",
        MethodOverride,
    ),
)
