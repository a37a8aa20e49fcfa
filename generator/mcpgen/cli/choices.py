"""What a person chose of the checks: profiles, single checks, known findings, reports."""

from __future__ import annotations

import re
from pathlib import Path

from mcpgen import pipeline
from mcpgen.cli.login import Credentials
from mcpgen.cli.texts import ReportFormat, nearest
from mcpgen.conformance.baseline import Known, Unreadable, read, strangers
from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.options import Calls, Options
from mcpgen.conformance.profiles import WORDS, named
from mcpgen.frozen import frozen

DOMAIN = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
"""A domain, or one with all below it."""

ALL_FINDINGS = 1_000_000
"""A baseline must see every finding, not only the first of a kind."""


@frozen
class Choices:
    """What the command line says about the checks and their result, word for word."""

    profiles: tuple[str, ...]
    call: str
    active: bool
    only: tuple[str, ...]
    skip: tuple[str, ...]
    timeout: float
    deadline: float | None
    strict: bool
    baseline: str
    write_baseline: str
    reports: tuple[str, ...]
    official: bool
    trusted_domains: tuple[str, ...]
    pace: float
    refused_tokens: tuple[str, ...]


def options_of(given: Choices, found: Credentials, problems: list[str]) -> Options:
    """The options of the checks; unknown words are added to `problems`."""
    words = _split(given.profiles)
    for word in words:
        try:
            named((word,))
        except ValueError:
            problems.append(
                f"--profile: there is no profile `{word}`.{nearest(word, WORDS)}"
                f" There are {', '.join(WORDS)}."
            )
    chosen = {"only": _split(given.only), "skip": _split(given.skip)}
    for option, ids in chosen.items():
        problems += [
            f"--{option}: there is no check `{id}`.{nearest(id, TABLE)}"
            for id in sorted(set(ids) - TABLE.keys())
        ]
    standard = Options()
    all_of_them = given.baseline or given.write_baseline
    return Options(
        call=Calls(given.call),
        headers=found.headers,
        refused_tokens=found.refused,
        profiles=words,
        only=frozenset(chosen["only"]),
        skip=frozenset(chosen["skip"]),
        timeout=given.timeout,
        deadline=given.deadline or standard.deadline,
        active=given.active,
        trusted_domains=_domains(given.trusted_domains, problems),
        pace=given.pace,
        official=_kept(problems) if given.official else None,
        shown=ALL_FINDINGS if all_of_them else standard.shown,
    )


def baseline_of(given: Choices, problems: list[str]) -> frozenset[Known] | None:
    """The findings of the baseline, None without one; what is wrong with it goes to `problems`."""
    if not given.baseline:
        return None
    if given.write_baseline:
        problems.append("choose --baseline or --write-baseline: one reads, the other writes.")
    try:
        known = read(Path(given.baseline).read_bytes())
    except OSError as error:
        problems.append(f"--baseline: {given.baseline}: {error.strerror}.")
        return None
    except Unreadable as error:
        problems.append(f"--baseline: {given.baseline} is no baseline: {error}.")
        return None
    problems += [
        f"--baseline: {given.baseline} lists a check `{id}` there is not.{nearest(id, TABLE)}"
        for id in strangers(known)
    ]
    return known


def files_of(reports: tuple[str, ...], problems: list[str]) -> dict[str, ReportFormat]:
    """The reports to be written, by path, of `FORMAT=FILE` texts."""
    found: dict[str, ReportFormat] = {}
    kinds = [kind.value for kind in ReportFormat]
    for text in reports:
        kind, equals, path = text.partition("=")
        if not equals or not path:
            problems.append(f"--report: `{text}` is not FORMAT=FILE, such as html=out.html.")
        elif kind not in kinds:
            there = ", ".join(kinds)
            problems.append(f"--report: there is no format `{kind}`; there are {there}.")
        elif path in found:
            problems.append(f"--report: two reports would be written to {path}.")
        else:
            found[path] = ReportFormat(kind)
    return found


def _domains(given: tuple[str, ...], problems: list[str]) -> tuple[str, ...]:
    """The trusted domains; what is none is added to `problems`."""
    domains = _split(given)
    problems += [
        f"--trusted-domain: `{domain}` is no domain; write example.com or *.example.com."
        for domain in domains
        if not DOMAIN.fullmatch(domain)
    ]
    return domains


def _kept(problems: list[str]) -> Path | None:
    """Where the official suite is kept; None, and a problem, where there is no such place."""
    folder = pipeline.cache_folder()
    if folder is None:
        problems.append("--official: there is no folder to keep the suite in; set MCPGEN_CACHE.")
    return folder


def _split(given: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a repeatable option, each of which may be several with commas."""
    return tuple(word.strip() for text in given for word in text.split(",") if word.strip())
