"""Measured API documents: the project's own, and real documents if the corpus is on this machine."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "benchmarks" / ".work"
"""Folder of every project, environment and cache that a benchmark makes."""

CORPUS = ROOT.parent / "shared" / "corpus" / "openapi"
OWN = ("tides.yaml", "seed-bank/openapi.yaml", "workshop.yaml")
REAL = (
    "museum",
    "qdrant",
    "adyen-checkout-v31",
    "box",
    "digitalocean",
    "openai-v31",
    "stripe",
    "github",
)
"""Chosen from the corpus: JSON and YAML, OpenAPI 3.0 and 3.1, 1 to 2,872 files, small to large."""


@dataclass(frozen=True, slots=True)
class MeasuredDocument:
    """An API document: its name in tables, and its first file."""

    name: str
    path: Path

    @property
    def size(self) -> int:
        """Bytes of the first file."""
        return self.path.stat().st_size


def documents() -> list[MeasuredDocument]:
    """Documents that are measured if the command line names no document, small to large."""
    own_documents = [document_at(ROOT / "specs" / "openapi" / path) for path in OWN]
    files = corpus_files()
    return [
        *own_documents,
        *(MeasuredDocument(name, files[name]) for name in REAL if name in files),
    ]


def document_at(path: Path) -> MeasuredDocument:
    """The document in a file, named by its stem; `museum/openapi.yaml` is named `museum`."""
    return MeasuredDocument(path.parent.name if path.stem == "openapi" else path.stem, path)


def corpus_files() -> dict[str, Path]:
    """First files of the corpus's documents by name; empty on a machine without the corpus."""
    manifest = CORPUS / "manifest.json"
    if not manifest.exists():
        return {}
    return {row["name"]: CORPUS / row["file"] for row in json.loads(manifest.read_text("utf-8"))}


def require_corpus() -> dict[str, Path]:
    """Like `corpus_files`; ends the program on a machine without the corpus."""
    return corpus_files() or sys.exit("there is no corpus beside the project")
