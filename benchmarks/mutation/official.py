"""Runs the official suite on mutants and compares its findings with those of the unchanged server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.venvs import official_suite

from benchmarks.mutation.child import run_in_child
from benchmarks.mutation.javascript_code import script_mutants, serving_script
from benchmarks.mutation.measure import SCRIPT
from benchmarks.mutation.mutant import Mutant
from benchmarks.mutation.python_code import code_mutants, serving_mutant, serving_unchanged
from benchmarks.mutation.servers import fixture
from benchmarks.mutation.servers.plain import PlainServer
from benchmarks.mutation.servers.plain import serving as serving_plain
from benchmarks.mutation.wire import wire_of
from mcpgen.conformance.official import REVISIONS, install_suite
from mcpgen.conformance.official.runner import run

SUITE_REVISIONS = ("2025-03-26", *REVISIONS)
"""The revisions with scenarios for servers; 2025-03-26 has a single one, on sessions."""

MAX_SECONDS, START_SECONDS = 45.0, 30.0
"""Seconds until a run of the suite in one revision is ended, and for the start of the server."""


@dataclass(frozen=True)
class OfficialResult:
    """The official suite's result for a mutant: `failure`, `warning`, `survived`, `no start`, or
    `no scenario` for a mutant that the suite was not run on.

    `saw` names the first new finding: revision, scenario, check.
    """

    id: str
    status: str
    seconds: float
    saw: str = ""


def can_run(mutant: Mutant) -> bool:
    """True if the suite has scenarios for the mutant: the suite sends no token, and has no scenario of
    2024-11-05.
    """
    return mutant.area != "authorization" and mutant.revision in ("", *SUITE_REVISIONS)


def run_official(mutant: Mutant) -> OfficialResult:
    """The result of the suite, in the revision of a wire mutant or in every revision."""
    start_time = time.monotonic()
    revisions = [mutant.revision] if mutant.revision else list(SUITE_REVISIONS)
    work = partial(_findings_of_mutant, mutant, revisions)
    value, error = run_in_child(work, START_SECONDS + MAX_SECONDS * len(revisions))
    seconds = round(time.monotonic() - start_time, 2)
    if value is None:
        return OfficialResult(mutant.id, "no start", seconds, error)
    before = _baseline(mutant.server)
    new = [finding for finding in value if finding not in before]
    failures = [finding for finding in new if finding[0] == "FAILURE"]
    status = "failure" if failures else "warning" if new else "survived"
    return OfficialResult(mutant.id, status, seconds, " ".join([*failures, *new, [""]][0][1:]))


def official_results(
    selected_mutants: Iterable[Mutant], file: Path | None
) -> Iterator[OfficialResult]:
    """The results of the mutants; results that the file has are skipped, and new ones are appended."""
    lines = file.read_text("utf-8").splitlines() if file and file.exists() else []
    ids = {json.loads(line)["id"] for line in lines}
    for mutant in selected_mutants:
        if mutant.id in ids:
            continue
        is_run = can_run(mutant)
        result = run_official(mutant) if is_run else OfficialResult(mutant.id, "no scenario", 0.0)
        if file is not None:
            with file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(result)) + "\n")
        yield result


def _findings_of_mutant(mutant: Mutant, revisions: list[str]) -> list[list[str]]:
    if mutant.kind == "wire":
        with serving_plain(PlainServer("", wire_of(mutant.id))) as url:
            return _findings(url, revisions)
    if mutant.server == SCRIPT:
        script = script_mutants()[mutant.id]
        with serving_script(script, fixture.as_json(), has_token=False) as url:
            return _findings(url, revisions)
    with serving_mutant(code_mutants(mutant.server)[mutant.id])(False) as url:
        return _findings(url, revisions)


@cache
def _baseline(server: str) -> list[list[str]]:
    """The findings for the unchanged server."""

    def work() -> Any:
        script = serving_script(None, fixture.as_json(), has_token=False)
        with script if server == SCRIPT else serving_unchanged(server)(False) as url:
            return _findings(url, list(SUITE_REVISIONS))

    value, error = run_in_child(work, START_SECONDS + MAX_SECONDS * len(SUITE_REVISIONS))
    if value is None:
        raise RuntimeError(f"the official suite gives no results for {server}: {error}")
    result: list[list[str]] = value
    return result


def _findings(url: str, revisions: list[str]) -> list[list[str]]:
    """Level, revision, scenario and check of each finding; a suite that does not end is a finding."""
    result = []
    program = install_suite(official_suite())
    for revision in revisions:
        suite_run = run(program, url, revision, MAX_SECONDS)
        if suite_run.problem:
            result.append(["FAILURE", revision, suite_run.problem, ""])
        for scenario, checks in suite_run.results.items():
            for check in checks:
                if check["status"] in ("FAILURE", "WARNING"):
                    result += [[str(check["status"]), revision, scenario, str(check["id"])]]
    return result
