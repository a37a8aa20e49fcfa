"""Which operations become tools."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.ir.api import ApiDescription, MissingTool, Operation
from mcpgen.lower.selectors import (
    closest_selector,
    describe_selector,
    matches,
    may_match,
    must_match,
)


def select_operations(
    api: ApiDescription, config: Config, diagnostics: Diagnostics
) -> tuple[Operation, ...]:
    """The operations that become tools, in document order.

    A selector that matches nothing, and a selection of nothing, are errors.
    """
    selection, unmatched = config.selection, False
    grouped = with_parents(api)
    for kind, selectors in (("include", selection.include), ("exclude", selection.exclude)):
        for index, selector in enumerate(selectors):
            read = any(matches(selector, operation) for operation in grouped.operations)
            if not read and not any(may_match(selector, each) for each in grouped.missing):
                unmatched = True
                diagnostics.add(
                    codes.UNMATCHED_SELECTOR,
                    config.at("select", kind, str(index)) or api.at,
                    list=kind,
                    selector=describe_selector(selector),
                    nearest=closest_selector(selector, grouped),
                )
    both = zip(api.operations, grouped.operations, strict=True)
    kept = tuple(operation for operation, seen in both if _chosen(seen, config))
    if not kept and not unmatched and (api.operations or not api.missing):
        diagnostics.add(codes.NOTHING_SELECTED, api.at)
    return kept


def with_parents(api: ApiDescription) -> ApiDescription:
    """The API with every operation among the tags above its own too, as a group holds what its
    parts hold."""
    above = {tag.name: tag.parent for tag in api.tags if tag.parent}
    if not above:
        return api

    def grown(tags: tuple[str, ...]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for tag in tags:
            while tag:
                found[tag] = None
                tag = above.get(tag, "")
        return tuple(found)

    return replace(
        api,
        operations=tuple(replace(each, tags=grown(each.tags)) for each in api.operations),
        missing=tuple(
            each if each.tags is None else replace(each, tags=grown(each.tags))
            for each in api.missing
        ),
    )


def unread_operations(
    api: ApiDescription, config: Config, diagnostics: Diagnostics
) -> tuple[MissingTool, ...]:
    """The operations that could not be read and would have become tools.

    Where there are none of these, what stood in the way of the others stops no build.
    """
    both = zip(api.missing, with_parents(api).missing, strict=True)
    kept = tuple(each for each, seen in both if _is_missed(seen, config))
    if api.missing and not kept:
        diagnostics.soften(parse_codes.PER_OPERATION)
    return kept


def _is_missed(missing: MissingTool, config: Config) -> bool:
    """Whether an operation that could not be read is wanted, as far as that can be told."""
    selection = config.selection
    if missing.hidden or any(must_match(each, missing) for each in selection.exclude):
        return False
    return not selection.include or any(may_match(each, missing) for each in selection.include)


def _chosen(operation: Operation, config: Config) -> bool:
    selection = config.selection
    if operation.extension.hidden:
        return False
    if any(matches(selector, operation) for selector in selection.exclude):
        return False
    return not selection.include or any(matches(s, operation) for s in selection.include)
