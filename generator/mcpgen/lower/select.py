"""Which operations become tools."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase

from mcpgen.config import Config, Selector
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.ir.api import Api, Missing, Operation

_VARIANT = re.compile(r"[?#]")
"""What begins the part of a key that tells operations of one path apart."""


def selected(api: Api, config: Config, diagnostics: Diagnostics) -> tuple[Operation, ...]:
    """The operations that become tools, in document order.

    A selector that matches nothing, and a selection of nothing, are errors.
    """
    selection, unmatched = config.selection, False
    grouped = with_parents(api)
    for kind, selectors in (("include", selection.include), ("exclude", selection.exclude)):
        for index, selector in enumerate(selectors):
            read = any(_matches(selector, operation) for operation in grouped.operations)
            if not read and not any(_may_match(selector, each) for each in grouped.missing):
                unmatched = True
                diagnostics.add(
                    codes.UNMATCHED_SELECTOR,
                    config.at("select", kind, str(index)) or api.at,
                    list=kind,
                    selector=_spoken(selector),
                    nearest=_nearest(selector, grouped),
                )
    both = zip(api.operations, grouped.operations, strict=True)
    kept = tuple(operation for operation, seen in both if _chosen(seen, config))
    if not kept and not unmatched and (api.operations or not api.missing):
        diagnostics.add(codes.NOTHING_SELECTED, api.at)
    return kept


def with_parents(api: Api) -> Api:
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


def missed(api: Api, config: Config, diagnostics: Diagnostics) -> tuple[Missing, ...]:
    """The operations that could not be read and would have become tools.

    Where there are none of these, what stood in the way of the others stops no build.
    """
    both = zip(api.missing, with_parents(api).missing, strict=True)
    kept = tuple(each for each, seen in both if _is_missed(seen, config))
    if api.missing and not kept:
        diagnostics.soften(parse_codes.PER_OPERATION)
    return kept


def _is_missed(missing: Missing, config: Config) -> bool:
    """Whether an operation that could not be read is wanted, as far as that can be told."""
    selection = config.selection
    if missing.hidden or any(_must_match(each, missing) for each in selection.exclude):
        return False
    return not selection.include or any(_may_match(each, missing) for each in selection.include)


def _must_match(selector: Selector, missing: Missing) -> bool:
    """Whether an operation meets a selector whatever it holds that could not be read."""
    asked = _asked_of_missing(selector, missing)
    return bool(asked) and all(known and _meets(pattern, known) for pattern, known in asked)


def _may_match(selector: Selector, missing: Missing) -> bool:
    """Whether an operation may meet a selector, as far as it could be read."""
    asked = _asked_of_missing(selector, missing)
    return bool(asked) and all(known is None or _meets(pattern, known) for pattern, known in asked)


def _asked_of_missing(
    selector: Selector, missing: Missing
) -> list[tuple[str, tuple[str, ...] | None]]:
    """The patterns of a selector, each with the values it is about; None where they are not known."""
    bare = missing.operation.startswith("/")
    method, _, rest = ("", "", missing.operation) if bare else missing.operation.partition(" ")
    path = _VARIANT.split(rest, maxsplit=1)[0]
    names = (missing.operation,) if missing.id is None else (missing.id, missing.operation)
    exact = selector.operation == missing.operation
    asked = [
        (selector.operation, names if missing.id is not None or exact else None),
        (selector.tag, missing.tags),
        (selector.path, (path,)),
        (selector.method.upper(), (method,) if method else None),
    ]
    return [(pattern, known) for pattern, known in asked if pattern]


def _chosen(operation: Operation, config: Config) -> bool:
    selection = config.selection
    if operation.extension.hidden:
        return False
    if any(_matches(selector, operation) for selector in selection.exclude):
        return False
    return not selection.include or any(_matches(s, operation) for s in selection.include)


def _matches(selector: Selector, operation: Operation) -> bool:
    """Whether an operation meets every field that is set; a selector without fields meets none."""
    asked = [
        (selector.operation, (operation.id, operation.key)),
        (selector.tag, operation.tags),
        (selector.path, (operation.path,)),
        (selector.method.upper(), (operation.method,)),
    ]
    told = [(pattern, values) for pattern, values in asked if pattern]
    return bool(told) and all(_meets(pattern, values) for pattern, values in told)


def _meets(pattern: str, values: tuple[str, ...]) -> bool:
    return any(value == pattern or fnmatchcase(value, pattern) for value in values)


def _spoken(selector: Selector) -> str:
    fields = (
        ("operation", selector.operation),
        ("tag", selector.tag),
        ("path", selector.path),
        ("method", selector.method),
    )
    return ", ".join(f"{name} = {value}" for name, value in fields if value)


def _nearest(selector: Selector, api: Api) -> str:
    """A hint with what the document has that looks most like what was asked for."""
    known = [
        (selector.operation, [name for o in api.operations for name in (o.id, o.key)]),
        (selector.tag, [tag for o in api.operations for tag in o.tags]),
        (selector.path, [o.path for o in api.operations]),
        (selector.method.upper(), [o.method for o in api.operations]),
    ]
    for wanted, names in known:
        hint = nearest(wanted, names) if wanted and wanted not in names else ""
        if hint:
            return hint
    return "see the operations, tags and paths of the document"


def nearest(wanted: str, names: list[str]) -> str:
    """The hint `did you mean …?` for the name most like `wanted`, or `""`."""
    near = get_close_matches(wanted, list(dict.fromkeys(name for name in names if name)), 1)
    return f"did you mean `{near[0]}`?" if near else ""
