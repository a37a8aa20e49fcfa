"""One file of a specification: bytes to a document."""

from __future__ import annotations

import hashlib

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Document
from mcpgen.read.decode import decode_text
from mcpgen.read.findings import Findings
from mcpgen.read.format_detection import foreign_bytes, foreign_text, report_foreign_format
from mcpgen.read.load_text import load


def load_document(content: bytes, name: str, key: str, findings: Findings) -> Document | None:
    """The document that the bytes hold, or None when they hold none.

    Adds MG104–MG117, MG123–MG125 and MG142.
    """
    if report_foreign_format(foreign_bytes(content), Location(name), findings):
        return None
    text = decode_text(content, name, findings)
    if text is None or report_foreign_format(foreign_text(text), Location(name), findings):
        return None
    syntax, loaded = load(text, name, findings)
    if loaded is None:
        return None
    digest = hashlib.sha256(content).hexdigest()
    return Document(name, key, syntax, text, loaded.tree, digest, position_of=loaded.position_of)
