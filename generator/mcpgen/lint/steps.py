"""Steps of scenarios that nothing shows, and what they could say instead."""

from __future__ import annotations

from functools import partial

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.proofs import Binding, BoundStep, Proof, Proofs
from mcpgen.lower.openspec.phrases import likest


def lint_steps(proofs: Proofs, diagnostics: Diagnostics) -> None:
    """Adds a finding for each step that is bound by nobody and outside the documented phrases."""
    for _, proof in proofs.every:
        if not proof.manual:
            _lint(proof, diagnostics)


def _lint(proof: Proof, diagnostics: Diagnostics) -> None:
    unbound_action = False
    for step in proof.steps:
        tell = partial(diagnostics.add, at=step.at, number=step.number, name=proof.name)
        if step.binding is Binding.PARTLY:
            tell(codes.PARTLY_UNDERSTOOD, rest=step.rest)
        elif step.binding is not Binding.PENDING:
            continue
        elif proof.actions and step.premised:
            tell(codes.UNFOUNDED_STEP, text=step.text)
        elif proof.actions or step.premised:
            unbound_action |= step.premised
            tell(codes.UNBOUND_STEP, text=step.text, way=_way(step))
        elif not unbound_action:
            # One finding per scenario: no later step can be checked before there is an action.
            tell(codes.STEP_WITHOUT_ACTION, text=step.text)
            return


def _way(step: BoundStep) -> str:
    """The end of a hint: an example of a documented phrase, if one is like the step."""
    phrase = likest(step.text, premised=step.premised)
    if phrase is None:
        return "; `mcpgen scenarios` prints an entry to paste"
    return f", or say it as in: {phrase.example}"
