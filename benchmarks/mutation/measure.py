"""Runs mutants and keeps their results as JSON lines."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks.mutation.child import run_in_child
from benchmarks.mutation.javascript_code import (
    executed_ranges,
    is_reached,
    script_mutants,
    serving_script,
)
from benchmarks.mutation.judge import (
    ALL_PROFILES,
    Baseline,
    is_noticed,
    judge,
    measure_baseline,
    with_token,
)
from benchmarks.mutation.mutant import SERVERS, Mutant
from benchmarks.mutation.python_code import (
    Serving,
    code_mutants,
    reached_lines,
    serving_mutant,
    serving_unchanged,
)
from benchmarks.mutation.servers import fixture
from benchmarks.mutation.servers.plain import PlainServer
from benchmarks.mutation.servers.plain import serving as serving_plain
from benchmarks.mutation.wire import wire_mutants, wire_of
from mcpgen.conformance import CheckOptions

SCRIPT = "typescript-sdk"
NOTICED = ("failure", "warning")
"""The statuses of mutants that the default run notices."""

MAX_SECONDS = 90.0
"""Seconds until a run is ended: the deadline of a run (60 s) and the start of a server."""


@dataclass(frozen=True)
class MutantResult:
    """The result of a mutant, a line of the file of results.

    `status`: `failure` or `warning` of the default run, `other profile` for a mutant that only
    further profiles or `--active` notice, `survived`, `not reached` (the default run executes no line
    of the mutation, or changes no answer), `late` (see `Verdict`), or `no start`. `check`, `revision` and `saw` describe the
    first new violation.
    """

    id: str
    server: str
    kind: str
    area: str
    operator: str
    change: str
    mutant_revision: str
    status: str
    seconds: float
    check: str = ""
    revision: str = ""
    saw: str = ""
    lost: int = 0


def mutants(servers: Iterable[str] = SERVERS, kind: str = "") -> list[Mutant]:
    """Every mutant of the servers, of one kind if `kind` is not empty."""
    result: list[Mutant] = []
    for server in servers:
        if server == "plain" and kind != "code":
            result += wire_mutants()
        if kind == "wire":
            continue
        if server == SCRIPT:
            result += [script.mutant for script in script_mutants().values()]
        else:
            result += [code.mutant for code in code_mutants(server).values()]
    return result


def sample(candidates: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of the mutants, as many of each server, in the shares of kind, area and revision.

    The first mutants of a server are one of each kind, area and revision. Within the same kind, area
    and revision a hash of seed and id decides.
    """
    sampled_mutants: list[Mutant] = []
    servers = sorted({mutant.server for mutant in candidates})
    for position, server in enumerate(servers):
        share = count // len(servers) + (position < count % len(servers))
        sampled_mutants += _sample_of_server(
            [m for m in candidates if m.server == server], share, seed
        )
    return sorted(sampled_mutants, key=lambda mutant: rank_of(mutant.id, seed))


def _sample_of_server(candidates: list[Mutant], count: int, seed: int) -> list[Mutant]:
    strata: dict[tuple[str, str, str], list[Mutant]] = {}
    for mutant in sorted(candidates, key=lambda mutant: rank_of(mutant.id, seed)):
        strata.setdefault((mutant.kind, mutant.area, mutant.revision), []).append(mutant)
    # The first of each stratum has the position 0; all others are spread evenly.
    positions = {
        mutant.id: position / len(stratum)
        for stratum in strata.values()
        for position, mutant in enumerate(stratum)
    }
    ranked = sorted(candidates, key=lambda mutant: (positions[mutant.id], rank_of(mutant.id, seed)))
    return ranked[:count]


def rank_of(id: str, seed: int) -> bytes:
    """The rank of a mutant in the random order of a seed."""
    return hashlib.sha256(f"{seed} {id}".encode()).digest()


def run_mutant(mutant: Mutant) -> MutantResult:
    """The result of one mutant."""
    start_time = time.monotonic()
    if mutant.kind == "code" and not _is_reached(mutant):
        return _mutant_result(mutant, {"status": "not reached"}, start_time)
    result = _run_verdict(mutant, with_token(fixture.TOKEN), _baseline(mutant.server, False))
    if result["status"] == "late":
        # A busy machine hardly delays the same request of two runs.
        second_result = _run_verdict(
            mutant, with_token(fixture.TOKEN), _baseline(mutant.server, False)
        )
        is_same = all(second_result.get(key) == result.get(key) for key in ("check", "revision"))
        is_caused = second_result["status"] == "late" and is_same
        result = {**second_result, "status": "failure"} if is_caused else second_result
    if result["status"] in ("survived", "not reached"):
        options = with_token(fixture.TOKEN, ALL_PROFILES)
        wider = _run_verdict(mutant, options, _baseline(mutant.server, True))
        if wider["status"] in ("failure", "warning"):
            result = {**wider, "status": "other profile"}
        elif wider["status"] == "survived":
            result["status"] = "survived"
    return _mutant_result(mutant, result, start_time)


def unnoticed_wire_mutants(candidates: Iterable[Mutant]) -> Iterator[Mutant]:
    """The mutants of the wire that the default run does not notice. One server and one process for all
    mutants, and the checks of the mutant's revision alone: 0.5 s of processor time for a mutant.
    """
    options = with_token(fixture.TOKEN)
    server = PlainServer(fixture.TOKEN)
    with serving_plain(server) as url:
        baseline = measure_baseline(url, options)
        for mutant in candidates:
            server.wire = wire_of(mutant.id)
            if not is_noticed(url, options, baseline, mutant.revision):
                yield mutant


