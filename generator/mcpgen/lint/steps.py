"""Steps of scenarios that nothing shows, and what they could say instead."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.proofs import Binding, Proof, Proofs
from mcpgen.lower.openspec.phrases import likest


def lint_steps(proofs: Proofs, diagnostics: Diagnostics) -> None:
    """Adds a finding for each step that is bound by nobody and outside the documented phrases."""
    for _, proof in proofs.every:
        if not proof.manual:
            _lint(proof, diagnostics)


def _lint(proof: Proof, diagnostics: Diagnostics) -> None:
    for step in proof.steps:
        if step.binding is Binding.PENDING and step.premised and proof.actions:
            diagnostics.add(
                codes.UNFOUNDED_STEP, step.at, number=step.number, name=proof.name, text=step.text
            )
        elif step.binding is Binding.PENDING:
            diagnostics.add(
                codes.UNBOUND_STEP,
                step.at,
                number=step.number,
                name=proof.name,
                text=step.text,
                phrase=likest(step.text, premised=step.premised).example,
            )
        elif step.binding is Binding.PARTLY:
            diagnostics.add(
                codes.PARTLY_UNDERSTOOD,
                step.at,
                number=step.number,
                name=proof.name,
                rest=step.rest,
            )
