"""What harms models about a description or a project, though it builds."""

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
"""What other stages find and lint tells too: text that gives orders to models, and operations that
no tool can be made of."""


def lint_target(
    target: str,
    options: BuildOptions = BuildOptions(),  # noqa: B008 - it is immutable
    *,
    stdin: bytes | None = None,
    tell: ProgressCallback | None = None,
) -> LoadedTools:
    """A description or a project with the findings of lint; errors stand among them whatever they are
    about, for what could not be read was not looked at.

    Raises Unreadable for anything else, and OSError for a file that cannot be read.
    """
    kind = kind_of(target, stdin)
    if kind not in (TargetKind.SPEC, TargetKind.PROJECT):
        raise TargetUnreadable(
            f"lint is for {TargetKind.SPEC} or {TargetKind.PROJECT}, and {target} is {kind}"
        )
    diagnostics = Diagnostics()
    found = load_tools(target, options, stdin=stdin, tell=tell, diagnostics=diagnostics)
    if found.api is not None and found.server is not None:
        from mcpgen.lint import lint
        from mcpgen.openspec.lint import lint_steps

        lint(found.api, found.server, diagnostics)
        if found.server.proofs:
            lint_steps(found.server.proofs, diagnostics)
    return replace(found, diagnostics=tuple(filter(_findings, diagnostics.sorted())))


def _findings(found: Diagnostic) -> bool:
    return found.severity is Severity.ERROR or found.code.id in OWN | ALSO
