"""The paths that mcpgen may write, and the hash of a file's content."""

from __future__ import annotations

import hashlib
import re
from functools import cache

RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""Names that are devices on Windows, with any suffix."""

PART = re.compile(r"[A-Za-z0-9_.\-]{1,128}")

HIDDEN = {".dockerignore", ".gitattributes", ".github", ".gitignore"}
"""The permitted names with a leading dot. Other such names belong to tools of the user (`.git`,
`.venv`, `.vscode`), and these tools may execute a file in their folders."""


@cache
def is_inside(path: str) -> bool:
    """True if a POSIX path stays inside the folder on every system, and leads into no hidden folder
    of another tool."""
    parts = path.split("/")
    return len(path) <= 400 and all(
        PART.fullmatch(part)
        and not part.endswith(".")
        and not RESERVED.fullmatch(part)
        and (not part.startswith(".") or part in HIDDEN)
        for part in parts
    )


def file_digest(content: bytes) -> str:
    """The SHA-256 of a text file, the same for line ends of Unix and of Windows.

    Version control may rewrite line ends at checkout; such a change is not an edit.
    """
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()
