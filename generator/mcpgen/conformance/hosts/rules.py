"""The rules of one host, made from its facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.hosts import live_rules, tool_rules
from mcpgen.conformance.hosts.checks import CHECKS
from mcpgen.conformance.hosts.facts import HostFact, facts
from mcpgen.conformance.hosts.tool_rules import Judge
from mcpgen.conformance.profiles import PROFILES, Profile, ProfileKind

STILL: Mapping[str, Judge] = {
    "tool-name": tool_rules.tool_name,
    "argument-name": tool_rules.check_argument_names,
    "tool-count": tool_rules.tool_count,
    "description": tool_rules.check_descriptions,
    "schema-root": tool_rules.root,
    "schema-keyword": tool_rules.check_schema,
    "schema-type": tool_rules.check_schema,
    "schema-reference": tool_rules.check_schema,
    "schema-size": tool_rules.size,
    "schema-dialect": tool_rules.dialect,
    "annotations": tool_rules.check_hints,
    "output-schema": tool_rules.output_schema,
    "mirrored-header": tool_rules.mirrored_header,
}
"""The judges that look at the announced tools only, by the kind of fact."""

LIVE: Mapping[str, Judge] = {
    "instructions": live_rules.instructions_length,
    "accept": live_rules.accept_header,
    "https": live_rules.https,
    "time": live_rules.time,
}
"""The judges that need a running server."""

CALLING: Mapping[str, Judge] = {
    "result-size": live_rules.result_size,
    "result-content": live_rules.result_content,
}
"""The judges that look at calls of tools."""

JUDGES: Mapping[str, Judge] = {**STILL, **LIVE, **CALLING}


@cache
def rules_of(profile: Profile) -> tuple[CheckDef, ...]:
    """One rule for each fact about the host of a profile, in the order of the facts. Experience
    Workspace has checks of its own for what its times mean."""
    own = {"time"} if profile.kind is ProfileKind.WORKSPACE else set()
    found = facts().get(profile.word, ())
    return tuple(_rule(fact) for fact in found if fact.check not in own)


def _rule(fact: HostFact) -> CheckDef:
    title = PROFILES[fact.host].title
    check = replace(
        CHECKS[fact.check],
        profile=fact.host,
        clause=f"{title}, read {fact.read}, confidence {fact.sure}",
        url=fact.url,
    )
    judge = JUDGES[fact.check]

    def judged(visit: CheckContext) -> Iterator[Finding]:
        for expected, saw, tool in judge(fact.limits, visit):
            told = f"{title}: {expected}; otherwise {fact.consequence}"
            yield Finding(told, saw, tool, warns=not fact.fails)

    return CheckDef(check, judged, calls=fact.check in CALLING, still=fact.check in STILL)
