"""Options of `mcpgen check` for profiles, single checks, baselines and reports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mcpgen import pipeline
from mcpgen.cli.auth_options import ResolvedCredentials
from mcpgen.cli.options import ReportFormat, did_you_mean
from mcpgen.conformance.baseline import BaselineUnreadable, KnownFinding, read_baseline, strangers
from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.comparison import EarlierReport, ReportUnreadable, read_earlier_report
from mcpgen.conformance.options import CallableTools, CheckOptions
from mcpgen.conformance.profiles import WORDS, parse_profiles

DOMAIN = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
"""A domain, or `*.` with a domain for all subdomains."""

ALL_FINDINGS = 1_000_000
"""The findings per check for a baseline or a comparison, which need every finding; a report needs
only the first.
"""


@dataclass(frozen=True, slots=True)
class CheckChoices:
    """The options about checks and reports, unparsed."""

    profiles: tuple[str, ...]
    call: str
    active: bool
    only: tuple[str, ...]
    skip: tuple[str, ...]
    timeout: float
    call_timeout: float
    deadline: float | None
    strict: bool
    baseline: str
    write_baseline: str
    compare: str
    reports: tuple[str, ...]
    official: bool
    trusted_domains: tuple[str, ...]
    pace: float
    refused_tokens: tuple[str, ...]


def options_of(
    choices: CheckChoices, credentials: ResolvedCredentials, problems: list[str]
) -> CheckOptions:
    """Returns the options of the checks; adds unknown words to `problems`."""
    words = _split_commas(choices.profiles)
    for word in words:
        try:
            parse_profiles((word,))
        except ValueError:
            problems.append(
                f"--profile: there is no profile `{word}`.{did_you_mean(word, WORDS)}"
                f" There are {', '.join(WORDS)}."
            )
    chosen = {"only": _split_commas(choices.only), "skip": _split_commas(choices.skip)}
    for option, ids in chosen.items():
        problems += [
            f"--{option}: there is no check `{id}`.{did_you_mean(id, TABLE)}"
            for id in sorted(set(ids) - TABLE.keys())
        ]
    standard = CheckOptions()
    all_of_them = choices.baseline or choices.write_baseline or choices.compare
    return CheckOptions(
        call=CallableTools(choices.call),
        headers=credentials.headers,
        refused_tokens=credentials.refused_tokens,
        profiles=words,
        only=frozenset(chosen["only"]),
        skip=frozenset(chosen["skip"]),
        timeout=choices.timeout,
        call_timeout=choices.call_timeout,
        deadline=choices.deadline or standard.deadline,
        active=choices.active,
        trusted_domains=_domains(choices.trusted_domains, problems),
        pace=choices.pace,
        official=_suite_folder(problems) if choices.official else None,
        shown=ALL_FINDINGS if all_of_them else standard.shown,
    )


def baseline_of(choices: CheckChoices, problems: list[str]) -> frozenset[KnownFinding] | None:
    """Returns the findings of the baseline, None without a baseline; adds errors to `problems`."""
    if not choices.baseline:
        return None
    if choices.write_baseline:
        problems.append("choose --baseline or --write-baseline: one reads, the other writes.")
    try:
        baseline = read_baseline(Path(choices.baseline).read_bytes())
    except OSError as error:
        problems.append(f"--baseline: {choices.baseline}: {error.strerror}.")
        return None
    except BaselineUnreadable as error:
        problems.append(f"--baseline: {choices.baseline} is no baseline: {error}.")
        return None
    problems += [
        f"--baseline: {choices.baseline} lists a check `{id}` there is not.{did_you_mean(id, TABLE)}"
        for id in strangers(baseline)
    ]
    return baseline


def earlier_report(choices: CheckChoices, problems: list[str]) -> EarlierReport | None:
    """Returns the report to compare with, None without `--compare`; adds errors to `problems`."""
    if not choices.compare:
        return None
    if choices.baseline or choices.write_baseline:
        problems.append("choose --compare or a baseline: both say which findings are known.")
    try:
        return read_earlier_report(Path(choices.compare).read_bytes(), choices.compare)
    except OSError as error:
        problems.append(f"--compare: {choices.compare}: {error.strerror}.")
    except ReportUnreadable as error:
        problems.append(
            f"--compare: {choices.compare} is no JSON report of mcpgen check: {error}. Write one with "
            "--report json=FILE."
        )
    return None


def artifact_of(path: str, problems: list[str]) -> str:
    """Returns the file of SARIF findings relative to the current folder, with slashes; `""` for
    none. Code hosts show findings of files in the repository only."""
    if not path:
        return ""
    file = Path(path).resolve()
    if not file.is_file() or not file.is_relative_to(Path.cwd()):
        problems.append(f"--sarif-artifact: {path} is no file below the current folder.")
        return ""
    return file.relative_to(Path.cwd()).as_posix()


def report_files(reports: tuple[str, ...], problems: list[str]) -> dict[str, ReportFormat]:
    """Parses `FORMAT=FILE` texts to report formats by path."""
    formats: dict[str, ReportFormat] = {}
    kinds = [kind.value for kind in ReportFormat]
    for text in reports:
        kind, equals, path = text.partition("=")
        if not equals or not path:
            problems.append(f"--report: `{text}` is not FORMAT=FILE, such as html=out.html.")
        elif kind not in kinds:
            endings = ", ".join(kinds)
            problems.append(f"--report: there is no format `{kind}`; there are {endings}.")
        elif path in formats:
            problems.append(f"--report: two reports would be written to {path}.")
        else:
            formats[path] = ReportFormat(kind)
    return formats


def _domains(options: tuple[str, ...], problems: list[str]) -> tuple[str, ...]:
    """Returns the trusted domains; adds invalid domains to `problems`."""
    domains = _split_commas(options)
    problems += [
        f"--trusted-domain: `{domain}` is no domain; write example.com or *.example.com."
        for domain in domains
        if not DOMAIN.fullmatch(domain)
    ]
    return domains


def _suite_folder(problems: list[str]) -> Path | None:
    """Returns the folder of the official suite; None and a problem without a cache folder."""
    folder = pipeline.cache_folder()
    if folder is None:
        problems.append("--official: there is no folder to keep the suite in; set MCPGEN_CACHE.")
    return folder


def _split_commas(options: tuple[str, ...]) -> tuple[str, ...]:
    """Splits the comma-separated values of a repeatable option."""
    return tuple(word.strip() for text in options for word in text.split(",") if word.strip())
