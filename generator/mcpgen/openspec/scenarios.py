"""Reports bound steps of requirement scenarios, or runs the scenarios of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostics
from mcpgen.emit.runtime import runtime_environment
from mcpgen.ir.server import Server
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenario,
    BoundScenarios,
)
from mcpgen.openspec.report.run_scenarios import run_scenarios
from mcpgen.pipeline.load_tools import (
    LoadedTools,
    TargetKind,
    TargetUnreadable,
    kind_of,
    load_tools,
)
from mcpgen.pipeline.result import BuildOptions, PhaseTimer, ProgressCallback

if TYPE_CHECKING:
    from mcpgen.openspec.report.matrix import ScenarioMatrix, ScenarioRow


@dataclass(frozen=True, slots=True)
class ScenarioReport:
    """The scenarios of a target. `matrix` is None after errors; `seen` has the errors."""

    matrix: ScenarioMatrix | None
    seen: LoadedTools


def scenarios(
    target: str,
    options: BuildOptions = BuildOptions(),  # noqa: B008 - it is immutable
    *,
    tell: ProgressCallback | None = None,
) -> ScenarioReport:
    """Returns bound steps per scenario for requirements, or test results for a project.

    Raises TargetUnreadable for other targets and for tests that could not run, and OSError for an
    unreadable file.
    """
    kind = kind_of(target)
    if kind is TargetKind.PROJECT:
        return ScenarioReport(_performed(target, PhaseTimer(tell)), LoadedTools(kind))
    if kind is not TargetKind.SPEC:
        raise TargetUnreadable(f"scenarios are those of requirements, and {target} is {kind}")
    found = load_tools(target, options, tell=tell, diagnostics=Diagnostics())
    if found.surface is None or found.server is None:
        return ScenarioReport(None, found)
    if found.server.proofs is None:
        raise TargetUnreadable(f"scenarios are those of requirements, and {target} is {kind}")
    return ScenarioReport(_bound(target, found.server, found.server.proofs), found)


def _performed(folder: str, clock: PhaseTimer) -> ScenarioMatrix:
    """Runs the scenarios of a project. Raises TargetUnreadable."""
    found = run_scenarios(folder, clock.phase, runtime_environment())
    if found is None:
        raise TargetUnreadable(f"the project in {folder} is not made of requirements")
    if found.failure:
        raise TargetUnreadable(found.failure)
    return found


def _bound(name: str, server: Server, proofs: BoundScenarios) -> ScenarioMatrix:
    """Returns the extent of bindings per scenario."""
    from mcpgen.openspec.lower.snippets import names_of
    from mcpgen.openspec.report.matrix import ScenarioMatrix

    names = names_of(proofs)
    tool = server.tools[0].name if server.tools else "NAME"
    rows = (_row(names, chapter, proof, tool) for chapter, proof in proofs.every)
    return ScenarioMatrix(name, tuple(rows))


def _row(
    names: Mapping[str, int], chapter: BoundRequirement, proof: BoundScenario, tool: str
) -> ScenarioRow:
    from mcpgen.openspec.lower.snippets import OPEN, snippet
    from mcpgen.openspec.report.matrix import ScenarioRow

    told = [f"step {step.number}" for step in proof.steps if step.binding in OPEN]
    told += [step.manual for step in proof.steps if step.binding is Binding.MANUAL]
    return ScenarioRow(
        requirement=chapter.title,
        scenario=proof.name,
        status=proof.coverage.value,
        bound=proof.bound,
        count=len(proof.steps),
        at=f"{proof.at.file}:{proof.at.line}",
        told=proof.manual or "; ".join(told),
        snippet=snippet(names, chapter, proof, tool),
    )
