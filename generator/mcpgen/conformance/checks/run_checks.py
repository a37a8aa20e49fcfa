"""Checks that other code judges: the code that starts a command or a project, or applies a baseline, and
`hosts/rules.py` for the facts about hosts."""

from __future__ import annotations

from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.model import Check, Level

_RUN = SpecPage("mcpgen check", spec_url("2026-07-28", "basic/transports"), profile="run")
_PROJECT = SpecPage("Tools", spec_url("2026-07-28", "server/tools"), profile="trial")

STARTS = _PROJECT.check("trial-starts", Level.OWN)
REQUEST_ARRIVES = _PROJECT.check("trial-request-arrives", Level.OWN)
COMMAND_SERVES = _RUN.check("command-serves", Level.OWN)
BASELINE_SHRINKS = _RUN.check("baseline-shrinks", Level.OWN)

CHECKS = (STARTS, REQUEST_ARRIVES, COMMAND_SERVES, BASELINE_SHRINKS)
"""The checks in the order of a report."""

_HOSTS = SpecPage("Facts about hosts", spec_url("2026-07-28", "server/tools"), profile="hosts")
_KINDS = (
    "tool-name",
    "argument-name",
    "tool-count",
    "description",
    "instructions",
    "schema-root",
    "schema-keyword",
    "schema-type",
    "schema-reference",
    "schema-size",
    "schema-dialect",
    "annotations",
    "output-schema",
    "mirrored-header",
    "result-size",
    "result-content",
    "accept",
    "https",
    "time",
)
HOST_CHECKS: dict[str, Check] = {kind: _HOSTS.check(f"host-{kind}", Level.HOST) for kind in _KINDS}
"""The check of each kind of fact. An outcome names the host and the page of the fact."""
