"""A report as text, JSON, JUnit XML, SARIF, Markdown, an HTML page and a badge."""
