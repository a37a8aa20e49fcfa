"""Parses the arguments of `mcpgen check`; all errors are reported together."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import typer

from mcpgen import pipeline
from mcpgen.cli.auth_options import AuthOptions, OAuthOptions, resolve_credentials
from mcpgen.cli.check_options import (
    CheckChoices,
    artifact_of,
    baseline_of,
    earlier_report,
    options_of,
    report_files,
)
from mcpgen.cli.options import ReportFormat
from mcpgen.conformance.comparison import EarlierReport
from mcpgen.conformance.options import CallableTools, CheckOptions
from mcpgen.conformance.profiles import PROJECT
from mcpgen.conformance.run_config import PassCriteria, RunConfig
from mcpgen.conformance.saved_listing import pages_of
from mcpgen.conformance.selection import unrunnable_checks
from mcpgen.conformance.stdio_probe import stdio_words
from mcpgen.conformance.targets.command import Command, UnusableTarget, split_command


class CheckTargetKind(StrEnum):
    """The kind of a target, as shown in messages."""

    SERVER = "the URL of a server"
    STDIO = "a command over stdio"
    PROJECT = "a project's folder"
    LISTING = "a saved list of tools"


FITS: dict[str, tuple[CheckTargetKind, ...]] = {
    "run": (CheckTargetKind.SERVER,),
    "header": (CheckTargetKind.SERVER,),
    "bearer_env": (CheckTargetKind.SERVER,),
    "oauth_token_url": (CheckTargetKind.SERVER,),
    "oauth_client_id": (CheckTargetKind.SERVER,),
    "oauth_secret_env": (CheckTargetKind.SERVER,),
    "oauth_scope": (CheckTargetKind.SERVER,),
    "oauth_resource": (CheckTargetKind.SERVER,),
    "call": (CheckTargetKind.SERVER, CheckTargetKind.STDIO),
    "official": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT),
    "trusted_domain": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT),
    "pace": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT, CheckTargetKind.STDIO),
    "refused_token": (CheckTargetKind.SERVER,),
    "active": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT, CheckTargetKind.STDIO),
    "timeout": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT, CheckTargetKind.STDIO),
    "call_timeout": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT, CheckTargetKind.STDIO),
    "deadline": (CheckTargetKind.SERVER, CheckTargetKind.PROJECT, CheckTargetKind.STDIO),
}
"""The kinds of target per option; other options fit all kinds."""

UNSAID = ("header", "bearer_env", "oauth_token_url")
"""Options without an equivalent in the official suite."""


@dataclass(frozen=True, slots=True)
class CheckArgs:
    """The unparsed command line. `named`: parameters given on the command line."""

    named: frozenset[str]
    target: str
    run: str
    stdio: str
    headers: tuple[str, ...]
    bearer_env: str
    oauth: OAuthOptions
    scopes: tuple[str, ...]
    resource: str
    sarif_artifact: str
    choices: CheckChoices


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """A validated request: a server, or a project if `server` is None. `files`: reports by path.
    `place`: the file of a listing or a project, or `""`. `earlier`: the report to compare with.
    `artifact`: the file of SARIF findings, or `""`."""

    server: RunConfig | None
    options: CheckOptions
    terms: PassCriteria
    files: dict[str, ReportFormat]
    place: str
    earlier: EarlierReport | None = None
    artifact: str = ""


def parse_check_request(arguments: CheckArgs) -> CheckRequest:
    """Validates the arguments. Raises BadParameter with all errors, and OSError for an unreadable
    listing."""
    problems: list[str] = []
    if arguments.stdio:
        if arguments.run or arguments.target:
            problems.append("--stdio takes the place of TARGET and --run.")
        arguments = replace(arguments, target=f"{pipeline.STDIO}{arguments.stdio}", run="")
    kind = _classify_check_target(arguments, problems)
    for name in sorted(arguments.named & FITS.keys()):
        if kind is not None and kind not in FITS[name]:
            fitting = " or ".join(FITS[name])
            problems.append(f"--{name.replace('_', '-')} is for {fitting}, not for {kind}.")
    for name in UNSAID:
        if arguments.choices.official and name in arguments.named:
            option = name.replace("_", "-")
            problems.append(
                f"--official cannot go with --{option}: the suite sends no headers of yours and no "
                "credentials. Let it see the server where it wants none."
            )
    started = _command(arguments, problems) if arguments.run else None
    target = started.url if started else arguments.target
    auth = AuthOptions(
        headers=arguments.headers,
        bearer_env=arguments.bearer_env,
        oauth=arguments.oauth,
        scopes=arguments.scopes,
        resource=arguments.resource,
        target=target,
        refused_tokens=arguments.choices.refused_tokens,
    )
    credentials = resolve_credentials(auth, problems)
    baseline = baseline_of(arguments.choices, problems)
    earlier = earlier_report(arguments.choices, problems)
    artifact = artifact_of(arguments.sarif_artifact, problems)
    files = report_files(arguments.choices.reports, problems)
    options = options_of(arguments.choices, credentials, problems)
    listing = _read_listing(arguments.target, problems) if kind is CheckTargetKind.LISTING else None
    if not problems:
        named_checks = (
            options
            if options.profiles or kind is not CheckTargetKind.PROJECT
            else _of_project(options)
        )
        is_saved, is_stdio = kind is CheckTargetKind.LISTING, kind is CheckTargetKind.STDIO
        unrunnable = unrunnable_checks(named_checks, saved=is_saved, stdio=is_stdio)
        problems += [
            f"{'--only' if options.only else '--skip'}: {reason}." for reason in unrunnable
        ]
    if problems:
        raise typer.BadParameter("\n".join(dict.fromkeys(problems)))
    terms = PassCriteria(
        strict=arguments.choices.strict, known=baseline, secrets=credentials.secrets
    )
    server = None
    if kind is not CheckTargetKind.PROJECT:
        name = "standard input" if target == "-" else target
        server = RunConfig(
            target=name,
            options=options,
            command=started,
            listing=listing,
            client=credentials.client,
            terms=terms,
        )
    remote = (CheckTargetKind.SERVER, CheckTargetKind.STDIO)
    place = "" if kind in remote or target == "-" else _from_current_folder(target)
    return CheckRequest(
        server=server,
        options=options,
        terms=terms,
        files=files,
        place=place,
        earlier=earlier,
        artifact=artifact,
    )


def _of_project(options: CheckOptions) -> CheckOptions:
    return replace(options, profiles=PROJECT, call=CallableTools.ALL)


def _classify_check_target(arguments: CheckArgs, problems: list[str]) -> CheckTargetKind | None:
    """Classifies the target; None and a problem for other targets."""
    target = arguments.target
    if pipeline.is_stdio_target(target) and not arguments.run:
        try:
            stdio_words(target)
        except UnusableTarget as error:
            problems.append(f"{error}.")
        return CheckTargetKind.STDIO
    if pipeline.is_server_target(target) or (arguments.run and not target):
        return CheckTargetKind.SERVER
    if arguments.run:
        problems.append(f"with --run, TARGET is the server's URL or nothing, not `{target}`.")
        return None
    if not target:
        problems.append("name a TARGET, or a command with --run or --stdio.")
        return None
    if target == "-" or Path(target).is_file():
        return CheckTargetKind.LISTING
    if pipeline.has_project(target):
        return CheckTargetKind.PROJECT
    problems.append(
        f"{target} is neither a URL (http://…, https://…), nor a project's folder, nor a file."
    )
    return None


def _command(arguments: CheckArgs, problems: list[str]) -> Command | None:
    try:
        return split_command(arguments.run, arguments.target)
    except UnusableTarget as error:
        problems.append(f"--run: {error}.")
        return None


def _read_listing(target: str, problems: list[str]) -> str:
    """Returns the text of a saved list; `""` and a problem for an invalid list."""
    raw = sys.stdin.buffer.read() if target == "-" else Path(target).read_bytes()
    try:
        text = raw.decode("utf-8")
        pages_of(text)
    except ValueError as error:
        name = "standard input" if target == "-" else target
        problems.append(f"{name} is not a saved answer to tools/list: {error}.")
        return ""
    return text


def _from_current_folder(target: str) -> str:
    """Returns a path relative to the current folder, if below the current folder."""
    path = Path(os.path.abspath(target))
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()
