"""Groups of operations: modules for scripts and documentation, toolsets with endpoints of their
own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mcpgen.config import Config, Selector, ToolsetConfig
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import Toolset, ToolSpec
from mcpgen.lower.name_words import meaning, name_words, unique
from mcpgen.lower.selectors import closest_selector, describe_selector, matches

MAX_NAME = 40
"""The most characters of a module's or a method's name."""

_TAKEN = frozenset({"constructor", "d", "md", "prototype", "then", "tojson", "tostring", "valueof"})
"""Names with a meaning in JavaScript or in requests for documentation."""

_NO_MODULES = frozenset({"api", "apis", "rest", "v"})
"""Leading path segments without meaning."""


def group_operations(
    operations: Sequence[Operation], tools: Sequence[ToolSpec]
) -> dict[str, Mapping[str, str]]:
    """Returns tool names by module and method, in document order.

    Module: the first tag, else the first meaningful path segment. Method: the tool name without the
    words of the module, or the whole name on a collision. All are legal TypeScript names that
    differ in more than case: `{"pets": {"list": "list_pets"}}`.
    """
    by_key = {operation.key: operation for operation in operations}
    grouped: dict[str, list[str]] = {}
    for tool in tools:
        grouped.setdefault(_module(by_key[tool.operation]), []).append(tool.name)
    return {module: _methods(module, names) for module, names in grouped.items()}


def _module(operation: Operation) -> str:
    """The module of an operation."""
    segments = (part for part in operation.path.split("/") if part and "{" not in part)
    for text in (*operation.tags[:1], *segments):
        parts = name_words(text)
        if parts and not (parts[0].rstrip("0123456789") in _NO_MODULES and len(parts) == 1):
            return _typescript_identifier(parts)
    return "api"


def _methods(module: str, names: Sequence[str]) -> dict[str, str]:
    """The names of tools by method."""
    about = meaning(module)
    short = {name: _typescript_identifier(_rest(name_words(name), about)) for name in names}
    counted = Counter(method.lower() for method in short.values())
    methods: dict[str, str] = {}
    folded: set[str] = set()
    for name in names:
        method = short[name]
        if counted[method.lower()] > 1:
            method = _typescript_identifier(name_words(name))
        method = unique(method, MAX_NAME, lambda method_name: method_name.lower() in folded)
        folded.add(method.lower())
        methods[method] = name
    return methods


def _rest(parts: list[str], about: frozenset[str]) -> list[str]:
    """Returns the words of a name missing in its module; all words if none is missing."""
    remaining = [word for word in parts if not meaning(word) or not meaning(word) <= about]
    return remaining or parts


def _typescript_identifier(parts: list[str]) -> str:
    """Words as a name of TypeScript: `listOpenOrders`."""
    name = "".join([*parts[:1], *(part.capitalize() for part in parts[1:])])[:MAX_NAME] or "call"
    if not name[0].isalpha():
        name = f"_{name}"[:MAX_NAME]
    return f"{name[: MAX_NAME - 1]}_" if name.lower() in _TAKEN else name


def lower_toolsets(
    api: ApiDescription, tools: Sequence[ToolSpec], config: Config, diagnostics: Diagnostics
) -> tuple[Toolset, ...]:
    """Returns the toolsets in order of the configuration, tools in order of the server.

    `api` has the selected operations with parent tags. Adds UNMATCHED_SELECTOR, EMPTY_TOOLSET,
    UNKNOWN_TOOLSET and UNREACHED_TOOL.
    """
    names = {tool.operation: tool.name for tool in tools}
    toolsets = tuple(
        _toolset(name, choice, api, names, config, diagnostics)
        for name, choice in config.toolsets.items()
    )
    if config.toolset:
        _judge_default(config, toolsets, tools, api.at, diagnostics)
    return toolsets


def _toolset(
    name: str,
    choice: ToolsetConfig,
    api: ApiDescription,
    names: dict[str, str],
    config: Config,
    diagnostics: Diagnostics,
) -> Toolset:
    at = config.at("toolsets", name) or api.at
    unmatched = False
    for kind, selectors in (("include", choice.include), ("exclude", choice.exclude)):
        for index, selector in enumerate(selectors):
            if not any(matches(selector, operation) for operation in api.operations):
                unmatched = True
                diagnostics.add(
                    lower_codes.UNMATCHED_SELECTOR,
                    config.at("toolsets", name, kind, str(index)) or at,
                    list=f"`{kind}` under `[toolsets.{name}]`",
                    operation="selected operation",
                    selector=describe_selector(selector),
                    nearest=closest_selector(selector, api),
                )
    selected = {operation.key for operation in api.operations if _is_chosen(operation, choice)}
    tool_names = tuple(names[key] for key in names if key in selected)
    if not tool_names and not unmatched:
        diagnostics.add(codes.EMPTY_TOOLSET, at, name=name)
    return Toolset(name, tool_names, choice.instructions)


def _is_chosen(operation: Operation, choice: ToolsetConfig) -> bool:
    included = not choice.include or _any_selector_matches(choice.include, operation)
    return included and not _any_selector_matches(choice.exclude, operation)


def _any_selector_matches(selectors: tuple[Selector, ...], operation: Operation) -> bool:
    return any(matches(selector, operation) for selector in selectors)


def _judge_default(
    config: Config,
    toolsets: tuple[Toolset, ...],
    tools: Sequence[ToolSpec],
    at: Location,
    diagnostics: Diagnostics,
) -> None:
    """Adds UNKNOWN_TOOLSET for an unknown default, UNREACHED_TOOL for tools outside every
    endpoint."""
    place = config.at("toolset") or at
    if config.toolset not in config.toolsets:
        names = list(config.toolsets)
        listed = ", ".join(f"`{name}`" for name in names)
        hint = closest_match(config.toolset, names) or (
            f"choose from {listed}" if listed else "name sets under `[toolsets]`"
        )
        diagnostics.add(codes.UNKNOWN_TOOLSET, place, name=config.toolset, nearest=hint)
        return
    reached = {name for toolset in toolsets for name in toolset.tools}
    for tool in tools:
        if tool.name not in reached:
            diagnostics.add(codes.UNREACHED_TOOL, place, name=tool.name, toolset=config.toolset)
