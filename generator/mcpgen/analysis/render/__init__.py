"""A survey and a difference as text, JSON, Markdown and a page."""
