"""Asking the official suite in a run: in which revisions, and what of its answer is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance.model import Outcome, Status
from mcpgen.conformance.official.offering import offer
from mcpgen.conformance.official.opinion import opinions, ran
from mcpgen.conformance.official.scenarios import CHECKS, PROFILE, REVISIONS, RUNS
from mcpgen.conformance.options import Options
from mcpgen.conformance.profiles import Kind, named
from mcpgen.conformance.target import Target


def second_opinion(url: str, target: Target, options: Options, seconds: float) -> Iterator[Outcome]:
    """The suite's outcomes in the revisions that the target speaks and the profiles mean; nothing
    where the options do not ask for them.

    Raises Unavailable if the suite cannot be run here.
    """
    if options.official is None or not any(_wanted(check.id, options) for check in CHECKS.values()):
        return
    if not target.spoken:
        yield ran("", "the server speaks no revision of MCP: see `speaks-mcp`")
        return
    meant = _meant(options)
    spoken = [revision for revision in target.spoken if revision in meant]
    offers = {revision: offer(target.visit(revision)) for revision in spoken}
    if not offers:
        yield Outcome(RUNS, Status.NOT_APPLICABLE, profiles=(PROFILE,))
        return
    for outcome in opinions(url, offers, options.official, seconds=seconds):
        if _wanted(outcome.check.id, options):
            yield outcome


def _wanted(id: str, options: Options) -> bool:
    return id not in options.skip and (not options.only or id in options.only)


def _meant(options: Options) -> frozenset[str]:
    """The suite's revisions that the profiles name; all, where they name none or every one."""
    protocol = [one for one in named(options.profiles) if one.kind is Kind.PROTOCOL]
    if not protocol or not all(one.revisions for one in protocol):
        return frozenset(REVISIONS)
    return frozenset(revision for one in protocol for revision in one.revisions) & {*REVISIONS}
