"""One check for each kind of fact about a host; `hosts/rules.py` judges the facts."""

from __future__ import annotations

from mcpgen.conformance.checks.check_def import SpecPage, spec_url
from mcpgen.conformance.model import Check, Level

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
CHECKS: dict[str, Check] = {kind: _HOSTS.check(f"host-{kind}", Level.HOST) for kind in _KINDS}
"""The check of each kind of fact. An outcome names the host and the page of the fact."""
