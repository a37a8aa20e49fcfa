"""Schemas of real OpenAPI 3.1 documents, which are JSON Schema 2020-12."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpgen.sampling import sample, valid

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"
FILES = ("museum.yaml", "adyen-checkout-v31.json", "discord-v31.json")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrizes by the installed documents; no tests without any."""
    if "file" in metafunc.fixturenames:
        metafunc.parametrize("file", [file for file in FILES if (CORPUS / file).exists()])


def definitions_of(file: str) -> dict[str, Any]:
    """The schemas of a document, by name, with references as ours are."""
    text = (CORPUS / file).read_text(encoding="utf-8")
    tree = json.loads(text) if file.endswith(".json") else yaml.safe_load(text)
    schemas = tree["components"]["schemas"]
    moved_text = json.dumps(schemas).replace("#/components/schemas/", "#/$defs/")
    result: dict[str, Any] = json.loads(moved_text)
    return result


@pytest.mark.parametrize("optional", [True, False])
def test_a_sample_of_every_schema_fits(file: str, optional: bool) -> None:
    definitions = definitions_of(file)

    unfit = [
        name
        for name, schema in definitions.items()
        if not valid(sample(schema, definitions, optional=optional), schema, definitions)
    ]

    assert unfit == []
