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
from tests.judge.project import Built, Running, running
from tests.judge.recorder import Recorded

from mcpgen.ir.server import Tool


@dataclass(frozen=True)
class Wrong:
    """A request that the document does not allow."""

    tool: str
    arguments: Mapping[str, Any]
    request: Recorded
    faults: tuple[Fault, ...]

    def __str__(self) -> str:
        said = "\n    ".join(str(fault) for fault in self.faults)
        return f"{self.tool} {dict(self.arguments)}\n  {self.request}\n    {said}"


@dataclass
class Verdict:
    """The calls of one document, counted. `excuses` are the verdicts that did not count, by name;
    `silent` the tools that sent nothing, each with the last reason it gave."""

    document: str
    version: str
    operations: int
    tools: int
    missing: int
    tried: int = 0
    calls: int = 0
    valid: int = 0
    refused: int = 0
    excuses: Counter[str] = field(default_factory=Counter)
    excused: int = 0
    wrong: list[Wrong] = field(default_factory=list)
    silent: dict[str, str] = field(default_factory=dict)


async def judged(
    project: Built, jury: Jury, folder: Path, *, draws: int, most_tools: int
) -> Verdict:
    """The verdict on at most so many tools of a document, evenly spread over it."""
    version = jury.open(project.document, project.upstream)
    server = project.server
    missing = len(server.missing)
    verdict = Verdict(
        project.document.stem,
        version,
        sum(not each.extension.hidden for each in project.api.operations)
        + len(project.api.missing),
        len(server.tools),
        missing,
    )
    several = _several(server.tools)
    async with running(project, folder) as started:
        for tool in _spread(server.tools, most_tools):
            arguments = list(drawn(server, tool, jury, draws))
            sent = await _sent(started, tool, arguments, verdict)
            if (tool.route.method, tool.route.path) in several:
                sent = [(given, replace(request, by_fragment=True)) for given, request in sent]
            _weigh(tool, sent, jury, verdict)
    return verdict


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
    verdict.tried += 1
    verdict.calls += len(arguments)
    verdict.refused += len(arguments) - len(sent)
    if not sent:
        verdict.silent[tool.name] = reason
    return sent


def _weigh(
    tool: Tool,
    sent: Sequence[tuple[Mapping[str, Any], Recorded]],
    jury: Jury,
    verdict: Verdict,
) -> None:
    faults_of = jury.judge([request for _, request in sent])
    for (given, request), faults in zip(sent, faults_of, strict=True):
        excuses = excused(faults, request)
        if not faults:
            verdict.valid += 1
        elif excuses is None:
            verdict.wrong.append(Wrong(tool.name, given, request, faults))
        else:
            verdict.excused += 1
            verdict.excuses.update({each.name for each in excuses})
