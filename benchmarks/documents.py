"""The descriptions that are measured: our own, and real ones where a folder of them is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "benchmarks" / ".work"
"""Where everything is built that is measured."""

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
"""Chosen from the corpus: both syntaxes, both versions, one file and 2,872, small to large."""


@dataclass(frozen=True, slots=True)
class Document:
    """A description: what it is called, its first file, and the bytes of that file."""

    name: str
    path: Path

    @property
    def size(self) -> int:
        """Bytes of the first file."""
        return self.path.stat().st_size


def documents() -> list[Document]:
    """What is measured unless the command names something else, small to large."""
    own = [ROOT / "specs" / "openapi" / path for path in OWN]
    return [*map(named, own), *_real()]


def named(path: Path) -> Document:
    """The description in a file; a folder with an `openapi.yaml` gives the name."""
    return Document(path.parent.name if path.stem == "openapi" else path.stem, path)


def _real() -> list[Document]:
    """The chosen documents of the corpus, if it is there."""
    manifest = CORPUS / "manifest.json"
    if not manifest.exists():
        return []
    files = {entry["name"]: entry["file"] for entry in json.loads(manifest.read_text("utf-8"))}
    return [Document(name, CORPUS / files[name]) for name in REAL if name in files]
