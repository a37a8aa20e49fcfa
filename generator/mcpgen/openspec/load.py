"""Loads requirements, companions and OpenAPI documents into an `ApiDescription`.

The pipeline calls this module; the module imports nothing of the pipeline.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Protocol

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.document_urls import is_remote
from mcpgen.ir.server import Server
from mcpgen.ir.source import Dialect, Document, RequirementSource, Source
from mcpgen.openspec.model.companion import Capability, Companion, DeclaredTool
from mcpgen.openspec.model.requirements import Requirements

if TYPE_CHECKING:
    from mcpgen.openspec.lower.extraction import Facts
    from mcpgen.openspec.lower.operation_matches import OperationMatches

BUDGETS = ("tools", "tools_list_bytes", "tool_bytes")
"""Budgets of a companion that apply to every build; assertions refer to the other budgets by name."""

Validate = Callable[[Source], str]
"""Validates an OpenAPI document and returns a sentence about the extent of the validation."""

Phase = Callable[[str], AbstractContextManager[None]]
"""Measures the time of a named phase."""


class LoadOptions(Protocol):
    """Build options for requirements.

    `capability` (names with commas) and `change` choose among the files of an OpenSpec folder.
    `openapi` is the path of the API behind the requirements, or `""`; the remaining options apply
    to OpenAPI documents.
    """

    @property
    def capability(self) -> str: ...
    @property
    def change(self) -> str: ...
    @property
    def openapi(self) -> str: ...
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
    validation of the OpenAPI documents, `""` without documents. `capabilities` are those of the
    server, by name.
    """

    source: Source | None = None
    api: ApiDescription | None = None
    validation: str = ""
    capabilities: tuple[Capability, ...] = ()


def is_openspec(spec: str) -> bool:
    """Returns whether a path names requirements: a Markdown file or an OpenSpec folder."""
    path = Path(spec)
    if path.suffix.lower() in (".md", ".markdown"):
        return True
    if spec == "-" or not path.is_dir():
        return False
    from mcpgen.openspec.read.folder import OpenSpecFolder

    return OpenSpecFolder.at(path) is not None


def operations_by_tool(openapi: str, diagnostics: Diagnostics) -> Mapping[str, str]:
    """Returns the operations of an API, such as `GET /pets`, by the tools that mcpgen names after them.

    A tool with the plain `operationId` counts as well. Empty without a path.
    """
    from mcpgen.openspec.lower.operation_matches import match_operations
    from mcpgen.parse import parse
    from mcpgen.read import read

    source = read(posixpath.normpath(openapi), diagnostics) if openapi else None
    api = parse(source, diagnostics) if source and not source.is_unusable else None
    if api is None:
        return {}
    operations: dict[str, str] = {}
    for match in match_operations([], openapi, api).matches:
        key = f"{match.operation.method} {match.operation.path}"
        operations |= {name: key for name in (match.operation.id, match.tool) if name}
    return operations


def load_requirements(
    spec: str,
    options: LoadOptions,
    phase: Phase,
    diagnostics: Diagnostics,
    validate: Validate | None = None,
) -> LoadedRequirements:
    """Load the requirements at `spec`, their companions, and the tools' OpenAPI documents.

    Of several capabilities without a chosen name, those that name a tool, speak of a tool of
    another capability, or have a companion are loaded. `validate` is called for each OpenAPI
    document. Adds MG766, MG778 and MG779.
    """
    with phase("read"):
        from mcpgen.openspec.read.requirements import read_capabilities

        sources = read_capabilities(
            spec, diagnostics, change=options.change, capability=options.capability
        )
    if not sources:
        return LoadedRequirements()
    with phase("parse"):
        parts = [_parse(source) for source in sources]
        if options.capability or len(parts) == 1:
            selected = parts
        else:
            selected = [part for part in parts if part.requirements is not None]
        selected = _with_facts(selected)
    api = _read_api(options, phase, diagnostics)
    if api.failed:
        return LoadedRequirements(_join_sources(spec, sources, api.sources))
    with phase("parse"):
        matches = _match(selected, api, diagnostics)
        if not options.capability and len(parts) > 1:
            selected = _concerned(spec, parts, selected, matches, diagnostics)
    for part in selected:
        diagnostics.add_translated(part.diagnostics)
    read = [part.source for part in selected]
    capabilities = tuple(
        Capability(part.requirements, part.companion) for part in selected if part.requirements
    )
    base = LoadedRequirements(_join_sources(spec, read, api.sources), capabilities=capabilities)
    if any(part.failed for part in selected):
        return base
    for part in selected:
        if part.companion and part.requirements:
            from mcpgen.openspec.lower.crosscheck import crosscheck

            elsewhere = _tools_beside(part, selected, matches)
            crosscheck(part.requirements, part.companion, part.facts, diagnostics, elsewhere)
    documents = _read_documents(selected, api, options, phase, diagnostics)
    loaded = replace(base, source=_join_sources(spec, read, documents.sources))
    if documents.failed:
        return loaded
    validations = [validate(source) for source in documents.sources.values()] if validate else []
    with phase("parse"):
        from mcpgen.openspec.lower.server_tools import server_tools
        from mcpgen.openspec.lower.to_api import requirements_to_api
        from mcpgen.parse import parse

        parsed = {
            path: api.apis[path] if path in api.apis else parse(source, diagnostics)
            for path, source in documents.sources.items()
        }
        apis = {path: document for path, document in parsed.items() if document is not None}
        if len(apis) < len(parsed):
            return loaded
        facts = [part.facts for part in selected]
        tools = server_tools(capabilities, facts, matches, diagnostics)
        described = requirements_to_api(capabilities, tools, apis, diagnostics) if tools else None
    return replace(loaded, api=described, validation="; ".join(dict.fromkeys(validations)))


