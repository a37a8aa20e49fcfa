"""What the front half of the line hands on."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.ir.api import ApiDescription
from mcpgen.ir.source import Source
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A specification as far as it could be read; `validation` says how it was validated.
    `requirements` and their `companion` are set where the tools are declared by these."""

    source: Source | None = None
    api: ApiDescription | None = None
    validation: str = ""
    requirements: Requirements | None = None
    companion: Companion | None = None
