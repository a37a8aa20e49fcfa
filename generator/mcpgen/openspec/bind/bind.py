"""Reads requirement files and writes their companion to disk."""

from __future__ import annotations

import os
import posixpath
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from mcpgen.diagnostics import Diagnostic, Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.render import SourceMap
from mcpgen.ir.source import Document, RequirementSource
from mcpgen.openspec.bind.update import (
    OtherCapabilities,
    OtherTool,
    accepted,
    arguments_of_companion,
    drafted_arguments,
    update_companion,
)
from mcpgen.openspec.companion import parse_companion, schema_files
from mcpgen.openspec.lower.crosscheck import crosscheck
from mcpgen.openspec.lower.extraction import FactKind, Facts, facts_of_all
from mcpgen.openspec.lower.operation_matches import (
    OperationMatches,
    match_operations,
    report_matches,
)
from mcpgen.openspec.lower.scenario_lookup import match_bindings
from mcpgen.openspec.lower.server_tools import concerns_server, explain_no_tools
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import (
    COMPANION,
    read_capabilities,
    read_neighbors,
    read_requirements,
)
from mcpgen.parse import parse
from mcpgen.read import read
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings
from mcpgen.read.positions import Positions, SourceLines


@dataclass(frozen=True, slots=True)
class BindResult:
    """Result of `bind`.

    `path` is the companion's path, `""` if the requirements cannot be read. `changed`: the text
    differs from the file on disk. `written`: the new text is on disk; false if a file cannot be
    read, true even if text and companion disagree. `tools` and `scenarios`: names added. `stale`:
    scenarios whose binding has the digest of an earlier text.
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
    openapi: str = "",
) -> BindResult:
    """Adds new tools and scenarios to the companion, or drafts a missing companion.

    The author's text stays byte for byte; only bindings named in `accept` get the current digests
    of their scenarios. `openapi` is the API whose operations the text names. `check` writes nothing.
    Raises OSError if the file cannot be written.
    """
    diagnostics = Diagnostics()
    source = read_requirements(spec, diagnostics, change=change, capability=capability)
    requirements = parse_requirements(source, diagnostics) if source else None
    if source is None or requirements is None or diagnostics.failed:
        return _with_diagnostics(BindResult(failed=True), source, None, diagnostics)
    neighbors = [
        (neighbor, text)
        for neighbor in read_neighbors(spec, source, change=change)
        if (text := parse_requirements(neighbor, Diagnostics()))
    ]
    facts, *neighbor_facts = facts_of_all([requirements, *(text for _, text in neighbors)])
    matches = _match([(requirements, facts)], openapi, diagnostics)
    if diagnostics.failed:
        return _with_diagnostics(BindResult(failed=True), source, None, diagnostics)
    part = _Part(source, requirements, facts, _companion_of(source, diagnostics), diagnostics)
    # This capability comes first: its file gets the tools of its own requirements.
    parts = [part] + [
        _Part(neighbor, text, own_facts, _companion_of(neighbor, Diagnostics()), Diagnostics())
        for (neighbor, text), own_facts in zip(neighbors, neighbor_facts, strict=True)
    ]
    return _bind_part(part, parts, _server_tools(parts, matches), matches, accept, check)


def bind_all(
    spec: str,
    *,
    change: str = "",
    capability: str = "",
    accept: Sequence[str] = (),
    check: bool = False,
    openapi: str = "",
) -> tuple[BindResult, ...]:
    """Binds every capability of the server, each in the companion beside its spec.

    `capability` may have several names with commas; without a name, the capabilities that concern
    the server are bound. Arguments otherwise as for `bind`.
    """
    diagnostics = Diagnostics()
    sources = read_capabilities(spec, diagnostics, change=change, capability=capability)
    if len(sources) < 2 or accept:
        result = bind(
            spec,
            change=change,
            capability=capability,
            accept=accept,
            check=check,
            openapi=openapi,
        )
        return (result,)
    own = [Diagnostics() for _ in sources]
    parsed = [
        parse_requirements(source, messages) for source, messages in zip(sources, own, strict=True)
    ]
    texts_facts = iter(facts_of_all([requirements for requirements in parsed if requirements]))
    facts = [next(texts_facts) if requirements else Facts(()) for requirements in parsed]
    texts = [
        (requirements, own_facts)
        for requirements, own_facts in zip(parsed, facts, strict=True)
        if requirements
    ]
    matches = _match(texts, openapi, diagnostics)
    if diagnostics.failed:
        return (_with_diagnostics(BindResult(failed=True), sources[0], None, diagnostics),)
    parts = []
    for source, requirements, own_facts, messages in zip(sources, parsed, facts, own, strict=True):
        companion = _companion_of(source, messages)
        if requirements is not None and (
            capability or concerns_server(source.capability, companion, own_facts, matches)
        ):
            parts.append(_Part(source, requirements, own_facts, companion, messages))
    tools = _server_tools(parts, matches)
    results = [_bind_part(part, parts, tools, matches, (), check) for part in parts]
    if not results:
        at = Location(spec)
        why = explain_no_tools([requirements for requirements in parsed if requirements])
        diagnostics.add(codes.NO_DECLARED_TOOL, at, why=why, path=spec)
        return (_with_diagnostics(BindResult(failed=True), sources[0], None, diagnostics),)
    return tuple(results)


@dataclass(frozen=True, slots=True)
class _Part:
    """A capability of the server with the facts of its text."""

    source: RequirementSource
    requirements: Requirements
    facts: Facts
    companion: Companion | None
    diagnostics: Diagnostics


def _companion_of(source: RequirementSource, diagnostics: Diagnostics) -> Companion | None:
    """Returns the companion of a source, None without one. Keeps diagnostics only on failure: the new
    text is parsed later."""
    if source.companion is None:
        return None
    findings = Diagnostics()
    companion = parse_companion(source.companion, findings)
    if findings.failed:
        for diagnostic in findings:
            diagnostics.add_diagnostic(diagnostic)
    return companion


def _server_tools(
    parts: Sequence[_Part], matches: OperationMatches | None
) -> dict[str, tuple[str, OtherTool]]:
    """Returns the tools of all capabilities by name, each with the capability whose file has the tool.

    An existing entry decides; then the strongest evidence for the operation; then the first body
    of a requirement that names the tool; then the first step.
    """
    every = Facts(tuple(fact for part in parts for fact in part.facts.all))
    tools: dict[str, tuple[str, OtherTool]] = {}
    for part in parts:
        for tool in part.companion.tools if part.companion else ():
            arguments = arguments_of_companion(tool)
            tools.setdefault(
                tool.name, (part.source.capability, OtherTool(arguments, tool.guessed))
            )
    for match in matches.matches if matches else ():
        if match.is_tool:
            owner = match.evidence[0].capability
            tools.setdefault(match.tool, (owner, OtherTool(match.arguments, True)))
    for in_body in (True, False):
        for part in parts:
            for fact in part.facts.of(FactKind.EXACT_TOOLS, FactKind.TOOL):
                if in_body and fact.sentence.step:
                    continue
                for name in set(fact.names).intersection(part.facts.tools).difference(tools):
                    arguments = drafted_arguments(name, every)
                    tools[name] = (part.source.capability, OtherTool(arguments, True))
    return tools


def _match(
    texts: Sequence[tuple[Requirements, Facts]], openapi: str, diagnostics: Diagnostics
) -> OperationMatches | None:
    """Matches the API with the texts; None without an API, or with an error."""
    if not openapi:
        return None
    path = posixpath.normpath(openapi)
    source = read(path, diagnostics)
    api = parse(source, diagnostics) if source and not source.is_unusable else None
    return match_operations(texts, path, api) if api else None


def _bind_part(
    part: _Part,
    parts: Sequence[_Part],
    tools: Mapping[str, tuple[str, OtherTool]],
    matches: OperationMatches | None,
    accept: Sequence[str],
    check: bool,
) -> BindResult:
    """Binds one capability of `parts`, the capabilities of the server; `tools` as `_server_tools`."""
    source, requirements, facts = part.source, part.requirements, part.facts
    companion, diagnostics = part.companion, part.diagnostics
    elsewhere = OtherCapabilities(
        {name: tool for name, (owner, tool) in tools.items() if owner != source.capability},
        tuple(fact for neighbor in parts if neighbor is not part for fact in neighbor.facts.all),
    )
    path = _path(source)
    before = _read_companion_text(source, diagnostics)
    if before is None or diagnostics.failed:
        return _with_diagnostics(
            BindResult(path, failed=True), source, source.companion, diagnostics
        )
    own = matches.strongest_in(source.capability) if matches else ()
    # Replaces digests first: added lines move positions.
    stamped = (
        accepted(requirements, companion, before, accept, diagnostics) if companion else before
    )
    growth = update_companion(requirements, facts, companion, stamped, diagnostics, own, elsewhere)
    document, companion = _read_again(path, growth.text, diagnostics)
    changed = growth.text != before
    is_written = changed and not check and not diagnostics.failed
    if is_written:
        write_companion(Path(path), growth.text)
    if companion is not None:
        crosscheck(requirements, companion, facts, diagnostics, elsewhere.tools)
    if matches:
        calls = {tool.name: tool for tool in companion.tools} if companion else {}
        report_matches(matches, {source.capability}, calls, diagnostics)
    bound = BindResult(
        path,
        changed=changed,
        written=is_written,
        tools=growth.tools,
        scenarios=growth.scenarios,
        stale=_stale_bindings(requirements, companion),
        failed=diagnostics.failed,
    )
    return _with_diagnostics(bound, source, document, diagnostics)


def _path(source: RequirementSource) -> str:
    """Returns the path of the companion: beside the spec, or beside the first delta."""
    if source.companion is not None:
        return source.companion.name
    first = source.main or source.deltas[0]
    return (PurePath(first.name).parent / COMPANION).as_posix()


def _read_companion_text(source: RequirementSource, diagnostics: Diagnostics) -> str | None:
    """Returns the companion's text on disk with its line breaks, `""` without a companion.

    Adds MG762 and returns None if the file is not UTF-8.
    """
    if source.companion is None:
        return ""
    content = Path(source.companion.name).read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        at = Location(source.companion.name)
        diagnostics.add(codes.NO_ROOM, at, name="the file", why="is not UTF-8")
        return None


def _read_again(
    path: str, text: str, diagnostics: Diagnostics
) -> tuple[Document | None, Companion | None]:
    """Parses the new text as a document and as a companion."""
    findings = Findings(diagnostics)
    document = load_document(text.encode(), path, COMPANION, findings)
    findings.close()
    return document, parse_companion(document, diagnostics) if document else None


def _stale_bindings(requirements: Requirements, companion: Companion | None) -> tuple[str, ...]:
    matches = match_bindings(requirements, companion) if companion else []
    return tuple(match.scenario.name for match in matches if match.stale)


def write_companion(path: Path, text: str) -> None:
    """Replaces the companion, and the schema that the first line names."""
    _replace_file(path, text)
    for name, schema in schema_files({path.as_posix(): text}).items():
        _replace_file(Path(name), schema)


def _replace_file(path: Path, text: str) -> None:
    """Replaces the file atomically, so an interruption leaves the old file."""
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


def _with_diagnostics(
    bound: BindResult,
    source: RequirementSource | None,
    companion: Document | None,
    diagnostics: Diagnostics,
) -> BindResult:
    """Adds the sorted diagnostics and their source positions to the result."""
    texts = [source.main, *source.deltas] if source else []
    documents = [document for document in (*texts, companion) if document is not None]
    places = SourceMap(
        Positions(documents), SourceLines((document.name, document.text) for document in documents)
    )
    return replace(bound, diagnostics=tuple(diagnostics.sorted()), places=places)
