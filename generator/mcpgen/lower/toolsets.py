"""Which tools are in which set."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.config import Config, Selector, ToolsetChoice
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import Toolset, ToolSpec
from mcpgen.lower.selectors import closest_match, closest_selector, describe_selector, matches


def lower_toolsets(
    api: ApiDescription, tools: Sequence[ToolSpec], config: Config, diagnostics: Diagnostics
) -> tuple[Toolset, ...]:
    """The sets of tools, in the order of the configuration, their tools in that of the server.

    `api` has the operations that were selected, among the tags above their own too. Adds
    UNMATCHED_SELECTOR, EMPTY_TOOLSET, UNKNOWN_TOOLSET and UNREACHED_TOOL.
    """
    names = {tool.operation: tool.name for tool in tools}
    made = tuple(
        _toolset(name, choice, api, names, config, diagnostics)
        for name, choice in config.toolsets.items()
    )
    if config.toolset:
        _judge_default(config, made, tools, api.at, diagnostics)
    return made


def _toolset(
    name: str,
    choice: ToolsetChoice,
    api: ApiDescription,
    names: dict[str, str],
    config: Config,
    diagnostics: Diagnostics,
) -> Toolset:
    at = config.at("toolsets", name) or api.at
    unmatched = False
    for kind, selectors in (("include", choice.include), ("exclude", choice.exclude)):
        for index, selector in enumerate(selectors):
            if not any(matches(selector, each) for each in api.operations):
                unmatched = True
                diagnostics.add(
                    lower_codes.UNMATCHED_SELECTOR,
                    config.at("toolsets", name, kind, str(index)) or at,
                    list=f"`{name}`",
                    selector=describe_selector(selector),
                    nearest=closest_selector(selector, api),
                )
    chosen = {each.key for each in api.operations if _is_chosen(each, choice)}
    kept = tuple(names[key] for key in names if key in chosen)
    if not kept and not unmatched:
        diagnostics.add(codes.EMPTY_TOOLSET, at, name=name)
    return Toolset(name, kept, choice.instructions)


def _is_chosen(operation: Operation, choice: ToolsetChoice) -> bool:
    included = not choice.include or _any(choice.include, operation)
    return included and not _any(choice.exclude, operation)


def _any(selectors: tuple[Selector, ...], operation: Operation) -> bool:
    return any(matches(selector, operation) for selector in selectors)


def _judge_default(
    config: Config,
    made: tuple[Toolset, ...],
    tools: Sequence[ToolSpec],
    at: Location,
    diagnostics: Diagnostics,
) -> None:
    """Tells of a default that is no set, and of tools that no endpoint would serve."""
    place = config.at("toolset") or at
    if config.toolset not in config.toolsets:
        known = list(config.toolsets)
        listed = ", ".join(f"`{name}`" for name in known)
        hint = closest_match(config.toolset, known) or (
            f"choose from {listed}" if listed else "name sets under `[toolsets]`"
        )
        diagnostics.add(codes.UNKNOWN_TOOLSET, place, name=config.toolset, nearest=hint)
        return
    reached = {name for each in made for name in each.tools}
    for tool in tools:
        if tool.name not in reached:
            diagnostics.add(codes.UNREACHED_TOOL, place, name=tool.name, toolset=config.toolset)
