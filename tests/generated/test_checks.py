"""Every project in generated/ passes its profiles and the official suite."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from aiohttp import web
from tests.examples.local_api import running
from tests.examples.project_process import serving
from tests.venvs import official_suite

from mcpgen import pipeline
from mcpgen.conformance import CheckOptions, CheckOutcome, CheckStatus, Report, as_text, check
from mcpgen.conformance.official import REVISIONS
from mcpgen.smoke_test.runner import OFFICIAL

ROOT = Path(__file__).parent.parent.parent
PROJECTS = sorted(path.parent for path in (ROOT / "generated").glob("*/mcpgen.lock"))
PROFILES = (
    *("mcp-2025-03-26", "mcp-2025-06-18", "mcp-2025-11-25", "mcp-2026-07-28"),
    *("universal", "experience-workspace", "security"),
)
LOOKED_AT = {
    ("host-schema-keyword", keyword)
    for keyword in ("default", "enum", "format", "maxLength", "minLength")
}
"""Permitted warnings, by check and keyword. Experience Workspace hides these keywords from its
model; the server validates by these keywords, and refusals name the expected value."""

PRESCRIBED = {
    "touchstone": frozenset(
        {
            *("universal-tool-name", "host-schema-keyword"),
            *("host-schema-type", "host-schema-reference"),
        }
    )
}
"""Checks that warn about names and schemas prescribed by the official suite, by project."""


@cache
def report_on(project: Path) -> Report:
    """Returns the report on a project, started before its own upstream."""
    options = CheckOptions(profiles=PROFILES, official=official_suite(), deadline=240)
    report = pipeline.check_project(str(project), options).report
    assert report is not None
    return report


@cache
def opinion_on(project: Path) -> Report:
    """Returns the official suite's report on a project. The suite has no credential, so a project
    with required authentication runs with anonymous callers, without rate limits, before an API
    with empty lists: the suite reads only announcements."""
    if not asks_for_credentials(project):
        return report_on(project)
    open_door = {"caller_anonymous": "true", "limits": "off", "trusted_hosts": "127.0.0.1"}
    open_door |= {f"caller_introspection_client_{part}": "nobody" for part in ("id", "secret")}
    open_door |= {"limit_store": "memory://", "service_token": "any", "platform_key": "any"}
    with running(empty_api()) as api, serving(project.name, api.url, **open_door) as front:
        url = front.origin + re.sub(r"\{\w+\}", "a", front.path)
        options = CheckOptions(official=official_suite(), only=OFFICIAL, deadline=240)
        return check(url, options)


def empty_api() -> web.Application:
    """Returns an API whose lists are all empty."""

    async def answer_empty(_: web.Request) -> web.Response:
        return web.json_response([])

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer_empty)
    return app


def asks_for_credentials(project: Path) -> bool:
    """True if the project requires authentication."""
    content = tomllib.loads((project / "mcpgen.toml").read_text("utf-8"))
    return bool(content.get("authentication", {}).get("required"))


def warning_key(outcome: CheckOutcome) -> tuple[str, str]:
    """Returns a warning as check id and missing keyword."""
    keyword = re.search(r"no `(\w+)`", outcome.expected)
    return outcome.check.id, keyword[1] if keyword else outcome.expected


SOME = {"tides"}
"""A project of an API alone. tests/official runs the official suite on a project of requirements."""

REPEATED = {"launchpad"}
"""A project of requirements with scripts, questions and a policy."""

REPEATS = pytest.mark.repeated("repeats the checks on a project with more features")

AT_LENGTH = pytest.mark.thorough(
    "repeats the checks on more projects; every feature is in the others"
)


def _length_marks(name: str) -> tuple[pytest.MarkDecorator, ...]:
    if name in REPEATED:
        return (REPEATS,)
    return () if name in SOME else (AT_LENGTH,)


of_every_project = pytest.mark.parametrize(
    "project",
    [
        pytest.param(
            path,
            id=path.name,
            marks=[
                pytest.mark.xdist_group(f"checks-{path.name}"),
                *_length_marks(path.name),
            ],
        )
        for path in PROJECTS
    ],
)
"""All tests of one project run in one process, which checks the project once."""


@of_every_project
def test_nothing_fails_in_any_profile(project: Path) -> None:
    report = report_on(project)

    assert {
        status for o in report.outcomes if (status := o.status) is CheckStatus.FAILED
    } == set(), as_text(report)
    assert {word for o in report.outcomes for word in o.profiles} >= {*PROFILES}


@of_every_project
def test_every_warning_was_looked_at(project: Path) -> None:
    report = report_on(project)

    prescribed_checks = PRESCRIBED.get(project.name, frozenset())
    warnings = [o for o in report.outcomes if o.status is CheckStatus.WARNING]
    result = {warning_key(o) for o in warnings if o.check.id not in prescribed_checks}

    assert result <= LOOKED_AT, as_text(report)


@pytest.mark.repeated("tests/official runs the official suite against touchstone")
@of_every_project
def test_the_official_suite_is_green_in_each_of_its_revisions(project: Path) -> None:
    official = [o for o in opinion_on(project).outcomes if o.check.profile == "official"]

    passed_checks = {(o.revision, o.check.id) for o in official if o.status is CheckStatus.PASSED}
    assert {o.status for o in official} <= {CheckStatus.PASSED, CheckStatus.NOT_APPLICABLE}
    for revision in REVISIONS:
        assert (revision, "official-suite-runs") in passed_checks
        assert (revision, "official-tools-list") in passed_checks
