"""One file of a specification: bytes to a document."""

from __future__ import annotations

import hashlib

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Document
from mcpgen.read.decode import decode
from mcpgen.read.findings import Findings
from mcpgen.read.foreign import foreign_bytes, foreign_text, tell_foreign
from mcpgen.read.syntax import load


def document(content: bytes, name: str, key: str, findings: Findings) -> Document | None:
    """The document that the bytes hold, or None when they hold none.

    Adds MG104–MG117, MG123–MG125 and MG142.
    """
    if tell_foreign(foreign_bytes(content), Location(name), findings):
        return None
    text = decode(content, name, findings)
    if text is None or tell_foreign(foreign_text(text), Location(name), findings):
        return None
    syntax, loaded = load(text, name, findings)
    if loaded is None:
        return None
    digest = hashlib.sha256(content).hexdigest()
    return Document(name, key, syntax, text, loaded.tree, digest, position_of=loaded.position_of)
