"""The selection of checks by profiles and options, and the reasons for omitted checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mcpgen.conformance.checks import RULES, TABLE
from mcpgen.conformance.checks.check_def import CheckDef
from mcpgen.conformance.hosts.rules import rules_of
from mcpgen.conformance.model import Check
from mcpgen.conformance.official import CHECKS as OFFICIAL_CHECKS
from mcpgen.conformance.options import CallableTools, CheckOptions
from mcpgen.conformance.profiles import HOSTS, PROFILES, Profile, ProfileKind, parse_profiles

STDIO_CHECKS = "stdio-"
"""The beginning of the ids of checks that are made over stdio alone."""


@dataclass(frozen=True, slots=True)
class SelectedCheck:
    """A check to make in one revision, or once (`revision` is `""`) in one of `among`.

    `rule.check` has the level of the profiles. `profiles`: profiles that include the check.
    `required`: the server must support the revision. `fails`: a violation is a failure.
    """

    rule: CheckDef
    revision: str
    profiles: tuple[str, ...]
    among: tuple[str, ...] = ()
    required: bool = False
    fails: bool = False

    @property
    def check(self) -> Check:
        """The check with the level of the profiles."""
        return self.rule.check


def select_checks(options: CheckOptions) -> Iterator[SelectedCheck]:
    """The checks of a run, in the order of the table, then by host.

    Raises ValueError for an unknown profile.
    """
    profiles = parse_profiles(options.profiles)
    if options.arguments:
        profiles = (*profiles, *parse_profiles(("promises",)))
    for rule in RULES:
        if not _is_selected(rule, options):
            continue
        for revision in rule.check.revisions or ("",):
            profiles_of_check = [
                profile for profile in profiles if profile.takes(rule.check, revision)
            ]
            if profiles_of_check:
                yield _select(rule, revision, profiles_of_check, options)
    for profile in profiles:
        if profile.kind in HOSTS or profile.kind is ProfileKind.WORKSPACE:
            for rule in rules_of(profile):
                if _is_selected(rule, options):
                    yield _select(rule, "", [profile], options)


def left_out(options: CheckOptions) -> Iterator[SelectedCheck]:
    """The intrusive checks that `--active` would add."""
    if not options.active:
        allowed = select_checks(replace(options, active=True))
        yield from (selected for selected in allowed if selected.rule.active)


def _select(
    rule: CheckDef, revision: str, profiles: list[Profile], options: CheckOptions
) -> SelectedCheck:
    levels = [profile.level(rule.check) for profile in profiles]
    failing = [
        level
        for profile, level in zip(profiles, levels, strict=True)
        if level in profile.fails | options.enforce
    ]
    level = next(iter(failing or levels))
    bound = replace(rule, check=replace(rule.check, level=level))
    bound_revisions = [profile.revisions for profile in profiles]
    among = tuple(dict.fromkeys(sum(bound_revisions, ()))) if all(bound_revisions) else ()
    required = revision in options.require or any(
        revision in revisions_bound for revisions_bound in bound_revisions if revision
    )
    words = tuple(profile.word for profile in profiles)
    return SelectedCheck(bound, revision, words, among, required, bool(failing))


def _is_selected(rule: CheckDef, options: CheckOptions) -> bool:
    """True if the options include this rule, in any profile."""
    if rule.check.id in options.skip or (options.only and rule.check.id not in options.only):
        return False
    if rule.calls and options.call is CallableTools.NONE:
        return False
    return options.active or not rule.active


def unrunnable_checks(
    options: CheckOptions, *, saved: bool = False, stdio: bool = False
) -> Iterator[str]:
    """Sentences about omitted checks of `only`, or a sentence for an empty selection.

    A run without the requested checks would pass. `saved`: the target is a saved list; `stdio`: the
    target is a command. Checks about
    the run itself are ignored. Raises ValueError for an unknown profile.
    """
    selected_ids = {
        id for id in _selected_ids(options, saved) if stdio or not id.startswith(STDIO_CHECKS)
    }
    for id in sorted(options.only - selected_ids):
        profile = PROFILES.get(TABLE[id].profile)
        if id in OFFICIAL_CHECKS and options.official is None:
            yield f"`{id}` would not be made: it needs --official"
        if profile is None or profile.kind is not ProfileKind.INTERNAL:
            yield f"`{id}` would not be made: {_reason_not_selected(id, options, saved)}"
    if not selected_ids and not options.only:
        yield "no check would be left"


def _selected_ids(options: CheckOptions, saved: bool = False) -> set[str]:
    return {
        selected.check.id
        for selected in select_checks(options)
        if selected.rule.listing_only or not saved
    }


def _reason_not_selected(id: str, options: CheckOptions, saved: bool) -> str:
    if id.startswith(STDIO_CHECKS) and id in _selected_ids(options):
        return "it needs a server over stdio, so it needs --stdio"
    if saved and id in _selected_ids(options):
        return "it needs a running server"
    reasons = {
        "--skip leaves it out": replace(options, skip=frozenset()),
        "it intrudes, so it needs --active": replace(options, active=True),
        "it calls tools, which --call none forbids": replace(options, call=CallableTools.ALL),
    }
    for reason, selection in reasons.items():
        if id in _selected_ids(selection):
            return reason
    profile = TABLE[id].profile
    word = f"`{profile}`" if profile in PROFILES else "the profile of a host"
    return f"choose {word} with --profile"
