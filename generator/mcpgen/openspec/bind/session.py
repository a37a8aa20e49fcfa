"""Binds scenarios one at a time: inserts entries into the companion, checks and writes the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpgen.diagnostics import Diagnostic, Diagnostics, Severity
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import Json
from mcpgen.openspec.bind.bind import write_companion
from mcpgen.openspec.bind.draft import fixture_lines
from mcpgen.openspec.bind.proposals import ScenarioProposal, propose
from mcpgen.openspec.bind.yaml_insert import (
    CannotInsert,
    flow,
    insert_entries,
    insert_first,
    replace_entry,
    yaml_scalar,
)
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.companion.scenarios import KEYS
from mcpgen.openspec.lower.crosscheck import crosscheck, expects_refusal
from mcpgen.openspec.lower.extraction import facts_of
from mcpgen.openspec.lower.step_definitions import ListedTool, ToolLike, tool_arguments
from mcpgen.openspec.model.companion import ActionKind, Companion
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import COMPANION, read_neighbors, read_requirements
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

Entry = Mapping[str, Json]
"""Members of a scenario's entry: an action, `given`, `then`, `manual`."""


class CannotBind(Exception):
    """An entry or the text cannot be used; the message is the reason."""


@dataclass(slots=True)
class BindSession:
    """The text of a companion during binding. `tools` are the tools that calls may name.

    The declarations of `guessed_tools` are drafts, which may lack arguments.
    """

    path: Path
    requirements: Requirements
    companion: Companion
    text: str
    tools: Sequence[ToolLike] = field(default_factory=tuple)
    guessed_tools: frozenset[str] = frozenset()

    @property
    def proposals(self) -> list[ScenarioProposal]:
        """The scenarios with unbound steps, with proposals."""
        return propose(self.requirements, self.companion, self.tools)

    def add(self, proposal: ScenarioProposal, entry: Entry) -> None:
        """Inserts an entry, and writes the companion. Raises CannotBind without a change.

        The new text is read like any companion: unknown keys, steps and paths are refused, and so are
        calls of unknown tools or arguments, unless the entry expects an error. An entry with an action
        gets the fixtures of the draft; a missing fixture is added with the words of the state.
        """
        text = insert_entry(self.text, proposal, entry)
        companion, findings = self._findings(text)
        before = {finding.message for finding in self._findings(self.text)[1]}
        new = [finding.message for finding in findings if finding.message not in before]
        if companion is None or new:
            raise CannotBind("; ".join(new) or "it is no companion")
        self._check_calls(companion, proposal)
        write_companion(self.path, text)
        self.text, self.companion = text, companion

    def _findings(self, text: str) -> tuple[Companion | None, list[Diagnostic]]:
        """Parses a companion.

        Undeclared calls are left out, since the tools may be a server's, and so are unused fixtures,
        since an entry may leave the fixture of its draft.
        """
        diagnostics = Diagnostics()
        findings = Findings(diagnostics)
        document = load_document(text.encode(), str(self.path), COMPANION, findings)
        findings.close()
        companion = parse_companion(document, diagnostics) if document else None
        if companion:
            crosscheck(self.requirements, companion, facts_of(self.requirements), diagnostics)
        ignored = (
            codes.UNDECLARED_CALL,
            codes.UNDECLARED_CALL_ARGUMENT,
            codes.UNUSED_FIXTURE,
        )
        return companion, [
            finding
            for finding in diagnostics
            if finding.severity is not Severity.NOTE and finding.code not in ignored
        ]

    def _check_calls(self, companion: Companion, proposal: ScenarioProposal) -> None:
        """Raises CannotBind for a call that the tools do not take, if no error is expected."""
        binding = next(
            scenario
            for scenario in companion.scenarios
            if scenario.at.path[-1] == (proposal.path or (proposal.key,))[-1]
        )
        tools = {tool.name: tool_arguments(tool) for tool in self.tools}
        for action in binding.actions:
            if action.kind is not ActionKind.CALL:
                continue
            tool = tools.get(action.name)
            if tool is None:
                raise CannotBind(f"there is no tool `{action.name}`")
            unknown = set(action.value or ()) - tool.takes
            if unknown and action.name in self.guessed_tools:
                unknown -= self._words
            if unknown and not expects_refusal(binding):
                raise CannotBind(f"`{action.name}` has no argument `{min(unknown)}`")

    @property
    def _words(self) -> set[str]:
        """The words of the requirements, which may name an argument that a drafted tool lacks."""
        texts = (
            f"{requirement.text} {' '.join(scenario.text for scenario in requirement.scenarios)}"
            for requirement in self.requirements.requirements
        )
        return {word for text in texts for word in re.findall(r"\w+", text)}


