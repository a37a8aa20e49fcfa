"""Judges the calls of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from tests.oracle.arguments import draw_arguments
from tests.oracle.known_false_positives import find_excuses, is_misread
from tests.oracle.oracle_process import Fault, OracleProcess
from tests.oracle.parsers import Disagreement, parse
from tests.oracle.prism import Objection, Prism, rewrite
from tests.oracle.prism_false_positives import find_prism_excuses
from tests.oracle.project import BuiltServer, StartedServer, run_server
from tests.oracle.recorder import RecordedRequest, unsent_record
from tests.runtime_harness import InvalidArguments, unchecked_request

from mcpgen.diagnostics import Code
from mcpgen.ir.server import ToolSpec


@dataclass(frozen=True)
class WrongRequest:
    """A request that the document does not allow."""

    tool: str
    arguments: Mapping[str, Any]
    request: RecordedRequest
    faults: tuple[Fault | Objection, ...]

    def __str__(self) -> str:
        message = "\n    ".join(str(fault) for fault in self.faults)
        return f"{self.tool} {dict(self.arguments)}\n  {self.request}\n    {message}"


@dataclass(frozen=True)
class Opinion:
    """The faults that one judge finds in a request, and the names of their excuses, or None if a fault
    has no excuse. `is_none` marks a failure of the judge."""

    faults: tuple[Fault | Objection, ...] = ()
    excuses: frozenset[str] | None = frozenset()
    is_none: bool = False


@dataclass
class DocumentVerdict:
    """Counts of the calls of one document.

    `excuses` and `prism_excuses` count excused faults by name; `seconded` counts excused requests
    without a fault by the other judge. `prism_valid`, `prism_excused` and `prism_none` are the counts
    of Prism; `disputed` are requests that only Prism refuses, without an excuse. `unjudged` are
    requests at which openapi-core failed. `withheld` are refused requests that are valid, each with the
    text of the refusal; `misread` counts refused requests that openapi-core accepts by a wrong reading.
    `silent` holds the last refusal of tools that sent no request; `refusals` the refused calls with the
    texts; `findings` the codes of the build.
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
    wrong: list[WrongRequest] = field(default_factory=list)
    disputed: list[WrongRequest] = field(default_factory=list)
    unjudged: list[WrongRequest] = field(default_factory=list)
    withheld: list[tuple[WrongRequest, str]] = field(default_factory=list)
    silent: dict[str, str] = field(default_factory=dict)
    refusals: list[tuple[str, Mapping[str, Any], str]] = field(default_factory=list)
    findings: Counter[Code] = field(default_factory=Counter)


async def judge_document(
    project: BuiltServer,
    oracle: OracleProcess,
    folder: Path,
    *,
    draws: int,
    most_tools: int,
    prism: Prism | None = None,
) -> DocumentVerdict:
    """The verdict on at most `most_tools` tools, spread over the document."""
    version = oracle.open(readable(project, folder), project.upstream)
    server = project.server
    verdict = DocumentVerdict(
        project.document.stem,
        "2.0" if project.is_old else version,
        sum(not recorded_request.extension.hidden for recorded_request in project.api.operations)
        + len(project.api.missing),
        len(server.tools),
        len(server.missing),
    )
    verdict.findings.update(recorded_request.code for recorded_request in project.diagnostics)
    shared_routes = _shared_routes(server.tools)
    async with run_server(project, folder) as running_server:
        for tool in _spread(server.tools, most_tools):
            by_fragment = _method_and_path(tool) in shared_routes
            arguments = list(draw_arguments(server, tool, oracle, draws))
            calls = [
                (call_arguments, replace(request, by_fragment=by_fragment))
                for call_arguments, request in await _call_all(
                    running_server, tool, arguments, verdict
                )
            ]
            requests = [request for _, request in calls]
            base = _base(project, tool)
            first = [
                _openapi_core_opinion(*recorded_request)
                for recorded_request in _find_faults(oracle, requests)
            ]
            second = (
                [_prism_opinion(prism, recorded_request, base) for recorded_request in requests]
                if prism
                else None
            )
            for index, (call_arguments, request) in enumerate(calls):
                case = WrongRequest(tool.name, call_arguments, request, ())
                _count_case(verdict, case, first[index], second[index] if second else None)
            if not by_fragment:
                for case, message in _withheld_requests(project, tool, verdict, oracle):
                    if is_misread(message, case.arguments):
                        verdict.misread += 1
                    else:
                        verdict.withheld.append((case, message))
    return verdict


