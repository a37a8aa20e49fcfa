"""Real documents: the trees equal those of other readers, within a time limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.thorough import keep

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.read import read
from mcpgen.read.findings import Findings
from mcpgen.read.positions import Positions
from mcpgen.read.yaml_loader import load_yaml

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"
KEPT = {
    "github",
    "kubernetes-v2",
    "discord-v31",
    "cafe-split-v32",
    "petstore-separate-v2",
    "museum",
}
REPEATS = "repeats the proof on more documents of the same form"
SMALL = 60_000
"""Bytes up to which the comparison reader, written in Python, finishes within seconds."""


def documents() -> list[dict[str, Any]]:
    """Rows of the corpus' manifest; empty without a corpus."""
    manifest = CORPUS / "manifest.json"
    return json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else []


def small_yaml() -> list[Path]:
    """YAML files small enough for the comparison reader, a few per folder."""
    rows = [CORPUS / row["file"] for row in documents()]
    files = [path for path in rows if path.suffix in (".yaml", ".yml")]
    for folder in sorted({path.parent for path in files if path.parent != CORPUS}):
        files.extend(sorted(folder.rglob("*.y*ml"))[:40])
    return sorted({path for path in files if path.stat().st_size < SMALL})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrizes tests with documents; a test without documents is not generated."""
    if "row" in metafunc.fixturenames:
        metafunc.parametrize("row", keep(documents(), KEPT, REPEATS))
    if "path" in metafunc.fixturenames:
        paths = small_yaml()
        metafunc.parametrize("path", paths, ids=[path.name for path in paths])


def with_text_keys(value: Any) -> Any:
    """The value with number keys as text, as JSON has them."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(child) for key, child in value.items()}
    if isinstance(value, list):
        return [with_text_keys(child) for child in value]
    return value


def test_a_real_document_is_read(row: dict[str, Any]) -> None:
    diagnostics = Diagnostics()

    source = read(str(CORPUS / row["file"]), diagnostics, root=str(CORPUS))

    assert source is not None
    assert source.dialect.value.endswith(row["version"][:3])
    errors = {diagnostic.code.name for diagnostic in diagnostics if diagnostic.severity == "error"}
    assert errors <= ({"remote-reference"} if row["remote_refs"] else set())


def test_every_path_of_a_real_document_is_placed(row: dict[str, Any]) -> None:
    source = read(str(CORPUS / row["file"]), Diagnostics(), root=str(CORPUS))
    assert source is not None
    root = source.root
    positions = Positions([root])
    lines = root.text.split("\n")

    for path in root.tree.get("paths", {}):
        position = positions(Location(root.name, ("paths", path)))
        assert position is not None
        assert path in lines[position.line - 1]


def test_a_small_document_is_what_ruamel_reads(path: Path, by_ruamel: Any) -> None:
    text = path.read_text(encoding="utf-8")

    document = load_yaml(text, path.name, Findings(Diagnostics()))

    assert document is not None
    assert document.tree == with_text_keys(by_ruamel(text))
