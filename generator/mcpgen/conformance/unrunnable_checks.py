"""Checks that a person asks for by name and that a run would not make, with the reason why.

A run that leaves out what was asked for would pass, and its silence would look like success.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.official import CHECKS
from mcpgen.conformance.options import CallableTools, CheckOptions
from mcpgen.conformance.profiles import PROFILES, ProfileKind
from mcpgen.conformance.selection import select_checks


def unrunnable_checks(options: CheckOptions, *, saved: bool = False) -> Iterator[str]:
    """A sentence for each check of `only` that would not be made, or one if none is left at all.

    `saved` tells that there is no server but its list of tools. The checks of the run itself belong
    to no profile and are left alone. Raises ValueError for a profile there is not.
    """
    made = _reason_not_run(options, saved)
    for id in sorted(options.only - made):
        profile = PROFILES.get(TABLE[id].profile)
        if id in CHECKS and options.official is None:
            yield f"`{id}` would not be made: it needs --official"
        if profile is None or profile.kind is not ProfileKind.INTERNAL:
            yield f"`{id}` would not be made: {_reason(id, options, saved)}"
    if not made and not options.only:
        yield "no check would be left"


def _reason_not_run(options: CheckOptions, saved: bool = False) -> set[str]:
    return {choice.check.id for choice in select_checks(options) if choice.rule.still or not saved}


def _reason(id: str, options: CheckOptions, saved: bool) -> str:
    if saved and id in _reason_not_run(options):
        return "it needs a running server"
    reasons = {
        "--skip leaves it out": replace(options, skip=frozenset()),
        "it intrudes, so it needs --active": replace(options, active=True),
        "it calls tools, which --call none forbids": replace(options, call=CallableTools.ALL),
    }
    for reason, other in reasons.items():
        if id in _reason_not_run(other):
            return reason
    profile = TABLE[id].profile
    word = f"`{profile}`" if profile in PROFILES else "the profile of a host"
    return f"choose {word} with --profile"
