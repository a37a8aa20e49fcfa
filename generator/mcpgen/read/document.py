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

    `name` is the path or URL in messages. `key` is the path relative to the first document's
    folder, or a URL. Adds MG104–MG107, MG109–MG117, MG123–MG125 and MG142.
    """
    if report_foreign_format(detect_binary_format(content), Location(name), findings):
        return None
    text = decode_text(content, name, findings)
    if text is None or report_foreign_format(detect_text_format(text), Location(name), findings):
        return None
    syntax, loaded = parse_text(text, name, findings)
    if loaded is None:
        return None
    digest = hashlib.sha256(content).hexdigest()
    return Document(name, key, syntax, text, loaded.tree, digest, position_of=loaded.position_of)


LOOKS_LIKE_JSON = re.compile(r'\s*(?:\{\s*["}]|\[)')
"""Beginning of an object or array. Names in JSON have quotes; `{a: 1}` is YAML."""

LOOKS_LIKE_YAML = re.compile(r"(?:\s|#.*\n|%.*\n|---.*\n)*[\w$'\"-]+:\s")
"""Beginning of a block mapping, possibly after comments, directives and `---`. JSON never matches."""

SYNTAX_BY_SUFFIX = {".json": Syntax.JSON, ".yaml": Syntax.YAML, ".yml": Syntax.YAML}
"""Syntax by the end of the file name, in lower case."""


def detect_syntax(text: str, file: str) -> Syntax:
    """Returns the syntax for the suffix of the file name, otherwise for the beginning of the text.

    JSON in a `.yaml` file is read as YAML, which includes JSON as flow style; YAML in a `.json`
    file is read as YAML, too.
    """
    for suffix, syntax in SYNTAX_BY_SUFFIX.items():
        if file.lower().endswith(suffix):
            return Syntax.YAML if LOOKS_LIKE_YAML.match(text) else syntax
    return Syntax.JSON if LOOKS_LIKE_JSON.match(text) else Syntax.YAML


def parse_text(text: str, file: str, findings: Findings) -> tuple[Syntax, LoadedDocument | None]:
    """Returns the syntax and the parsed document of a text; None as document for an unusable text.

    Adds MG104, and the codes of `load_json` and `load_yaml`.
    """
    syntax = detect_syntax(text, file)
    if not text.strip():
        findings.add(codes.EMPTY_FILE, Location(file))
        return syntax, None
    if syntax is Syntax.JSON:
        return syntax, load_json(text, file, findings)
    # Imported here: JSON documents do not need the YAML loader.
    from mcpgen.read.yaml_loader import load_yaml

    return syntax, load_yaml(text, file, findings)
