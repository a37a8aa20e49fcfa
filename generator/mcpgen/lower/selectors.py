"""Whether an operation is one of those that a selector means."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from mcpgen.config import Selector
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.suggestions import closest_match as closest_match
from mcpgen.ir.api import ApiDescription, MissingTool, Operation
from mcpgen.lower.hints import tool_hints

_VARIANT = re.compile(r"[?#]")
"""What begins the part of a key that tells operations of one path apart."""

Asked = list[tuple[str, tuple[str, ...] | None]]
"""Patterns, each with the values it is about; None where they are not known."""


def matches(selector: Selector, operation: Operation) -> bool:
    """Whether an operation meets every field that is set; a selector without fields meets none."""
    return selector != Selector() and _meets_all(_asked(selector, operation)) is True


def may_match(selector: Selector, missing: MissingTool) -> bool:
    """Whether an operation may meet a selector, as far as it could be read."""
    return selector != Selector() and _meets_all(_asked_of_missing(selector, missing)) is not False


def must_match(selector: Selector, missing: MissingTool) -> bool:
    """Whether an operation meets a selector whatever it holds that could not be read."""
    return selector != Selector() and _meets_all(_asked_of_missing(selector, missing)) is True


def operation_scopes(operation: Operation) -> tuple[str, ...]:
    """The scopes that a caller of an operation needs, by its security or its author's word."""
    named = [scope for uses in operation.security for use in uses for scope in use.scopes]
    return tuple(dict.fromkeys([*named, *(operation.extension.scopes or ())]))


def describe_selector(selector: Selector) -> str:
    """The selector in words."""
    return ", ".join(f"{name} = {pattern}" for name, pattern in _patterns(selector))


def closest_selector(selector: Selector, api: ApiDescription) -> str:
    """A hint with what the document has that looks most like what was asked for."""
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
    """The fields that are set, claims as words."""
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
    """Whether every pattern is met; None where that depends on what is not known."""
    if any(known is not None and not _meets(pattern, known) for pattern, known in asked):
        return False
    return None if any(known is None for _, known in asked) else True


def _meets(pattern: str, values: tuple[str, ...]) -> bool:
    return any(value == pattern or fnmatchcase(value, pattern) for value in values)
