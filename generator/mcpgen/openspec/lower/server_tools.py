"""Chooses the tools of a server from companions, text and API."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.lower.drafted_tools import drafted_tools
from mcpgen.openspec.lower.extraction import FactKind, Facts
from mcpgen.openspec.lower.operation_matches import (
    OperationMatches,
    matched_tools,
    report_matches,
    report_unasked,
)
from mcpgen.openspec.model.companion import Capability, Companion, DeclaredTool
from mcpgen.openspec.model.requirements import Requirements

_SUBJECTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (subject, re.compile(pattern, re.IGNORECASE))
    for subject, pattern in (
        (
            "HTTP requests",
            r"\b(?:GET|POST|PUT|PATCH|DELETE) /|\bendpoints?\b|\bHTTP\b|\bstatus code",
        ),
        (
            "a user interface",
            r"\b(?:buttons?|clicks?|pages?|screens?|dialogs?|renders?|views?|tabs?|modals?|forms?)\b",
        ),
        (
            "a command line",
            r"\b(?:commands?|flags?|stdout|stderr|exit code|CLI|terminal)\b|`[^`]* --[a-z]",
        ),
        ("functions and classes", r"`[\w.]+\([^`]*\)`|\b(?:class|method|function|module|import)\b"),
        (
            "data and jobs",
            r"\b(?:tables?|columns?|migrations?|databases?|queues?|jobs?|pipelines?)\b",
        ),
    )
)
"""Subjects of texts that describe no MCP server, with their words."""


def concerns_server(
    name: str, companion: Companion | None, facts: Facts, matches: OperationMatches | None
) -> bool:
    """Returns whether a capability is about the server.

    The capability has a companion, names a tool, speaks of a tool of another capability, or names
    an operation of the API.
    """
    return (
        companion is not None
        or bool(facts.tools)
        or any(fact.tools for fact in facts.of(FactKind.ARGUMENT, FactKind.CALL))
        or (matches is not None and name in matches.capabilities)
    )


def server_tools(
    capabilities: Sequence[Capability],
    facts: Sequence[Facts],
    matches: OperationMatches | None,
    diagnostics: Diagnostics,
) -> tuple[DeclaredTool, ...]:
    """Returns the tools of all capabilities, unique by name; `facts` are those of the capabilities.

    A companion with tools decides for its capability. Other capabilities get the tools that their
    text names, and with an API the operations that their requirements name. Adds MG767–MG769,
    MG776, MG777, MG782 and MG783.
    """
    declared: dict[str, DeclaredTool] = {}
    open_capabilities = []
    for capability, own in zip(capabilities, facts, strict=True):
        for tool in capability.companion.tools if capability.companion else ():
            if tool.name in declared:
                where = declared[tool.name].at.file
                diagnostics.add(codes.TOOL_DECLARED_TWICE, tool.at, name=tool.name, where=where)
            declared.setdefault(tool.name, tool)
        if capability.companion is None:
            open_capabilities.append((capability, own))
    if matches is not None:
        calls = {tool.upstream.operation for tool in declared.values() if tool.upstream}
        names = {capability.name for capability, _ in open_capabilities}
        for tool, _ in matched_tools(matches.within(names), calls):
            declared.setdefault(tool.name, tool)
        report_matches(matches, names, declared, diagnostics)
        report_unasked(matches, declared, diagnostics)
    tool_names = dict.fromkeys(name for _, own in open_capabilities for name in own.tools)
    joined = Facts(tuple(fact for _, own in open_capabilities for fact in own.all))
    drafted = [
        tool
        for tool in drafted_tools(tool_names, joined)
        if tool.name not in declared and (matches is None or not matches.has_operation(tool.name))
    ]
    if drafted:
        at = open_capabilities[0][0].requirements.at
        listing = ", ".join(f"`{tool.name}`" for tool in drafted)
        path = _bind_target([capability for capability, _ in open_capabilities])
        diagnostics.add(codes.NO_COMPANION, at, tools=listing, path=path)
    tools = (*declared.values(), *drafted)
    if not tools:
        _report_nothing(capabilities, matches, diagnostics)
    return tools


def _report_nothing(
    capabilities: Sequence[Capability], matches: OperationMatches | None, diagnostics: Diagnostics
) -> None:
    companion = next((part.companion for part in capabilities if part.companion), None)
    first = capabilities[0].requirements
    if companion:
        why = "`tools` of the companion declares none"
    elif matches is not None:
        why = "the text names no operation of the API, and no tool"
    else:
        why = explain_no_tools([capability.requirements for capability in capabilities])
    at = companion.at if companion else first.at
    diagnostics.add(codes.NO_DECLARED_TOOL, at, why=why, path=_bind_target(capabilities))


def _bind_target(capabilities: Sequence[Capability]) -> str:
    """Returns the argument of `mcpgen bind`: the only spec, or the OpenSpec folder of several."""
    files = [PurePosixPath(capability.requirements.at.file) for capability in capabilities]
    if len(files) == 1:
        return str(files[0])
    above = files[0].parents
    folders = [folder for folder in above if folder.name == "openspec"]
    specs = [folder.parent for folder in above if folder.name == "specs"]
    return str((*folders, *specs, files[0].parent)[0])


def explain_no_tools(texts: Sequence[Requirements]) -> str:
    """Returns a sentence that says why texts describe no MCP server."""
    requirements = [requirement for text in texts for requirement in text.requirements]
    bodies = [
        " ".join(
            (
                requirement.name,
                requirement.text,
                *(scenario.text for scenario in requirement.scenarios),
            )
        )
        for requirement in requirements
    ]
    count = f"{len(bodies)} requirement{'s' if len(bodies) != 1 else ''}"
    mentions = sum(bool(re.search(r"\bMCP\b|\btools?\b", body)) for body in bodies)
    if mentions:
        sentence = f"{mentions} of {count} speak of tools or MCP, and none gives a tool a name"
    else:
        sentence = f"{count}, and none mentions MCP or a tool"
    subjects = Counter(
        {subject: sum(bool(words.search(body)) for body in bodies) for subject, words in _SUBJECTS}
    )
    subject, about = subjects.most_common(1)[0]
    return f"{sentence}; {about} of {len(bodies)} about {subject}" if about else sentence
