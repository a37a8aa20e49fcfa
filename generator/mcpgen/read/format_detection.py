"""Detects the dialect of an API description, and the format of files that are no API description."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.ir.source import Dialect, Json
from mcpgen.read.findings import Findings


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """A format that mcpgen does not read: a name with article, and a hint with one action."""

    what: str
    instead: str


CONVERT = "name an OpenAPI document of the same API, or convert this one to OpenAPI first"
UNPACK = "unpack it and name the document inside"

BINARY_SIGNATURES: tuple[tuple[bytes, ForeignFormat], ...] = (
    (b"\x1f\x8b", ForeignFormat("a gzip archive", UNPACK)),
    (b"PK\x03\x04", ForeignFormat("a zip archive", UNPACK)),
    (b"BZh", ForeignFormat("a bzip2 archive", UNPACK)),
    (b"\xfd7zXZ\x00", ForeignFormat("an xz archive", UNPACK)),
    (b"(\xb5/\xfd", ForeignFormat("a zstd archive", UNPACK)),
    (b"%PDF-", ForeignFormat("a PDF", "name the OpenAPI document of the API itself")),
)
"""First bytes of binary files."""

TEXT_SIGNATURES: tuple[tuple[re.Pattern[str], ForeignFormat], ...] = (
    (
        re.compile(r"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL),
        ForeignFormat(
            "an HTML page",
            "save the document that the page shows; its address often ends in `/openapi.json`, "
            "`/v3/api-docs` or `/swagger.json`",
        ),
    ),
    (
        re.compile(r"\s*<(?:\?xml\b|wsdl:|definitions\b|application\b)"),
        ForeignFormat("XML", CONVERT),
    ),
    (re.compile(r"#%RAML\b"), ForeignFormat("a RAML document", CONVERT)),
    (re.compile(r"FORMAT: 1A\b"), ForeignFormat("an API Blueprint", CONVERT)),
    (
        re.compile(r"(?:\s*(?:#[^\n]*)?\n)*\s*(?:type|schema|extend|directive)\b[^:\n]*\{"),
        ForeignFormat("a GraphQL schema", "name the OpenAPI document of an HTTP API"),
    ),
    (
        re.compile(r"(?:\s*(?://[^\n]*)?\n)*\s*syntax\s*=\s*[\"']proto"),
        ForeignFormat("protobuf", CONVERT),
    ),
)
"""Beginnings of texts that are neither YAML nor JSON, or only by accident."""

ROOT_KEYS: tuple[tuple[tuple[str, ...], ForeignFormat], ...] = (
    (
        ("asyncapi",),
        ForeignFormat(
            "an AsyncAPI document", "name an OpenAPI document; tools are made of HTTP operations"
        ),
    ),
    (
        ("arazzo",),
        ForeignFormat(
            "an Arazzo document", "name one of the OpenAPI documents under `sourceDescriptions`"
        ),
    ),
    (
        ("overlay",),
        ForeignFormat("an overlay", "name the document it repairs, and this file with `--overlay`"),
    ),
    (("swaggerVersion",), ForeignFormat("Swagger 1.x", CONVERT)),
    (("discoveryVersion",), ForeignFormat("a Google API discovery document", CONVERT)),
    (("info", "item"), ForeignFormat("a Postman collection", CONVERT)),
    (("__export_format", "resources"), ForeignFormat("an Insomnia export", CONVERT)),
    (
        ("configUrl",),
        ForeignFormat("the configuration of Swagger UI", "save the document it names"),
    ),
    (
        ("$schema",),
        ForeignFormat("a JSON Schema", "name the OpenAPI document whose operations use the schema"),
    ),
)
"""Keys that appear together at the root of other formats."""

BASE64 = re.compile(r"(?:eyJ|ewo|ew0K|b3BlbmFwaT|c3dhZ2dlcj)[A-Za-z0-9+/\s]*={0,2}\s*")
r"""A document in base64: begins with the encoding of `{"`, `{\n`, `openapi` or `swagger`."""


def report_foreign_format(foreign: ForeignFormat | None, at: Location, findings: Findings) -> bool:
    """Reports a foreign format; True if there is one. Adds MG142."""
    if foreign is None:
        return False
    findings.add(codes.OTHER_FORMAT, at, what=foreign.what, instead=foreign.instead)
    return True


def detect_binary_format(content: bytes) -> ForeignFormat | None:
    """Format of a binary file, or None."""
    return next(
        (foreign for start, foreign in BINARY_SIGNATURES if content.startswith(start)), None
    )


def detect_text_format(text: str) -> ForeignFormat | None:
    """Format of a text in another language such as HTML or GraphQL, or None."""
    return next((foreign for pattern, foreign in TEXT_SIGNATURES if pattern.match(text)), None)


def detect_tree_format(tree: Json) -> ForeignFormat | None:
    """Format of a document without an OpenAPI version, or None if unknown."""
    if type(tree) is str:
        return _detect_quoted_document(tree)
    if type(tree) is not dict or "paths" in tree:
        return None
    keyed = (foreign for keys, foreign in ROOT_KEYS if all(key in tree for key in keys))
    return next(keyed, None) or _detect_wrapped_document(tree)


def _detect_quoted_document(text: str) -> ForeignFormat | None:
    """Format of a document that is a single string."""
    if text.lstrip().startswith(("{", "openapi:", "swagger:")):
        return ForeignFormat(
            "a document inside a text", "save the text itself, without the quotes around it"
        )
    if BASE64.fullmatch(text):
        return ForeignFormat("a text in base64", "decode it and name the result")
    return None


def _detect_wrapped_document(tree: dict[str, Json]) -> ForeignFormat | None:
    """Format of a mapping that holds an API description under one of its keys."""
    for key, value in tree.items():
        if type(value) is dict and ("openapi" in value or "swagger" in value):
            return ForeignFormat(
                f"a mapping that holds an API description under `{key}`",
                f"save what stands under `{key}` as a file of its own",
            )
    return None


VERSIONS: tuple[tuple[str, re.Pattern[str], Dialect], ...] = (
    ("openapi", re.compile(r"3\.0(\.\d+)?(-\S+)?"), Dialect.OPENAPI_3_0),
    ("openapi", re.compile(r"3\.1(\.\d+)?(-\S+)?"), Dialect.OPENAPI_3_1),
    ("openapi", re.compile(r"3\.2(\.\d+)?(-\S+)?"), Dialect.OPENAPI_3_2),
    ("swagger", re.compile(r"2(\.0)?"), Dialect.SWAGGER_2_0),
)
"""Version field, pattern for the value as text or number, and dialect."""


def dialect_of(tree: dict[str, Json], at: Location, findings: Findings) -> Dialect | None:
    """Dialect by the version field; None for a missing or unknown version.

    Adds MG140, MG141 and MG142.
    """
    for name in ("openapi", "swagger"):
        if name in tree:
            return _match_version(name, tree[name], at / name, findings)
    if not report_foreign_format(detect_tree_format(tree), at, findings):
        findings.add(codes.NO_VERSION, at)
    return None


def _match_version(name: str, version: Json, at: Location, findings: Findings) -> Dialect | None:
    if type(version) in (str, int, float):
        for field, pattern, dialect in VERSIONS:
            if field == name and pattern.fullmatch(str(version).strip()):
                return dialect
    findings.add(codes.UNKNOWN_VERSION, at, version=f"{name}: {_format_version(version)}")
    return None


def _format_version(value: Json) -> str:
    """At most 40 characters for a wrong version in a message."""
    return str(value)[:40] if isinstance(value, str | int | float) else type(value).__name__
