"""A fact of the text, and all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.sentences import Sentence


class FactKind(StrEnum):
    """What a fact is about."""

    EXACT_TOOLS = "exact tools"
    """The list of tools has these `names` and no others."""
    FORBIDDEN_TOOLS = "forbidden tools"
    """It has none of these `names`, nor what the `phrases` stand for."""
    TOOL = "tool"
    """There is a tool of this name."""
    ARGUMENT = "argument"
    """The `tools` take the arguments in `names`; `schemas` says what is known of each."""
    FORBIDDEN_ARGUMENT = "forbidden argument"
    """The `tools` take none of these `names`."""
    CALL = "call"
    """One of the `tools` is called with `values`."""
    ERROR_CODE = "error code"
    HINT = "retry hint"
    """An error has this member, with the value in `values`."""
    BYTES = "bytes"
    STATUS = "status"
    ROUTE = "route"
    """The upstream gets this method and path, as one name."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `span` are the characters of its sentence it was read from. `tools` are those it is
    about, none for every tool. `demanded` tells that the text says SHALL, without a condition, so
    that an author has to follow."""

    kind: FactKind
    names: tuple[str, ...]
    sentence: Sentence
    span: tuple[int, int]
    tools: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    schemas: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    values: Mapping[str, Json] = field(default_factory=dict)
    demanded: bool = False

    @property
    def at(self) -> Location:
        """Where the sentence begins."""
        return self.sentence.at


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a text, in its order."""

    all: tuple[Fact, ...]

    def of(self, *kinds: FactKind) -> Iterator[Fact]:
        """Those of some kinds."""
        return (fact for fact in self.all if fact.kind in kinds)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of tools that the text mentions and does not forbid, as they first come."""
        named = [
            name for fact in self.of(FactKind.EXACT_TOOLS, FactKind.TOOL) for name in fact.names
        ]
        forbidden = {name for fact in self.of(FactKind.FORBIDDEN_TOOLS) for name in fact.names}
        exact = {name for fact in self.of(FactKind.EXACT_TOOLS) for name in fact.names}
        allowed = (name for name in named if name in exact or (not exact and name not in forbidden))
        return tuple(dict.fromkeys(allowed))
