"""Loads requirements, companion and OpenAPI documents into an `ApiDescription`.

The pipeline calls this module; the module imports nothing of the pipeline.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Protocol

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.server import Server
from mcpgen.ir.source import Dialect, Document, RequirementSource, Source
from mcpgen.openspec.model.companion import Companion, UpstreamOperation
from mcpgen.openspec.model.requirements import Requirements

BUDGETS = ("tools", "tools_list_bytes", "tool_bytes")
"""Budgets of a companion that apply to every build; assertions refer to the other budgets by name."""

Validate = Callable[[Source], str]
"""Validates an OpenAPI document and returns a sentence about the extent of the validation."""

Phase = Callable[[str], AbstractContextManager[None]]
"""Measures the time of a named phase."""


class LoadOptions(Protocol):
    """Build options for requirements.

    `capability` and `change` choose among the files of an OpenSpec folder; the remaining options
    apply to OpenAPI documents.
    """

    @property
    def capability(self) -> str: ...
    @property
    def change(self) -> str: ...
    @property
    def root(self) -> str: ...
    @property
    def overlays(self) -> tuple[str, ...]: ...
    @property
    def allow_remote(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class LoadedRequirements:
    """The result of loading.

    `api` is None after an error. `source` holds every file read. `validation` describes the
    validation of the OpenAPI documents, `""` without documents.
    """

    source: Source | None = None
    api: ApiDescription | None = None
    validation: str = ""
    requirements: Requirements | None = None
    companion: Companion | None = None


def is_openspec(spec: str) -> bool:
    """Returns whether a path names requirements: a Markdown file or an OpenSpec folder."""
    path = Path(spec)
    if path.suffix.lower() in (".md", ".markdown"):
        return True
    if spec == "-" or not path.is_dir():
        return False
    from mcpgen.openspec.read.folder import OpenSpecFolder

    return OpenSpecFolder.at(path) is not None


def load_requirements(
    spec: str,
    options: LoadOptions,
    phase: Phase,
    diagnostics: Diagnostics,
    validate: Validate | None = None,
) -> LoadedRequirements:
    """Load the requirements at `spec`, their companion, and the tools' OpenAPI documents.

    `validate` is called for each OpenAPI document. Adds MG778 and MG779.
    """
    with phase("read"):
        from mcpgen.openspec.read.requirements import read_requirements

        found = read_requirements(
            spec, diagnostics, change=options.change, capability=options.capability
        )
    if found is None:
        return LoadedRequirements()
    with phase("parse"):
        from mcpgen.openspec.companion import parse_companion
        from mcpgen.openspec.lower.crosscheck import crosscheck
        from mcpgen.openspec.lower.extraction import facts_of
        from mcpgen.openspec.parse import parse_requirements

        requirements = parse_requirements(found, diagnostics)
        companion = parse_companion(found.companion, diagnostics) if found.companion else None
    base = LoadedRequirements(
        _join_sources(spec, found, {}), requirements=requirements, companion=companion
    )
    if requirements is None or (found.companion and companion is None):
        return base
    facts = facts_of(requirements)
    if companion:
        crosscheck(requirements, companion, facts, diagnostics)
    documents = _read_documents(found, companion, options, phase, diagnostics)
    loaded = replace(base, source=_join_sources(spec, found, documents.sources))
    if documents.failed:
        return loaded
    validations = [validate(source) for source in documents.sources.values()] if validate else []
    with phase("parse"):
        from mcpgen.openspec.lower.to_api import requirements_to_api
        from mcpgen.parse import parse

        parsed = {name: parse(source, diagnostics) for name, source in documents.sources.items()}
        apis = {name: api for name, api in parsed.items() if api is not None}
        if len(apis) < len(parsed):
            return loaded
        api = requirements_to_api(requirements, companion, apis, facts, diagnostics)
    return replace(loaded, api=api, validation="; ".join(dict.fromkeys(validations)))


def bind_scenarios(
    server: Server,
    requirements: Requirements | None,
    companion: Companion | None,
    diagnostics: Diagnostics,
) -> Server:
    """Add the bound scenarios to the server; without requirements return the server unchanged."""
    if requirements is None:
        return server
    from mcpgen.openspec.lower.bind_scenarios import bind_requirements

    proofs = bind_requirements(requirements, companion, server.tools, diagnostics)
    return replace(server, proofs=proofs)


def with_budgets(config: Config, companion: Companion | None) -> Config:
    """Add the companion's budgets to the configuration; the smaller value of both applies."""
    if companion is None:
        return config
    chosen = config.budgets
    limits = {key: companion.budgets[key] for key in BUDGETS if key in companion.budgets}
    smaller: dict[str, Any] = {
        key: min(limit, getattr(chosen, key) or limit) for key, limit in limits.items()
    }
    return replace(config, budgets=replace(chosen, **smaller))


