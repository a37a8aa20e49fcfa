"""What a person has named: a description, a project, a server or a saved list."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from pathlib import Path

from mcpgen.config import NAME as CONFIG_NAME
from mcpgen.diagnostics.suggestions import closest_matches
from mcpgen.openspec.load import is_openspec
from mcpgen.pipeline.check_target import has_project, is_url
from mcpgen.pipeline.workspace import STDIN

LISTED = re.compile(rb'"(?:tools|inputSchema)"\s*:')
"""What stands in every saved list that has a tool, and in few descriptions."""

DESCRIBED = ("openapi", "swagger")
"""Keys at the root of a description."""


class TargetUnreadable(Exception):
    """A target that no tools can be had from; the message says why in one clause."""


class TargetKind(StrEnum):
    """What a target is, as messages call it."""

    SERVER = "the URL of a server"
    PROJECT = "a project's folder"
    LISTING = "a saved list of tools"
    SPEC = "an API description"
    """Or requirements, from which a server is built in the same way."""


def kind_of(target: str, stdin: bytes | None = None) -> TargetKind:
    """What a target is. Raises Unreadable, with the nearest name, for what is nothing."""
    if is_url(target):
        return TargetKind.SERVER
    path = Path(target)
    if path.is_dir():
        if has_project(target) or (path / CONFIG_NAME).is_file():
            return TargetKind.PROJECT
        if is_openspec(target):
            return TargetKind.SPEC
        raise TargetUnreadable(
            f"{target} is a folder without a project; name the description in it"
        )
    if target != STDIN and not path.is_file():
        raise TargetUnreadable(f"there is no file, project or URL `{target}`{_nearest(path)}")
    if is_openspec(target):
        return TargetKind.SPEC
    content = (stdin or b"") if target == STDIN else path.read_bytes()
    return TargetKind.LISTING if _is_listing(content) else TargetKind.SPEC


def _is_listing(content: bytes) -> bool:
    """Whether a file holds tools and no description, as far as it can be told from outside."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
        return False
    if not LISTED.search(content):
        return content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"["
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        # Whose reader has the better words for what is wrong: a list has no other keys.
        return b'"inputSchema"' in content
    return not (isinstance(tree, dict) and any(key in tree for key in DESCRIBED))


def _nearest(path: Path) -> str:
    """`; did you mean …?` with the name in the same folder that is most like it, or `""`."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    close = closest_matches(path.name, names, 1)
    return f"; did you mean `{(path.parent / close[0]).as_posix()}`?" if close else ""
