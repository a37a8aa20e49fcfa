"""Options of the black check of project files."""

from __future__ import annotations

BLACK = ("black", "--check", "--extend-exclude", "/_runtime/", ".")
"""The module and its arguments, for a project's folder. The runtime, which is most of a project, is
copied from `runtime/` as it stands, and looked at there."""
