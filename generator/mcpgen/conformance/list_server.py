"""What a running server announces, all pages of it, without judging anything."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.check_result import NotApplicable, PrerequisiteMissing
from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.paged_lists import PagedList, walk
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.revisions import ALL
from mcpgen.conformance.strict_json import Json

_OFFERED = {
    "resources": ("resources/list", "resources/templates/list"),
    "prompts": ("prompts/list",),
}


Entries = tuple[Mapping[str, Json], ...]


def list_tools(
    url: str, options: CheckOptions = CheckOptions()  # noqa: B008 - it is immutable
) -> tuple[PagedList, Mapping[str, Entries]]:
    """The list of tools in the newest revision that the server at `url` speaks, and its `resources`, with
    the templates behind them, and `prompts`; one that has no such list has none of them, and one whose
    list cannot be read to its end is not told of.

    Raises Unmet, with what was expected and seen, for an address where no MCP server answers, and for
    one that has no tools to announce.
    """
    probe = Probe(
        url, timeout=options.timeout, deadline=options.deadline, max_bytes=options.max_bytes
    )
    target = CheckTarget(probe, options)
    try:
        if not target.spoken:
            raise PrerequisiteMissing(
                "an MCP server answers there", str(target.visit(ALL[-1]).talk.opening)
            )
        visit = target.visit(target.spoken[-1])
        told = {name: _offered(visit.talk, methods) for name, methods in _OFFERED.items()}
        return visit.listing, {name: each for name, each in told.items() if each is not None}
    except NotApplicable as error:
        raise PrerequisiteMissing(
            "the server announces tools", "it declares no `tools` capability"
        ) from error
    finally:
        probe.close()


def _offered(talk: ProbeSession, methods: tuple[str, ...]) -> Entries | None:
    """The entries of some lists, none of what the server does not declare; None if one cannot be read."""
    found: list[Mapping[str, Json]] = []
    for method in methods:
        try:
            listing = walk(talk, method)
        except NotApplicable:
            continue
        except PrerequisiteMissing:
            return None
        if listing.problem is not None:
            return None
        found += [each for each in listing.entries if isinstance(each, dict)]
    return tuple(found)
