"""The front half of the line for requirements: from `spec.md` and what stands beside it to an `ApiDescription`."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.source import Dialect, Document, RequirementSource, Source
from mcpgen.openspec.model.companion import Companion, UpstreamOperation
from mcpgen.pipeline.load_spec import LoadedSpec
from mcpgen.pipeline.result import BuildOptions, PhaseTimer

BUDGETS = ("tools", "tools_list_bytes", "tool_bytes")
"""The budgets of a companion that every build holds; others are names that assertions refer to."""

Validate = Callable[[Source], str]
"""Says how far an OpenAPI document was compared with its specification."""


def is_openspec(spec: str) -> bool:
    """Whether what a person has named are requirements and no API description."""
    from mcpgen.openspec.read.folder import is_requirements

    return is_requirements(spec)


def load_requirements(
    spec: str,
    options: BuildOptions,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    validate: Validate | None = None,
) -> LoadedSpec:
    """The requirements that `spec` names, with their companion and the OpenAPI documents whose
    operations their tools call, which are validated if wanted.

    Adds MG778 and MG779.
    """
    with clock.phase("read"):
        from mcpgen.openspec.read.requirements import read_requirements

        found = read_requirements(
            spec, diagnostics, change=options.change, capability=options.capability
        )
    if found is None:
        return LoadedSpec()
    with clock.phase("parse"):
        from mcpgen.openspec.companion import parse_companion
        from mcpgen.openspec.lower.crosscheck import crosscheck
        from mcpgen.openspec.lower.extraction import facts_of
        from mcpgen.openspec.parse import parse_requirements

        requirements = parse_requirements(found, diagnostics)
        companion = parse_companion(found.companion, diagnostics) if found.companion else None
    base = LoadedSpec(_joined(spec, found, {}), requirements=requirements, companion=companion)
    if requirements is None or (found.companion and companion is None):
        return base
    facts = facts_of(requirements)
    if companion:
        crosscheck(requirements, companion, facts, diagnostics)
    read = _documents(found, companion, options, clock, diagnostics)
    known = replace(base, source=_joined(spec, found, read.sources))
    if read.failed:
        return known
    told = [validate(source) for source in read.sources.values()] if validate else []
    with clock.phase("parse"):
        from mcpgen.openspec.lower.to_api import requirements_to_api
        from mcpgen.parse import parse

        apis = {name: parse(source, diagnostics) for name, source in read.sources.items()}
        whole = {name: api for name, api in apis.items() if api is not None}
        if len(whole) < len(apis):
            return known
        api = requirements_to_api(requirements, companion, whole, facts, diagnostics)
    return replace(known, api=api, validation="; ".join(dict.fromkeys(told)))


def with_budgets(config: Config, companion: Companion | None) -> Config:
    """The choices with the companion's budgets; where both set one, the smaller holds."""
    if companion is None:
        return config
    chosen = config.budgets
    told = {key: companion.budgets[key] for key in BUDGETS if key in companion.budgets}
    smaller: dict[str, Any] = {
        key: min(most, getattr(chosen, key) or most) for key, most in told.items()
    }
    return replace(config, budgets=replace(chosen, **smaller))


def requirement_files(spec: str, options: BuildOptions) -> tuple[str, ...]:
    """The files that requirements are read from now, in order: a delta or a companion that appears
    is a change, though every file of the last build is as it was."""
    from mcpgen.openspec.read.requirements import read_requirements

    found = read_requirements(
        spec, Diagnostics(), change=options.change, capability=options.capability
    )
    return tuple(document.name for document in _own(found)) if found else ()


@dataclass(frozen=True, slots=True)
class _Read:
    """The OpenAPI documents by what the companion calls them; `failed` tells that one is missing."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    failed: bool = False


def _documents(
    found: RequirementSource,
    companion: Companion | None,
    options: BuildOptions,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
) -> _Read:
    if companion is None or found.companion is None:
        return _Read({}, _tell_overlays(0, options, Location(next(_own(found)).name), diagnostics))
    folder = PurePath(found.companion.name).parent.as_posix()
    named: dict[str, tuple[str, UpstreamOperation]] = {}
    for tool in companion.tools:
        if tool.upstream:
            named.setdefault(tool.upstream.document, (tool.name, tool.upstream))
    failed = _tell_overlays(len(named), options, companion.at, diagnostics)
    sources: dict[str, Source] = {}
    for document, (tool_name, upstream) in named.items():
        path = posixpath.normpath(posixpath.join(folder, document))
        if not _inside(path, options.root or folder):
            at = upstream.at
            diagnostics.add(codes.UPSTREAM_OUTSIDE, at, name=tool_name, document=document)
            failed = True
            continue
        with clock.phase("read"):
            from mcpgen.read import read

            source = read(
                path,
                diagnostics,
                root=options.root or None,
                overlays=options.overlays,
                allow_remote=options.allow_remote,
            )
        if source is None or source.spoilt:
            failed = True
        else:
            sources[document] = source
    return _Read(sources, failed)


def _tell_overlays(
    documents: int, options: BuildOptions, at: Location, diagnostics: Diagnostics
) -> bool:
    """Whether there are overlays and it is not clear what they repair, which is told."""
    if documents == 1 or not options.overlays:
        return False
    count = len(options.overlays)
    diagnostics.add(codes.UNUSED_OVERLAY, at, count=count, documents=documents)
    return True


def _inside(path: str, folder: str) -> bool:
    """Whether a file lies in a folder, wherever links lead."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([real, root]) == root


def _own(found: RequirementSource) -> Iterator[Document]:
    """The files of the requirements themselves."""
    each = (found.main, *found.deltas, found.companion)
    return (document for document in each if document is not None)


def _joined(spec: str, found: RequirementSource, read: Mapping[str, Source]) -> Source:
    """Every file as one source, by its path from the folder of what was named."""
    folder = PurePath(spec).parent.as_posix()
    own = list(_own(found))
    documents = {os.path.relpath(each.name, folder).replace(os.sep, "/"): each for each in own}
    overlays: tuple[Document, ...] = ()
    for source in read.values():
        for key, each in source.documents.items():
            path = key if is_remote(key) else os.path.relpath(each.name, folder)
            documents.setdefault(path.replace(os.sep, "/"), each)
        overlays = source.overlays
    digest = sha256("".join(each.sha256 for each in documents.values()).encode()).hexdigest()
    return Source(own[0], documents, Dialect.OPENSPEC, digest, overlays)
