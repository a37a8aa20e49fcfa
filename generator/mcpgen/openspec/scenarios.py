"""Reports bound steps of requirement scenarios, or performs the scenarios: of a project, or against a
running server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcpgen.conformance.redaction import redact_text
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.render import SourceMap
from mcpgen.emit.runtime import runtime_environment
from mcpgen.ir.server import Server
from mcpgen.openspec.companion import parse_companion
from mcpgen.openspec.load import is_openspec, operations_by_tool
from mcpgen.openspec.lower.snippets import OPEN, likely_tool, names_of, snippet
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenario,
    BoundScenarios,
)
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import read_requirements
from mcpgen.openspec.report.matrix import ScenarioMatrix, ScenarioRow
from mcpgen.openspec.report.run_scenarios import run_scenarios
from mcpgen.pipeline.load_tools import (
    LoadedTools,
    TargetKind,
    TargetUnreadable,
    kind_of,
    load_tools,
)
from mcpgen.pipeline.result import BuildOptions, PhaseTimer, ProgressCallback
from mcpgen.read.positions import Positions, SourceLines

if TYPE_CHECKING:
    from mcpgen.openspec.against.run import AgainstOptions


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
    loaded = load_tools(target, options, tell=tell, diagnostics=Diagnostics())
    if loaded.listing is None or loaded.server is None:
        return ScenarioReport(None, loaded)
    if loaded.server.bound_scenarios is None:
        raise TargetUnreadable(f"scenarios are those of requirements, and {target} is {kind}")
    return ScenarioReport(_bound(target, loaded.server, loaded.server.bound_scenarios), loaded)


def scenarios_against(
    spec: str,
    target: str,
    options: AgainstOptions,
    *,
    change: str = "",
    capability: str = "",
    openapi: str = "",
    secrets: frozenset[str] = frozenset(),
) -> ScenarioReport:
    """Performs the scenarios of requirements against a running server.

    `target` is a URL or a command; `secrets` are redacted. `openapi` is the API behind the server,
    whose requests in the text call the tools named after its operations. Raises TargetUnreadable for a
    text that is no requirements, and for a server without usable answers.
    """
    from mcpgen.openspec.against.run import ServerUnusable, perform_against

    if not is_openspec(spec):
        raise TargetUnreadable(f"--against takes requirements, and {spec} are none")
    diagnostics = Diagnostics()
    source = read_requirements(spec, diagnostics, change=change, capability=capability)
    requirements = parse_requirements(source, diagnostics) if source else None
    companion = None
    if source and source.companion:
        companion = parse_companion(source.companion, diagnostics)
    options = replace(options, operations=operations_by_tool(openapi, diagnostics))
    if source is None or requirements is None or diagnostics.failed:
        documents = [*(source.deltas if source else ())]
        documents += (
            [document for document in (source.main, source.companion) if document] if source else []
        )
        positions = Positions(documents)
        places = SourceMap(
            positions, SourceLines((document.name, document.text) for document in documents)
        )
        loaded = LoadedTools(
            TargetKind.SPEC, diagnostics=tuple(diagnostics.sorted()), places=places
        )
        return ScenarioReport(None, loaded)
    try:
        performed = perform_against(target, requirements, companion, options, diagnostics)
    except ServerUnusable as error:
        raise TargetUnreadable(redact_text(str(error), secrets)) from error
    rows = {(row["requirement"], row["scenario"], row["at"]): row for row in performed.rows}
    names = names_of(performed.scenarios)
    matrix = ScenarioMatrix(
        f"{spec} against {redact_text(target, secrets)}",
        tuple(
            _performed_row(rows, names, requirement, scenario, performed.tools, secrets)
            for requirement, scenario in performed.scenarios.every
        ),
    )
    return ScenarioReport(matrix, LoadedTools(TargetKind.SPEC))


def _performed_row(
    rows: Mapping[tuple[str, str, str], Mapping[str, Any]],
    names: Mapping[str, int],
    requirement: BoundRequirement,
    scenario: BoundScenario,
    tools: Sequence[str],
    secrets: frozenset[str],
) -> ScenarioRow:
    """Returns the row of a performed scenario, with the unbound steps and their reasons."""
    at = f"{scenario.at.file.rpartition('/')[2]}:{scenario.at.line}"
    row = rows[requirement.name, scenario.name, at]
    open_ = [step for step in row["steps"] if step["status"] == "pending"]
    detail = "; ".join(
        f"step {step['number']}" + (f" ({step['told']})" if step["told"] else "") for step in open_
    )
    if row["status"] in ("failed", "manual") or not detail:
        detail = str(row["told"])
    return ScenarioRow(
        requirement=requirement.name,
        scenario=scenario.name,
        status=str(row["status"]),
        bound=int(row["bound"]),
        count=len(scenario.steps),
        at=f"{scenario.at.file}:{scenario.at.line}",
        told=redact_text(detail, secrets),
        snippet=snippet(names, requirement, scenario, likely_tool(scenario, tools)),
        guessed_steps=scenario.guessed_steps,
    )


def _performed(folder: str, clock: PhaseTimer) -> ScenarioMatrix:
    """Runs the scenarios of a project. Raises TargetUnreadable."""
    matrix = run_scenarios(folder, clock.phase, runtime_environment())
    if matrix is None:
        raise TargetUnreadable(f"the project in {folder} is not made of requirements")
    if matrix.failure:
        raise TargetUnreadable(matrix.failure)
    return matrix


def _bound(name: str, server: Server, scenarios: BoundScenarios) -> ScenarioMatrix:
    """Returns the extent of bindings per scenario."""
    names = names_of(scenarios)
    tools = [tool.name for tool in server.tools]
    rows = (
        _scenario_row(names, requirement, scenario, tools)
        for requirement, scenario in scenarios.every
    )
    return ScenarioMatrix(name, tuple(rows))


def _scenario_row(
    names: Mapping[str, int],
    requirement: BoundRequirement,
    scenario: BoundScenario,
    tools: Sequence[str],
) -> ScenarioRow:
    details = [
        f"step {step.number}"
        for step in scenario.steps
        if step.binding in OPEN and not step.is_guessed
    ]
    if scenario.guessed_steps:
        details.insert(
            0, f"{scenario.guessed_steps} drafted: review the entry, then delete `guessed`"
        )
    details += [step.manual for step in scenario.steps if step.binding is Binding.MANUAL]
    return ScenarioRow(
        requirement=requirement.title,
        scenario=scenario.name,
        status=scenario.coverage.value,
        bound=scenario.bound_steps,
        count=len(scenario.steps),
        at=f"{scenario.at.file}:{scenario.at.line}",
        told=scenario.manual or "; ".join(details),
        snippet=snippet(names, requirement, scenario, likely_tool(scenario, tools)),
        guessed_steps=scenario.guessed_steps,
    )
