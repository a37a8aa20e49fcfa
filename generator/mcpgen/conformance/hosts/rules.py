"""The rules of one host, made from its facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from mcpgen.conformance.checks.rule import Rule
from mcpgen.conformance.findings import Finding
from mcpgen.conformance.hosts import judging, visiting
from mcpgen.conformance.hosts.facts import Fact, facts
from mcpgen.conformance.hosts.judging import Judge
from mcpgen.conformance.hosts.table import CHECKS
from mcpgen.conformance.profiles import PROFILES, Kind, Profile
from mcpgen.conformance.target import Visit

STILL: Mapping[str, Judge] = {
    "tool-name": judging.tool_name,
    "argument-name": judging.argument_name,
    "tool-count": judging.tool_count,
    "description": judging.description,
    "schema-root": judging.root,
    "schema-keyword": judging.schema,
    "schema-type": judging.schema,
    "schema-reference": judging.schema,
    "schema-size": judging.size,
    "schema-dialect": judging.dialect,
    "annotations": judging.hints,
    "output-schema": judging.output_schema,
    "mirrored-header": judging.mirrored_header,
}
"""The judges that look at the announced tools only, by the kind of fact."""

LIVE: Mapping[str, Judge] = {
    "instructions": visiting.instructions,
    "accept": visiting.accept,
    "https": visiting.https,
    "time": visiting.time,
}
"""The judges that need a running server."""

CALLING: Mapping[str, Judge] = {
    "result-size": visiting.result_size,
    "result-content": visiting.result_content,
}
"""The judges that look at calls of tools."""

JUDGES: Mapping[str, Judge] = {**STILL, **LIVE, **CALLING}


@cache
def rules_of(profile: Profile) -> tuple[Rule, ...]:
    """One rule for each fact about the host of a profile, in the order of the facts. Experience
    Workspace has checks of its own for what its times mean."""
    own = {"time"} if profile.kind is Kind.WORKSPACE else set()
    found = facts().get(profile.word, ())
    return tuple(_rule(fact) for fact in found if fact.check not in own)


def _rule(fact: Fact) -> Rule:
    title = PROFILES[fact.host].title
    check = replace(
        CHECKS[fact.check],
        profile=fact.host,
        clause=f"{title}, read {fact.read}, confidence {fact.sure}",
        url=fact.url,
    )
    judge = JUDGES[fact.check]

    def judged(visit: Visit) -> Iterator[Finding]:
        for expected, saw, tool in judge(fact.limits, visit):
            told = f"{title}: {expected}; otherwise {fact.consequence}"
            yield Finding(told, saw, tool, warns=not fact.fails)

    return Rule(check, judged, calls=fact.check in CALLING, still=fact.check in STILL)
