"""Which operations become tools."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase

from mcpgen.config import Config, Selector
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Api, Operation


def selected(api: Api, config: Config, diagnostics: Diagnostics) -> tuple[Operation, ...]:
    """The operations that become tools, in document order.

    A selector that matches nothing, and a selection of nothing, are errors.
    """
    selection, unmatched = config.selection, False
    for kind, selectors in (("include", selection.include), ("exclude", selection.exclude)):
        for index, selector in enumerate(selectors):
            if not any(_matches(selector, operation) for operation in api.operations):
                unmatched = True
                diagnostics.add(
                    codes.UNMATCHED_SELECTOR,
                    config.at("select", kind, str(index)) or api.at,
                    list=kind,
                    selector=_spoken(selector),
                    nearest=_nearest(selector, api),
                )
    kept = tuple(operation for operation in api.operations if _chosen(operation, config))
    if not kept and not unmatched and (api.operations or not api.missing):
        diagnostics.add(codes.NOTHING_SELECTED, api.at)
    return kept


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
    return bool(told) and all(
        any(value == pattern or fnmatchcase(value, pattern) for value in values)
        for pattern, values in told
    )


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
