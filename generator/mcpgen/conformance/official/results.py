"""The verdicts of the official suite on a server, as outcomes of our report."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from mcpgen.conformance.model import Check, CheckOutcome, CheckStatus
from mcpgen.conformance.official.capabilities import Capabilities
from mcpgen.conformance.official.node import suite
from mcpgen.conformance.official.runner import Results, run
from mcpgen.conformance.official.scenarios import (
    NEEDS,
    PARTS,
    PROFILE,
    REVISIONS,
    RUNS,
    SCENARIO_CHECKS,
    suite_check,
)
from mcpgen.conformance.strict_json import Json

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
            yield from _of_scenario(judged, found[name], revision, offer)


_STATUS = {"FAILURE": CheckStatus.FAILED, "WARNING": CheckStatus.WARNING}


def _of_scenario(
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
