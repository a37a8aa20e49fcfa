"""Modules emitted from real documents are formatted as black formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.thorough import keep

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.literal import format_source
from mcpgen.lower import lower
from mcpgen.parse import parse
from mcpgen.read import read

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"
SMALL = 150_000
"""Limit in bytes for a document whose project black formats in a few seconds."""

DOCUMENTS = sorted(
    path
    for path in CORPUS.iterdir()
    if path.suffix in (".json", ".yaml")
    and path.name != "manifest.json"
    and path.stat().st_size < SMALL
    and b"openapi" in path.read_bytes()[:2000]
)


@pytest.mark.parametrize(
    "document",
    keep(
        DOCUMENTS,
        {"param-styles-v31", "security-v31", "museum"},
        "repeats the layout of modules that test_emit.py and test_hostile.py compare with black",
    ),
)
def test_black_leaves_the_project_of_a_real_document_alone(document: Path) -> None:
    diagnostics = Diagnostics()
    source = read(str(document), diagnostics)
    api = parse(source, diagnostics) if source else None
    if api is None:
        assert diagnostics.failed
        return

    project = emit(lower(api, Config(keep_going=True), diagnostics), Config(), diagnostics)

    for file in project.files:
        if file.path.endswith(".py") and "/_runtime/" not in file.path:
            assert format_source(file.text) == file.text, file.path
