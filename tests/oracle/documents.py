"""Documents that the oracle judges."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "openapi"
SMALL = 600_000
"""How many bytes a document may have to be judged at every run of the tests."""


def own_documents() -> dict[str, Path]:
    """Documents of this repository by name."""
    folder = ROOT / "specs" / "openapi"
    result = {path.stem: path for path in folder.glob("*.yaml")}
    result |= {path.parent.name: path for path in folder.glob("*/openapi.yaml")}
    return dict(sorted(result.items()))


def swagger() -> dict[str, Path]:
    """Swagger 2.0 documents of the oracle by name."""
    folder = ROOT / "tests" / "oracle" / "documents_of_2_0"
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def drawn_from() -> dict[str, Path]:
    """Documents with unions, discriminators and forms by name, only for drawn requests."""
    folder = ROOT / "tests" / "oracle" / "documents_to_draw"
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def corpus_documents(most_bytes: int | None = None) -> dict[str, Path]:
    """Documents of the corpus by name, of at most `most_bytes`; empty on a machine without the corpus."""
    manifest = CORPUS / "manifest.json"
    if not manifest.exists():
        return {}
    return {
        entry["name"]: CORPUS / entry["file"]
        for entry in json.loads(manifest.read_text(encoding="utf-8"))
        if most_bytes is None or entry["total_bytes"] <= most_bytes
    }