def readable(project: BuiltServer, folder: Path) -> Path:
    """The document for openapi-core: Swagger 2.0 is rewritten as 3.0."""
    if not project.is_old:
        return project.document
    path = folder / "as_3.json"
    rewrite(project.document, path, as_3=True)
    return path


def _find_faults(
    oracle: OracleProcess, requests: Sequence[RecordedRequest]
) -> list[tuple[tuple[Fault, ...], RecordedRequest]]:
    """The requests with faults by openapi-core and by the parsers of servers."""
    return [
        ((*faults, *_disagreements(request)), request)
        for faults, request in zip(oracle.judge(requests), requests, strict=True)
    ]


def _disagreements(request: RecordedRequest) -> Iterator[Fault]:
    """The fault of a request that two parsers of servers read differently."""
    headers = {name.lower(): value for name, value in request.headers}
    try:
        parse(request.target, headers, request.body)
    except Disagreement as fault:
        yield Fault("Disagreement", "parsers of servers", "", "", (str(fault)[:300],), "", False)


def _openapi_core_opinion(faults: tuple[Fault, ...], request: RecordedRequest) -> Opinion:
    excuses = find_excuses(faults, request)
    names = None if excuses is None else frozenset(fault.name for fault in excuses)
    return Opinion(faults, names, any(fault.crashed for fault in faults))


def _prism_opinion(prism: Prism, request: RecordedRequest, base: str) -> Opinion:
    objections = prism.judge(request, base)
    excuses = find_prism_excuses(objections, request)
    names = None if excuses is None else frozenset(objection.name for objection in excuses)
    return Opinion(objections, names, any(objection.crashed for objection in objections))


def _withheld_requests(
    project: BuiltServer, tool: ToolSpec, verdict: DocumentVerdict, oracle: OracleProcess
) -> Iterator[tuple[WrongRequest, str]]:
    """Refused requests that the document allows, with the text of the refusal. The requests are
    assembled without validation and judged like sent requests."""
    for name, call_arguments, message in verdict.refusals:
        if name != tool.name:
            continue
        try:
            request = unchecked_request(project.server, tool, call_arguments)
        except InvalidArguments:
            continue
        record = unsent_record(request, url_of(project, tool))
        faults = oracle.judge([record])[0]
        if find_excuses(faults, record) is not None:
            yield WrongRequest(name, call_arguments, record, faults), message


def _base(project: BuiltServer, tool: ToolSpec) -> str:
    """The path of the server that a tool calls."""
    return urlsplit(url_of(project, tool)).path.rstrip("/")


def url_of(project: BuiltServer, tool: ToolSpec) -> str:
    """The base URL of the server that a tool calls."""
    url = project.server.upstream or project.upstream
    own_url = tool.route.base_url if tool.route else ""
    return urljoin(url, own_url) if own_url else url


def _count_case(
    verdict: DocumentVerdict, case: WrongRequest, first: Opinion, second: Opinion | None
) -> None:
    """Counts a request by both opinions; openapi-core decides."""
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


def _shared_routes(tools: Sequence[ToolSpec]) -> set[tuple[str, str]]:
    """Methods and paths of more than one tool."""
    counts = Counter(_method_and_path(tool) for tool in tools)
    return {key for key, count in counts.items() if count > 1}


def _method_and_path(tool: ToolSpec) -> tuple[str, str]:
    assert tool.route is not None
    return tool.route.method, tool.route.path


def _spread(tools: Sequence[ToolSpec], limit: int) -> Sequence[ToolSpec]:
    """At most `limit` tools, evenly spread over the document."""
    count = min(limit, len(tools))
    return [tools[index * len(tools) // count] for index in range(count)]


async def _call_all(
    running_server: StartedServer,
    tool: ToolSpec,
    arguments: Sequence[Mapping[str, Any]],
    verdict: DocumentVerdict,
) -> list[tuple[Mapping[str, Any], RecordedRequest]]:
    """Calls the tool with all arguments; returns arguments and request of calls that sent a request."""
    calls = []
    reason = ""
    for argument in arguments:
        outcome = await running_server.call(tool.name, argument)
        if outcome.request is not None:
            calls.append((argument, outcome.request))
        else:
            reason = outcome.message
            verdict.refusals.append((tool.name, argument, outcome.message))
    verdict.tried += 1
    verdict.calls += len(arguments)
    verdict.refused += len(arguments) - len(calls)
    if not calls:
        verdict.silent[tool.name] = reason
    return calls
