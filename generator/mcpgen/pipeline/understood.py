"""What the front half of the line hands on."""

from __future__ import annotations

from mcpgen.frozen import frozen
from mcpgen.ir.api import Api
from mcpgen.ir.companion import Companion
from mcpgen.ir.requirements import Requirements
from mcpgen.ir.source import Source


@frozen
class Understood:
    """A specification as far as it could be read; `validation` says how it was validated.
    `requirements` and their `companion` are set where the tools are declared by these."""

    source: Source | None = None
    api: Api | None = None
    validation: str = ""
    requirements: Requirements | None = None
    companion: Companion | None = None
