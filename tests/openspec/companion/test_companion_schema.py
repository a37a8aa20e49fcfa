"""The JSON Schema of `mcp.yaml` accepts and refuses the values that `parse_companion` does.

Every companion of the other tests in this folder is compared, too, by the fixtures that parse.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.values_near_schema import near

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.companion import companion_schema, parse_companion
from mcpgen.read.document import load_document
from mcpgen.read.findings import Findings

ROOT = Path(__file__).parents[3]
SCHEMA = companion_schema()
MEMBERS = {
    "tools": ("tool", "t"),
    "fixtures": ("fixture", "f"),
    "scenarios": ("scenario", "s"),
    "steps": ("step", "a step"),
}


def documents() -> st.SearchStrategy[Any]:
    """Companions with one part near the schema."""
    search_strategy = st.sampled_from(sorted(MEMBERS)).flatmap(
        lambda part: near({"$ref": f"#/$defs/{MEMBERS[part][0]}"}, SCHEMA).map(
            lambda value: {"mcpgen": 1, part: {MEMBERS[part][1]: value}}
        )
    )
    return search_strategy | near({**SCHEMA, "required": ["mcpgen"]}, SCHEMA)


@settings(max_examples=150)
@given(documents())
def test_wrong_keys_and_types_are_refused_by_the_schema(tree: Any) -> None:
    from tests.openspec.companion.conftest import assert_schema_agrees

    diagnostics = Diagnostics()
    text = json.dumps(tree).encode()
    document = load_document(text, "mcp.yaml", "mcp.yaml", Findings(diagnostics))

    if document is not None:
        parse_companion(document, diagnostics)
        assert_schema_agrees(document.tree, diagnostics)


def test_the_schema_is_valid_and_accepts_the_companions_of_the_repository(
    bare: Callable[[str], Any],
) -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    paths = [*ROOT.glob("specs/openspec/*/mcp.yaml"), ROOT / "tests/generated/notes/mcp.yaml"]

    errors = [
        error.message
        for path in paths
        for error in jsonschema_rs.Draft202012Validator(SCHEMA).iter_errors(
            bare(path.read_text("utf-8")).document.tree
        )
    ]

    assert len(paths) == 3
    assert errors == []
