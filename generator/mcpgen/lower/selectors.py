"""Selectors of operations, and the operations selected for tools."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase

from mcpgen.config import Config, Selector
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.suggestions import closest_match
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
    return selector != Selector() and _match_all(_operation_values(selector, operation)) is True


def may_match(selector: Selector, missing: MissingTool) -> bool:
    """True unless a readable part of an unreadable operation contradicts the selector."""
    return selector != Selector() and _match_all(_missing_values(selector, missing)) is not False


def must_match(selector: Selector, missing: MissingTool) -> bool:
    """True if the readable part of an unreadable operation satisfies the whole selector."""
    return selector != Selector() and _match_all(_missing_values(selector, missing)) is True


def operation_scopes(operation: Operation) -> tuple[str, ...]:
    """Returns the scopes of an operation, from `security` and `x-mcp`."""
    named = [scope for uses in operation.security for use in uses for scope in use.scopes]
    return tuple(dict.fromkeys([*named, *(operation.extension.scopes or ())]))


def describe_selector(selector: Selector) -> str:
    """The selector in words: `tag = pets, method = GET`."""
    return ", ".join(f"{name} = {pattern}" for name, pattern in _selector_patterns(selector))


def closest_selector(selector: Selector, api: ApiDescription) -> str:
    """Returns a hint with the most similar operation, tag, path, method or scope of the document,
    else a hint where to look."""
    values = {
        "operation": [
            name for operation in api.operations for name in (operation.id, operation.key)
        ],
        "tag": [tag for operation in api.operations for tag in operation.tags],
        "path": [operation.path for operation in api.operations],
        "method": [operation.method for operation in api.operations],
        "scope": [scope for operation in api.operations for scope in operation_scopes(operation)],
    }
    for field, pattern in _selector_patterns(selector):
        names = values.get(field, [])
        if names and pattern not in names and (hint := closest_match(pattern, names)):
            return hint
    if selector.scope and not any(values["scope"]):
        return "no operation of the document names a scope"
    fields = [*zip(*(_operation_values(selector, item) for item in api.operations), strict=True)]
    if len(fields) > 1 and all(
        any(values is not None and _matches_any(pattern, values) for pattern, values in field)
        for field in fields
    ):
        return "each field matches an operation, but no operation matches all fields"
    return "see the operations, tags and paths of the document"


def _selector_patterns(selector: Selector) -> list[tuple[str, str]]:
    """Returns the set fields of a selector as strings."""
    fields = (
        ("operation", selector.operation),
        ("tag", selector.tag),
        ("path", selector.path),
        ("method", selector.method.upper()),
        ("scope", selector.scope),
        ("deprecated", _bool_text(selector.deprecated)),
        ("read_only", _bool_text(selector.read_only)),
    )
    return [(name, pattern) for name, pattern in fields if pattern]


def _bool_text(claim: bool | None) -> str:
    return "" if claim is None else str(claim).lower()


def _operation_values(selector: Selector, operation: Operation) -> Asked:
    values = {
        "operation": (operation.id, operation.key),
        "tag": operation.tags,
        "path": (operation.path,),
        "method": (operation.method,),
        "scope": operation_scopes(operation) if selector.scope else (),
        "deprecated": (_bool_text(operation.deprecated),),
    }
    if selector.read_only is not None:
        # Lowering the tool reports contradictory hints.
        values["read_only"] = (_bool_text(tool_hints(operation, False, Diagnostics()).read_only),)
    return [(pattern, values[field]) for field, pattern in _selector_patterns(selector)]


def _missing_values(selector: Selector, missing: MissingTool) -> Asked:
    bare = missing.operation.startswith("/")
    method, _, path = ("", "", missing.operation) if bare else missing.operation.partition(" ")
    names = (missing.operation,) if missing.id is None else (missing.id, missing.operation)
    exact = selector.operation == missing.operation
    values = {
        "operation": names if missing.id is not None or exact else None,
        "tag": missing.tags,
        "path": (_VARIANT.split(path, maxsplit=1)[0],),
        "method": (method,) if method else None,
    }
    return [(pattern, values.get(field)) for field, pattern in _selector_patterns(selector)]


def _match_all(patterns: Asked) -> bool | None:
    """True if every pattern matches, None if that depends on unknown values."""
    if any(
        values is not None and not _matches_any(pattern, values) for pattern, values in patterns
    ):
        return False
    return None if any(values is None for _, values in patterns) else True


def _matches_any(pattern: str, values: tuple[str, ...]) -> bool:
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
            if not read and not any(may_match(selector, missing) for missing in grouped.missing):
                unmatched = True
                diagnostics.add(
                    codes.UNMATCHED_SELECTOR,
                    config.at("select", kind, str(index)) or api.at,
                    list=f"`{kind}` under `[select]`",
                    operation="operation",
                    selector=describe_selector(selector),
                    nearest=closest_selector(selector, grouped),
                )
    pairs = zip(api.operations, grouped.operations, strict=True)
    selected = tuple(operation for operation, tagged in pairs if _is_included(tagged, config))
    if not selected and not unmatched and (api.operations or not api.missing):
        diagnostics.add(codes.NOTHING_SELECTED, api.at)
    return selected


def with_parents(api: ApiDescription) -> ApiDescription:
    """Returns the API with each operation tagged by its parent tags too: a group contains its
    subgroups."""
    above = {tag.name: tag.parent for tag in api.tags if tag.parent}
    if not above:
        return api

    def grown(tags: tuple[str, ...]) -> tuple[str, ...]:
        all_tags: dict[str, None] = {}
        for tag in tags:
            while tag:
                all_tags[tag] = None
                tag = above.get(tag, "")
        return tuple(all_tags)

    return replace(
        api,
        operations=tuple(
            replace(operation, tags=grown(operation.tags)) for operation in api.operations
        ),
        missing=tuple(
            operation if operation.tags is None else replace(operation, tags=grown(operation.tags))
            for operation in api.missing
        ),
    )


def unread_operations(
    api: ApiDescription, config: Config, diagnostics: Diagnostics
) -> tuple[MissingTool, ...]:
    """Returns the unreadable operations that would have become tools.

    If the list is empty, their errors do not stop the build.
    """
    pairs = zip(api.missing, with_parents(api).missing, strict=True)
    missed = tuple(operation for operation, tagged in pairs if _is_missed(tagged, config))
    if api.missing and not missed:
        diagnostics.soften(parse_codes.PER_OPERATION)
    return missed


def _is_missed(missing: MissingTool, config: Config) -> bool:
    """True if an unreadable operation is selected, as far as known."""
    selection = config.selection
    if missing.hidden or any(must_match(selector, missing) for selector in selection.exclude):
        return False
    return not selection.include or any(
        may_match(selector, missing) for selector in selection.include
    )


def _is_included(operation: Operation, config: Config) -> bool:
    selection = config.selection
    if operation.extension.hidden:
        return False
    if any(matches(selector, operation) for selector in selection.exclude):
        return False
    return not selection.include or any(matches(s, operation) for s in selection.include)
