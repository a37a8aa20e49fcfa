"""From requirement files to their companion on the disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from mcpgen.diagnostics import Diagnostic, Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.render import SourceMap
from mcpgen.ir.source import Document, RequirementSource
from mcpgen.openspec.bind.update import CompanionUpdate, accepted, update_companion
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.lower.crosscheck import crosscheck
from mcpgen.openspec.lower.extraction import facts_of
from mcpgen.openspec.lower.scenario_lookup import match_bindings
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import COMPANION, read_requirements
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings
from mcpgen.read.positions import Positions, SourceLines


@dataclass(frozen=True, slots=True)
class BindResult:
    """What came of a binding. `path` is the companion's, `""` where the requirements cannot be read.

    `changed` tells that its text is not the one on the disk before, and `written` that the disk has
    the new one: not where something cannot be read, though where the text and the companion disagree.
    `tools` and `scenarios` are the names that were added, `stale` the scenarios whose binding is of
    an earlier text.
    """

    path: str = ""
    changed: bool = False
    written: bool = False
    tools: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    failed: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    places: SourceMap = field(default_factory=SourceMap)


def bind(
    spec: str,
    *,
    change: str = "",
    capability: str = "",
    accept: Sequence[str] = (),
    check: bool = False,
) -> BindResult:
    """Adds to the companion of some requirements what is new in their text, or begins it.

    What its author wrote stays byte by byte; only the bindings named by `accept` get the digests of
    their scenarios as they are now. `check` writes nothing. Raises OSError when the disk refuses.
    """
    diagnostics = Diagnostics()
    source = read_requirements(spec, diagnostics, change=change, capability=capability)
    requirements = parse_requirements(source, diagnostics) if source else None
    if source is None or requirements is None or diagnostics.failed:
        return _ended(BindResult(failed=True), source, None, diagnostics)
    path = _path(source)
    before = _written(source, diagnostics)
    companion = _parsed(source.companion, diagnostics) if source.companion else None
    if before is None or diagnostics.failed:
        return _ended(BindResult(path, failed=True), source, source.companion, diagnostics)
    growth = _grown(requirements, companion, before, accept, diagnostics)
    made, companion = _read_again(path, growth.text, diagnostics)
    changed = growth.text != before
    written = changed and not check and not diagnostics.failed
    if written:
        _write(Path(path), growth.text)
    if companion is not None:
        crosscheck(requirements, companion, facts_of(requirements), diagnostics)
    bound = BindResult(
        path,
        changed=changed,
        written=written,
        tools=growth.tools,
        scenarios=growth.scenarios,
        stale=_stale(requirements, companion),
        failed=diagnostics.failed,
    )
    return _ended(bound, source, made, diagnostics)


def _path(source: RequirementSource) -> str:
    """Where the companion is, or is to be: beside the spec, or beside the delta if that is all."""
    if source.companion is not None:
        return source.companion.name
    beside = source.main or source.deltas[0]
    return (PurePath(beside.name).parent / COMPANION).as_posix()


def _written(source: RequirementSource, diagnostics: Diagnostics) -> str | None:
    """The text of the companion as it is on the disk, with its own line breaks; `""` if there is none
    and None, told, where it is in no encoding that lines can be added in."""
    if source.companion is None:
        return ""
    content = Path(source.companion.name).read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        at = Location(source.companion.name)
        diagnostics.add(codes.NO_ROOM, at, name="the file", why="is not UTF-8")
        return None


def _parsed(written: Document, diagnostics: Diagnostics) -> Companion | None:
    """The companion; only what stops the work is told here, for its text is read once more."""
    found = Diagnostics()
    companion = parse_companion(written, found)
    if found.failed:
        for one in found:
            diagnostics.keep(one)
    return companion


def _grown(
    requirements: Requirements,
    companion: Companion | None,
    before: str,
    accept: Sequence[str],
    diagnostics: Diagnostics,
) -> CompanionUpdate:
    """The new text of the companion. Stamps go first: lines that are added move what is below."""
    stamped = before
    if companion is not None:
        stamped = accepted(requirements, companion, before, accept, diagnostics)
    return update_companion(requirements, facts_of(requirements), companion, stamped, diagnostics)


def _read_again(
    path: str, text: str, diagnostics: Diagnostics
) -> tuple[Document | None, Companion | None]:
    """The new text as a document and as a companion."""
    findings = Findings(diagnostics)
    made = load_document(text.encode(), path, COMPANION, findings)
    findings.close()
    return made, parse_companion(made, diagnostics) if made else None


def _stale(requirements: Requirements, companion: Companion | None) -> tuple[str, ...]:
    matches = match_bindings(requirements, companion) if companion else []
    return tuple(match.scenario.name for match in matches if match.stale)


def _write(path: Path, text: str) -> None:
    """Replaces a file at once, so that an interruption leaves the old one."""
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
        if target.exists():
            shutil.copymode(target, name)
        else:
            os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _ended(
    bound: BindResult,
    source: RequirementSource | None,
    companion: Document | None,
    diagnostics: Diagnostics,
) -> BindResult:
    """The outcome with its findings, and where these stand."""
    texts = [source.main, *source.deltas] if source else []
    documents = [each for each in (*texts, companion) if each is not None]
    places = SourceMap(
        Positions(documents), SourceLines((each.name, each.text) for each in documents)
    )
    return replace(bound, diagnostics=tuple(diagnostics.sorted()), places=places)