def _mutant_result(
    mutant: Mutant, verdict_members: Mapping[str, Any], start_time: float
) -> MutantResult:
    result = MutantResult(
        mutant.id,
        mutant.server,
        mutant.kind,
        mutant.area,
        mutant.operator,
        mutant.change,
        mutant.revision,
        "",
        0.0,
    )
    return replace(result, **verdict_members, seconds=round(time.monotonic() - start_time, 2))


def _run_verdict(mutant: Mutant, options: CheckOptions, baseline: Baseline) -> dict[str, Any]:
    """The verdict of a run with these options. A changed Python server runs in a process of its own."""
    if mutant.server == SCRIPT:
        try:
            with serving_script(script_mutants()[mutant.id], fixture.as_json()) as url:
                value = asdict(judge(url, options, baseline))
        except RuntimeError as problem:
            return {"status": "no start", "saw": str(problem)}
        del value["seconds"]
        return value
    work = partial(_judge_in_child, mutant, options, baseline)
    value, error = run_in_child(work, MAX_SECONDS)
    if value is None:
        is_late = error == "no result in time"
        return {"status": "failure" if is_late else "no start", "saw": error}
    del value["seconds"]
    return dict(value)


def _judge_in_child(mutant: Mutant, options: CheckOptions, baseline: Baseline) -> dict[str, Any]:
    if mutant.kind == "wire":
        wire = wire_of(mutant.id)
        with serving_plain(PlainServer(fixture.TOKEN, wire)) as url:
            result = asdict(judge(url, options, baseline))
        if not wire.hits and result["status"] == "survived":
            result["status"] = "not reached"
        return result
    serving = serving_mutant(code_mutants(mutant.server)[mutant.id])
    with serving(True) as url:
        return asdict(judge(url, options, baseline))


@cache
def _baseline(server: str, has_all_profiles: bool) -> Baseline:
    """The violations of the unchanged server."""
    options = with_token(fixture.TOKEN, ALL_PROFILES) if has_all_profiles else None
    work = partial(_measure_in_child, server, options or with_token(fixture.TOKEN))
    value, error = run_in_child(work, MAX_SECONDS)
    if value is None:
        raise RuntimeError(f"the unchanged server {server} has no baseline: {error}")
    return Baseline(
        {(check, revision): count for check, revision, count in value["failed"]},
        {(check, revision): count for check, revision, count in value["warned"]},
        tuple(value["revisions"]),
    )


def _measure_in_child(server: str, options: CheckOptions) -> dict[str, Any]:
    serving_context = serving_unchanged(server)(True) if server != SCRIPT else None
    with serving_context or serving_script(None, fixture.as_json()) as url:
        baseline = measure_baseline(url, options)
    return {
        "failed": [[*key, count] for key, count in baseline.failed.items()],
        "warned": [[*key, count] for key, count in baseline.warned.items()],
        "revisions": baseline.revisions,
    }


def _is_reached(mutant: Mutant) -> bool:
    if mutant.server == SCRIPT:
        return is_reached(script_mutants()[mutant.id], _script_ranges())
    code_mutant = code_mutants(mutant.server)[mutant.id]
    return code_mutant.mutation.statement in _reached_lines(mutant.server).get(
        code_mutant.module, ()
    )


@cache
def _reached_lines(server: str) -> dict[str, set[int]]:
    """The lines of the modules of a server that the widest run reaches."""
    value, error = run_in_child(partial(_reach_in_child, server), MAX_SECONDS * 4)
    if value is None:
        raise RuntimeError(f"the lines of the server {server} are unknown: {error}")
    return {module: set(lines) for module, lines in value.items()}


@cache
def _script_ranges() -> dict[str, list[tuple[int, int, int]]]:
    """The executed ranges of the TypeScript SDK in the widest run."""
    with tempfile.TemporaryDirectory() as folder:
        with serving_script(None, fixture.as_json(), folder) as url:
            for options in (with_token(fixture.TOKEN), with_token(fixture.TOKEN, ALL_PROFILES)):
                measure_baseline(url, replace(options, deadline=MAX_SECONDS))
        return executed_ranges(Path(folder))


def _reach_in_child(server: str) -> dict[str, list[int]]:
    def run(serving: Serving) -> None:
        for options in (with_token(fixture.TOKEN), with_token(fixture.TOKEN, ALL_PROFILES)):
            with serving(True) as url:
                measure_baseline(url, replace(options, deadline=MAX_SECONDS))

    result = reached_lines(server, run)
    return {module: sorted(lines) for module, lines in result.items()}


def run_all(selected_mutants: Iterable[Mutant], file: Path | None) -> Iterator[MutantResult]:
    """The results of the mutants; results that the file has are taken from the file, and new ones
    are appended.
    """
    known_results = {result.id: result for result in read_results(file)} if file else {}
    for mutant in selected_mutants:
        if mutant.id in known_results:
            yield known_results[mutant.id]
            continue
        result = run_mutant(mutant)
        if file is not None:
            with file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(result)) + "\n")
        yield result


def read_results(file: Path) -> list[MutantResult]:
    """The results in a file; an incomplete last line is skipped."""
    if not file.exists():
        return []
    lines = file.read_text("utf-8").split("\n")
    return [MutantResult(**json.loads(line)) for line in lines[:-1] if line.endswith("}")]
