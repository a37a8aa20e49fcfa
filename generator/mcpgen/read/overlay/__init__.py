"""Overlays: documents that change an API description without an edit of its file.

https://spec.openapis.org/overlay/v1.1.0.html
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from mcpgen.diagnostics import Location, Severity
from mcpgen.diagnostics.codes import read as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Document, Json
from mcpgen.read import limits
from mcpgen.read.findings import Findings
from mcpgen.read.overlay.cow_tree import CowTree, Origin, OverlayMismatch
from mcpgen.read.overlay.jsonpath import InvalidJsonPath, Query, TreePath, compile_query
from mcpgen.read.yaml_scalars import kind_name

_VERSION = re.compile(r"1\.[01](\.[0-9]+)?(-\S+)?")
_VERSION_1_0 = re.compile(r"1\.0\b")
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
    """One Action Object; exactly one of `remove`, `copy` and `has_update` is set.

    `update` is the value to merge if `has_update`, which is separate because `update: null` is
    legal. `copy_text` is the text of `copy`. `is_version_1_0`: the overlay has version 1.0, where a
    target must be a mapping or a list.
    """

    at: Location
    target: str
    query: Query
    remove: bool = False
    copy: Query | None = None
    copy_text: str = ""
    has_update: bool = False
    update: Json = None
    is_version_1_0: bool = False


def overlay_actions(document: Document, findings: Findings) -> tuple[OverlayAction, ...] | None:
    """Actions of an overlay in order; None after a finding if the document is no overlay, `()` after
    a finding if it has no usable list of actions.

    Adds MG160–MG163, MG165 and MG167.
    """
    tree, at = document.tree, Location(document.name)
    version = tree.get("overlay") if isinstance(tree, dict) else None
    if type(version) not in (str, int, float) or not _VERSION.fullmatch(str(version)):
        fault = "no field `overlay`" if version is None else f"`overlay: {version}`"
        findings.add(codes.NO_OVERLAY, at / "overlay" if version is not None else at, found=fault)
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
    is_version_1_0 = _VERSION_1_0.match(str(version)) is not None
    return tuple(_parse_actions(actions, at / "actions", is_version_1_0, findings))


def _parse_actions(
    actions: list[Json], at: Location, is_version_1_0: bool, findings: Findings
) -> Iterator[OverlayAction]:
    for index, entry in enumerate(actions):
        if isinstance(entry, dict):
            action = _parse_action(entry, at / index, is_version_1_0, findings)
            if action is not None:
                yield action
        else:
            _report_malformed(findings, at / index, "an action", "a mapping", entry)


def _parse_action(
    entry: dict[str, Json], at: Location, is_version_1_0: bool, findings: Findings
) -> OverlayAction | None:
    """One action; None after a finding if the action cannot be applied."""
    allowed_keys = tuple(key for key in _ACTION if key != "copy" or not is_version_1_0)
    _report_unknown_keys(entry, allowed_keys, "an action", at, findings)
    for key, (expected, words) in _TYPES.items():
        if entry.get(key) is not None and not isinstance(entry[key], expected):
            _report_malformed(findings, at / key, key, words, entry[key])
            return None
    target = entry.get("target")
    if target is None:
        _report_malformed(findings, at, "target", "a JSONPath", None)
        return None
    query = _compile_target(target, at / "target", findings)
    copy = None if is_version_1_0 or entry.get("copy") is None else entry["copy"]
    remove, has_update = entry.get("remove") is True, "update" in entry
    requested = [
        key
        for key, is_asked in (("remove", remove), ("update", has_update), ("copy", copy))
        if is_asked
    ]
    if not requested:
        findings.add(codes.IDLE_ACTION, at)
        return None
    for ignored_key in requested[1:]:
        findings.add(
            codes.CONTRADICTORY_ACTION, at / ignored_key, ignored=ignored_key, used=requested[0]
        )
    source = (
        _compile_target(copy, at / "copy", findings) if requested[0] == "copy" and copy else None
    )
    if query is None or (requested[0] == "copy" and source is None):
        return None
    return OverlayAction(
        at,
        target,
        query,
        remove=requested[0] == "remove",
        copy=source,
        copy_text=copy or "",
        has_update=requested[0] == "update",
        update=entry.get("update"),
        is_version_1_0=is_version_1_0,
    )


def _compile_target(text: str, at: Location, findings: Findings) -> Query | None:
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


def apply_overlays(
    document: Document, overlays: Iterable[Document], findings: Findings
) -> tuple[Document, Origin]:
    """Applies overlays to a document; returns the new document and the origins of its values.

    An action that cannot be applied is an error and changes nothing. Adds MG160–MG169.
    """
    overlays = tuple(overlays)
    work = _OverlayRun(document, findings)
    for overlay in overlays:
        _report_other_document(overlay, document, findings)
        for action in overlay_actions(overlay, findings) or ():
            work.apply(action)
    texts = tuple(overlay.text for overlay in overlays)
    return replace(document, tree=work.tree.root, overlays=texts), work.tree.origin


class _OverlayRun:
    """The tree between actions, and the number of values added so far."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self.tree = CowTree(document.tree, Location(document.name))
        self._name = document.name
        self._findings = findings
        self._added = 0

    def apply(self, action: OverlayAction) -> None:
        """Applies an action, or adds a finding."""
        paths = self._select(action.query, action.at / "target", action.target)
        if paths is None:
            return
        if not paths:
            at = action.at / "target"
            self._findings.add(codes.IDLE_TARGET, at, target=action.target, document=self._name)
            return
        if action.is_version_1_0 and (kind := self._scalar_kind(paths)):
            reason = f"{kind} can be a target only since version 1.1"
            hint = "select the mapping around the value, or set `overlay` to 1.1.0"
            self._report_unfit(action, action.at / "target", reason, hint)
            return
        try:
            if action.remove:
                self._remove(paths, action.at)
            elif action.copy is not None:
                self._copy(paths, action.copy, action.copy_text, action.at / "copy")
            else:
                self._merge(paths, action.update, Origin(action.at / "update"))
        except OverlayMismatch as error:
            keys = () if action.remove else ("copy",) if action.copy else ("update", *error.path)
            at = Location(action.at.file, (*action.at.path, *keys))
            self._report_unfit(action, at, error.reason, error.hint)

    def _report_unfit(self, action: OverlayAction, at: Location, reason: str, hint: str) -> None:
        self._findings.add(codes.UNFIT_ACTION, at, target=action.target, reason=reason, hint=hint)

    def _select(self, query: Query, at: Location, text: str) -> list[TreePath] | None:
        """Targets of a query; None after a finding for an invalid query or too many targets."""
        try:
            paths = query(self.tree.root)
        except InvalidJsonPath as error:
            self._findings.add(codes.ILLEGAL_TARGET, at, target=text, reason=str(error))
            return None
        if len(paths) > limits.TARGETS:
            what = f"the query selects more than {limits.TARGETS:,} values"
            self._findings.add(codes.LARGE_OVERLAY, at, what=what)
            return None
        return paths

    def _scalar_kind(self, paths: list[TreePath]) -> str:
        """Returns the kind of the first scalar target, which overlays 1.0 do not allow, or `""`."""
        values = (self.tree.get(path) for path in paths)
        scalars = (value for value in values if not isinstance(value, dict | list))
        return next(map(kind_name, scalars), "")

    def _remove(self, paths: list[TreePath], action_at: Location) -> None:
        if () in paths:
            hint = "select the part that is to be removed"
            raise OverlayMismatch((), "the whole document cannot be removed", hint)
        # Deepest first, and the last item of a list first, so that the remaining paths stay valid.
        for path in sorted(paths, key=_depth_and_index, reverse=True):
            self.tree.remove(path, action_at)

    def _copy(self, paths: list[TreePath], source: Query, text: str, at: Location) -> None:
        sources = self._select(source, at, text)
        if sources is None:
            return
        if len(sources) != 1:
            reason = f"`copy` names one value, but it selects {len(sources):,}"
            raise OverlayMismatch((), reason, "let `copy` select exactly one value of the document")
        value = self.tree.get_shared(sources[0])
        self._merge(paths, value, self.tree.origin_of(sources[0]))

    def _merge(self, paths: list[TreePath], value: Json, origin: Origin) -> None:
        size, height = _measure(value)
        self._added += size * len(paths)
        if self._added > limits.ADDED or height + max(map(len, paths)) > limits.DEPTH:
            what = (
                f"it adds more than {limits.ADDED:,} values, or nests deeper than "
                f"{limits.DEPTH} levels"
            )
            self._findings.add(codes.LARGE_OVERLAY, origin.at, what=what)
            return
        for path in paths:
            self.tree.merge(path, value, origin.clone())


