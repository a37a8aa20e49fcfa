"""Diagnostics: codes, locations, the collector, and renderers."""

from mcpgen.diagnostics.diagnostic import Code, Diagnostic, Diagnostics, Location, Severity

__all__ = ["Code", "Diagnostic", "Diagnostics", "Location", "Severity"]
