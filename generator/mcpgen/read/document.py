"""Loads one file of a specification: bytes to a `Document`."""

from __future__ import annotations

import hashlib
import re

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Document, Syntax
from mcpgen.read.decode import decode_text
from mcpgen.read.findings import Findings
from mcpgen.read.format_detection import (
    detect_binary_format,
    detect_text_format,
    report_foreign_format,
)
from mcpgen.read.json_loader import load_json
from mcpgen.read.positions import LoadedDocument


def load_document(content: bytes, name: str, key: str, findings: Findings) -> Document | None:
    """Decodes and parses one file; None if the file holds no usable document.

    `name` is the path in messages, `key` the path relative to the first document's folder.
    Adds MG104–MG117, MG123–MG125 and MG142.
    """
    if report_foreign_format(detect_binary_format(content), Location(name), findings):
        return None
    text = decode_text(content, name, findings)
    if text is None or report_foreign_format(detect_text_format(text), Location(name), findings):
        return None
    syntax, loaded = load(text, name, findings)
    if loaded is None:
        return None
    digest = hashlib.sha256(content).hexdigest()
    return Document(name, key, syntax, text, loaded.tree, digest, position_of=loaded.position_of)


LOOKS_LIKE_JSON = re.compile(r'\s*(?:\{\s*["}]|\[)')
LOOKS_LIKE_YAML = re.compile(r"(?:\s|#.*\n|%.*\n|---.*\n)*[\w$'\"-]+:\s")
"""A block mapping, possibly after comments, directives and a document mark. No JSON text begins so.
"""
ENDINGS = {".json": Syntax.JSON, ".yaml": Syntax.YAML, ".yml": Syntax.YAML}


def syntax_of(text: str, file: str) -> Syntax:
    """Syntax by the file's ending, otherwise by the beginning of the text.

    JSON in a `.yaml` file is read as YAML, which includes JSON as flow style; YAML in a `.json`
    file is read as YAML, too.
    """
    for ending, syntax in ENDINGS.items():
        if file.lower().endswith(ending):
            return Syntax.YAML if LOOKS_LIKE_YAML.match(text) else syntax
    return Syntax.JSON if LOOKS_LIKE_JSON.match(text) else Syntax.YAML


def load(text: str, file: str, findings: Findings) -> tuple[Syntax, LoadedDocument | None]:
    """Syntax and tree of a text; the tree is None if the text cannot be parsed.

    Adds MG104, and the codes of `load_json` and `load_yaml`.
    """
    syntax = syntax_of(text, file)
    if not text.strip():
        findings.add(codes.EMPTY_FILE, Location(file))
        return syntax, None
    if syntax is Syntax.JSON:
        return syntax, load_json(text, file, findings)
    # Loaded here: a document in JSON does without it.
    from mcpgen.read.yaml_loader import load_yaml

    return syntax, load_yaml(text, file, findings)