def _depth_and_index(path: TreePath) -> tuple[int, int]:
    last = path[-1]
    return len(path), last if isinstance(last, int) else 0


def _measure(value: Json) -> tuple[int, int]:
    """Number of values, root included, and levels of nesting."""
    size, height, level = 0, 0, [value]
    while level:
        size += len(level)
        height += 1
        next_level: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                next_level.extend(item.values())
            elif isinstance(item, list):
                next_level.extend(item)
        level = next_level
    return size, height


def _report_other_document(overlay: Document, document: Document, findings: Findings) -> None:
    """Warns if `extends` names another file."""
    extends = overlay.tree.get("extends") if isinstance(overlay.tree, dict) else None
    if extends is None:
        return
    at = Location(overlay.name, ("extends",))
    if not isinstance(extends, str):
        findings.add(
            codes.MALFORMED_OVERLAY,
            at,
            what="extends",
            expected="a text",
            actual=kind_name(extends),
        )
        return
    # A URL is accepted unchecked: a local file does not tell from which URL it came.
    if urlsplit(extends).scheme or extends.startswith("//"):
        return
    target_name = posixpath.join(
        posixpath.dirname(overlay.name), unquote(extends.partition("#")[0])
    )
    # The user may have named one of the two files by an absolute path.
    if PurePath(os.path.abspath(target_name)) != PurePath(os.path.abspath(document.name)):
        findings.add(codes.OTHER_TARGET, at, extends=extends, document=document.name)


__all__ = ["apply_overlays"]
