"""Finds documents that build and still mislead models."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics import Diagnostic, Diagnostics, Severity
from mcpgen.diagnostics.codes import lint as codes
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import openspec as openspec_codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.pipeline.load_tools import (
    LoadedTools,
    TargetKind,
    TargetUnreadable,
    kind_of,
    load_tools,
)
from mcpgen.pipeline.result import BuildOptions, ProgressCallback

OWN = frozenset(
    {
        code.id
        for stage in (codes, openspec_codes)
        for code in vars(stage).values()
        if hasattr(code, "id")
    }
)
ALSO = frozenset(
    {lower_codes.SUSPICIOUS_TEXT.id, lower_codes.MISSING_OPERATION.id}
    | {code.id for code in parse_codes.PER_OPERATION}
)
"""Codes of other stages in lint's report: instructions to models in texts, and operations without a
tool."""


def lint_target(
    target: str,
    options: BuildOptions = BuildOptions(),  # noqa: B008 - it is immutable
    *,
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
) -> LoadedTools:
    """Loads a description or a project and adds the findings of lint. Errors of every stage are
    included: unreadable parts were not checked.

    Raises TargetUnreadable for other targets, and OSError for an unreadable file.
    """
    kind = kind_of(target, stdin)
    if kind not in (TargetKind.SPEC, TargetKind.PROJECT):
        raise TargetUnreadable(
            f"lint is for {TargetKind.SPEC} or {TargetKind.PROJECT}, and {target} is {kind}"
        )
    diagnostics = Diagnostics()
    loaded_tools = load_tools(target, options, stdin=stdin, tell=tell, diagnostics=diagnostics)
    if loaded_tools.api is not None and loaded_tools.server is not None:
        from mcpgen.lint import lint
        from mcpgen.openspec.lint import lint_steps

        lint(loaded_tools.api, loaded_tools.server, diagnostics)
        if loaded_tools.server.proofs:
            lint_steps(loaded_tools.server.proofs, diagnostics)
    return replace(loaded_tools, diagnostics=tuple(filter(_is_finding, diagnostics.sorted())))


def _is_finding(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR or diagnostic.code.id in OWN | ALSO
