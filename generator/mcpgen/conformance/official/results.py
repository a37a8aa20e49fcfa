"""The verdicts of the official suite as outcomes of the report."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.conformance.check_context import CheckContext, CheckTarget
from mcpgen.conformance.model import (
    Check,
    CheckOutcome,
    CheckStatus,
    NotApplicable,
    PrerequisiteMissing,
)
from mcpgen.conformance.official.runner import Results, run, suite
from mcpgen.conformance.official.scenarios import (
    CHECKS,
    HEADER_TOOL,
    NEEDS,
    PARTS,
    PROFILE,
    REVISIONS,
    RUNS,
    SCENARIO_CHECKS,
    SESSIONS,
    suite_check,
)
from mcpgen.conformance.options import CheckOptions
from mcpgen.conformance.profiles import ProfileKind, parse_profiles
from mcpgen.conformance.strict_json import Json

_LISTS = (
    ("tools/list", "tool", "name"),
    ("prompts/list", "prompt", "name"),
    ("resources/list", "resource", "uri"),
    ("resources/templates/list", "template", "uriTemplate"),
)
"""Lists, the word for an entry of each, and the member that tells entries apart."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server offers, in the words of `SuiteScenario.needs`."""

    has: frozenset[str]

    def lacks(self, needs: Iterable[str]) -> list[str]:
        """Which of these needs the server does not meet."""
        return [need for need in needs if need not in self.has]


def offer(visit: CheckContext) -> Capabilities:
    """What the server announced in the revision of this visit."""
    return Capabilities(frozenset(_list_capabilities(visit)))


def _list_capabilities(visit: CheckContext) -> Iterator[str]:
    declared = visit.talk.opened().get("capabilities")
    for name, flags in (declared if isinstance(declared, dict) else {}).items():
        yield name
        if isinstance(flags, dict):
            yield from (f"{name}.{flag}" for flag, on in flags.items() if on is True)
    if visit.talk.session:
        yield SESSIONS
    for method, word, member in _LISTS:
        entries = _entries(visit, method)
        yield from (f"{word} {entry[member]}" for entry in entries if member in entry)
        if word == "tool" and _has_usable_mirrored_tool(entries):
            yield HEADER_TOOL


def _entries(visit: CheckContext, method: str) -> list[dict[str, Json]]:
    try:
        return [entry for entry in visit.walked(method).entries if isinstance(entry, dict)]
    except (PrerequisiteMissing, NotApplicable):
        return []


def _has_usable_mirrored_tool(tools: list[dict[str, Json]]) -> bool:
    """Whether the suite can use the first tool that mirrors an argument: it wants a string."""
    for tool in tools:
        marked = [part for part in _argument_schemas(tool) if "x-mcp-header" in part]
        if marked:
            return any(part.get("type") == "string" for part in marked)
    return False


def _argument_schemas(tool: dict[str, Json]) -> list[dict[str, Json]]:
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    found = properties.values() if isinstance(properties, dict) else ()
    return [part for part in found if isinstance(part, dict)]


_EXPECTED = "the scenario holds"
_SHOWN = 300
"""Characters of a message of the suite."""


def opinions(
    url: str, offers: Mapping[str, Capabilities], cache: Path, *, seconds: float
) -> Iterator[CheckOutcome]:
    """One outcome or more of every scenario, in each revision of `offers` that the suite knows, and
    one that tells whether it ran to its end.

    `seconds` are for all of them. Raises Unavailable if the suite cannot be run here.
    """
    program = suite(cache)
    ends = time.monotonic() + seconds
    for revision in REVISIONS:
        if revision in offers:
            found = run(program, url, revision, ends - time.monotonic())
            yield ran(revision, found.problem)
            yield from outcomes(found.results, revision, offers[revision])


def ran(revision: str, problem: str) -> CheckOutcome:
    """Whether the suite ran to its end in a revision."""
    if not problem:
        return CheckOutcome(RUNS, CheckStatus.PASSED, revision=revision, profiles=(PROFILE,))
    expected = "results of every scenario"
    return CheckOutcome(RUNS, CheckStatus.FAILED, expected, problem, "", revision, (PROFILE,))


def outcomes(found: Results, revision: str, offer: Capabilities) -> Iterator[CheckOutcome]:
    """The outcomes of the scenarios that were run, in the order of their table."""
    unknown = [name for name in found if name not in SCENARIO_CHECKS]
    for name in [name for name in SCENARIO_CHECKS if name in found] + unknown:
        judged = SCENARIO_CHECKS.get(name) or suite_check(name)
        if offer.lacks(NEEDS.get(name, ())):
            yield CheckOutcome(
                judged, CheckStatus.NOT_APPLICABLE, revision=revision, profiles=(PROFILE,)
            )
        else:
            yield from _scenario_outcomes(judged, found[name], revision, offer)


_STATUS = {"FAILURE": CheckStatus.FAILED, "WARNING": CheckStatus.WARNING}


def _scenario_outcomes(
    judged: Check, results: list[dict[str, Json]], revision: str, offer: Capabilities
) -> Iterator[CheckOutcome]:
    """What is wrong, or that nothing is; a part that the server offers nothing for is left out, and
    a scenario that looked at nothing says nothing."""
    bad = [
        result
        for result in results
        if result["status"] in _STATUS and not offer.lacks(PARTS.get(result["id"], ()))
    ]
    for result in bad:
        said = str(result.get("errorMessage") or result.get("description") or "")
        saw = f"{result['id']}: {said}"[:_SHOWN]
        status = _STATUS[result["status"]]
        yield CheckOutcome(judged, status, _EXPECTED, saw, "", revision, (PROFILE,))
    if not bad:
        looked = any(result["status"] == "SUCCESS" for result in results)
        status = CheckStatus.PASSED if looked else CheckStatus.NOT_APPLICABLE
        yield CheckOutcome(judged, status, revision=revision, profiles=(PROFILE,))


def second_opinion(
    url: str, target: CheckTarget, options: CheckOptions, seconds: float
) -> Iterator[CheckOutcome]:
    """The suite's outcomes in the revisions that the target speaks and the profiles mean; nothing
    where the options do not ask for them.

    Raises Unavailable if the suite cannot be run here.
    """
    if options.official is None or not any(
        _is_selected(check.id, options) for check in CHECKS.values()
    ):
        return
    if not target.spoken:
        yield ran("", "the server speaks no revision of MCP: see `speaks-mcp`")
        return
    meant = _suite_revisions(options)
    spoken = [revision for revision in target.spoken if revision in meant]
    offers = {revision: offer(target.visit(revision)) for revision in spoken}
    if not offers:
        yield CheckOutcome(RUNS, CheckStatus.NOT_APPLICABLE, profiles=(PROFILE,))
        return
    for outcome in opinions(url, offers, options.official, seconds=seconds):
        if _is_selected(outcome.check.id, options):
            yield outcome


def _is_selected(id: str, options: CheckOptions) -> bool:
    return id not in options.skip and (not options.only or id in options.only)


def _suite_revisions(options: CheckOptions) -> frozenset[str]:
    """The suite's revisions that the profiles name; all, where they name none or every one."""
    protocol = [one for one in parse_profiles(options.profiles) if one.kind is ProfileKind.PROTOCOL]
    if not protocol or not all(one.revisions for one in protocol):
        return frozenset(REVISIONS)
    return frozenset(revision for one in protocol for revision in one.revisions) & {*REVISIONS}
