"""Loads requirements: from `spec.md`, deltas and companion to an `ApiDescription`."""

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
"""Budgets of a companion for every build; assertions refer to the other names."""

Validate = Callable[[Source], str]
"""Validates an OpenAPI document; returns a description of the validation."""


def is_openspec(spec: str) -> bool:
    """True for requirements, False for an API description."""
    from mcpgen.openspec.read.folder import is_requirements

    return is_requirements(spec)


def load_requirements(
    spec: str,
    options: BuildOptions,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    validate: Validate | None = None,
) -> LoadedSpec:
    """Loads the requirements at `spec` with the companion and the OpenAPI documents of the tools'
    operations; validates the documents if wanted.

    Adds MG778 and MG779.
    """
    with clock.phase("read"):
        from mcpgen.openspec.read.requirements import read_requirements

        requirement_source = read_requirements(
            spec, diagnostics, change=options.change, capability=options.capability
        )
    if requirement_source is None:
        return LoadedSpec()
    with clock.phase("parse"):
        from mcpgen.openspec.companion import parse_companion
        from mcpgen.openspec.lower.crosscheck import crosscheck
        from mcpgen.openspec.lower.extraction import facts_of
        from mcpgen.openspec.parse import parse_requirements

        requirements = parse_requirements(requirement_source, diagnostics)
        companion = (
            parse_companion(requirement_source.companion, diagnostics)
            if requirement_source.companion
            else None
        )
    base = LoadedSpec(
        _join(spec, requirement_source, {}), requirements=requirements, companion=companion
    )
    if requirements is None or (requirement_source.companion and companion is None):
        return base
    facts = facts_of(requirements)
    if companion:
        crosscheck(requirements, companion, facts, diagnostics)
    upstream = _documents(requirement_source, companion, options, clock, diagnostics)
    loaded_spec = replace(base, source=_join(spec, requirement_source, upstream.sources))
    if upstream.failed:
        return loaded_spec
    validations = [validate(source) for source in upstream.sources.values()] if validate else []
    with clock.phase("parse"):
        from mcpgen.openspec.lower.to_api import requirements_to_api
        from mcpgen.parse import parse

        apis = {name: parse(source, diagnostics) for name, source in upstream.sources.items()}
        whole = {name: api for name, api in apis.items() if api is not None}
        if len(whole) < len(apis):
            return loaded_spec
        api = requirements_to_api(requirements, companion, whole, facts, diagnostics)
    return replace(loaded_spec, api=api, validation="; ".join(dict.fromkeys(validations)))


def with_budgets(config: Config, companion: Companion | None) -> Config:
    """Merges the companion's budgets into the configuration; the smaller budget wins."""
    if companion is None:
        return config
    chosen = config.budgets
    budgets = {key: companion.budgets[key] for key in BUDGETS if key in companion.budgets}
    smaller: dict[str, Any] = {
        key: min(most, getattr(chosen, key) or most) for key, most in budgets.items()
    }
    return replace(config, budgets=replace(chosen, **smaller))


def requirement_files(spec: str, options: BuildOptions) -> tuple[str, ...]:
    """Returns the current files of the requirements, in order: a new delta or companion is a change
    even if every file of the last build is unchanged."""
    from mcpgen.openspec.read.requirements import read_requirements

    requirement_source = read_requirements(
        spec, Diagnostics(), change=options.change, capability=options.capability
    )
    return (
        tuple(document.name for document in _own_documents(requirement_source))
        if requirement_source
        else ()
    )


@dataclass(frozen=True, slots=True)
class _UpstreamSources:
    """OpenAPI documents by name in the companion; `failed` if a document is missing."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    failed: bool = False


def _documents(
    requirement_source: RequirementSource,
    companion: Companion | None,
    options: BuildOptions,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
) -> _UpstreamSources:
    if companion is None or requirement_source.companion is None:
        return _UpstreamSources(
            {},
            _report_overlays(
                0, options, Location(next(_own_documents(requirement_source)).name), diagnostics
            ),
        )
    folder = PurePath(requirement_source.companion.name).parent.as_posix()
    named: dict[str, tuple[str, UpstreamOperation]] = {}
    for tool in companion.tools:
        if tool.upstream:
            named.setdefault(tool.upstream.document, (tool.name, tool.upstream))
    failed = _report_overlays(len(named), options, companion.at, diagnostics)
    sources: dict[str, Source] = {}
    for document, (tool_name, upstream) in named.items():
        path = posixpath.normpath(posixpath.join(folder, document))
        if not _is_inside(path, options.root or folder):
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
    return _UpstreamSources(sources, failed)


def _report_overlays(
    documents: int, options: BuildOptions, at: Location, diagnostics: Diagnostics
) -> bool:
    """Reports overlays without exactly one document. Returns True if reported."""
    if documents == 1 or not options.overlays:
        return False
    count = len(options.overlays)
    diagnostics.add(codes.UNUSED_OVERLAY, at, count=count, documents=documents)
    return True


def _is_inside(path: str, folder: str) -> bool:
    """True if a file is in a folder after resolving links."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([real, root]) == root


def _own_documents(requirement_source: RequirementSource) -> Iterator[Document]:
    """Yields the files of the requirements, without OpenAPI documents."""
    documents = (requirement_source.main, *requirement_source.deltas, requirement_source.companion)
    return (document for document in documents if document is not None)


def _join(
    spec: str, requirement_source: RequirementSource, upstream: Mapping[str, Source]
) -> Source:
    """Joins all files into one source, keyed by the path relative to the folder of `spec`."""
    folder = PurePath(spec).parent.as_posix()
    own = list(_own_documents(requirement_source))
    documents = {
        os.path.relpath(document.name, folder).replace(os.sep, "/"): document for document in own
    }
    overlays: tuple[Document, ...] = ()
    for source in upstream.values():
        for key, document in source.documents.items():
            path = key if is_remote(key) else os.path.relpath(document.name, folder)
            documents.setdefault(path.replace(os.sep, "/"), document)
        overlays = source.overlays
    digest = sha256(
        "".join(document.sha256 for document in documents.values()).encode()
    ).hexdigest()
    return Source(own[0], documents, Dialect.OPENSPEC, digest, overlays)
