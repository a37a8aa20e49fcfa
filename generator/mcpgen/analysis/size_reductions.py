"""What a smaller surface would weigh, choice by choice: each is made and weighed, none is guessed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from mcpgen.analysis.sizes import FAMILIES, ToolSize, estimate_tokens, list_of, tool_size
from mcpgen.analysis.tool_listing import Announced, ToolListing
from mcpgen.conformance.sizes import size_of

SENTENCE = 160
"""Characters of a description that every host shows; the `universal` profile's first sentence."""

TENTH = 10
"""One of so many tools, the largest, may be left out by one of the choices."""


@dataclass(frozen=True, slots=True)
class SizeReduction:
    """One choice and what is left with it. `choice` is its stable word, `setting` how it is made in
    `mcpgen.toml`; `dropped` are the names of the tools that go, `saved` the bytes of the list."""

    choice: str
    setting: str
    tools: int
    bytes: int
    saved: int
    dropped: tuple[str, ...] = ()


Cut = Callable[[ToolListing], tuple[Announced, ...]]
"""What is left of a surface's tools."""


def savings(
    surface: ToolListing, suits: Callable[[int], bool] = lambda count: True
) -> tuple[SizeReduction, ...]:
    """The choices that would save anything and leave a tool, the largest saving first; of those only
    the ones that leave a number of tools which `suits`: the others need not be weighed."""
    sizes = {id(tool): size for tool, size in zip(surface.tools, surface.sizes, strict=True)}
    before = list_of(surface.sizes)

    def weighed(choice: str, setting: str, left: tuple[Announced, ...]) -> SizeReduction:
        after = list_of(sizes.get(id(tool)) or size_of(tool).bytes for tool in left)
        kept = {tool["name"] for tool in left}
        names = (str(tool["name"]) for tool in surface.tools)
        gone = tuple(name for name in names if name not in kept)
        return SizeReduction(choice, setting, len(left), after, before - after, gone)

    cuts = [(choice, setting, cut(surface)) for choice, setting, cut in CHOICES]
    cuts += [(one.choice, one.setting, one.tools) for one in surface.alternatives]
    found = [weighed(*cut) for cut in cuts if cut[2] and suits(len(cut[2]))]
    worth = [saving for saving in found if saving.saved > 0]
    return tuple(sorted(worth, key=lambda saving: (-saving.saved, saving.choice)))


def _without_output(surface: ToolListing) -> tuple[Announced, ...]:
    return tuple(_changed(tool, "outputSchema", None) for tool in surface.tools)


def _without_deprecated(surface: ToolListing) -> tuple[Announced, ...]:
    return tuple(tool for tool in surface.tools if tool["name"] not in surface.deprecated)


def _without_largest(surface: ToolListing) -> tuple[Announced, ...]:
    count = len(surface.tools) // TENTH
    ranked = sorted(range(len(surface.tools)), key=lambda at: -surface.sizes[at])
    gone = set(ranked[:count])
    return tuple(tool for at, tool in enumerate(surface.tools) if at not in gone)


def _reading(surface: ToolListing) -> tuple[Announced, ...]:
    return tuple(_those_that_read(surface.tools))


def _those_that_read(tools: tuple[Announced, ...]) -> Iterator[Announced]:
    for tool in tools:
        hints = tool.get("annotations")
        if isinstance(hints, dict) and hints.get("readOnlyHint") is True:
            yield tool


def _in_a_sentence(surface: ToolListing) -> tuple[Announced, ...]:
    return tuple(
        (
            _changed(tool, "description", truncate_text(text, SENTENCE))
            if isinstance(text := tool.get("description"), str) and len(text) > SENTENCE
            else tool
        )
        for tool in surface.tools
    )


def truncate_text(text: str, limit: int) -> str:
    """`text`, or its beginning up to a word's end with `…`, at most `limit` characters: as a build
    with this limit cuts it."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit // 2 else head).rstrip(" ,;:(") + "…"


def _changed(tool: Announced, key: str, value: str | None) -> Announced:
    """The tool with another value, or without the member; the same one if nothing changes."""
    if value is None:
        return {name: tool[name] for name in tool if name != key} if key in tool else tool
    return {**tool, key: value}


CHOICES: tuple[tuple[str, str, Cut], ...] = (
    ("output-off", '[output] schemas = "off"', _without_output),
    ("no-deprecated", '[select] exclude = ["deprecated:true"]', _without_deprecated),
    ("no-largest", "[select] exclude = […]  # the largest tenth of the tools", _without_largest),
    ("read-only", '[select] include = ["read_only:true"]', _reading),
    ("sentence", f"[descriptions] limit = {SENTENCE}", _in_a_sentence),
)
"""Each choice by its word, how it is made, and what it leaves."""

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
