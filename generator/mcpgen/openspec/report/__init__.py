"""Reports the status of each scenario: as text, Markdown, JSON and HTML."""
