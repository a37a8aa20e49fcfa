"""Checks a project, or a server by URL."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import config as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.emit.runtime import runtime_environment
from mcpgen.openspec.load import bind_scenarios
from mcpgen.openspec.report.run_scenarios import run_scenarios
from mcpgen.pipeline.load_spec import LoadedSpec, failing, load_spec, places
from mcpgen.pipeline.result import (
    BuildOptions,
    BuildResult,
    BuildStatus,
    PhaseTimer,
    ProgressCallback,
)
from mcpgen.pipeline.server_check import check_server, is_server_target, load_suite
from mcpgen.pipeline.workspace import open_workspace
from mcpgen.pipeline.write_project import can_start, verify_project

if TYPE_CHECKING:
    from mcpgen.conformance.options import CheckOptions
    from mcpgen.conformance.run_config import PassCriteria


def check(
    target: str, checks: CheckOptions | None = None, *, tell: ProgressCallback | None = None
) -> BuildResult:
    """Checks the conformance of an MCP server by URL, or of a project by folder.

    A project is started with a stub API that answers from the specification, and every scenario of
    the tools is called. Writes nothing. Raises OSError for a fault of the machine.
    """
    if not is_server_target(target):
        return check_project(target, checks, tell=tell)
    from mcpgen.conformance.options import CheckOptions
    from mcpgen.conformance.run_config import RunConfig

    return check_server(RunConfig(target, checks or CheckOptions()), tell=tell)


def check_project(
    target: str,
    checks: CheckOptions | None = None,
    terms: PassCriteria | None = None,
    *,
    scenarios: bool = False,
    tell: ProgressCallback | None = None,
) -> BuildResult:
    """Checks a project without a build.

    With `scenarios`, also runs the scenarios of the requirements; the results are shown and do not
    change the status. Raises SuiteUnavailable before the start of any process. Adds NO_SPEC.
    """
    strict = terms is not None and terms.strict
    folder, options = PurePath(target).as_posix(), BuildOptions(strict=strict)
    clock, diagnostics = PhaseTimer(tell), Diagnostics()
    load_suite(checks, clock)
    space = open_workspace(folder, options, diagnostics)
    failed = BuildResult(
        BuildStatus.FAILED, folder, seconds=clock.seconds, places=places(LoadedSpec(), space)
    )
    spec = space.spec("")
    if not spec:
        at = Location(space.config_name)
        diagnostics.add(codes.NO_SPEC, at, path=space.config_name)
        return replace(failed, diagnostics=tuple(diagnostics.sorted()))
    loaded_spec = load_spec(spec, space.with_defaults(options), None, clock, diagnostics)
    failed = replace(failed, validation=loaded_spec.validation, places=places(loaded_spec, space))
    config = space.choices(spec, options)
    if config.keep_going:
        diagnostics.soften(parse_codes.PER_OPERATION)
    if loaded_spec.api is not None:
        from mcpgen.lower import lower

        with clock.phase("lower"):
            server = lower(loaded_spec.api, config, diagnostics)
            server = bind_scenarios(server, loaded_spec.capabilities, diagnostics)
    if loaded_spec.api is None or failing(diagnostics, options):
        return replace(failed, diagnostics=tuple(diagnostics.sorted()))
    if not can_start(Path(folder), folder, diagnostics, Severity.ERROR):
        return replace(failed, diagnostics=tuple(diagnostics.sorted()))
    report = verify_project(server, Path(folder), folder, clock, diagnostics, checks, terms)
    matrix = run_scenarios(folder, clock.phase, runtime_environment()) if scenarios else None
    good = not report.failed and not failing(diagnostics, options)
    return replace(
        failed,
        status=BuildStatus.FIT if good else BuildStatus.UNFIT,
        package=server.package,
        report=report,
        scenarios=matrix,
        tools={tool.operation: tool.name for tool in server.tools},
        missing=server.missing,
        diagnostics=tuple(diagnostics.sorted()),
    )
