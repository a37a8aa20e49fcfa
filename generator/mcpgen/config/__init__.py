"""The user's choices: `mcpgen.toml` and flags, as one frozen value."""

from mcpgen.config.keys import KEYS, Key
from mcpgen.config.load import NAME, load
from mcpgen.config.places import place
from mcpgen.config.template import template
from mcpgen.config.values import (
    Config,
    Deprecated,
    Flattening,
    FlattenMode,
    OutputMode,
    Selection,
    Selector,
)

__all__ = [
    "KEYS",
    "NAME",
    "Config",
    "Deprecated",
    "FlattenMode",
    "Flattening",
    "Key",
    "OutputMode",
    "Selection",
    "Selector",
    "load",
    "place",
    "template",
]
