"""Size budgets of a listing, and the savings of each option, measured on the reduced listing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from mcpgen.analysis import Announced, ToolListing
from mcpgen.analysis.sizes import (
    FAMILIES,
    ToolSize,
    bytes_of_json_array,
    estimate_tokens,
    tool_size,
)
from mcpgen.conformance.sizes import size_of

SENTENCE = 160
"""Characters of a description that every host shows (the `universal` profile's first sentence)."""

TENTH = 10
"""Divisor: the largest tenth of the tools may be dropped."""


@dataclass(frozen=True, slots=True)
class SizeReduction:
    """One option with its result.

    `choice`: stable word. `setting`: line for `mcpgen.toml`. `dropped`: names of removed tools.
    `saved`: bytes of the listing.
    """

    choice: str
    setting: str
    tools: int
    bytes: int
    saved: int
    dropped: tuple[str, ...] = ()


Cut = Callable[[ToolListing], tuple[Announced, ...]]
"""Function from a listing to the reduced tools."""


def size_reductions(
    listing: ToolListing, suits: Callable[[int], bool] = lambda count: True
) -> tuple[SizeReduction, ...]:
    """Returns the options that save bytes and keep a tool, largest saving first.

    Options that leave a number of tools rejected by `suits` are not measured.
    """
    sizes = {id(tool): size for tool, size in zip(listing.tools, listing.sizes, strict=True)}
    before = bytes_of_json_array(listing.sizes)

    def weighed(choice: str, setting: str, tools_left: tuple[Announced, ...]) -> SizeReduction:
        after = bytes_of_json_array(
            sizes.get(id(tool)) or size_of(tool).bytes for tool in tools_left
        )
        names_left = {tool["name"] for tool in tools_left}
        names = (str(tool["name"]) for tool in listing.tools)
        gone = tuple(name for name in names if name not in names_left)
        return SizeReduction(choice, setting, len(tools_left), after, before - after, gone)

    cuts = [(choice, setting, cut(listing)) for choice, setting, cut in CHOICES]
    cuts += [(variant.choice, variant.setting, variant.tools) for variant in listing.alternatives]
    reductions = [weighed(*cut) for cut in cuts if cut[2] and suits(len(cut[2]))]
    worth = [saving for saving in reductions if saving.saved > 0]
    return tuple(sorted(worth, key=lambda saving: (-saving.saved, saving.choice)))


def _without_output(listing: ToolListing) -> tuple[Announced, ...]:
    return tuple(_with_member(tool, "outputSchema", None) for tool in listing.tools)


def _without_deprecated(listing: ToolListing) -> tuple[Announced, ...]:
    return tuple(tool for tool in listing.tools if tool["name"] not in listing.deprecated)


def _without_largest(listing: ToolListing) -> tuple[Announced, ...]:
    count = len(listing.tools) // TENTH
    ranked = sorted(range(len(listing.tools)), key=lambda at: -listing.sizes[at])
    gone = set(ranked[:count])
    return tuple(tool for at, tool in enumerate(listing.tools) if at not in gone)


def _reading(listing: ToolListing) -> tuple[Announced, ...]:
    return tuple(_those_that_read(listing.tools))


def _those_that_read(tools: tuple[Announced, ...]) -> Iterator[Announced]:
    for tool in tools:
        hints = tool.get("annotations")
        if isinstance(hints, dict) and hints.get("readOnlyHint") is True:
            yield tool


def _in_a_sentence(listing: ToolListing) -> tuple[Announced, ...]:
    return tuple(
        (
            _with_member(tool, "description", truncate_text(text, SENTENCE))
            if isinstance(text := tool.get("description"), str) and len(text) > SENTENCE
            else tool
        )
        for tool in listing.tools
    )


def truncate_text(text: str, limit: int) -> str:
    """Returns `text` cut like a build with this limit: at a word boundary, marked by `…`.

    Example: `truncate_text("Lists all boats of a harbor.", 12)` gives `'Lists all…'`.
    """
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit // 2 else head).rstrip(" ,;:(") + "…"


def _with_member(tool: Announced, key: str, value: str | None) -> Announced:
    """Returns the tool with a member replaced or removed; the same object if nothing changes."""
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
"""Each option: word, setting, function."""

MAX_SHOWN = 5
"""Number of largest tools named."""


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """Budgets of a listing; 0 for no limit. `tokens` by model family."""

    tools: int = 0
    tools_list_bytes: int = 0
    tool_bytes: int = 0
    tokens: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Overrun:
    """An exceeded budget: its key below `[budgets]`, the limit and the measured value.

    `tool`: the offending tool, and `part` its largest part; `""` for the whole listing. `least`:
    value of the smallest tool alone. `cuts`: options that meet the limit, fewest dropped tools
    first.
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
        """True if the smallest tool alone meets the limit."""
        return self.least <= self.limit


Measure = Callable[[int, int], int]
"""Function from number of tools and bytes to the limited value."""


def overruns(listing: ToolListing, limits: SizeLimits) -> tuple[Overrun, ...]:
    """Returns the exceeded budgets, those of the whole listing first."""
    if not (limits.tools or limits.tools_list_bytes or limits.tool_bytes or limits.tokens):
        return ()
    return (*_of_list(listing, limits), *_of_tools(listing, limits))


def largest(listing: ToolListing) -> tuple[ToolSize, ...]:
    """The largest tools by bytes, largest first; at most `MAX_SHOWN`."""
    weights = (tool_size(tool) for tool in listing.tools)
    return tuple(sorted(weights, key=lambda size: (-size.bytes, size.name))[:MAX_SHOWN])


def byte_limit(limits: SizeLimits) -> int:
    """Returns the largest size in bytes that meets all byte and token limits; 0 without any."""
    bounds = [
        math.floor(limit * FAMILIES[family].ratio)
        for family, limit in (limits.tokens or {}).items()
    ]
    bounds += [limits.tools_list_bytes] if limits.tools_list_bytes else []
    return min(bounds, default=0)


def _of_list(listing: ToolListing, limits: SizeLimits) -> Iterator[Overrun]:
    size = bytes_of_json_array(listing.sizes)
    smallest = bytes_of_json_array([min(listing.sizes, default=0)])
    for key, limit, measure in _measures(limits):
        value = measure(len(listing.tools), size)
        if limit and value > limit:
            cuts = _cuts(listing, limit, measure)
            yield Overrun(key, limit, value, measure(1, smallest), cuts=cuts)


def _cuts(listing: ToolListing, limit: int, measure: Measure) -> tuple[SizeReduction, ...]:
    """Returns the options that meet a limit, fewest dropped tools first."""
    # Options that exceed the limit by the number of tools alone are not measured.
    reductions = size_reductions(listing, lambda count: measure(count, 0) <= limit)
    fitting = [cut for cut in reductions if measure(cut.tools, cut.bytes) <= limit]
    return tuple(sorted(fitting, key=lambda cut: (-cut.tools, cut.choice)))


def _measures(limits: SizeLimits) -> Iterator[tuple[str, int, Measure]]:
    yield "tools", limits.tools, lambda count, size: count
    yield "tools_list_bytes", limits.tools_list_bytes, lambda count, size: size
    for family, limit in (limits.tokens or {}).items():
        yield f"tokens.{family}", limit, partial(_estimated_tokens, family)


def _estimated_tokens(family: str, count: int, size: int) -> int:
    return estimate_tokens(size, family)


def _of_tools(listing: ToolListing, limits: SizeLimits) -> Iterator[Overrun]:
    """Yields an overrun for each tool above the limit of a single tool."""
    min_size = min(listing.sizes, default=0)
    for tool, size in zip(listing.tools, listing.sizes, strict=True):
        if limits.tool_bytes and size > limits.tool_bytes:
            weight = tool_size(tool)
            yield Overrun(
                "tool_bytes", limits.tool_bytes, size, min_size, weight.name, _largest_part(weight)
            )


def _largest_part(size: ToolSize) -> str:
    """Returns the largest part of a tool in words."""
    parts = {"arguments": size.schema, "output schema": size.output, "description": size.text}
    heaviest = max(parts, key=lambda word: parts[word])
    verb = "make" if heaviest == "arguments" else "makes"
    return f"its {heaviest} {verb} {parts[heaviest]:,} of them"
