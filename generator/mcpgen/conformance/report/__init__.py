"""A report as text, JSON, JUnit XML, SARIF, Markdown and as a page to look at."""

from mcpgen.conformance.report.as_html import as_html
from mcpgen.conformance.report.as_json import as_json, report_schema
from mcpgen.conformance.report.as_junit import as_junit
from mcpgen.conformance.report.as_markdown import as_markdown
from mcpgen.conformance.report.as_sarif import as_sarif
from mcpgen.conformance.report.as_text import as_text

__all__ = ["as_html", "as_json", "as_junit", "as_markdown", "as_sarif", "as_text", "report_schema"]