@dataclass(frozen=True, slots=True)
class _CapabilityPart:
    """A capability during loading; `failed` after an error in the files."""

    source: RequirementSource
    requirements: Requirements | None
    companion: Companion | None
    diagnostics: Diagnostics
    facts: Facts

    @property
    def failed(self) -> bool:
        return self.requirements is None or (
            self.source.companion is not None and self.companion is None
        )


def _parse(source: RequirementSource) -> _CapabilityPart:
    """Parses a capability with separate diagnostics, so that findings of other texts can be dropped."""
    from mcpgen.openspec.companion import parse_companion
    from mcpgen.openspec.lower.extraction import Facts
    from mcpgen.openspec.parse import parse_requirements

    diagnostics = Diagnostics()
    requirements = parse_requirements(source, diagnostics)
    companion = parse_companion(source.companion, diagnostics) if source.companion else None
    return _CapabilityPart(source, requirements, companion, diagnostics, Facts(()))


def _with_facts(parts: Sequence[_CapabilityPart]) -> list[_CapabilityPart]:
    """Adds the facts to the parts; a text is read with the tools of all other texts."""
    from mcpgen.openspec.lower.extraction import Facts, facts_of_all

    declared = [tool.name for part in parts if part.companion for tool in part.companion.tools]
    texts = [part.requirements for part in parts if part.requirements]
    facts = iter(facts_of_all(texts, declared))
    return [replace(part, facts=next(facts) if part.requirements else Facts(())) for part in parts]


def _concerned(
    spec: str,
    parts: Sequence[_CapabilityPart],
    candidates: Sequence[_CapabilityPart],
    matches: OperationMatches | None,
    diagnostics: Diagnostics,
) -> list[_CapabilityPart]:
    """Returns the capabilities that describe the server; all capabilities without a match.

    Adds MG766. Without a match the findings of the texts are left out: the user has named a folder
    without a server, and MG777 follows.
    """
    from mcpgen.openspec.lower.server_tools import concerns_server

    chosen = [
        part
        for part in candidates
        if part.source.companion is not None
        or concerns_server(part.source.capability, part.companion, part.facts, matches)
    ]
    kept = {part.source.capability for part in chosen}
    rest = [part.source.capability for part in parts if part.source.capability not in kept]
    if chosen and rest:
        names = ", ".join(f"`{name}`" for name in rest[:10])
        more = f" and {len(rest) - 10} more" if len(rest) > 10 else ""
        diagnostics.add(
            codes.LEFT_OUT_CAPABILITIES, Location(spec), count=len(rest), names=names + more
        )
    return chosen or [replace(part, diagnostics=Diagnostics()) for part in candidates]


def _tools_beside(
    own: _CapabilityPart, parts: Sequence[_CapabilityPart], matches: OperationMatches | None
) -> set[str]:
    """Returns the names of the tools that the other capabilities give the server."""
    rest = [part for part in parts if part is not own]
    found = {tool.name for part in rest if part.companion for tool in part.companion.tools}
    open_parts = [part for part in rest if part.companion is None]
    found |= {name for part in open_parts for name in part.facts.tools}
    within = matches.within({part.source.capability for part in open_parts}) if matches else ()
    return found | {match.tool for match in within if match.is_tool}


