"""The requirements that a source holds."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import RequirementSource
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse.apply_delta_findings import apply_deltas
from mcpgen.openspec.parse.lines import lines_of
from mcpgen.openspec.parse.spec import main_spec
from mcpgen.openspec.parse.standalone_delta import delta_alone


def parse_requirements(source: RequirementSource, diagnostics: Diagnostics) -> Requirements | None:
    """The requirements of a source: of its spec, of its delta, or of the spec that its deltas make
    of the one there is; None, with an error told, where there are none.

    Adds MG713–MG729.
    """
    if source.main is not None and not source.deltas:
        return main_spec(lines_of(source.main), source.capability, diagnostics)
    if source.main is None and not source.change:
        return delta_alone(lines_of(source.deltas[0]), source.capability, diagnostics)
    view = apply_deltas(source, diagnostics)
    if view is None:
        return None
    found = main_spec(view.lines, source.capability, diagnostics)
    if found is None:
        return None
    renamed = tuple(replace(each, was=view.was.get(each.name, "")) for each in found.requirements)
    return replace(found, requirements=renamed)
