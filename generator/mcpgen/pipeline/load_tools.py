"""Loads the tools of any target: a description, a project, a server or a saved list. Adds the findings
of lint to the tools of a description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.diagnostics import Diagnostic, Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import config as codes
from mcpgen.diagnostics.codes import lint as lint_codes
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import openspec as openspec_codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.render import SourceMap
from mcpgen.diagnostics.suggestions import closest_matches
from mcpgen.ir.api import ApiDescription
from mcpgen.ir.server import Server
from mcpgen.openspec.load import bind_scenarios, is_openspec
from mcpgen.pipeline.load_spec import load_spec, places
from mcpgen.pipeline.result import BuildOptions, PhaseTimer, ProgressCallback
from mcpgen.pipeline.server_check import has_project, is_server_target
from mcpgen.pipeline.workspace import STDIN, open_workspace

if TYPE_CHECKING:
    from mcpgen.analysis import Announced, ToolListing

LISTED = re.compile(rb'"(?:tools|inputSchema)"\s*:')
"""Matches every saved list with a tool, and few descriptions."""

DESCRIBED = ("openapi", "swagger")
"""Keys at the root of a description."""


class TargetUnreadable(Exception):
    """A target without tools. The message is one clause with the reason."""


class TargetKind(StrEnum):
    """The kind of a target, as shown in messages."""

    SERVER = "the URL of a server"
    PROJECT = "a project's folder"
    LISTING = "a saved list of tools"
    SPEC = "an API description"
    """Requirements count as a description."""


def kind_of(target: str, stdin: bytes | None = None) -> TargetKind:
    """Classifies a target. Raises TargetUnreadable with the closest name for a missing file."""
    if is_server_target(target):
        return TargetKind.SERVER
    path = Path(target)
    if path.is_dir():
        if has_project(target) or (path / CONFIG_NAME).is_file():
            return TargetKind.PROJECT
        if is_openspec(target):
            return TargetKind.SPEC
        raise TargetUnreadable(
            f"{target} is a folder without a project; name the description in it"
        )
    if target != STDIN and not path.is_file():
        raise TargetUnreadable(f"there is no file, project or URL `{target}`{_suggestion(path)}")
    if is_openspec(target):
        return TargetKind.SPEC
    content = (stdin or b"") if target == STDIN else path.read_bytes()
    return TargetKind.LISTING if _is_listing(content) else TargetKind.SPEC


def _is_listing(content: bytes) -> bool:
    """True if a file holds tools and no description; parses only likely files."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
        return False
    if not LISTED.search(content):
        return content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"["
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        # Invalid JSON: the reader of the chosen kind reports the error.
        return b'"inputSchema"' in content
    return not (isinstance(tree, dict) and any(key in tree for key in DESCRIBED))


