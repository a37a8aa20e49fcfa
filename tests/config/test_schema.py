"""The table of keys agrees with the defaults, the documentation and the initial file."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from docs.site.reference import PAGES, escape

from mcpgen.config import KEYS, Config, KeySpec, load, render_config
from mcpgen.diagnostics import Diagnostics

CONFIGURATION = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8")
REFERENCE = PAGES["keys"]()


def _default(key: KeySpec) -> str:
    """Returns the default as TOML."""
    return json.dumps(list(key.default) if key.default == () else key.default)


def test_the_reference_has_a_row_for_every_key_and_for_nothing_else() -> None:
    documented = re.findall(r"^\| \[`([\w.]+)`\]\(", REFERENCE, re.MULTILINE)

    assert documented == [key.path for key in KEYS]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_the_reference_says_of_a_key_what_the_table_says(key: KeySpec) -> None:
    (row,) = re.findall(rf"^\| \[`{re.escape(key.path)}`.*$", REFERENCE, re.MULTILINE)

    _, meaning, kind, default, variable = (cell.strip() for cell in row.split(" | "))
    assert meaning == escape(key.meaning)
    assert kind == escape(f"{key.kind}, {key.must}" if key.must else str(key.kind))
    assert default == f"`{_default(key)}`"
    assert variable.removesuffix("|").strip() == (
        f"`{key.variable.upper()}`" if key.variable else ""
    )


def test_the_documentation_explains_keys_that_exist() -> None:
    headings = set(re.findall(r"^### `(.+)`$", CONFIGURATION, re.MULTILINE))

    assert headings
    assert headings <= {key.path for key in KEYS}


def test_the_tables_defaults_are_those_of_the_configuration() -> None:
    text = render_config({})
    uncommented_text = re.sub(r"^# (?=[a-z_]+ = )", "", text, flags=re.MULTILINE)
    diagnostics = Diagnostics()

    config = load(uncommented_text.encode(), "mcpgen.toml", diagnostics)

    assert not list(diagnostics)
    assert config == Config(has_schema=True)
    assert uncommented_text.count(" = ") == len(KEYS)


def test_the_file_to_begin_with_sets_what_is_known_and_shows_the_rest() -> None:
    text = render_config({"spec": 'a "b".yaml', "name": "petstore"})

    assert tomllib.loads(text) == {
        "spec": 'a "b".yaml',
        "name": "petstore",
        "select": {},
        "names": {},
        "fields": {},
        "bodies": {},
        "tools": {},
        "toolsets": {},
        "flatten": {},
        "output": {},
        "descriptions": {},
        "models": {},
        "budgets": {"tokens": {}},
        "endpoint": {},
        "authentication": {"path_claims": {}, "owner_claims": {}},
        "authorization": {},
        "scopes": {},
        "roles": {},
        "features": {},
        "feature_needs": {},
        "results": {},
        "connector": {"search": {}, "fetch": {}},
        "discovery": {},
        "resources": {},
        "prompts": {},
        "notices": {},
        "script": {},
        "docs": {},
        "elicitation": {},
        "confirm": {},
        "limits": {"tools": {}, "subject_tools": {}},
        "audit": {},
        "log": {},
        "telemetry": {},
        "credentials": {"exchange": {}},
        "registry": {},
        "deploy": {},
    }
    assert all(key.meaning in text for key in KEYS)
