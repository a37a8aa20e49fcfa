"""Collects tests over real documents only if the documents are present."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"

collect_ignore = [] if (CORPUS / "manifest.json").exists() else ["test_corpus.py"]
