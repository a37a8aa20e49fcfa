"""Applies the actions of overlays in order."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Document, Json
from mcpgen.read import limits
from mcpgen.read.findings import Findings
from mcpgen.read.json_values import kind_name
from mcpgen.read.overlay.actions import OverlayAction, overlay_actions
from mcpgen.read.overlay.cow_tree import CowTree, Origin, OverlayMismatch
from mcpgen.read.overlay.jsonpath import InvalidJsonPath, Query, TreePath


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
        paths = self._select(action.select, action.at / "target", action.target)
        if paths is None:
            return
        if not paths:
            at = action.at / "target"
            self._findings.add(codes.IDLE_TARGET, at, target=action.target, document=self._name)
            return
        try:
            if action.first:
                self._require_containers(paths)
            if action.remove:
                self._remove(paths, action.at)
            elif action.copy is not None:
                self._copy(paths, action.copy, action.at / "copy")
            else:
                self._merge(paths, action.update, Origin(action.at / "update"))
        except OverlayMismatch as error:
            keys = () if action.remove else ("copy" if action.copy else "update", *error.path)
            at = Location(action.at.file, (*action.at.path, *keys))
            self._findings.add(codes.UNFIT_ACTION, at, target=action.target, reason=error.reason)

    def _select(self, select: Query, at: Location, text: str) -> list[TreePath] | None:
        """Targets of a query; None after a finding for an invalid query or too many targets."""
        try:
            paths = select(self.tree.root)
        except InvalidJsonPath as error:
            self._findings.add(codes.ILLEGAL_TARGET, at, target=text, reason=str(error))
            return None
        if len(paths) > limits.TARGETS:
            self._findings.add(codes.LARGE_OVERLAY, at, what=f"{limits.TARGETS:,} targets")
            return None
        return paths

    def _require_containers(self, paths: list[TreePath]) -> None:
        """Raises OverlayMismatch for a scalar target, which overlays 1.0 do not allow."""
        for path in paths:
            value = self.tree.get(path)
            if not isinstance(value, dict | list):
                raise OverlayMismatch(
                    (), f"{kind_name(value)} can be a target only since version 1.1"
                )

    def _remove(self, paths: list[TreePath], why: Location) -> None:
        if () in paths:
            raise OverlayMismatch((), "the whole document cannot be removed")
        # Deepest first, and the last item of a list first, so that the remaining paths stay valid.
        for path in sorted(paths, key=_depth_and_index, reverse=True):
            self.tree.remove(path, why)

    def _copy(self, paths: list[TreePath], source: Query, at: Location) -> None:
        sources = self._select(source, at, "")
        if sources is None:
            return
        if len(sources) != 1:
            raise OverlayMismatch((), f"`copy` names one value, but it selects {len(sources):,}")
        value = self.tree.get_shared(sources[0])
        self._merge(paths, value, self.tree.origin_of(sources[0]))

    def _merge(self, paths: list[TreePath], value: Json, origin: Origin) -> None:
        size, height = _measure(value)
        self._added += size * len(paths)
        if self._added > limits.ADDED or height + max(map(len, paths)) > limits.DEPTH:
            self._findings.add(
                codes.LARGE_OVERLAY,
                origin.at,
                what=f"{limits.ADDED:,} values, or {limits.DEPTH} levels,",
            )
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
    """Warns if `extends` names another file. A URL in `extends` is the document's origin, which a
    file does not know."""
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
    if urlsplit(extends).scheme or extends.startswith("//"):
        return
    target_name = posixpath.join(
        posixpath.dirname(overlay.name), unquote(extends.partition("#")[0])
    )
    if PurePath(posixpath.normpath(target_name)) != PurePath(posixpath.normpath(document.name)):
        findings.add(codes.OTHER_TARGET, at, extends=extends, document=document.name)
