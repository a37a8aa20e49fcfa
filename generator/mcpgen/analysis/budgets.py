"""Budgets: which of them a surface exceeds, by how much, and the cheapest ways to meet them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from mcpgen.analysis.size_reductions import SizeReduction, savings
from mcpgen.analysis.sizes import ToolSize, list_of, tool_size
from mcpgen.analysis.token_estimates import FAMILIES, estimate_tokens
from mcpgen.analysis.tool_listing import ToolListing

SHOWN = 5
"""How many of the largest tools are named."""


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """What a surface may weigh; 0 where no limit is set. `estimate_tokens` are by family."""

    tools: int = 0
    tools_list_bytes: int = 0
    tool_bytes: int = 0
    tokens: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Overrun:
    """A limit that is exceeded: its key below `[budgets]`, the limit and what was found.

    `tool` is the one that is too large, and `part` what makes the most of it; both are `""` where the
    whole list is too large. `least` is what the smallest tool alone comes to. `cuts` are the choices
    that would meet the limit, the one that costs fewest tools first.
    """

    key: str
    limit: int
    found: int
    least: int
    tool: str = ""
    part: str = ""
    cuts: tuple[SizeReduction, ...] = ()

    @property
    def meetable(self) -> bool:
        """Whether one tool at least would fit."""
        return self.least <= self.limit


Measure = Callable[[int, int], int]
"""What a list of so many tools and bytes comes to."""


def overruns(surface: ToolListing, limits: SizeLimits) -> tuple[Overrun, ...]:
    """The limits that a surface exceeds, those of the whole list first."""
    if not (limits.tools or limits.tools_list_bytes or limits.tool_bytes or limits.tokens):
        return ()
    return (*_of_list(surface, limits), *_of_tools(surface, limits))


def largest(surface: ToolListing) -> tuple[ToolSize, ...]:
    """The largest tools, as many as a message names."""
    weights = (tool_size(tool) for tool in surface.tools)
    return tuple(sorted(weights, key=lambda one: (-one.bytes, one.name))[:SHOWN])


def bytes_of(limits: SizeLimits) -> int:
    """The bytes of a list that meets every limit on bytes and tokens; 0 where there is none."""
    known = [
        math.floor(most * FAMILIES[family].ratio) for family, most in (limits.tokens or {}).items()
    ]
    known += [limits.tools_list_bytes] if limits.tools_list_bytes else []
    return min(known, default=0)


def _of_list(surface: ToolListing, limits: SizeLimits) -> Iterator[Overrun]:
    size = list_of(surface.sizes)
    smallest = list_of([min(surface.sizes, default=0)])
    for key, limit, measure in _measures(limits):
        found = measure(len(surface.tools), size)
        if limit and found > limit:
            cuts = _cuts(surface, limit, measure)
            yield Overrun(key, limit, found, measure(1, smallest), cuts=cuts)


def _cuts(surface: ToolListing, limit: int, measure: Measure) -> tuple[SizeReduction, ...]:
    """The choices that meet a limit, the one that costs fewest tools first."""
    # What would exceed it even if its tools weighed nothing is not weighed.
    found = savings(surface, lambda count: measure(count, 0) <= limit)
    fitting = [cut for cut in found if measure(cut.tools, cut.bytes) <= limit]
    return tuple(sorted(fitting, key=lambda cut: (-cut.tools, cut.choice)))


def _measures(limits: SizeLimits) -> Iterator[tuple[str, int, Measure]]:
    yield "tools", limits.tools, lambda count, size: count
    yield "tools_list_bytes", limits.tools_list_bytes, lambda count, size: size
    for family, most in (limits.tokens or {}).items():
        yield f"tokens.{family}", most, partial(_tokens, family)


def _tokens(family: str, count: int, size: int) -> int:
    return estimate_tokens(size, family)


def _of_tools(surface: ToolListing, limits: SizeLimits) -> Iterator[Overrun]:
    """The tools that are too large; where all are, the limit is told once."""
    least = min(surface.sizes, default=0)
    for tool, size in zip(surface.tools, surface.sizes, strict=True):
        if limits.tool_bytes and size > limits.tool_bytes:
            one = tool_size(tool)
            yield Overrun("tool_bytes", limits.tool_bytes, size, least, one.name, _part(one))


def _part(one: ToolSize) -> str:
    """What makes the most of a tool, in words."""
    parts = {"arguments": one.schema, "output schema": one.output, "description": one.text}
    heaviest = max(parts, key=lambda word: parts[word])
    verb = "make" if heaviest == "arguments" else "makes"
    return f"its {heaviest} {verb} {parts[heaviest]:,} of them"
