"""The files that resources and prompts bring along."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

_TYPES: Mapping[str, str] = {
    ".csv": "text/csv",
    ".gif": "image/gif",
    ".htm": "text/html",
    ".html": "text/html",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wav": "audio/wav",
    ".webp": "image/webp",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
"""Media types by suffix; those of the machine would make builds differ from place to place."""


def media_type(path: str, content: bytes) -> str:
    """The media type of a file, by its name, else by whether it is text."""
    known = _TYPES.get(PurePosixPath(path).suffix.lower())
    return known or ("application/octet-stream" if file_text(content) is None else "text/plain")


def file_text(content: bytes) -> str | None:
    """The text of a file, None if it is not one in UTF-8."""
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in decoded else decoded.replace("\r\n", "\n")
