"""The mapping of requests to arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, choice, within


class FlattenMode(StrEnum):
    """The announced shape of arguments; the requests are the same in each mode."""

    FLAT = "flat"
    STRICT = "strict"
    NESTED = "nested"


class DeprecatedArguments(StrEnum):
    """The treatment of optional arguments that the document marks as deprecated."""

    KEEP = "keep"
    DROP = "drop"


class MethodOverride(StrEnum):
    """The treatment of parameters that change the method or the path of the request."""

    DROP = "drop"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class FlatteningConfig:
    """The mapping of requests to arguments. Beyond the limits, a body property becomes JSON text."""

    max_depth: int = 3
    max_arguments: int = 64
    mode: FlattenMode = FlattenMode.FLAT
    deprecated: DeprecatedArguments = DeprecatedArguments.KEEP
    method_override: MethodOverride = MethodOverride.DROP


def flattening(values: Mapping[str, Any]) -> FlatteningConfig:
    """The flattening configured by the keys."""
    return FlatteningConfig(
        values["flatten.max_depth"],
        values["flatten.max_arguments"],
        FlattenMode(values["flatten.mode"]),
        DeprecatedArguments(values["flatten.deprecated"]),
        MethodOverride(values["flatten.method_override"]),
    )


KEYS = (
    KeySpec(
        "flatten.max_depth",
        KeyType.INTEGER,
        3,
        "Levels of nested objects that become arguments; what lies deeper is JSON text.",
        "from 0 to 16",
        within(0, 16),
    ),
    KeySpec(
        "flatten.max_arguments",
        KeyType.INTEGER,
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
        DeprecatedArguments,
    ),
    choice(
        "flatten.method_override",
        "Whether parameters that change the method or the path of a request are arguments.",
        MethodOverride,
    ),
)
