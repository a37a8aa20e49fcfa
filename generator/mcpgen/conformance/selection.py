"""Which checks a run makes: the rules that the chosen profiles take, bound as they bind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mcpgen.conformance.checks import RULES
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.hosts.rules import rules_of
from mcpgen.conformance.model import Check
from mcpgen.conformance.options import CallableTools, CheckOptions
from mcpgen.conformance.profiles import HOSTS, Profile, ProfileKind, parse_profiles


@dataclass(frozen=True, slots=True)
class SelectedCheck:
    """One check to be made in one revision, or once (`revision` is `""`) in one of `among`.

    `rule.check` has the level that the profiles give it; `profiles` are the words it counts for;
    `required` tells that the server must speak the revision; `fails` that a violation is a failure.
    """

    rule: CheckDef
    revision: str
    profiles: tuple[str, ...]
    among: tuple[str, ...] = ()
    required: bool = False
    fails: bool = False

    @property
    def check(self) -> Check:
        """The check, as binding as it is here."""
        return self.rule.check


def select_checks(options: CheckOptions) -> Iterator[SelectedCheck]:
    """The choices of a run, in the order of the table, then host by host.

    Raises ValueError for a word that is not a profile.
    """
    profiles = parse_profiles(options.profiles)
    if options.arguments:
        profiles = (*profiles, *parse_profiles(("promises",)))
    for rule in RULES:
        if not _wanted(rule, options):
            continue
        for revision in rule.check.revisions or ("",):
            takers = [one for one in profiles if one.takes(rule.check, revision)]
            if takers:
                yield _choice(rule, revision, takers, options)
    for profile in profiles:
        if profile.kind in HOSTS or profile.kind is ProfileKind.WORKSPACE:
            for rule in rules_of(profile):
                if _wanted(rule, options):
                    yield _choice(rule, "", [profile], options)


def left_out(options: CheckOptions) -> Iterator[SelectedCheck]:
    """The choices that the options would bring if intruding were allowed."""
    if not options.active:
        allowed = select_checks(replace(options, active=True))
        yield from (choice for choice in allowed if choice.rule.active)


def _choice(
    rule: CheckDef, revision: str, takers: list[Profile], options: CheckOptions
) -> SelectedCheck:
    levels = [profile.level(rule.check) for profile in takers]
    failing = [
        level
        for profile, level in zip(takers, levels, strict=True)
        if level in profile.fails | options.enforce
    ]
    level = next(iter(failing or levels))
    bound = replace(rule, check=replace(rule.check, level=level))
    bounds = [profile.revisions for profile in takers]
    among = tuple(dict.fromkeys(sum(bounds, ()))) if all(bounds) else ()
    required = revision in options.require or any(revision in found for found in bounds if revision)
    words = tuple(profile.word for profile in takers)
    return SelectedCheck(bound, revision, words, among, required, bool(failing))


def _wanted(rule: CheckDef, options: CheckOptions) -> bool:
    """Whether the options leave this rule in, whatever its profiles."""
    if rule.check.id in options.skip or (options.only and rule.check.id not in options.only):
        return False
    if rule.calls and options.call is CallableTools.NONE:
        return False
    return options.active or not rule.active
