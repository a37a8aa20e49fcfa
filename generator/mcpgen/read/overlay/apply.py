"""Carries out the actions of overlays, one after the other."""

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
from mcpgen.read.overlay.jsonpath import Found, InvalidJsonPath, Query


def overlaid(
    document: Document, overlays: Iterable[Document], findings: Findings
) -> tuple[Document, Origin]:
    """The document with the overlays applied to it in order, and where its values were written.

    An action that cannot be carried out is an error, and changes nothing. Adds MG160–MG169.
    """
    overlays = tuple(overlays)
    work = _Work(document, findings)
    for overlay in overlays:
        _tell_other_document(overlay, document, findings)
        for action in overlay_actions(overlay, findings) or ():
            work.carry_out(action)
    texts = tuple(overlay.text for overlay in overlays)
    return replace(document, tree=work.tree.root, overlays=texts), work.tree.origin


class _Work:
    """The tree as it is so far, and what its changes have cost."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self.tree = CowTree(document.tree, Location(document.name))
        self._name = document.name
        self._findings = findings
        self._added = 0

    def carry_out(self, action: OverlayAction) -> None:
        """One action, or a finding that says why not."""
        found = self._found(action.select, action.at / "target", action.target)
        if found is None:
            return
        if not found:
            at = action.at / "target"
            self._findings.add(codes.IDLE_TARGET, at, target=action.target, document=self._name)
            return
        try:
            if action.first:
                self._require_containers(found)
            if action.remove:
                self._remove(found, action.at)
            elif action.copy is not None:
                self._copy(found, action.copy, action.at / "copy")
            else:
                self._merge(found, action.update, Origin(action.at / "update"))
        except OverlayMismatch as error:
            keys = () if action.remove else ("copy" if action.copy else "update", *error.path)
            at = Location(action.at.file, (*action.at.path, *keys))
            self._findings.add(codes.UNFIT_ACTION, at, target=action.target, reason=error.reason)

    def _found(self, select: Query, at: Location, text: str) -> list[Found] | None:
        """What a query selects; None, told, where that is too much."""
        try:
            found = select(self.tree.root)
        except InvalidJsonPath as error:
            self._findings.add(codes.ILLEGAL_TARGET, at, target=text, reason=str(error))
            return None
        if len(found) > limits.TARGETS:
            self._findings.add(codes.LARGE_OVERLAY, at, what=f"{limits.TARGETS:,} targets")
            return None
        return found

    def _require_containers(self, found: list[Found]) -> None:
        """Raises Unfit for what overlays of version 1.0 cannot select."""
        for path in found:
            value = self.tree.get(path)
            if not isinstance(value, dict | list):
                raise OverlayMismatch(
                    (), f"{kind_name(value)} can be a target only since version 1.1"
                )

    def _remove(self, found: list[Found], why: Location) -> None:
        if () in found:
            raise OverlayMismatch((), "the whole document cannot be removed")
        # What lies deeper goes first, and of one list the last, so that every path stays true.
        for path in sorted(found, key=_depth_and_index, reverse=True):
            self.tree.remove(path, why)

    def _copy(self, found: list[Found], source: Query, at: Location) -> None:
        sources = self._found(source, at, "")
        if sources is None:
            return
        if len(sources) != 1:
            raise OverlayMismatch((), f"`copy` names one value, but it selects {len(sources):,}")
        value = self.tree.shared(sources[0])
        self._merge(found, value, self.tree.origin_of(sources[0]))

    def _merge(self, found: list[Found], value: Json, origin: Origin) -> None:
        size, height = _measure(value)
        self._added += size * len(found)
        if self._added > limits.ADDED or height + max(map(len, found)) > limits.DEPTH:
            self._findings.add(
                codes.LARGE_OVERLAY,
                origin.at,
                what=f"{limits.ADDED:,} values, or {limits.DEPTH} levels,",
            )
            return
        for path in found:
            self.tree.merge(path, value, origin.clone())


def _depth_and_index(path: Found) -> tuple[int, int]:
    last = path[-1]
    return len(path), last if isinstance(last, int) else 0


def _measure(value: Json) -> tuple[int, int]:
    """How many values a value holds, itself included, and how many levels."""
    size, height, level = 0, 0, [value]
    while level:
        size += len(level)
        height += 1
        below: list[Json] = []
        for each in level:
            if isinstance(each, dict):
                below.extend(each.values())
            elif isinstance(each, list):
                below.extend(each)
        level = below
    return size, height


def _tell_other_document(overlay: Document, document: Document, findings: Findings) -> None:
    """Says so when an overlay names another file than the one it is applied to; a URL tells where
    the document comes from, which a file does not know."""
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
    named = posixpath.join(posixpath.dirname(overlay.name), unquote(extends.partition("#")[0]))
    if PurePath(posixpath.normpath(named)) != PurePath(posixpath.normpath(document.name)):
        findings.add(codes.OTHER_TARGET, at, extends=extends, document=document.name)
