"""What comes of the calls of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from tests.oracle.arguments import drawn
from tests.oracle.known_false_positives import excused, is_misread
from tests.oracle.oracle_process import Fault, OracleProcess
from tests.oracle.parsers import Disagreement, parse
from tests.oracle.prism import Objection, Prism, rewrite
from tests.oracle.prism_false_positives import forgiven
from tests.oracle.project import Built, Running, running
from tests.oracle.recorder import Recorded, as_recorded
from tests.runtime_harness import InvalidArguments, unchecked

from mcpgen.diagnostics import Code
from mcpgen.ir.server import ToolSpec


@dataclass(frozen=True)
class Wrong:
    """A request that the document does not allow."""

    tool: str
    arguments: Mapping[str, Any]
    request: Recorded
    faults: tuple[Fault | Objection, ...]

    def __str__(self) -> str:
        said = "\n    ".join(str(fault) for fault in self.faults)
        return f"{self.tool} {dict(self.arguments)}\n  {self.request}\n    {said}"


@dataclass(frozen=True)
class Opinion:
    """What a judge thinks of one request: what it holds against it, and the names of the reasons
    why that does not count, or None if something counts. `is_none` tells that it broke down."""

    faults: tuple[Fault | Objection, ...] = ()
    excuses: frozenset[str] | None = frozenset()
    is_none: bool = False


@dataclass
class Verdict:
    """The calls of one document, counted.

    `excuses` and `prism_excuses` are the objections that did not count, by name; `seconded` the
    excused requests that the other judge has nothing against. `prism_valid`, `prism_excused` and
    `prism_none` are Prism's own counts; `disputed` are requests that openapi-core finds right and
    Prism, without an excuse, does not. `unjudged` are requests on which openapi-core broke down.
    `withheld` are the requests that were refused and are valid, each with what was said; `misread`
    counts those that openapi-core takes for valid by a wrong reading. `silent` are the tools that sent
    nothing, each with the last reason it gave; `refusals` the refused calls with what was said;
    `findings` what the build said.
    """

    document: str
    version: str
    operations: int
    tools: int
    missing: int
    tried: int = 0
    calls: int = 0
    valid: int = 0
    refused: int = 0
    excused: int = 0
    seconded: int = 0
    prism_valid: int = 0
    prism_excused: int = 0
    prism_none: int = 0
    misread: int = 0
    excuses: Counter[str] = field(default_factory=Counter)
    prism_excuses: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    disputed: list[Wrong] = field(default_factory=list)
    unjudged: list[Wrong] = field(default_factory=list)
    withheld: list[tuple[Wrong, str]] = field(default_factory=list)
    silent: dict[str, str] = field(default_factory=dict)
    refusals: list[tuple[str, Mapping[str, Any], str]] = field(default_factory=list)
    findings: Counter[Code] = field(default_factory=Counter)


async def judged(
    project: Built,
    jury: OracleProcess,
    folder: Path,
    *,
    draws: int,
    most_tools: int,
    prism: Prism | None = None,
) -> Verdict:
    """The verdict on at most so many tools of a document, evenly spread over it."""
    version = jury.open(readable(project, folder), project.upstream)
    server = project.server
    verdict = Verdict(
        project.document.stem,
        "2.0" if project.is_old else version,
        sum(not each.extension.hidden for each in project.api.operations)
        + len(project.api.missing),
        len(server.tools),
        len(server.missing),
    )
    verdict.findings.update(each.code for each in project.diagnostics)
    several = _several(server.tools)
    async with running(project, folder) as started:
        for tool in _spread(server.tools, most_tools):
            by_fragment = _request_of(tool) in several
            arguments = list(drawn(server, tool, jury, draws))
            sent = [
                (given, replace(request, by_fragment=by_fragment))
                for given, request in await _sent(started, tool, arguments, verdict)
            ]
            requests = [request for _, request in sent]
            base = _base(project, tool)
            first = [_of_jury(*each) for each in _judged(jury, requests)]
            second = [_of_prism(prism, each, base) for each in requests] if prism else None
            for index, (given, request) in enumerate(sent):
                case = Wrong(tool.name, given, request, ())
                _weigh(verdict, case, first[index], second[index] if second else None)
            if not by_fragment:
                for case, said in _withheld(project, tool, verdict, jury):
                    if is_misread(said, case.arguments):
                        verdict.misread += 1
                    else:
                        verdict.withheld.append((case, said))
    return verdict


def readable(project: Built, folder: Path) -> Path:
    """The document as openapi-core reads it: Swagger 2.0 is rewritten."""
    if not project.is_old:
        return project.document
    path = folder / "as_3.json"
    rewrite(project.document, path, as_3=True)
    return path


def _judged(
    jury: OracleProcess, requests: Sequence[Recorded]
) -> list[tuple[tuple[Fault, ...], Recorded]]:
    """The requests with the faults that openapi-core and the parsers of servers find."""
    return [
        ((*faults, *_disagreements(request)), request)
        for faults, request in zip(jury.judge(requests), requests, strict=True)
    ]


def _disagreements(request: Recorded) -> Iterator[Fault]:
    """The fault of a request that parsers of servers read differently."""
    headers = {name.lower(): value for name, value in request.headers}
    try:
        parse(request.target, headers, request.body)
    except Disagreement as fault:
        yield Fault("Disagreement", "parsers of servers", "", "", (str(fault)[:300],), "", False)


def _of_jury(faults: tuple[Fault, ...], request: Recorded) -> Opinion:
    excuses = excused(faults, request)
    names = None if excuses is None else frozenset(each.name for each in excuses)
    return Opinion(faults, names, any(each.crashed for each in faults))


def _of_prism(prism: Prism, request: Recorded, base: str) -> Opinion:
    objections = prism.judge(request, base)
    excuses = forgiven(objections, request)
    names = None if excuses is None else frozenset(each.name for each in excuses)
    return Opinion(objections, names, any(each.crashed for each in objections))


def _withheld(
    project: Built, tool: ToolSpec, verdict: Verdict, jury: OracleProcess
) -> Iterator[tuple[Wrong, str]]:
    """Requests that the server did not send and that the document allows, with the reason given:
    assembled without asking any schema, and judged like the others."""
    for name, given, said in verdict.refusals:
        if name != tool.name:
            continue
        try:
            request = unchecked(project.server, tool, given)
        except InvalidArguments:
            continue
        recorded = as_recorded(request, url_of(project, tool))
        faults = jury.judge([recorded])[0]
        if excused(faults, recorded) is not None:
            yield Wrong(name, given, recorded, faults), said


def _base(project: Built, tool: ToolSpec) -> str:
    """The path of the server that a tool calls."""
    return urlsplit(url_of(project, tool)).path.rstrip("/")


def url_of(project: Built, tool: ToolSpec) -> str:
    """The base URL of the server that a tool calls."""
    url = project.server.upstream or project.upstream
    own = tool.route.base_url if tool.route else ""
    return urljoin(url, own) if own else url


def _weigh(verdict: Verdict, case: Wrong, first: Opinion, second: Opinion | None) -> None:
    """Counts one request by what the judges think of it; the first has the last word."""
    if second:
        verdict.prism_none += second.is_none
        verdict.prism_valid += not second.faults
        verdict.prism_excused += bool(second.excuses)
        verdict.prism_excuses.update(second.excuses or ())
    if first.is_none:
        verdict.unjudged.append(replace(case, faults=first.faults))
        return
    if first.excuses is None:
        verdict.wrong.append(replace(case, faults=first.faults))
        return
    if first.faults:
        verdict.excused += 1
        verdict.excuses.update(first.excuses)
        verdict.seconded += second is not None and not second.faults
    else:
        verdict.valid += 1
    if second and second.excuses is None and not second.is_none:
        verdict.disputed.append(replace(case, faults=second.faults))


def _several(tools: Sequence[ToolSpec]) -> set[tuple[str, str]]:
    """Methods and paths that more than one tool has."""
    counts = Counter(_request_of(tool) for tool in tools)
    return {key for key, count in counts.items() if count > 1}


def _request_of(tool: ToolSpec) -> tuple[str, str]:
    assert tool.route is not None
    return tool.route.method, tool.route.path


def _spread(tools: Sequence[ToolSpec], most: int) -> Sequence[ToolSpec]:
    """At most so many tools, from all over the document."""
    count = min(most, len(tools))
    return [tools[index * len(tools) // count] for index in range(count)]


async def _sent(
    started: Running, tool: ToolSpec, arguments: Sequence[Mapping[str, Any]], verdict: Verdict
) -> list[tuple[Mapping[str, Any], Recorded]]:
    """The requests of the calls that caused one."""
    sent = []
    reason = ""
    for given in arguments:
        called = await started.call(tool.name, given)
        if called.request is not None:
            sent.append((given, called.request))
        else:
            reason = called.said
            verdict.refusals.append((tool.name, given, called.said))
    verdict.tried += 1
    verdict.calls += len(arguments)
    verdict.refused += len(arguments) - len(sent)
    if not sent:
        verdict.silent[tool.name] = reason
    return sent
