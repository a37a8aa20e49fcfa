"""What comes of the calls of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.judge.arguments import drawn
from tests.judge.exceptions import excused
from tests.judge.jury import Fault, Jury
from tests.judge.prism_exceptions import forgiven
from tests.judge.project import Built, Running, running
from tests.judge.recorder import Recorded
from tests.judge.second import Objection, Prism

from mcpgen.diagnostics import Code
from mcpgen.ir.server import Tool


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
    why that does not count, or None if something counts."""

    faults: tuple[Fault | Objection, ...] = ()
    excuses: frozenset[str] | None = frozenset()


@dataclass
class Verdict:
    """The calls of one document, counted.

    `excuses` and `prism_excuses` are the objections that did not count, by name; `seconded` the
    excused requests that the other judge has nothing against. `prism_valid` and `prism_excused`
    are Prism's own counts; `disputed` are requests that openapi-core finds right and Prism, without an
    excuse, does not. `silent` are the tools that sent nothing, each with the last reason it gave;
    `refusals` the refused calls with what was said; `findings` what the build said.
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
    excuses: Counter[str] = field(default_factory=Counter)
    prism_excuses: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    disputed: list[Wrong] = field(default_factory=list)
    silent: dict[str, str] = field(default_factory=dict)
    refusals: list[tuple[str, Mapping[str, Any], str]] = field(default_factory=list)
    findings: Counter[Code] = field(default_factory=Counter)


async def judged(
    project: Built,
    jury: Jury,
    folder: Path,
    *,
    draws: int,
    most_tools: int,
    prism: Prism | None = None,
) -> Verdict:
    """The verdict on at most so many tools of a document, evenly spread over it. A document of 2.0
    is judged by Prism alone, the others by openapi-core and, if it is there, Prism."""
    is_old = project.is_old
    version = "2.0" if is_old else jury.open(project.document, project.upstream)
    server = project.server
    verdict = Verdict(
        project.document.stem,
        version,
        sum(not each.extension.hidden for each in project.api.operations)
        + len(project.api.missing),
        len(server.tools),
        len(server.missing),
    )
    verdict.findings.update(each.code for each in project.diagnostics)
    several = _several(server.tools)
    async with running(project, folder) as started:
        for tool in _spread(server.tools, most_tools):
            arguments = list(drawn(server, tool, jury, draws))
            sent = await _sent(started, tool, arguments, verdict)
            if (tool.route.method, tool.route.path) in several:
                sent = [(given, replace(request, by_fragment=True)) for given, request in sent]
            requests = [request for _, request in sent]
            base = _base(project, tool)
            first = None if is_old else [_of_jury(*each) for each in _judged(jury, requests)]
            second = [_of_prism(prism, each, base) for each in requests] if prism else None
            for index, (given, request) in enumerate(sent):
                _weigh(
                    verdict,
                    Wrong(tool.name, given, request, ()),
                    first[index] if first else None,
                    second[index] if second else None,
                )
    return verdict


def _judged(jury: Jury, requests: Sequence[Recorded]) -> list[tuple[tuple[Fault, ...], Recorded]]:
    return list(zip(jury.judge(requests), requests, strict=True))


def _of_jury(faults: tuple[Fault, ...], request: Recorded) -> Opinion:
    excuses = excused(faults, request)
    return Opinion(faults, None if excuses is None else frozenset(each.name for each in excuses))


def _of_prism(prism: Prism, request: Recorded, base: str) -> Opinion:
    objections = prism.judge(request, base)
    excuses = forgiven(objections, request)
    names = None if excuses is None else frozenset(each.name for each in excuses)
    return Opinion(objections, names)


def _base(project: Built, tool: Tool) -> str:
    """The path of the server that a tool calls."""
    own = tool.route.base_url
    url = own if own else project.server.upstream or project.upstream
    rest = url.partition("://")[2] if "://" in url else url
    return "/" + rest.partition("/")[2].rstrip("/") if "/" in rest.rstrip("/") else ""


def _weigh(verdict: Verdict, case: Wrong, first: Opinion | None, second: Opinion | None) -> None:
    """Counts one request by what the judges think of it; the first has the last word."""
    if second:
        verdict.prism_valid += not second.faults
        verdict.prism_excused += bool(second.faults) and second.excuses is not None
        verdict.prism_excuses.update(second.excuses or ())
    judge = first or second
    if judge is None or judge.excuses is None:
        verdict.wrong.append(replace(case, faults=judge.faults if judge else ()))
        return
    if judge.faults:
        verdict.excused += 1
        verdict.excuses.update(judge.excuses if first else ())
        verdict.seconded += first is not None and second is not None and not second.faults
    else:
        verdict.valid += 1
    if first and second and second.excuses is None:
        verdict.disputed.append(replace(case, faults=second.faults))


def _several(tools: Sequence[Tool]) -> set[tuple[str, str]]:
    """Methods and paths that more than one tool has."""
    counts = Counter((tool.route.method, tool.route.path) for tool in tools)
    return {key for key, count in counts.items() if count > 1}


def _spread(tools: Sequence[Tool], most: int) -> Sequence[Tool]:
    return tools[:: -(-len(tools) // most)] if tools else tools


async def _sent(
    started: Running, tool: Tool, arguments: Sequence[Mapping[str, Any]], verdict: Verdict
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
