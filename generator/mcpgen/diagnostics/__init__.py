"""Findings: what they are, where they stand, how they are collected and shown."""

from mcpgen.diagnostics.diagnostic import Code, Diagnostic, Diagnostics, Location, Severity

__all__ = ["Code", "Diagnostic", "Diagnostics", "Location", "Severity"]
