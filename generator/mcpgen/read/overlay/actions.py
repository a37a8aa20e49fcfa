"""The shape of an overlay: its version, and its actions one by one."""

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
from mcpgen.read.overlay.jsonpath import InvalidJsonPath, Query, query

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
    """One change: what it selects, and what it does there. Exactly one of `remove`, `copy` and
    `updates` is set; `update` is the value to be merged. `first` tells that the overlay is of
    version 1.0, where only mappings and lists are selected."""

    at: Location
    target: str
    select: Query
    remove: bool = False
    copy: Query | None = None
    updates: bool = False
    update: Json = None
    first: bool = False


def overlay_actions(document: Document, findings: Findings) -> tuple[OverlayAction, ...] | None:
    """The actions of an overlay, in order; None, told, for what is no overlay.

    Adds MG160–MG163, MG165 and MG167.
    """
    tree, at = document.tree, Location(document.name)
    version = tree.get("overlay") if isinstance(tree, dict) else None
    if type(version) not in (str, int, float) or not _VERSION.fullmatch(str(version)):
        found = "no field `overlay`" if version is None else f"`overlay: {version}`"
        findings.add(codes.NO_OVERLAY, at / "overlay" if version is not None else at, found=found)
        return None
    _tell_unknown(tree, _ROOT, "an overlay", at, findings)
    info = tree.get("info")
    if isinstance(info, dict):
        _tell_unknown(info, _INFO, "`info`", at / "info", findings)
    else:
        _malformed(findings, at / "info", "info", "a mapping", info, Severity.WARNING)
    listed = tree.get("actions")
    if not isinstance(listed, list) or not listed:
        _malformed(findings, at / "actions", "actions", "a list of actions", listed)
        return ()
    first = _FIRST.match(str(version)) is not None
    return tuple(_actions(listed, at / "actions", first, findings))


def _actions(
    listed: list[Json], at: Location, first: bool, findings: Findings
) -> Iterator[OverlayAction]:
    for index, written in enumerate(listed):
        if isinstance(written, dict):
            action = _action(written, at / index, first, findings)
            if action is not None:
                yield action
        else:
            _malformed(findings, at / index, "an action", "a mapping", written)


def _action(
    written: dict[str, Json], at: Location, first: bool, findings: Findings
) -> OverlayAction | None:
    """One action; None, told, where it cannot be carried out."""
    known = tuple(key for key in _ACTION if key != "copy" or not first)
    _tell_unknown(written, known, "an action", at, findings)
    for key, (expected, words) in _TYPES.items():
        if written.get(key) is not None and not isinstance(written[key], expected):
            _malformed(findings, at / key, key, words, written[key])
            return None
    target = written.get("target")
    if target is None:
        _malformed(findings, at, "target", "a JSONPath", None)
        return None
    select = _query(target, at / "target", findings)
    copy = None if first or written.get("copy") is None else written["copy"]
    remove, updates = written.get("remove") is True, "update" in written
    asked = [
        key
        for key, is_asked in (("remove", remove), ("update", updates), ("copy", copy))
        if is_asked
    ]
    if not asked:
        findings.add(codes.IDLE_ACTION, at)
        return None
    for idle in asked[1:]:
        findings.add(codes.CONTRADICTORY_ACTION, at / idle, ignored=idle, used=asked[0])
    source = _query(copy, at / "copy", findings) if asked[0] == "copy" and copy else None
    if select is None or (asked[0] == "copy" and source is None):
        return None
    return OverlayAction(
        at,
        target,
        select,
        remove=asked[0] == "remove",
        copy=source,
        updates=asked[0] == "update",
        update=written.get("update"),
        first=first,
    )


def _query(text: str, at: Location, findings: Findings) -> Query | None:
    try:
        return query(text)
    except InvalidJsonPath as error:
        findings.add(codes.ILLEGAL_TARGET, at, target=text, reason=str(error))
        return None


def _tell_unknown(
    written: dict[str, Json], known: Collection[str], parent: str, at: Location, findings: Findings
) -> None:
    """Tells keys that nobody defines; those that begin with `x-` belong to other tools."""
    for key in written:
        if key in known or key.startswith("x-"):
            continue
        nearest = closest_match(key, known) or "one of: " + ", ".join(known)
        findings.add(codes.UNKNOWN_OVERLAY_KEY, at / key, key=key, parent=parent, nearest=nearest)


def _malformed(
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