def requirement_files(spec: str, options: LoadOptions) -> tuple[str, ...]:
    """The paths of the requirement files on the disk, in order.

    A delta or a companion that is new on the disk changes this list, and so makes a build out of date.
    """
    from mcpgen.openspec.read.requirements import read_requirements

    found = read_requirements(
        spec, Diagnostics(), change=options.change, capability=options.capability
    )
    return tuple(document.name for document in _own_documents(found)) if found else ()


@dataclass(frozen=True, slots=True)
class _Documents:
    """OpenAPI documents by their path in the companion; `failed` after a read error."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    failed: bool = False


def _read_documents(
    found: RequirementSource,
    companion: Companion | None,
    options: LoadOptions,
    phase: Phase,
    diagnostics: Diagnostics,
) -> _Documents:
    if companion is None or found.companion is None:
        at = Location(next(_own_documents(found)).name)
        return _Documents({}, _report_unused_overlays(0, options, at, diagnostics))
    folder = PurePath(found.companion.name).parent.as_posix()
    users: dict[str, tuple[str, UpstreamOperation]] = {}
    for tool in companion.tools:
        if tool.upstream:
            users.setdefault(tool.upstream.document, (tool.name, tool.upstream))
    failed = _report_unused_overlays(len(users), options, companion.at, diagnostics)
    sources: dict[str, Source] = {}
    for document, (tool_name, upstream) in users.items():
        path = posixpath.normpath(posixpath.join(folder, document))
        if not _is_inside(path, options.root or folder):
            at = upstream.at
            diagnostics.add(codes.UPSTREAM_OUTSIDE, at, name=tool_name, document=document)
            failed = True
            continue
        with phase("read"):
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
    return _Documents(sources, failed)


def _report_unused_overlays(
    documents: int, options: LoadOptions, at: Location, diagnostics: Diagnostics
) -> bool:
    """Add MG779 if there are overlays but not exactly one OpenAPI document for them to repair."""
    if documents == 1 or not options.overlays:
        return False
    count = len(options.overlays)
    diagnostics.add(codes.UNUSED_OVERLAY, at, count=count, documents=documents)
    return True


def _is_inside(path: str, folder: str) -> bool:
    """Returns whether a file lies in a folder after symbolic links are resolved."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([real, root]) == root


def _own_documents(found: RequirementSource) -> Iterator[Document]:
    """The spec, its deltas and the companion, without OpenAPI documents."""
    documents = (found.main, *found.deltas, found.companion)
    return (document for document in documents if document is not None)


def _join_sources(spec: str, found: RequirementSource, sources: Mapping[str, Source]) -> Source:
    """One source of all files, keyed by path relative to the folder of `spec`."""
    folder = PurePath(spec).parent.as_posix()
    own = list(_own_documents(found))
    documents = {
        os.path.relpath(document.name, folder).replace(os.sep, "/"): document for document in own
    }
    overlays: tuple[Document, ...] = ()
    for source in sources.values():
        for key, document in source.documents.items():
            path = key if is_remote(key) else os.path.relpath(document.name, folder)
            documents.setdefault(path.replace(os.sep, "/"), document)
        overlays = source.overlays
    digest = sha256("".join(document.sha256 for document in documents.values()).encode())
    return Source(own[0], documents, Dialect.OPENSPEC, digest.hexdigest(), overlays)
