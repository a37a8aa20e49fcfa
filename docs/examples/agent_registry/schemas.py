"""The schemas of the API's description, which decide what the registry takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

DESCRIPTION = Path(__file__).parents[3] / "specs" / "openapi" / "agent-registry.yaml"


def problems(schema: str, tree: Any) -> Iterator[str]:
    """What is wrong with a value, in a sentence each, by the name of its schema."""
    for error in _validator(schema).iter_errors(tree):
        yield f"{error.json_path}: {error.message[:200]}"


@cache
def _validator(schema: str) -> Draft202012Validator:
    components = yaml.safe_load(DESCRIPTION.read_text("utf-8"))["components"]
    root = {"$ref": f"#/components/schemas/{schema}", "components": components}
    return Draft202012Validator(root)
