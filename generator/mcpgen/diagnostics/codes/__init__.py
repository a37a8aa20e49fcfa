"""The table of codes: every finding of mcpgen, one or two modules per stage.

Ids run by stage: 1xx read, 2xx parse, 3xx lower, 4xx emit, 5xx write, 6xx config, 70x smoke test,
71x–79x OpenSpec, 8xx lint.
"""

from mcpgen.diagnostics.codes import (
    config,
    emit,
    lint,
    lower,
    openspec,
    parse,
    read,
    smoke_test,
    tool_options,
    write,
)
from mcpgen.diagnostics.diagnostic import Code

STAGES = (read, parse, lower, tool_options, emit, write, config, smoke_test, openspec, lint)

TABLE: dict[str, Code] = {
    code.id: code for stage in STAGES for code in vars(stage).values() if isinstance(code, Code)
}
"""Every code by its id."""

__all__ = ["STAGES", "TABLE"]
