"""Selectors of operations, and the operations selected for tools."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase

from mcpgen.config import Config, Selector
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.suggestions import closest_match as closest_match
from mcpgen.ir.api import ApiDescription, MissingTool, Operation
from mcpgen.lower.hints import tool_hints

_VARIANT = re.compile(r"[?#]")
"""Start of the part of a key that separates operations of one path."""

Asked = list[tuple[str, tuple[str, ...] | None]]
"""Patterns with the operation's values; None for unknown values."""


def matches(selector: Selector, operation: Operation) -> bool:
    """True if the operation matches every field of the selector; an empty selector matches nothing.

    `Selector(tag="admin*")` matches an operation with the tag `admin-users`.
    """
    return selector != Selector() and _meets_all(_asked(selector, operation)) is True


def may_match(selector: Selector, missing: MissingTool) -> bool:
    """True unless a readable part of an unreadable operation contradicts the selector."""
    return selector != Selector() and _meets_all(_asked_of_missing(selector, missing)) is not False


def must_match(selector: Selector, missing: MissingTool) -> bool:
    """True if the readable part of an unreadable operation satisfies the whole selector."""
    return selector != Selector() and _meets_all(_asked_of_missing(selector, missing)) is True


def operation_scopes(operation: Operation) -> tuple[str, ...]:
    """Returns the scopes of an operation, from `security` and `x-mcp`."""
    named = [scope for uses in operation.security for use in uses for scope in use.scopes]
    return tuple(dict.fromkeys([*named, *(operation.extension.scopes or ())]))


def describe_selector(selector: Selector) -> str:
    """The selector in words."""
    return ", ".join(f"{name} = {pattern}" for name, pattern in _patterns(selector))


def closest_selector(selector: Selector, api: ApiDescription) -> str:
    """Returns a hint with the most similar operation, tag, path, method or scope of the
    document."""
    known = {
        "operation": [name for each in api.operations for name in (each.id, each.key)],
        "tag": [tag for each in api.operations for tag in each.tags],
        "path": [each.path for each in api.operations],
        "method": [each.method for each in api.operations],
        "scope": [scope for each in api.operations for scope in operation_scopes(each)],
    }
    for field, pattern in _patterns(selector):
        names = known.get(field, [])
        if names and pattern not in names and (hint := closest_match(pattern, names)):
            return hint
    if selector.scope and not any(known["scope"]):
        return "no operation of the document names a scope"
    return "see the operations, tags and paths of the document"


def _patterns(selector: Selector) -> list[tuple[str, str]]:
    """Returns the set fields of a selector as strings."""
    told = (
        ("operation", selector.operation),
        ("tag", selector.tag),
        ("path", selector.path),
        ("method", selector.method.upper()),
        ("scope", selector.scope),
        ("deprecated", _word(selector.deprecated)),
        ("read_only", _word(selector.read_only)),
    )
    return [(name, pattern) for name, pattern in told if pattern]


def _word(claim: bool | None) -> str:
    return "" if claim is None else str(claim).lower()


def _asked(selector: Selector, operation: Operation) -> Asked:
    known = {
        "operation": (operation.id, operation.key),
        "tag": operation.tags,
        "path": (operation.path,),
        "method": (operation.method,),
        "scope": operation_scopes(operation) if selector.scope else (),
        "deprecated": (_word(operation.deprecated),),
    }
    if selector.read_only is not None:
        # What the hints find odd is told where the tool is made.
        known["read_only"] = (_word(tool_hints(operation, False, Diagnostics()).read_only),)
    return [(pattern, known[field]) for field, pattern in _patterns(selector)]


def _asked_of_missing(selector: Selector, missing: MissingTool) -> Asked:
    bare = missing.operation.startswith("/")
    method, _, rest = ("", "", missing.operation) if bare else missing.operation.partition(" ")
    names = (missing.operation,) if missing.id is None else (missing.id, missing.operation)
    exact = selector.operation == missing.operation
    known = {
        "operation": names if missing.id is not None or exact else None,
        "tag": missing.tags,
        "path": (_VARIANT.split(rest, maxsplit=1)[0],),
        "method": (method,) if method else None,
    }
    return [(pattern, known.get(field)) for field, pattern in _patterns(selector)]


def _meets_all(asked: Asked) -> bool | None:
    """True if every pattern matches, None if that depends on unknown values."""
    if any(known is not None and not _meets(pattern, known) for pattern, known in asked):
        return False
    return None if any(known is None for _, known in asked) else True


def _meets(pattern: str, values: tuple[str, ...]) -> bool:
    return any(value == pattern or fnmatchcase(value, pattern) for value in values)


def select_operations(
    api: ApiDescription, config: Config, diagnostics: Diagnostics
) -> tuple[Operation, ...]:
    """Returns the operations that become tools, in document order.

    Adds UNMATCHED_SELECTOR and NOTHING_SELECTED.
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
    """Returns the API with each operation tagged by its parent tags too: a group contains its
    subgroups."""
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
    """Returns the unreadable operations that would have become tools.

    If the list is empty, their errors do not stop the build.
    """
    both = zip(api.missing, with_parents(api).missing, strict=True)
    kept = tuple(each for each, seen in both if _is_missed(seen, config))
    if api.missing and not kept:
        diagnostics.soften(parse_codes.PER_OPERATION)
    return kept


def _is_missed(missing: MissingTool, config: Config) -> bool:
    """True if an unreadable operation is selected, as far as known."""
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
