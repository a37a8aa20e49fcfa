"""Which paths mcpgen may write, and what a file's content hashes to."""

from __future__ import annotations

import hashlib
import re
from functools import cache

RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""Names that are devices on Windows, with any suffix."""

PART = re.compile(r"[A-Za-z0-9_.\-]{1,128}")

HIDDEN = {".dockerignore", ".github", ".gitignore"}
"""The names with a leading dot that projects have. Others belong to tools of the user's (`.git`,
`.venv`, `.vscode`), and a file that is put there may be run."""


@cache
def is_inside(path: str) -> bool:
    """Whether a POSIX path stays inside the folder it is relative to, on every system, and leads into
    no hidden folder of another tool."""
    parts = path.split("/")
    return len(path) <= 400 and all(
        PART.fullmatch(part)
        and not part.endswith(".")
        and not RESERVED.fullmatch(part)
        and (not part.startswith(".") or part in HIDDEN)
        for part in parts
    )


def file_digest(content: bytes) -> str:
    """The SHA-256 of a text file, the same whether its lines end as on Unix or on Windows.

    Version control may rewrite line ends when it checks a file out; that is not an edit.
    """
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()
