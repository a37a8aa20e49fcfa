"""The JSON Schema of `mcpgen.toml` accepts and refuses the values that `load` accepts and refuses."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.values_near_schema import near

from mcpgen.config import KEYS, KeySpec, config_schema, load, render_config
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import config as codes

ROOT = Path(__file__).parents[2]
SCHEMA = config_schema()
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)


def as_toml(value: Any) -> str:
    """A value as TOML, with tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value)


def verdicts(tree: dict[str, Any]) -> tuple[bool, Diagnostics]:
    """Whether the schema accepts a document, and the findings of `load`."""
    diagnostics = Diagnostics()
    text = "\n".join(f"{name} = {as_toml(value)}" for name, value in tree.items())
    load(text.encode(), "mcpgen.toml", diagnostics)
    return VALIDATOR.is_valid(tree), diagnostics


def nested(path: str, value: Any) -> dict[str, Any]:
    """The document with a value at a dotted path."""
    for name in reversed(path.split(".")):
        value = {name: value}
    return dict(value)


CASES = st.sampled_from(KEYS).flatmap(lambda key: st.tuples(st.just(key), near(key.schema, SCHEMA)))


@settings(max_examples=120)
@given(CASES)
def test_the_schema_refuses_wrong_types_and_keys_and_only_refused_values(
    case: tuple[KeySpec, Any],
) -> None:
    key, value = case

    is_valid, diagnostics = verdicts(nested(key.path, value))

    codes_found = {finding.code for finding in diagnostics}
    assert is_valid or codes_found, value
    assert not (is_valid and codes_found & {codes.WRONG_TYPE, codes.UNKNOWN_KEY}), value


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_a_key_refuses_other_types_and_misspelled_keys(key: KeySpec) -> None:
    wrong: Any = {"a": 1} if isinstance(key.default, str | int | tuple) else "a"

    assert not VALIDATOR.is_valid(nested(key.path, wrong))
    assert not VALIDATOR.is_valid(nested(f"{key.path}x", key.default))
    if key.default or not isinstance(key.default, dict):
        assert VALIDATOR.is_valid(nested(key.path, json.loads(json.dumps(key.default))))


def test_the_variable_of_a_key_is_a_setting_of_the_server() -> None:
    modules = (ROOT / "runtime" / "mcpgen_runtime").rglob("*.py")
    sources = "\n".join(path.read_text("utf-8") for path in modules)

    fields = set(re.findall(r"^    ([a-z_]+): ", sources, re.MULTILINE))

    assert {key.variable for key in KEYS} - {""} <= fields


def test_the_schema_is_valid_and_every_key_is_described() -> None:
    jsonschema_rs.meta.validate(SCHEMA)

    def is_described(schema: Any) -> bool:
        members = schema.get("properties", {}).values()
        inner = [schema.get("additionalProperties"), schema.get("items")]
        return all("description" in member or "properties" in member for member in members) and all(
            is_described(member) for member in [*members, *inner] if isinstance(member, dict)
        )

    assert is_described(SCHEMA)


def test_configurations_of_the_repository_are_valid() -> None:
    paths = [*ROOT.glob("generated/*/mcpgen.toml"), *ROOT.glob("docs/examples/*.toml")]

    trees = [tomllib.loads(path.read_text("utf-8")) for path in paths]

    assert len(trees) > 10
    assert [error.message for tree in trees for error in VALIDATOR.iter_errors(tree)] == []
    assert VALIDATOR.is_valid(tomllib.loads(render_config({"spec": "a.yaml"})))
