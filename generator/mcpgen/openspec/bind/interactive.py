"""`mcpgen bind -i`: asks for the action and the assertions of every unbound step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.render import escape_invisible
from mcpgen.ir.source import Json
from mcpgen.openspec.bind.client_actions import Claim
from mcpgen.openspec.bind.proposals import ScenarioProposal, as_entry
from mcpgen.openspec.bind.session import BindSession, CannotBind
from mcpgen.openspec.bind.yaml_insert import flow, yaml_comment, yaml_scalar
from mcpgen.openspec.model.step_pattern import frequent_patterns
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

Ask = Callable[[str], str]
"""Prints a question, and returns the line typed; `q` if the input has ended."""

Perform = Callable[[ScenarioProposal], str]
"""Runs a scenario, and returns its status with the reason."""

MAX_PATTERNS = 20
"""Largest number of repeated step patterns in a worksheet."""

HELP = "NUMBER: take a proposal (Enter: the first); {…}: own YAML; s: skip; m REASON: check by hand; q: quit"


class _Quit(Exception):
    """The user ends the conversation."""


def converse(
    session: BindSession, ask: Ask, tell: Callable[[str], None], perform: Perform | None
) -> int:
    """Walks through the scenarios with unbound steps; returns the number of bound scenarios.

    A scenario is written as soon as its last step is answered, and then performed.
    """
    bound = 0
    # Computed once: every access reads the changed companion again.
    for proposal in session.proposals:
        tell(f"\n{_single_line(proposal.requirement)}\n  {_single_line(proposal.key)}")
        for number, text in enumerate(proposal.steps, 1):
            tell(f"    {number}. {_single_line(text)}")
        try:
            entry = _ask_entry(proposal, ask, tell)
        except _Quit:
            return bound
        if not entry:
            continue
        try:
            session.add(proposal, entry)
        except CannotBind as error:
            tell(f"  not written: {error}")
            continue
        bound += 1
        tell(f"  {perform(proposal) if perform else 'written'}")
    return bound


def _ask_entry(
    proposal: ScenarioProposal, ask: Ask, tell: Callable[[str], None]
) -> dict[str, Json]:
    """Returns the members of an entry, `{}` for a skipped scenario."""
    entry: dict[str, Json] = {}
    if not proposal.acts:
        offered = [proposal.action] if proposal.action else []
        answer = _choose("action", offered, ask, tell)
        if isinstance(answer, str):
            # Without an action there is nothing to assert; a reason is for the whole scenario.
            return {"manual": answer} if answer else {}
        entry |= answer
    then: list[Json] = []
    for step in proposal.open:
        answer = _choose(f"step {step.number}", step.members, ask, tell)
        if isinstance(answer, dict):
            members = answer if "assert" in answer else {"assert": [answer]}
            then.append({"step": step.number, **members})
        elif answer:
            then.append({"step": step.number, "manual": answer})
    return {**entry, "then": then} if then else entry


def _choose(
    question: str, offered: Sequence[Claim], ask: Ask, tell: Callable[[str], None]
) -> dict[str, Json] | str:
    """Returns the chosen or written mapping, the reason for a check by hand, or `""` for a skip."""
    for number, claim in enumerate(offered, 1):
        tell(f"  {number}) {flow(dict(claim))}")
    while True:
        answer = ask(f"  {question} [{HELP}]: ").strip()
        if answer == "q":
            raise _Quit
        if answer == "s" or (not answer and not offered):
            return ""
        if answer.startswith("m ") and answer[2:].strip():
            return answer[2:].strip()
        if not answer or (answer.isdigit() and 1 <= int(answer) <= len(offered)):
            return dict(offered[int(answer or 1) - 1])
        mapping = _read_yaml_mapping(answer)
        if mapping:
            return mapping
        tell(f"  {HELP}")


def _read_yaml_mapping(text: str) -> dict[str, Json]:
    """Returns a YAML mapping of one line, `{}` for other text."""
    findings = Findings(Diagnostics())
    document = load_document(text.encode(), "answer.yaml", "answer.yaml", findings)
    return document.tree if document and isinstance(document.tree, dict) else {}


def _single_line(text: str) -> str:
    """Returns the text on one line, with invisible characters escaped."""
    return escape_invisible(" ".join(text.split()))


def render_worksheet(session: BindSession) -> str:
    """Returns Markdown: per scenario the steps, and an entry with the proposals to complete."""
    return "".join(f"{line}\n" for line in _worksheet_lines(session))


def _worksheet_lines(session: BindSession) -> Iterator[str]:
    proposals = session.proposals
    yield "# Scenarios to bind"
    yield ""
    yield f"{len(proposals)} scenarios have unbound steps. Complete an entry, and paste it below"
    yield "`scenarios:` of mcp.yaml, in place of an entry of the same name."
    if patterns := frequent_patterns(_unbound_texts(proposals))[:MAX_PATTERNS]:
        yield ""
        yield "These words stand in several steps; an entry below `steps:` binds all of them:"
        yield ""
        yield "    steps:"
        for pattern, count in patterns:
            yield f"      # {yaml_scalar(pattern)}: {{…}}  # {count} steps"
    for proposal in proposals:
        yield ""
        # Indented text is code in Markdown, so markup in names and steps has no effect.
        yield f"    {_single_line(proposal.requirement)} / {_single_line(proposal.key)}"
        yield ""
        yield from (
            f"    {number}. {_single_line(text)}" for number, text in enumerate(proposal.steps, 1)
        )
        yield ""
        yield from (f"    {line}" for line in _proposal_lines(proposal))


def _unbound_texts(proposals: Sequence[ScenarioProposal]) -> Iterator[str]:
    """Yields the unbound steps without their keyword."""
    for proposal in proposals:
        unbound = {step.text for step in proposal.open}
        for text in proposal.steps:
            # Without an action no step of the scenario is bound.
            if text in unbound or not proposal.acts:
                yield _single_line(text).partition(" ")[2]


def _proposal_lines(proposal: ScenarioProposal) -> Iterator[str]:
    yield f"  {yaml_scalar(proposal.key)}:"
    yield f'    of: "{proposal.digest}"'
    entry = as_entry(proposal)
    for key, value in entry.items():
        if key != "then":
            yield f"    {key}: {flow(value)}"
    if not proposal.acts and not proposal.action:
        yield "    # call: {tool: …, arguments: {…}}"
    yield "    then:"
    for step in proposal.open:
        yield f"      {yaml_comment(step.text)}"
        for number, members in enumerate(step.members):
            comment_mark = "# " if number else ""
            yield f"      {comment_mark}- {flow({'step': step.number, **members})}"
        if not step.members:
            yield f"      # - {{step: {step.number}, assert: …}}"