def _match(
    parts: Sequence[_CapabilityPart], api: _Documents, diagnostics: Diagnostics
) -> OperationMatches | None:
    """Matches the operations of the API with the requirements; None without an API."""
    if not api.apis:
        return None
    from mcpgen.openspec.lower.operation_matches import match_operations

    ((path, described),) = api.apis.items()
    texts = [(part.requirements, part.facts) for part in parts if part.requirements]
    return match_operations(texts, path, described)


def bind_scenarios(
    server: Server, capabilities: Sequence[Capability], diagnostics: Diagnostics
) -> Server:
    """Add the bound scenarios to the server; without requirements return the server unchanged."""
    if not capabilities:
        return server
    from mcpgen.openspec.lower.bind_scenarios import bind_capabilities

    return replace(
        server, bound_scenarios=bind_capabilities(capabilities, server.tools, diagnostics)
    )


def with_budgets(config: Config, capabilities: Sequence[Capability]) -> Config:
    """Add the companions' budgets to the configuration; the smallest value applies."""
    budgets = config.budgets
    for companion in (one.companion for one in capabilities if one.companion):
        limits = {key: companion.budgets[key] for key in BUDGETS if key in companion.budgets}
        smaller: dict[str, Any] = {
            key: min(limit, getattr(budgets, key) or limit) for key, limit in limits.items()
        }
        budgets = replace(budgets, **smaller)
    return replace(config, budgets=budgets)


def requirement_files(spec: str, options: LoadOptions) -> tuple[str, ...]:
    """The paths of the requirement files on the disk, in order.

    A delta or a companion that is new on the disk changes this list, and so makes a build out of date.
    """
    from mcpgen.openspec.read.requirements import read_capabilities

    sources = read_capabilities(
        spec, Diagnostics(), change=options.change, capability=options.capability
    )
    own = tuple(document.name for source in sources for document in _own_documents(source))
    return (*own, options.openapi) if options.openapi else own


@dataclass(frozen=True, slots=True)
class _Documents:
    """OpenAPI documents by path, and the descriptions parsed so far; `failed` after an error."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    apis: Mapping[str, ApiDescription] = field(default_factory=dict)
    failed: bool = False


def _read_api(options: LoadOptions, phase: Phase, diagnostics: Diagnostics) -> _Documents:
    """Reads and parses the API behind the requirements."""
    if not options.openapi:
        return _Documents()
    path = posixpath.normpath(options.openapi)
    source = _read_document(path, options, phase, diagnostics)
    if source is None:
        return _Documents(failed=True)
    with phase("parse"):
        from mcpgen.parse import parse

        described = parse(source, diagnostics)
    return _Documents({path: source}, {path: described} if described else {}, described is None)


def _read_document(
    path: str, options: LoadOptions, phase: Phase, diagnostics: Diagnostics
) -> Source | None:
    with phase("read"):
        from mcpgen.read import read

        source = read(
            path,
            diagnostics,
            root=options.root or None,
            overlays=options.overlays,
            allow_remote=options.allow_remote,
        )
    return None if source is None or source.is_unusable else source


def _read_documents(
    parts: Sequence[_CapabilityPart],
    api: _Documents,
    options: LoadOptions,
    phase: Phase,
    diagnostics: Diagnostics,
) -> _Documents:
    """Reads the documents named by companions; the API is already read."""
    from mcpgen.openspec.lower.to_api import upstream_path

    users: dict[str, tuple[DeclaredTool, str]] = {}
    for part in parts:
        for tool in part.companion.tools if part.companion else ():
            if tool.upstream and part.source.companion:
                folder = PurePath(part.source.companion.name).parent.as_posix()
                users.setdefault(upstream_path(tool), (tool, folder))
    first = parts[0]
    at = (
        first.companion.at if first.companion else Location(next(_own_documents(first.source)).name)
    )
    failed = _report_unused_overlays(len({*users, *api.sources}), options, at, diagnostics)
    sources = dict(api.sources)
    for path, (tool, folder) in users.items():
        if path in sources or tool.upstream is None:
            continue
        if not _is_inside(path, options.root or folder):
            at, document = tool.upstream.at, tool.upstream.document
            diagnostics.add(
                codes.UPSTREAM_OUTSIDE,
                at,
                name=tool.name,
                document=document,
                folder=options.root or folder,
            )
            failed = True
            continue
        source = _read_document(path, options, phase, diagnostics)
        if source is None:
            failed = True
        else:
            sources[path] = source
    return _Documents(sources, api.apis, failed)


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


def _join_sources(
    spec: str, found: Sequence[RequirementSource], sources: Mapping[str, Source]
) -> Source:
    """One source of all files, keyed by path relative to the folder of `spec`."""
    folder = PurePath(spec).parent.as_posix()
    own = [document for source in found for document in _own_documents(source)]
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
