"""Which files of an OpenSpec folder are meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.read.folder import OpenSpecFolder
from mcpgen.read.findings import Findings

LISTED = 10
"""Names that a hint lists."""


@dataclass(frozen=True, slots=True)
class OpenSpecSelection:
    """A capability with its spec and its delta; at least one of the two is there."""

    capability: str
    spec: Path | None
    delta: Path | None


def select_capability(
    folder: OpenSpecFolder, change: str, capability: str, findings: Findings
) -> OpenSpecSelection | None:
    """The files of a capability, or None, with an error told, where it is not clear which.

    With a change they are what it touches, without one all specs there are.
    Adds MG710, MG711 and MG712.
    """
    path = folder.path.as_posix()
    at = Location(path)
    if change and change not in folder.changes():
        if archived := folder.archived(change):
            findings.add(
                codes.ARCHIVED_CHANGE, at, path=path, name=change, folder=archived[-1].as_posix()
            )
        else:
            _unknown(findings, path, "change", change, folder.changes())
        return None
    specs = folder.specs()
    deltas = folder.deltas(change) if change else {}
    if capability and capability not in specs and capability not in deltas:
        _unknown(findings, path, "capability", capability, {*specs, *deltas})
        return None
    meant = [capability] if capability else list(deltas if change else specs)
    if not meant:
        what = f"no delta in the change `{change}`" if change else "no spec yet, only changes"
        findings.add(codes.NO_OPENSPEC_FOLDER, at, path=path, what=what)
        return None
    if len(meant) > 1:
        findings.add(
            codes.SEVERAL_CAPABILITIES, at, path=path, count=len(meant), known=_listed(meant)
        )
        return None
    return OpenSpecSelection(meant[0], specs.get(meant[0]), deltas.get(meant[0]))


def _unknown(findings: Findings, path: str, kind: str, name: str, known: Iterable[str]) -> None:
    listed = _listed(known)
    own = {"change": "change", "capability": "spec"}[kind]
    hint = f"there are {listed}" if listed else f"the folder has no {own} yet: leave `{kind}` out"
    findings.add(
        codes.UNKNOWN_IN_OPENSPEC, Location(path), path=path, kind=kind, name=name, known=hint
    )


def _listed(names: Iterable[str]) -> str:
    """The names, in order, as a hint lists them."""
    quoted = [f"`{name}`" for name in sorted(names)]
    more = f" and {len(quoted) - LISTED} more" if len(quoted) > LISTED else ""
    return ", ".join(quoted[:LISTED]) + more
