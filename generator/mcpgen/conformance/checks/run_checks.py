"""Checks without a judge: made by the code that starts a command or a project or applies a
baseline.
"""

from __future__ import annotations

from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.model import Level

_RUN = SpecPage("mcpgen check", spec_url("2026-07-28", "basic/transports"), profile="run")
_PROJECT = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), profile="trial")

STARTS = _PROJECT.check("trial-starts", Level.OWN)
REQUEST_ARRIVES = _PROJECT.check("trial-request-arrives", Level.OWN)
COMMAND_SERVES = _RUN.check("command-serves", Level.OWN)
BASELINE_SHRINKS = _RUN.check("baseline-shrinks", Level.OWN)

CHECKS = (STARTS, REQUEST_ARRIVES, COMMAND_SERVES, BASELINE_SHRINKS)
"""The checks in the order of a report."""
