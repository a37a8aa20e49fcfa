"""A report as text, JSON and JUnit XML."""

from mcpgen.conformance.report.as_json import as_json
from mcpgen.conformance.report.as_junit import as_junit
from mcpgen.conformance.report.as_text import as_text

__all__ = ["as_json", "as_junit", "as_text"]
