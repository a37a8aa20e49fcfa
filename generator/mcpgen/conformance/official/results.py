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
from mcpgen.conformance.official.runner import Results, install_suite, run
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
"""Lists, the noun of an entry, and the member that identifies an entry."""

_EXPECTED = "the scenario holds"
_SHOWN = 300
"""Characters of a message of the suite."""

_STATUS = {"FAILURE": CheckStatus.FAILED, "WARNING": CheckStatus.WARNING}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of a server, in the terms of `SuiteScenario.needs`."""

    has: frozenset[str]

    def lacks(self, needs: Iterable[str]) -> list[str]:
        """The needs that the server does not meet."""
        return [need for need in needs if need not in self.has]


def read_capabilities(context: CheckContext) -> Capabilities:
    """The capabilities announced in the context's revision."""
    return Capabilities(frozenset(_list_capabilities(context)))


def _list_capabilities(context: CheckContext) -> Iterator[str]:
    declared = context.session.opening_result().get("capabilities")
    for name, flags in (declared if isinstance(declared, dict) else {}).items():
        yield name
        if isinstance(flags, dict):
            yield from (f"{name}.{flag}" for flag, on in flags.items() if on is True)
    if context.session.session_id:
        yield SESSIONS
    for method, word, member in _LISTS:
        entries = _list_of_method(context, method)
        yield from (f"{word} {entry[member]}" for entry in entries if member in entry)
        if word == "tool" and _has_usable_mirrored_tool(entries):
            yield HEADER_TOOL


def _list_of_method(context: CheckContext, method: str) -> list[dict[str, Json]]:
    try:
        return [entry for entry in context.paged_list(method).entries if isinstance(entry, dict)]
    except (PrerequisiteMissing, NotApplicable):
        return []


def _has_usable_mirrored_tool(tools: list[dict[str, Json]]) -> bool:
    """True if the first tool with a mirrored argument has one of type string, as the suite
    requires.
    """
    for tool in tools:
        marked = [part for part in _argument_schemas(tool) if "x-mcp-header" in part]
        if marked:
            return any(part.get("type") == "string" for part in marked)
    return False


def _argument_schemas(tool: dict[str, Json]) -> list[dict[str, Json]]:
    input_schema = tool.get("inputSchema")
    properties = input_schema.get("properties") if isinstance(input_schema, dict) else None
    schemas = properties.values() if isinstance(properties, dict) else ()
    return [schema for schema in schemas if isinstance(schema, dict)]


def opinions(
    url: str, offers: Mapping[str, Capabilities], cache: Path, *, seconds: float
) -> Iterator[CheckOutcome]:
    """Runs the suite in the supported revisions among `offers`; gives the outcomes of all
    scenarios.

    An outcome per revision states if the suite ran to the end. `seconds` bounds all runs together.
    Raises SuiteUnavailable.
    """
    program = install_suite(cache)
    ends = time.monotonic() + seconds
    for revision in REVISIONS:
        if revision in offers:
            suite_run = run(program, url, revision, ends - time.monotonic())
            yield ran(revision, suite_run.problem)
            yield from outcomes(suite_run.results, revision, offers[revision])


def ran(revision: str, problem: str) -> CheckOutcome:
    """The outcome that states if the suite ran to its end in a revision."""
    if not problem:
        return CheckOutcome(RUNS, CheckStatus.PASSED, revision=revision, profiles=(PROFILE,))
    expected = "results of every scenario"
    return CheckOutcome(RUNS, CheckStatus.FAILED, expected, problem, "", revision, (PROFILE,))


def outcomes(results: Results, revision: str, offer: Capabilities) -> Iterator[CheckOutcome]:
    """Outcomes of the scenarios that ran, in the order of `SCENARIOS`."""
    new = [name for name in results if name not in SCENARIO_CHECKS]
    for name in [name for name in SCENARIO_CHECKS if name in results] + new:
        check = SCENARIO_CHECKS.get(name) or suite_check(name)
        if offer.lacks(NEEDS.get(name, ())):
            yield CheckOutcome(
                check, CheckStatus.NOT_APPLICABLE, revision=revision, profiles=(PROFILE,)
            )
        else:
            yield from _scenario_outcomes(check, results[name], revision, offer)


def _scenario_outcomes(
    check: Check, results: list[dict[str, Json]], revision: str, offer: Capabilities
) -> Iterator[CheckOutcome]:
    """The violations of a scenario, or one outcome: passed, or not applicable if nothing was
    checked.

    Parts that need a missing capability are left out.
    """
    violations = [
        result
        for result in results
        if result["status"] in _STATUS and not offer.lacks(PARTS.get(result["id"], ()))
    ]
    for result in violations:
        message = str(result.get("errorMessage") or result.get("description") or "")
        saw = f"{result['id']}: {message}"[:_SHOWN]
        status = _STATUS[result["status"]]
        yield CheckOutcome(check, status, _EXPECTED, saw, "", revision, (PROFILE,))
    if not violations:
        looked = any(result["status"] == "SUCCESS" for result in results)
        status = CheckStatus.PASSED if looked else CheckStatus.NOT_APPLICABLE
        yield CheckOutcome(check, status, revision=revision, profiles=(PROFILE,))


def second_opinion(
    url: str, target: CheckTarget, options: CheckOptions, seconds: float
) -> Iterator[CheckOutcome]:
    """Outcomes of the suite in the supported revisions of the selected profiles; nothing without
    `options.official`.

    Raises SuiteUnavailable.
    """
    if options.official is None or not any(
        _is_selected(check.id, options) for check in CHECKS.values()
    ):
        return
    if not target.supported_revisions:
        yield ran("", "the server speaks no revision of MCP: see `speaks-mcp`")
        return
    revisions = _suite_revisions(options)
    supported = [revision for revision in target.supported_revisions if revision in revisions]
    offers = {revision: read_capabilities(target.in_revision(revision)) for revision in supported}
    if not offers:
        yield CheckOutcome(RUNS, CheckStatus.NOT_APPLICABLE, profiles=(PROFILE,))
        return
    for outcome in opinions(url, offers, options.official, seconds=seconds):
        if _is_selected(outcome.check.id, options):
            yield outcome


def _is_selected(id: str, options: CheckOptions) -> bool:
    return id not in options.skip and (not options.only or id in options.only)


def _suite_revisions(options: CheckOptions) -> frozenset[str]:
    """Revisions of the suite that the profiles name; all, if a profile names none."""
    protocols = [
        profile
        for profile in parse_profiles(options.profiles)
        if profile.kind is ProfileKind.PROTOCOL
    ]
    if not protocols or not all(profile.revisions for profile in protocols):
        return frozenset(REVISIONS)
    return frozenset(revision for profile in protocols for revision in profile.revisions) & {
        *REVISIONS
    }
