"""Findings: what they are, where they stand, how they are collected and shown."""

from mcpgen.diagnostics.diagnostic import Code, Diagnostic, Diagnostics, Severity
from mcpgen.diagnostics.location import Location

__all__ = ["Code", "Diagnostic", "Diagnostics", "Location", "Severity"]
