"""Parses an overlay document: its version, and its actions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mcpgen.diagnostics import Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Document, Json
from mcpgen.read.findings import Findings
from mcpgen.read.json_values import kind_name
from mcpgen.read.overlay.jsonpath import InvalidJsonPath, Query, compile_query

_VERSION = re.compile(r"1\.[01](\.[0-9]+)?(-\S+)?")
_FIRST = re.compile(r"1\.0\b")
_INFO = ("title", "version", "description")
_ROOT = ("overlay", "info", "extends", "actions")
_ACTION = ("target", "description", "update", "copy", "remove")
_TYPES: dict[str, tuple[type, str]] = {
    "target": (str, "a text"),
    "description": (str, "a text"),
    "copy": (str, "a text"),
    "remove": (bool, "true or false"),
}


@dataclass(frozen=True, slots=True)
class OverlayAction:
    """One Action Object; exactly one of `remove`, `copy` and `updates` is set.

    `update` is the value to merge if `updates`. `first`: the overlay has version 1.0, where a
    target must be a mapping or a list.
    """

    at: Location
    target: str
    select: Query
    remove: bool = False
    copy: Query | None = None
    updates: bool = False
    update: Json = None
    first: bool = False


def overlay_actions(document: Document, findings: Findings) -> tuple[OverlayAction, ...] | None:
    """Actions of an overlay in order; None after a finding if the document is no overlay.

    Adds MG160–MG163, MG165 and MG167.
    """
    tree, at = document.tree, Location(document.name)
    version = tree.get("overlay") if isinstance(tree, dict) else None
    if type(version) not in (str, int, float) or not _VERSION.fullmatch(str(version)):
        found = "no field `overlay`" if version is None else f"`overlay: {version}`"
        findings.add(codes.NO_OVERLAY, at / "overlay" if version is not None else at, found=found)
        return None
    _report_unknown_keys(tree, _ROOT, "an overlay", at, findings)
    info = tree.get("info")
    if isinstance(info, dict):
        _report_unknown_keys(info, _INFO, "`info`", at / "info", findings)
    else:
        _report_malformed(findings, at / "info", "info", "a mapping", info, Severity.WARNING)
    actions = tree.get("actions")
    if not isinstance(actions, list) or not actions:
        _report_malformed(findings, at / "actions", "actions", "a list of actions", actions)
        return ()
    first = _FIRST.match(str(version)) is not None
    return tuple(_actions(actions, at / "actions", first, findings))


def _actions(
    actions: list[Json], at: Location, first: bool, findings: Findings
) -> Iterator[OverlayAction]:
    for index, entry in enumerate(actions):
        if isinstance(entry, dict):
            action = _action(entry, at / index, first, findings)
            if action is not None:
                yield action
        else:
            _report_malformed(findings, at / index, "an action", "a mapping", entry)


def _action(
    entry: dict[str, Json], at: Location, first: bool, findings: Findings
) -> OverlayAction | None:
    """One action; None after a finding if the action cannot be applied."""
    allowed_keys = tuple(key for key in _ACTION if key != "copy" or not first)
    _report_unknown_keys(entry, allowed_keys, "an action", at, findings)
    for key, (expected, words) in _TYPES.items():
        if entry.get(key) is not None and not isinstance(entry[key], expected):
            _report_malformed(findings, at / key, key, words, entry[key])
            return None
    target = entry.get("target")
    if target is None:
        _report_malformed(findings, at, "target", "a JSONPath", None)
        return None
    select = _compile(target, at / "target", findings)
    copy = None if first or entry.get("copy") is None else entry["copy"]
    remove, updates = entry.get("remove") is True, "update" in entry
    requested = [
        key
        for key, is_asked in (("remove", remove), ("update", updates), ("copy", copy))
        if is_asked
    ]
    if not requested:
        findings.add(codes.IDLE_ACTION, at)
        return None
    for idle in requested[1:]:
        findings.add(codes.CONTRADICTORY_ACTION, at / idle, ignored=idle, used=requested[0])
    source = _compile(copy, at / "copy", findings) if requested[0] == "copy" and copy else None
    if select is None or (requested[0] == "copy" and source is None):
        return None
    return OverlayAction(
        at,
        target,
        select,
        remove=requested[0] == "remove",
        copy=source,
        updates=requested[0] == "update",
        update=entry.get("update"),
        first=first,
    )


def _compile(text: str, at: Location, findings: Findings) -> Query | None:
    try:
        return compile_query(text)
    except InvalidJsonPath as error:
        findings.add(codes.ILLEGAL_TARGET, at, target=text, reason=str(error))
        return None


def _report_unknown_keys(
    mapping: dict[str, Json],
    allowed: Collection[str],
    parent: str,
    at: Location,
    findings: Findings,
) -> None:
    """Reports unknown keys, except extensions (`x-…`)."""
    for key in mapping:
        if key in allowed or key.startswith("x-"):
            continue
        nearest = closest_match(key, allowed) or "one of: " + ", ".join(allowed)
        findings.add(codes.UNKNOWN_OVERLAY_KEY, at / key, key=key, parent=parent, nearest=nearest)


def _report_malformed(
    findings: Findings,
    at: Location,
    what: str,
    expected: str,
    value: Json,
    severity: Severity | None = None,
) -> None:
    findings.add(
        codes.MALFORMED_OVERLAY,
        at,
        severity=severity,
        what=what,
        expected=expected,
        actual=kind_name(value),
    )
