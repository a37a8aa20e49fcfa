"""How far the scenarios of requirements are bound, or what became of those of a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostics
from mcpgen.frozen import frozen
from mcpgen.ir.proofs import Binding, Chapter, Proof, Proofs
from mcpgen.ir.server import Server
from mcpgen.pipeline.clock import Clock
from mcpgen.pipeline.outcome import Options, Tell
from mcpgen.pipeline.performing import performed
from mcpgen.pipeline.surfaces import Seen, seen
from mcpgen.pipeline.targets import Kind, Unreadable, kind_of

if TYPE_CHECKING:
    from mcpgen.survey.scenarios import Matrix, Row


@frozen
class Scenarios:
    """The scenarios of a target. `matrix` is None where errors were found, which stand in `seen`."""

    matrix: Matrix | None
    seen: Seen


def scenarios(
    target: str,
    options: Options = Options(),  # noqa: B008 - it is immutable
    *,
    tell: Tell | None = None,
) -> Scenarios:
    """The scenarios of requirements, with how far each is bound, or of a project, performed by its
    tests.

    Raises Unreadable for anything else and for tests that could not be run, and OSError for a file
    that cannot be read.
    """
    kind = kind_of(target)
    if kind is Kind.PROJECT:
        return Scenarios(_performed(target, Clock(tell)), Seen(kind))
    if kind is not Kind.SPEC:
        raise Unreadable(f"scenarios are those of requirements, and {target} is {kind}")
    found = seen(target, options, tell=tell, diagnostics=Diagnostics())
    if found.surface is None or found.server is None:
        return Scenarios(None, found)
    if found.server.proofs is None:
        raise Unreadable(f"scenarios are those of requirements, and {target} is {kind}")
    return Scenarios(_bound(target, found.server, found.server.proofs), found)


def _performed(folder: str, clock: Clock) -> Matrix:
    """What became of the scenarios of a project. Raises Unreadable."""
    found = performed(folder, clock)
    if found is None:
        raise Unreadable(f"the project in {folder} is not made of requirements")
    if found.failure:
        raise Unreadable(found.failure)
    return found


def _bound(name: str, server: Server, proofs: Proofs) -> Matrix:
    """How far each scenario is bound."""
    from mcpgen.lower.openspec.snippets import names_of
    from mcpgen.survey.scenarios import Matrix

    names = names_of(proofs)
    tool = server.tools[0].name if server.tools else "NAME"
    rows = (_row(names, chapter, proof, tool) for chapter, proof in proofs.every)
    return Matrix(name, tuple(rows))


def _row(names: Mapping[str, int], chapter: Chapter, proof: Proof, tool: str) -> Row:
    from mcpgen.lower.openspec.snippets import OPEN, snippet
    from mcpgen.survey.scenarios import Row

    told = [f"step {step.number}" for step in proof.steps if step.binding in OPEN]
    told += [step.manual for step in proof.steps if step.binding is Binding.MANUAL]
    return Row(
        requirement=chapter.requirement,
        scenario=proof.name,
        status=proof.coverage.value,
        bound=proof.bound,
        count=len(proof.steps),
        at=f"{proof.at.file}:{proof.at.line}",
        told=proof.manual or "; ".join(told),
        snippet=snippet(names, chapter, proof, tool),
    )
