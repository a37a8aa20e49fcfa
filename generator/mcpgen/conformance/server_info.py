"""What a running server announces: identity, tools, resources, prompts. Nothing is judged."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.model import NotApplicable, PrerequisiteMissing
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.paged_lists import PagedList, read_list
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.revisions import ALL, LEGACY, LISTS, META_SERVER, MODERN
from mcpgen.conformance.stdio_probe import StdioProbe, StdioRun, is_stdio, stdio_words
from mcpgen.conformance.strict_json import Json


def open_probe(target: str, options: CheckOptions) -> Probe:
    """A probe for a URL, or for the server that a command such as `stdio:python -m server` starts.

    Raises UnusableTarget for a command that cannot be started.
    """
    if is_stdio(target):
        ends = time.monotonic() + options.deadline
        words = stdio_words(target)
        return StdioProbe(StdioRun(words, options.timeout, ends, options.max_bytes))
    return Probe(
        target,
        timeout=options.timeout,
        deadline=options.deadline,
        max_bytes=options.max_bytes,
        event_bytes=options.event_bytes,
    )


_OFFERED = {
    "resources": ("resources/list", "resources/templates/list"),
    "prompts": ("prompts/list",),
}


Entries = tuple[Mapping[str, Json], ...]

Entry = Mapping[str, Json]
_DEFAULT_OPTIONS = CheckOptions()


def list_tools(
    url: str, options: CheckOptions = CheckOptions()  # noqa: B008 - it is immutable
) -> tuple[PagedList, Mapping[str, Entries]]:
    """The tools of the server at `url` in the newest supported revision, with `resources`
    (templates included) and `prompts`.

    An undeclared list is empty; a list without a readable end is missing. Raises
    PrerequisiteMissing without an MCP server or without tools.
    """
    probe = open_probe(url, options)
    target = CheckTarget(probe, options)
    try:
        if not target.supported_revisions:
            raise PrerequisiteMissing(
                "an MCP server answers there", str(target.in_revision(ALL[-1]).session.opening)
            )
        context = target.in_revision(target.supported_revisions[-1])
        lists = {
            name: _list_entries(context.session, methods) for name, methods in _OFFERED.items()
        }
        return context.listing, {
            name: entries for name, entries in lists.items() if entries is not None
        }
    except NotApplicable as error:
        raise PrerequisiteMissing(
            "the server announces tools", "it declares no `tools` capability"
        ) from error
    finally:
        probe.close_all()


def _list_entries(session: ProbeSession, methods: tuple[str, ...]) -> Entries | None:
    """The entries of some lists, `()` if undeclared, None if a list cannot be read."""
    entries: list[Mapping[str, Json]] = []
    for method in methods:
        try:
            listing = read_list(session, method)
        except NotApplicable:
            continue
        except PrerequisiteMissing:
            return None
        if listing.problem is not None:
            return None
        entries += [entry for entry in listing.entries if isinstance(entry, dict)]
    return tuple(entries)


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The announcements of a server in one revision. `lists` maps the member of a page to all
    entries; undeclared lists are empty.
    """

    revision: str
    identity: Entry
    capabilities: Entry
    instructions: str
    lists: Mapping[str, tuple[Entry, ...]]


def describe_server(url: str, options: CheckOptions = _DEFAULT_OPTIONS) -> ServerFacts:
    """The announcements of the server at `url` in the newest supported legacy revision, or a modern
    one.

    Raises PrerequisiteMissing if no MCP server answers, if a list does not end, or if an entry is
    not an object: a partial list would look complete.
    """
    probe = open_probe(url, options)
    try:
        return _server_facts(_session(CheckTarget(probe, options)))
    finally:
        probe.close_all()


def _session(target: CheckTarget) -> ProbeSession:
    """The session in the preferred revision. Raises PrerequisiteMissing if none is supported."""
    newest = target.in_revision(LEGACY[-1]).session
    for revision in (*reversed(LEGACY), *reversed(MODERN)):
        session = target.in_revision(revision).session
        if session.is_supported:
            return session
        if newest.opening.status in (0, 401):
            # Nobody is there, or nobody without credentials: no other words will change that.
            break
    raise PrerequisiteMissing("an MCP server answers there", str(newest.opening))


def _server_facts(session: ProbeSession) -> ServerFacts:
    result = session.opening_result()
    identity = result.get("serverInfo")
    if session.modern:
        meta = result.get("_meta")
        identity = meta.get(META_SERVER) if isinstance(meta, dict) else None
    capabilities = result.get("capabilities")
    instructions = result.get("instructions")
    if not isinstance(identity, dict) or not isinstance(capabilities, dict):
        raise PrerequisiteMissing("the server says who it is and what it can", str(session.opening))
    return ServerFacts(
        session.revision,
        identity,
        capabilities,
        instructions if isinstance(instructions, str) else "",
        {key: _all_entries(session, method) for method, (_, key) in LISTS.items()},
    )


def _all_entries(session: ProbeSession, method: str) -> tuple[Entry, ...]:
    try:
        listing = read_list(session, method)
    except NotApplicable:
        return ()
    if listing.problem is not None:
        raise PrerequisiteMissing(listing.problem.expected, f"{listing.problem.saw} ({method})")
    entries = tuple(entry for entry in listing.entries if isinstance(entry, dict))
    if len(entries) < len(listing.entries):
        raise PrerequisiteMissing("every entry of a list is an object", f"another value ({method})")
    return entries