def open_session(
    spec: str,
    *,
    change: str = "",
    capability: str = "",
    list_tools: Callable[[], Sequence[ToolLike]] | None = None,
) -> BindSession:
    """Reads the requirements and their companion, which has to exist. Raises CannotBind.

    The tools are those of `list_tools`, by default the declared tools, with those that companions of
    other capabilities of the folder declare.
    """
    diagnostics = Diagnostics()
    source = read_requirements(spec, diagnostics, change=change, capability=capability)
    requirements = parse_requirements(source, diagnostics) if source else None
    if source is None or requirements is None or source.companion is None:
        raise CannotBind(f"{spec} has no companion; `mcpgen bind` drafts the file")
    companion = parse_companion(source.companion, diagnostics)
    if companion is None or diagnostics.failed:
        raise CannotBind(f"{source.companion.name} has errors; `mcpgen bind` shows them")
    path = Path(source.companion.name)
    text = path.read_bytes().decode("utf-8")
    if list_tools:
        return BindSession(path, requirements, companion, text, list_tools())
    tools = {tool.name: tool for tool in declared_tools(companion)}
    for neighbor in read_neighbors(spec, source, change=change):
        neighbor_companion = (
            parse_companion(neighbor.companion, Diagnostics()) if neighbor.companion else None
        )
        for tool in declared_tools(neighbor_companion) if neighbor_companion else ():
            tools.setdefault(tool.name, tool)
    guessed = frozenset(tool.name for tool in companion.tools if tool.guessed)
    return BindSession(path, requirements, companion, text, list(tools.values()), guessed)


def declared_tools(companion: Companion) -> list[ToolLike]:
    """Returns the declared tools of a companion, as a client would list them."""
    return [
        ListedTool(
            tool.name,
            {
                "properties": {
                    argument.name: dict(argument.schema) for argument in tool.inputs or ()
                },
                "required": [argument.name for argument in tool.inputs or () if argument.required],
            },
        )
        for tool in companion.tools
    ]


def insert_entry(text: str, proposal: ScenarioProposal, entry: Entry) -> str:
    """Returns the text with the members of an entry; every existing byte stays. Raises CannotBind.

    An empty `given` leaves out the fixtures of the proposal.
    """
    unknown = entry.keys() - KEYS.keys()
    if unknown or not entry:
        raise CannotBind(f"an entry has no `{min(unknown)}`" if unknown else "the entry is empty")
    fixtures = []
    if proposal.given and "manual" not in entry and "given" not in entry:
        entry = {"given": [*proposal.given], **entry}
        fixtures = [fixture_lines(proposal.given[0], proposal.state)] if proposal.state else []
    if entry.get("given") == []:
        entry = {key: value for key, value in entry.items() if key != "given"}
    lines = [line for key, value in entry.items() for line in _member(key, value)]
    page: str | CannotInsert = text
    head = [f"{yaml_scalar(proposal.key)}:", f'  of: "{proposal.digest}"']
    block = [*head, *(f"  {line}" for line in lines)]
    if proposal.guessed:
        page = replace_entry(text, proposal.path, block)
    elif proposal.path:
        # Each line is inserted as the first, so the last line comes first.
        for line in reversed(lines):
            page = (
                page if isinstance(page, CannotInsert) else insert_first(page, proposal.path, line)
            )
    else:
        page = insert_entries(text, {"scenarios": [block]})
    if fixtures and not isinstance(page, CannotInsert):
        page = insert_entries(page, {"fixtures": fixtures})
    if isinstance(page, CannotInsert):
        raise CannotBind(f"`{' / '.join(page.path) or 'the file'}` is not written as a block")
    return page


def _member(key: str, value: Json) -> list[str]:
    return [f"{yaml_scalar(key)}: {flow(value)}"]