def _suggestion(path: Path) -> str:
    """Returns `; did you mean …?` with the most similar name in the folder, or `""`."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    close = closest_matches(path.name, names, 1)
    return f"; did you mean `{(path.parent / close[0]).as_posix()}`?" if close else ""


@dataclass(frozen=True, slots=True)
class LoadedTools:
    """The tools of a target. `listing` is None if `diagnostics` has errors. `api` and `server` are
    set for a description and a project."""

    kind: TargetKind
    listing: ToolListing | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    places: SourceMap = field(default_factory=SourceMap)
    api: ApiDescription | None = None
    server: Server | None = None


def load_tools(
    target: str,
    options: BuildOptions = BuildOptions(),  # noqa: B008 - it is immutable
    headers: Mapping[str, str] | None = None,
    secrets: frozenset[str] = frozenset(),
    *,
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
    diagnostics: Diagnostics | None = None,
) -> LoadedTools:
    """Returns the tools of a target as announced to a client. Writes nothing, and runs no code of a
    project.

    `headers` are sent to a server; `secrets` are redacted. Findings are also added to
    `diagnostics`. Raises TargetUnreadable for a target without tools, and OSError for an unreadable
    file.
    """
    clock, kind = PhaseTimer(tell), kind_of(target, stdin)
    if kind is TargetKind.SERVER:
        with clock.phase("list"):
            return LoadedTools(kind, _of_server(target, headers or {}, secrets))
    if kind is TargetKind.LISTING:
        content = (stdin or b"") if target == STDIN else Path(target).read_bytes()
        return LoadedTools(kind, _of_listing(target, content))
    collected = Diagnostics() if diagnostics is None else diagnostics
    return _of_spec(target, kind, options, stdin, clock, collected)


def _of_spec(
    target: str,
    kind: TargetKind,
    options: BuildOptions,
    stdin: bytes | None,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
) -> LoadedTools:
    """Lowers a description or a project as a build would; operations without a tool become notes."""
    project = kind is TargetKind.PROJECT
    # A configuration file belongs to a project: the lock is in the same folder.
    name = (PurePath(target) if project else PurePath(options.config).parent).as_posix()
    space = open_workspace(name, options, diagnostics) if project or options.config else None
    spec = target if not project else space.spec("") if space else ""
    if not spec:
        label = space.config_name if space else CONFIG_NAME
        diagnostics.add(codes.NO_SPEC, Location(label), path=label)
        return LoadedTools(kind, diagnostics=tuple(diagnostics.sorted()))
    merged_options = space.with_defaults(options) if space else options
    loaded_spec = load_spec(spec, merged_options, stdin, clock, diagnostics, validated=False)
    source_map = places(loaded_spec, space, stdin)
    if loaded_spec.api is None:
        return LoadedTools(
            kind=kind, listing=None, diagnostics=tuple(diagnostics.sorted()), places=source_map
        )
    from mcpgen.config import Config
    from mcpgen.lower import lower

    config = replace(space.choices(spec, options) if space else Config(), keep_going=True)
    diagnostics.soften(parse_codes.PER_OPERATION)
    with clock.phase("lower"):
        server = lower(loaded_spec.api, config, diagnostics, scenarios=False)
        server = bind_scenarios(server, loaded_spec.capabilities, diagnostics)
    listing = None
    if not diagnostics.failed:
        from mcpgen.pipeline.budgets import config_variants

        # Discovery mode lists none of the found tools: no setting makes the list smaller.
        variants = (
            () if server.discovery else tuple(config_variants(loaded_spec.api, server, config))
        )
        listing = replace(listing_of_server(loaded_spec.api, server, target), alternatives=variants)
    return LoadedTools(
        kind=kind,
        listing=listing,
        diagnostics=tuple(diagnostics.sorted()),
        places=source_map,
        api=loaded_spec.api,
        server=server,
    )


def listing_of_server(api: ApiDescription, server: Server, name: str = "") -> ToolListing:
    """Returns the tool list of a server with the operations of the tools."""
    from mcpgen.analysis import ToolListing

    deprecated = {operation.key for operation in api.operations if operation.deprecated}
    return ToolListing(
        name=name,
        tools=tuple(tool.announced for tool in server.listed),
        operations={tool.name: tool.operation for tool in server.listed if tool.operation},
        deprecated=frozenset(tool.name for tool in server.listed if tool.operation in deprecated),
        notes=(
            *_discovery_notes(server),
            *_feature_notes(server),
            *(f"missing: {missing.operation}: {missing.reason}" for missing in server.missing),
        ),
        resources=tuple(feature.announced for feature in server.resources),
        prompts=tuple(feature.announced for feature in server.prompts),
    )


def _discovery_notes(server: Server) -> Iterator[str]:
    """Yields a note with the number of tools behind discovery mode."""
    if server.discovery:
        behind = len(server.tools) - len(server.discovery.pinned)
        yield f"tools that are not listed, but found by `{server.discovery.search.name}`: {behind:,}"


def _feature_notes(server: Server) -> Iterator[str]:
    """Yields a note per resource and prompt: both have no size in the tool list."""
    for resource in server.resources:
        kind = "resource template" if resource.variables else "resource"
        yield f"{kind}: {resource.uri}, read by {resource.tool or resource.file}"
    for prompt in server.prompts:
        names = ", ".join(argument.name for argument in prompt.arguments)
        yield f"prompt: {prompt.name}({names})"


@contextmanager
def report_unreachable(url: str, secrets: frozenset[str]) -> Iterator[None]:
    """Raises TargetUnreadable, with secrets redacted, for the errors of a server without an answer."""
    from mcpgen.conformance.model import PrerequisiteMissing
    from mcpgen.conformance.redaction import redact_text
    from mcpgen.conformance.targets.command import UnusableTarget

    try:
        yield
    except UnusableTarget as error:
        raise TargetUnreadable(str(error)) from error
    except PrerequisiteMissing as error:
        message = f"{url}: expected that {error.finding.expected}; saw {error.finding.saw}"
        raise TargetUnreadable(redact_text(message, secrets)) from error


def _of_server(url: str, headers: Mapping[str, str], secrets: frozenset[str]) -> ToolListing:
    """Lists the tools of a running server, with secrets redacted."""
    from mcpgen.analysis import ToolListing
    from mcpgen.conformance.model import Report
    from mcpgen.conformance.options import CheckOptions
    from mcpgen.conformance.redaction import in_address, redact_report
    from mcpgen.conformance.server_info import list_tools

    secrets |= in_address(url)
    with report_unreachable(url, secrets):
        listing, features = list_tools(url, CheckOptions(headers=headers))
    notes: tuple[str, ...] = ()
    if listing.problem is not None:
        expected, saw = listing.problem.expected, listing.problem.saw
        notes = (f"the list ended early: expected that {expected}; saw {saw}",)
    tools, depth_notes = _writable(listing.named_entries)
    notes = (*notes, *depth_notes, *_listed_feature_notes(features))
    report = redact_report(Report(url, (), notes=notes, tools=tools), secrets)
    others = {
        name: redact_report(Report(url, (), tools=_writable(entries)[0]), secrets).tools
        for name, entries in features.items()
    }
    return ToolListing(
        report.target,
        report.tools,
        notes=report.notes,
        resources=others.get("resources"),
        prompts=others.get("prompts"),
    )


def _listed_feature_notes(features: Mapping[str, tuple[Announced, ...]]) -> Iterator[str]:
    """Yields a note per resource and prompt, and per unreadable list."""
    for name in ("resources", "prompts"):
        if name not in features:
            yield f"the list of its {name} could not be read"
    for entry in features.get("resources", ()):
        kind = "resource template" if "uriTemplate" in entry else "resource"
        yield f"{kind}: {entry.get('uriTemplate') or entry.get('uri')}"
    for entry in features.get("prompts", ()):
        yield f"prompt: {entry.get('name')}"


def _of_listing(name: str, content: bytes) -> ToolListing:
    from mcpgen.analysis import ToolListing
    from mcpgen.conformance.saved_listing import pages_of

    label = "standard input" if name == STDIN else name
    try:
        pages = pages_of(content.decode("utf-8"))
    except ValueError as error:
        raise TargetUnreadable(f"{label} is not a saved answer to tools/list: {error}") from error
    entries = [entry for page in pages for entry in _listed_entries(page["tools"])]
    named = tuple(entry for entry in entries if isinstance(entry.get("name"), str))
    tools, deep = _writable(named)
    nameless = len(entries) - len(named)
    more = pages[-1].get("nextCursor") is not None
    notes = [f"{nameless} entries without a name were left out"] if nameless else []
    notes += ["the saved list says that there is one more page"] if more else []
    return ToolListing(label, tools, notes=(*notes, *deep))


def _writable(tools: tuple[Announced, ...]) -> tuple[tuple[Announced, ...], tuple[str, ...]]:
    """Returns the tools with a JSON form, and a note about tools nested too deep."""
    from mcpgen.conformance.sizes import size_of

    writable = tuple(tool for tool in tools if size_of(tool).bytes)
    omitted = len(tools) - len(writable)
    return writable, (
        (f"{omitted} tools nested too deep to be written were left out",) if omitted else ()
    )


def _listed_entries(value: object) -> list[dict[str, object]]:
    entries = value if isinstance(value, list) else []
    return [entry if isinstance(entry, dict) else {} for entry in entries]


OWN = frozenset(
    {
        code.id
        for stage in (lint_codes, openspec_codes)
        for code in vars(stage).values()
        if hasattr(code, "id")
    }
)
ALSO = frozenset(
    {lower_codes.SUSPICIOUS_TEXT.id, lower_codes.MISSING_OPERATION.id}
    | {code.id for code in parse_codes.PER_OPERATION}
)
"""Codes of other stages in lint's report: instructions to models in texts, and operations without a
tool."""


def lint_target(
    target: str,
    options: BuildOptions = BuildOptions(),  # noqa: B008 - it is immutable
    *,
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
) -> LoadedTools:
    """Loads a description or a project and adds the findings of lint. Errors of every stage are
    included: unreadable parts were not checked.

    Raises TargetUnreadable for other targets, and OSError for an unreadable file.
    """
    kind = kind_of(target, stdin)
    if kind not in (TargetKind.SPEC, TargetKind.PROJECT):
        raise TargetUnreadable(
            f"lint is for {TargetKind.SPEC} or {TargetKind.PROJECT}, and {target} is {kind}"
        )
    diagnostics = Diagnostics()
    loaded_tools = load_tools(target, options, stdin=stdin, tell=tell, diagnostics=diagnostics)
    if loaded_tools.api is not None and loaded_tools.server is not None:
        from mcpgen.lint import lint
        from mcpgen.openspec.lint import lint_steps

        lint(loaded_tools.api, loaded_tools.server, diagnostics)
        if loaded_tools.server.bound_scenarios:
            lint_steps(loaded_tools.server.bound_scenarios, diagnostics)
    return replace(loaded_tools, diagnostics=tuple(filter(_is_finding, diagnostics.sorted())))


def _is_finding(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR or diagnostic.code.id in OWN | ALSO
