"""What a person asked to be checked, understood; every mistake in it is told at once."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import typer

from mcpgen import pipeline
from mcpgen.cli.login import Login, login
from mcpgen.cli.texts import ReportFormat, nearest
from mcpgen.conformance.assignment import Assignment
from mcpgen.conformance.baseline import Known, Unreadable, read, strangers
from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.options import Calls, Options
from mcpgen.conformance.profiles import WORDS, named
from mcpgen.conformance.static import pages_of
from mcpgen.conformance.targets.command import Command, Unusable, command
from mcpgen.conformance.verdict import Terms

ALL_FINDINGS = 1_000_000
"""A baseline must see every finding, not only the first of a kind."""


class Kind(StrEnum):
    """What a target is, as messages call it."""

    SERVER = "the URL of a server"
    PROJECT = "a project's folder"
    LISTING = "a saved list of tools"


FITS: dict[str, tuple[Kind, ...]] = {
    "run": (Kind.SERVER,),
    "header": (Kind.SERVER,),
    "bearer_env": (Kind.SERVER,),
    "oauth_token_url": (Kind.SERVER,),
    "oauth_client_id": (Kind.SERVER,),
    "oauth_secret_env": (Kind.SERVER,),
    "oauth_scope": (Kind.SERVER,),
    "oauth_resource": (Kind.SERVER,),
    "call": (Kind.SERVER,),
    "active": (Kind.SERVER, Kind.PROJECT),
    "timeout": (Kind.SERVER, Kind.PROJECT),
    "deadline": (Kind.SERVER, Kind.PROJECT),
}
"""The targets that an option makes sense for; what does not stand here fits all."""


@dataclass(frozen=True, slots=True)
class Given:
    """The command line as it was given. `named` are the parameters it names; `oauth` is the token
    endpoint, the client's id and the variable of its secret."""

    named: frozenset[str]
    target: str
    run: str
    headers: tuple[str, ...]
    bearer_env: str
    oauth: tuple[str, str, str]
    scopes: tuple[str, ...]
    resource: str
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


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be checked: `server`, or else a project. `files` are the reports to be written, by
    path; `place` is the file of a listing or a project, or `""`."""

    server: Assignment | None
    options: Options
    terms: Terms
    files: dict[str, ReportFormat]
    place: str


@dataclass(slots=True)
class Problems:
    """The mistakes found so far, in order."""

    texts: list[str] = field(default_factory=list)

    def raise_any(self) -> None:
        """Raises BadParameter that tells all of them, if there are any."""
        if self.texts:
            raise typer.BadParameter("\n".join(dict.fromkeys(self.texts)))


def understood(given: Given) -> Asked:
    """What is asked for. Raises BadParameter with every mistake, and OSError for a listing that
    cannot be read."""
    problems = Problems()
    kind = _kind(given, problems)
    for name in sorted(given.named & FITS.keys()):
        if kind is not None and kind not in FITS[name]:
            fitting = " or ".join(FITS[name])
            problems.texts.append(f"--{name.replace('_', '-')} is for {fitting}, not for {kind}.")
    started = _command(given, problems) if given.run else None
    target = started.url if started else given.target
    found = login(
        Login(given.headers, given.bearer_env, given.oauth, given.scopes, given.resource or target),
        problems.texts,
    )
    known = _baseline(given, problems)
    files = _files(given.reports, problems)
    options = _options(given, found.headers, problems)
    listing = _listing(given.target, problems) if kind is Kind.LISTING else None
    problems.raise_any()
    terms = Terms(given.strict, known, found.secrets)
    server = None
    if kind is not Kind.PROJECT:
        name = "standard input" if target == "-" else target
        server = Assignment(name, options, started, listing, found.client, terms)
    place = "" if kind is Kind.SERVER or target == "-" else _near(target)
    return Asked(server, options, terms, files, place)


def _kind(given: Given, problems: Problems) -> Kind | None:
    """What the target is; None, and a problem, if it is nothing that can be checked."""
    target = given.target
    if pipeline.is_url(target) or (given.run and not target):
        return Kind.SERVER
    if given.run:
        problems.texts.append(f"with --run, TARGET is the server's URL or nothing, not `{target}`.")
        return None
    if not target:
        problems.texts.append("name a TARGET, or a command with --run.")
        return None
    if target == "-" or Path(target).is_file():
        return Kind.LISTING
    if pipeline.has_project(target):
        return Kind.PROJECT
    problems.texts.append(
        f"{target} is neither a URL (http://…, https://…), nor a project's folder, nor a file."
    )
    return None


def _command(given: Given, problems: Problems) -> Command | None:
    try:
        return command(given.run, given.target)
    except Unusable as error:
        problems.texts.append(f"--run: {error}.")
        return None


def _options(given: Given, headers: dict[str, str], problems: Problems) -> Options:
    """The options of the checks; unknown words are problems."""
    words = _split(given.profiles)
    for word in words:
        try:
            named((word,))
        except ValueError:
            problems.texts.append(
                f"--profile: there is no profile `{word}`.{nearest(word, WORDS)}"
                f" There are {', '.join(WORDS)}."
            )
    chosen = {"only": _split(given.only), "skip": _split(given.skip)}
    for option, ids in chosen.items():
        for id in sorted(set(ids) - TABLE.keys()):
            problems.texts.append(f"--{option}: there is no check `{id}`.{nearest(id, TABLE)}")
    standard = Options()
    all_of_them = given.baseline or given.write_baseline
    return Options(
        call=Calls(given.call),
        headers=headers,
        profiles=words,
        only=frozenset(chosen["only"]),
        skip=frozenset(chosen["skip"]),
        timeout=given.timeout,
        deadline=given.deadline or standard.deadline,
        active=given.active,
        shown=ALL_FINDINGS if all_of_them else standard.shown,
    )


def _baseline(given: Given, problems: Problems) -> frozenset[Known] | None:
    if not given.baseline:
        return None
    if given.write_baseline:
        problems.texts.append("choose --baseline or --write-baseline: one reads, the other writes.")
    try:
        known = read(Path(given.baseline).read_bytes())
    except OSError as error:
        problems.texts.append(f"--baseline: {given.baseline}: {error.strerror}.")
        return None
    except Unreadable as error:
        problems.texts.append(f"--baseline: {given.baseline} is no baseline: {error}.")
        return None
    for id in strangers(known):
        problems.texts.append(
            f"--baseline: {given.baseline} lists a check `{id}` there is not.{nearest(id, TABLE)}"
        )
    return known


def _files(reports: tuple[str, ...], problems: Problems) -> dict[str, ReportFormat]:
    """The reports to be written, by path, of `FORMAT=FILE` texts."""
    found: dict[str, ReportFormat] = {}
    kinds = [kind.value for kind in ReportFormat]
    for text in reports:
        kind, equals, path = text.partition("=")
        if not equals or not path:
            problems.texts.append(f"--report: `{text}` is not FORMAT=FILE, such as html=out.html.")
        elif kind not in kinds:
            there = ", ".join(kinds)
            problems.texts.append(f"--report: there is no format `{kind}`; there are {there}.")
        elif path in found:
            problems.texts.append(f"--report: two reports would be written to {path}.")
        else:
            found[path] = ReportFormat(kind)
    return found


def _listing(target: str, problems: Problems) -> str:
    """The text of a saved list; `""`, and a problem, for what is no list of tools."""
    raw = sys.stdin.buffer.read() if target == "-" else Path(target).read_bytes()
    try:
        text = raw.decode("utf-8")
        pages_of(text)
    except ValueError as error:
        name = "standard input" if target == "-" else target
        problems.texts.append(f"{name} is not a saved answer to tools/list: {error}.")
        return ""
    return text


def _near(target: str) -> str:
    """The path of a file or folder, from the current folder where it lies below it."""
    path = Path(os.path.abspath(target))
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def _split(given: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a repeatable option, each of which may be several with commas."""
    return tuple(word.strip() for text in given for word in text.split(",") if word.strip())
