"""Which language a document is written in, told by its version field."""

from __future__ import annotations

import re

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Dialect, Json
from mcpgen.read.findings import Findings
from mcpgen.read.format_detection import foreign_tree, report_foreign_format

VERSIONS: tuple[tuple[str, re.Pattern[str], Dialect], ...] = (
    ("openapi", re.compile(r"3\.0(\.\d+)?(-\S+)?"), Dialect.OPENAPI_3_0),
    ("openapi", re.compile(r"3\.1(\.\d+)?(-\S+)?"), Dialect.OPENAPI_3_1),
    ("openapi", re.compile(r"3\.2(\.\d+)?(-\S+)?"), Dialect.OPENAPI_3_2),
    ("swagger", re.compile(r"2(\.0)?"), Dialect.SWAGGER_2_0),
)
"""The field, its value (written as text or as a number), and what they tell."""


def dialect_of(tree: dict[str, Json], at: Location, findings: Findings) -> Dialect | None:
    """The dialect of a document, or None when its version is missing or unknown.

    Adds MG140, MG141 and MG142.
    """
    for name in ("openapi", "swagger"):
        if name in tree:
            return _dialect(name, tree[name], at / name, findings)
    if not report_foreign_format(foreign_tree(tree), at, findings):
        findings.add(codes.NO_VERSION, at)
    return None


def _dialect(name: str, version: Json, at: Location, findings: Findings) -> Dialect | None:
    if type(version) in (str, int, float):
        for field, pattern, dialect in VERSIONS:
            if field == name and pattern.fullmatch(str(version).strip()):
                return dialect
    findings.add(codes.UNKNOWN_VERSION, at, found=f"{name}: {_short(version)}")
    return None


def _short(value: Json) -> str:
    """A bounded word for a value that should be a version."""
    return str(value)[:40] if isinstance(value, str | int | float) else type(value).__name__
