"""The tools that a running server announces, all pages of them, without judging anything."""

from __future__ import annotations

from mcpgen.conformance.findings import NotDeclared, Unmet
from mcpgen.conformance.listing import Listing
from mcpgen.conformance.options import Options
from mcpgen.conformance.probe import Probe
from mcpgen.conformance.revisions import ALL
from mcpgen.conformance.target import Target


def listed(url: str, options: Options = Options()) -> Listing:  # noqa: B008 - it is immutable
    """The list of tools in the newest revision that the server at `url` speaks.

    Raises Unmet, with what was expected and seen, for an address where no MCP server answers, and for
    one that has no tools to announce.
    """
    probe = Probe(
        url, timeout=options.timeout, deadline=options.deadline, max_bytes=options.max_bytes
    )
    target = Target(probe, options)
    try:
        if not target.spoken:
            raise Unmet("an MCP server answers there", str(target.visit(ALL[-1]).talk.opening))
        return target.visit(target.spoken[-1]).listing
    except NotDeclared as error:
        raise Unmet("the server announces tools", "it declares no `tools` capability") from error
    finally:
        probe.close()
