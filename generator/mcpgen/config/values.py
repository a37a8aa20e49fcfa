"""The user's choices as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location


class OutputMode(StrEnum):
    """How much of a result's schema is announced."""

    OFF = "off"
    SHALLOW = "shallow"
    FULL = "full"


class FlattenMode(StrEnum):
    """The shape in which arguments are announced; the requests are the same in each."""

    FLAT = "flat"
    STRICT = "strict"
    NESTED = "nested"


class Deprecated(StrEnum):
    """What becomes of optional arguments that the document calls deprecated."""

    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Selector:
    """Operations chosen by all of its fields that are set; patterns are shell-style globs.

    `operation` is an operationId or `GET /pets/{id}`; `method` is upper case.
    """

    operation: str = ""
    tag: str = ""
    path: str = ""
    method: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which operations become tools: those any `include` matches (all, if there is none) and no
    `exclude` does."""

    include: tuple[Selector, ...] = ()
    exclude: tuple[Selector, ...] = ()


@dataclass(frozen=True, slots=True)
class Flattening:
    """How requests become arguments, and the limits behind which a body property becomes JSON
    text."""

    max_depth: int = 3
    max_arguments: int = 64
    mode: FlattenMode = FlattenMode.FLAT
    deprecated: Deprecated = Deprecated.KEEP


@dataclass(frozen=True, slots=True)
class Config:
    """Every choice, with its default.

    `spec` is the path of the specification relative to the project's folder, POSIX separators, or
    `""`; `root`, likewise, the folder its references may not leave, `""` for the specification's
    own; `overlays`, likewise, what repairs it. `allow_remote` are the hosts that references may be
    fetched from. `names` maps an operation (its id or `GET /pets/{id}`) to the tool name it shall
    have, `fields` likewise to the dotted paths its results are reduced to.
    `bodies` maps an operation, or `*`, to the media type its body shall be sent in.
    `tool_names` are those the lock has promised, by operation; they win over every rule but
    `names`. `places` holds where selectors and names stand, for findings about them.
    """

    spec: str = ""
    root: str = ""
    overlays: tuple[str, ...] = ()
    allow_remote: tuple[str, ...] = ()
    name: str = ""
    package: str = ""
    title: str = ""
    upstream: str = ""
    selection: Selection = Selection()
    names: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)
    tool_names: Mapping[str, str] = field(default_factory=dict)
    flattening: Flattening = Flattening()
    output_schemas: OutputMode = OutputMode.OFF
    description_limit: int = 1024
    keep_going: bool = False
    places: Mapping[tuple[str, ...], Location] = field(default_factory=dict, compare=False)

    def at(self, *path: str) -> Location | None:
        """Where the file says what stands at `path` (`"select", "include", "0"`), if it does."""
        return self.places.get(path)
