"""Which checks a run makes: the rules that the chosen profiles take, bound as they bind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mcpgen.conformance.checks import RULES
from mcpgen.conformance.checks.rule import Rule
from mcpgen.conformance.hosts.rules import rules_of
from mcpgen.conformance.model import Check
from mcpgen.conformance.options import Calls, Options
from mcpgen.conformance.profiles import HOSTS, Kind, Profile, named
from mcpgen.frozen import frozen


@frozen
class Choice:
    """One check to be made in one revision, or once (`revision` is `""`) in one of `among`.

    `rule.check` has the level that the profiles give it; `profiles` are the words it counts for;
    `required` tells that the server must speak the revision; `fails` that a violation is a failure.
    """

    rule: Rule
    revision: str
    profiles: tuple[str, ...]
    among: tuple[str, ...] = ()
    required: bool = False
    fails: bool = False

    @property
    def check(self) -> Check:
        """The check, as binding as it is here."""
        return self.rule.check


def chosen(options: Options) -> Iterator[Choice]:
    """The choices of a run, in the order of the table, then host by host.

    Raises ValueError for a word that is not a profile.
    """
    profiles = named(options.profiles)
    if options.arguments:
        profiles = (*profiles, *named(("promises",)))
    for rule in RULES:
        if not _wanted(rule, options):
            continue
        for revision in rule.check.revisions or ("",):
            takers = [one for one in profiles if one.takes(rule.check, revision)]
            if takers:
                yield _choice(rule, revision, takers, options)
    for profile in profiles:
        if profile.kind in HOSTS or profile.kind is Kind.WORKSPACE:
            for rule in rules_of(profile):
                if _wanted(rule, options):
                    yield _choice(rule, "", [profile], options)


def left_out(options: Options) -> Iterator[Choice]:
    """The choices that the options would bring if intruding were allowed."""
    if not options.active:
        allowed = chosen(replace(options, active=True))
        yield from (choice for choice in allowed if choice.rule.active)


def _choice(rule: Rule, revision: str, takers: list[Profile], options: Options) -> Choice:
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
    return Choice(bound, revision, words, among, required, bool(failing))


def _wanted(rule: Rule, options: Options) -> bool:
    """Whether the options leave this rule in, whatever its profiles."""
    if rule.check.id in options.skip or (options.only and rule.check.id not in options.only):
        return False
    if rule.calls and options.call is Calls.NONE:
        return False
    return options.active or not rule.active
