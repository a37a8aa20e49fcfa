"""Tool tables of `mcpgen.toml`: values and findings."""

from __future__ import annotations

import pytest

from mcpgen.config import ArgumentConfig, Config, Selection, Selector, ToolConfig, load
from mcpgen.diagnostics import Diagnostics

EVERYTHING = """\
[tools."GET /pets"]
name = "list_pets"
title = "Pets"
description = "All pets."
fields = ["id", "owner.name"]
limit_bytes = 5000
limit_items = 20

[tools."GET /pets".arguments]
kind = { fixed = "cat" }
size = { default = 10, description = "How many." }
account = { setting = "account_id" }
flags = { fixed = [1, { a = true }], hidden = true }
"""


def load_config(text: str) -> tuple[Config, list[tuple[str, int, str]]]:
    """Returns the configuration, and each finding as code, line and message."""
    diagnostics = Diagnostics()
    config = load(text.encode(), "mcpgen.toml", diagnostics)
    return config, [
        (diagnostic.code.id, diagnostic.at.line, diagnostic.message)
        for diagnostic in diagnostics.sorted()
    ]


def test_table_of_a_tool_is_read_whole() -> None:
    config, result = load_config(EVERYTHING)

    assert result == []
    assert config.names == {"GET /pets": "list_pets"}
    assert config.fields == {"GET /pets": ("id", "owner.name")}
    assert config.tools["GET /pets"] == ToolConfig(
        name="list_pets",
        fields=("id", "owner.name"),
        title="Pets",
        description="All pets.",
        arguments={
            "kind": ArgumentConfig(fixed="cat"),
            "size": ArgumentConfig("How many.", default=10),
            "account": ArgumentConfig(setting="account_id"),
            "flags": ArgumentConfig(fixed=[1, {"a": True}], hidden=True),
        },
        limit_bytes=5000,
        limit_items=20,
    )


def test_places_are_kept_for_findings_of_later_stages() -> None:
    config, _ = load_config(EVERYTHING)

    lines = [
        config.at("names", "GET /pets"),
        config.at("fields", "GET /pets", "1"),
        config.at("tools", "GET /pets", "arguments", "size"),
    ]
    assert [location and (location.line, location.column) for location in lines] == [
        (2, 1),
        (5, 17),
        (11, 1),
    ]


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("[tools.a]\ntitel = 'x'", "MG603", "`tools.a.titel`; did you mean `tools.a.title`?"),
        ("[tools]\na = 1", "MG604", "`tools.a` must be a table"),
        ("tools = 1\n", "MG604", "`tools` must be a table of tables"),
        ("[tools.a]\nfields = []", "MG605", "`tools.a.fields` must be"),
        ("[tools.a]\nfields = 'x'", "MG604", "`tools.a.fields` must be a list of strings"),
        ("[fields]\na = [2020-01-01]", "MG605", "`fields.a` must be"),
        ("[tools.a]\nlimit_bytes = 10", "MG605", "from 500 to"),
        ("[tools.a]\nname = 'No'", "MG605", "`tools.a.name`"),
        ("[tools.a.arguments]\nx = { fixd = 1 }", "MG603", "`tools.a.arguments.x.fixed`?"),
        ("[tools.a.arguments]\nx = 1", "MG604", "`tools.a.arguments.x` must be a table"),
        (
            "[tools.a.arguments]\nx = { fixed = 1, default = 2 }",
            "MG605",
            "must be only one of `fixed`, `default`, `setting`",
        ),
        ("[tools.a.arguments]\nx = { fixed = 2020-01-01 }", "MG604", "is a date or a time"),
        ("[tools.a.arguments]\nx = { fixed = [inf] }", "MG604", "is a number with a fraction"),
        ("[tools.a.arguments]\nx = { setting = 'A-B' }", "MG605", "a lower-case Python name"),
    ],
)
def test_mistake_in_a_table_is_told_at_its_line(text: str, code: str, expected: str) -> None:
    _, result = load_config(text)

    ((id, line, message),) = result
    assert id == code
    assert line == text.count("\n") + 1 if not text.endswith("\n") else 1
    assert expected in message


def test_name_and_fields_are_said_in_one_place_and_a_name_is_one_tools() -> None:
    text = """\
[names]
a = "one"
[fields]
a = ["id"]
[tools.a]
name = "two"
fields = ["x"]
[tools.b]
name = "one"
"""

    config, result = load_config(text)

    assert [(id, line) for id, line, _ in result] == [("MG605", 6), ("MG605", 7), ("MG605", 9)]
    assert config.names == {"a": "one"}


def test_selectors_ask_for_scope_deprecation_and_reading() -> None:
    config, result = load_config(
        "[select]\n"
        'include = ["scope:read:*", "read_only:true", { tag = "a", deprecated = false }]\n'
    )

    assert result == []
    assert config.selection == Selection(
        (Selector(scope="read:*"), Selector(read_only=True), Selector(tag="a", deprecated=False))
    )


def test_claim_of_a_selector_is_true_or_false() -> None:
    _, result = load_config('[select]\nexclude = [{ deprecated = "yes" }]\n')

    assert [(id, line) for id, line, _ in result] == [("MG604", 2)]
