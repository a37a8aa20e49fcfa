"""Fixtures for tests of reading: documents written to a folder, and a second YAML reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.nodes import ScalarNode

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import Json
from mcpgen.read.document import parse_text
from mcpgen.read.findings import Findings

Loads = Callable[..., tuple[Json, Diagnostics]]
Writes = Callable[[dict[str, str | bytes]], Path]


class TextualConstructor(SafeConstructor):
    """ruamel.yaml's constructor without binary and timestamp, which stay texts as in JSON."""


def as_written(constructor: SafeConstructor, node: ScalarNode) -> str:
    """The text of a scalar."""
    return str(node.value)


for tag in ("timestamp", "binary"):
    TextualConstructor.add_constructor(f"tag:yaml.org,2002:{tag}", as_written)


def by_ruamel(text: str) -> Json:
    """Value of a text as ruamel.yaml reads YAML 1.2."""
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    reader.Constructor = TextualConstructor
    return reader.load(text)


@pytest.fixture(name="by_ruamel")
def by_ruamel_fixture() -> Callable[[str], Json]:
    """The function `by_ruamel`, for comparison."""
    return by_ruamel


@pytest.fixture
def loads() -> Loads:
    """Loads a text under a file name; returns the tree, possibly None, and the findings."""

    def call(text: str, file: str = "api.yaml") -> tuple[Json, Diagnostics]:
        diagnostics = Diagnostics()
        findings = Findings(diagnostics)
        _, document = parse_text(text, file, findings)
        findings.close()
        return document and document.tree, diagnostics

    return call


@pytest.fixture
def writes(tmp_path: Path) -> Writes:
    """Writes files below a fresh folder and returns the folder."""

    def call(files: dict[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / "spec" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "spec"

    return call
