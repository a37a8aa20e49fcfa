"""Where a reference leads: a key inside the allowed folder, or a refusal."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.document_urls import is_remote, remote_key

ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
"""The start of a URL with a scheme or a host; also of a Windows path with its drive."""


@dataclass(frozen=True, slots=True)
class ReferenceRefused:
    """Why a reference is not followed: a code and its facts."""

    code: Code
    facts: dict[str, str] = field(default_factory=dict)


def target_of(reference: str, base: str) -> str | ReferenceRefused:
    """The key of the document that a reference leads to: a path relative to the first document's
    folder, or a URL.

    `base` is the key of the document the reference stands in. The key is normalised and may begin
    with `..`; nothing is looked up on the disk. `""` is the document itself.
    """
    url = reference.partition("#")[0]
    if not url:
        return base
    remote = remote_key(url, base)
    if remote is not None:
        return remote
    if is_remote(base):
        return ReferenceRefused(codes.REMOTE_REFERENCE)
    if ELSEWHERE.match(url):
        return ReferenceRefused(codes.REMOTE_REFERENCE)
    if "?" in url:
        return _malformed("it has a query")
    try:
        path = unquote(url, errors="strict")
    except UnicodeDecodeError:
        return _malformed("its percent-encoding is not UTF-8")
    if any(character < " " for character in path):
        return _malformed("it holds a control character")
    if "\\" in path or ":" in path:
        return _malformed("it holds a backslash or a colon")
    if path.startswith("/"):
        return ReferenceRefused(codes.OUTSIDE_REFERENCE)
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def _malformed(reason: str) -> ReferenceRefused:
    return ReferenceRefused(codes.MALFORMED_REFERENCE, {"reason": reason})
