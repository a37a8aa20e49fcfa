"""Asking the official suite in a run: in which revisions, and what of its answer is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance.check_context import CheckTarget
from mcpgen.conformance.model import CheckOutcome, CheckStatus
from mcpgen.conformance.official.capabilities import offer
from mcpgen.conformance.official.results import opinions, ran
from mcpgen.conformance.official.scenarios import CHECKS, PROFILE, REVISIONS, RUNS
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.profiles import ProfileKind, parse_profiles


def second_opinion(
    url: str, target: CheckTarget, options: CheckOptions, seconds: float
) -> Iterator[CheckOutcome]:
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
        yield CheckOutcome(RUNS, CheckStatus.NOT_APPLICABLE, profiles=(PROFILE,))
        return
    for outcome in opinions(url, offers, options.official, seconds=seconds):
        if _wanted(outcome.check.id, options):
            yield outcome


def _wanted(id: str, options: CheckOptions) -> bool:
    return id not in options.skip and (not options.only or id in options.only)


def _meant(options: CheckOptions) -> frozenset[str]:
    """The suite's revisions that the profiles name; all, where they name none or every one."""
    protocol = [one for one in parse_profiles(options.profiles) if one.kind is ProfileKind.PROTOCOL]
    if not protocol or not all(one.revisions for one in protocol):
        return frozenset(REVISIONS)
    return frozenset(revision for one in protocol for revision in one.revisions) & {*REVISIONS}
