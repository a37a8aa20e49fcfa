"""Resource and prompt tables of `mcpgen.toml`: values and findings."""

from __future__ import annotations

import pytest

from mcpgen.config import (
    CompletionConfig,
    Config,
    NotificationsConfig,
    PromptArgumentConfig,
    PromptConfig,
    PromptMessageConfig,
    ResourceConfig,
    load,
    validators,
)
from mcpgen.diagnostics import Diagnostics

EVERYTHING = """\
[resources.pet]
operation = "GET /pets/{id}"
uri = "shop://pets/{id}"
title = "Pet"
description = "One pet."
mime_type = "application/json"
audience = ["user"]
priority = 1
complete = { id = { operation = "listPets", value = "id" } }
tool = false

[resources.rules]
file = "rules.md"
uri = "shop://rules"

[prompts.review]
title = "Review"
description = "Reviews."
file = "prompts/review.md"
arguments = { id = { required = true, type = "integer", complete = { operation = "listPets" } } }

[prompts.show]
messages = [
  { role = "assistant", text = "Look:" },
  { image = "cat.png" },
  { embed = "cat.txt", uri = "shop://{{id}}" },
  { resource = "shop://pets/{{id}}" },
]

[notices]
changes = true
"""


def load_config(text: str) -> tuple[Config, list[tuple[str, int, str]]]:
    """Returns the configuration, and each finding as code, line and message."""
    diagnostics = Diagnostics()
    config = load(text.encode(), "mcpgen.toml", diagnostics)
    return config, [
        (diagnostic.code.id, diagnostic.at.line, diagnostic.message)
        for diagnostic in diagnostics.sorted()
    ]


def test_tables_are_read_whole() -> None:
    config, result = load_config(EVERYTHING)

    assert result == []
    assert config.resources == {
        "pet": ResourceConfig(
            "shop://pets/{id}",
            operation="GET /pets/{id}",
            title="Pet",
            description="One pet.",
            mime_type="application/json",
            audience=("user",),
            priority=1.0,
            complete={"id": CompletionConfig("listPets", "id")},
            tool=False,
        ),
        "rules": ResourceConfig("shop://rules", file="rules.md"),
    }
    identity = PromptArgumentConfig(
        required=True, type="integer", complete=CompletionConfig("listPets")
    )
    assert config.prompts == {
        "review": PromptConfig(
            "Review",
            "Reviews.",
            (PromptMessageConfig(file="prompts/review.md"),),
            {"id": identity},
        ),
        "show": PromptConfig(
            messages=(
                PromptMessageConfig("assistant", text="Look:"),
                PromptMessageConfig(image="cat.png"),
                PromptMessageConfig(embed="cat.txt", uri="shop://{{id}}"),
                PromptMessageConfig(resource="shop://pets/{{id}}"),
            )
        ),
    }
    assert config.notices == NotificationsConfig(changes=True)


def test_each_file_is_known_with_the_place_that_names_it() -> None:
    config, _ = load_config(EVERYTHING)

    lines = {path: config.at(*place) for path, place in config.attachments.items()}

    assert {path: location.line for path, location in lines.items() if location} == {
        "rules.md": 13,
        "prompts/review.md": 19,
        "cat.png": 25,
        "cat.txt": 26,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a = { uri = "x:y" }', "either an `operation` or a `file`"),
        ('a = { uri = "x:y", file = "f", operation = "o" }', "`operation and file`"),
        ('a = { operation = "o" }', "without uri"),
        ('a = { operation = "o", uri = "pets" }', "an absolute URI"),
        ('a = { operation = "o", uri = "x:{+y}" }', "an absolute URI"),
        ('a = { operation = "o", uri = "x:{y}{z}" }', "an absolute URI"),
        ('a = { operation = "o", uri = "x:{y}/{y}" }', "an absolute URI"),
        ('"a b" = { operation = "o", uri = "x:y" }', "named with letters"),
        ('a = { operation = "o", uri = "x:y", priority = 2 }', "from 0 to 1"),
        ('a = { operation = "o", uri = "x:y", audience = ["me"] }', "`user` or `assistant`"),
        ('a = { operation = "o", uri = "x:{y}", complete = { y = {} } }', "without operation"),
        ('a = { operation = "o", uri = "x:y", titel = "T" }', "did you mean `resources.a.title`?"),
        ('a = { operation = "o", uri = "x:y", mime = "T" }', "mean `resources.a.mime_type`?"),
        ("a = 3", "a table"),
    ],
)
def test_what_is_wrong_with_a_resource_is_told(text: str, expected: str) -> None:
    _, ((code, line, message),) = load_config(f"[resources]\n{text}\n")

    assert code in ("MG603", "MG604", "MG605")
    assert line == 2
    assert expected in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = { }", "one of `file`, `text`, `messages`"),
        ('a = { file = "f", messages = [] }', "`file and messages`"),
        ('a = { messages = "f" }', "a list of tables"),
        ('a = { messages = [{ text = "t", file = "f" }] }', "`text and file`"),
        ('a = { messages = [{ role = "user" }] }', "`none`"),
        ('a = { messages = [{ role = "system", text = "t" }] }', "`user` or `assistant`"),
        ('a = { messages = [{ text = "t", uri = "x:y" }] }', "beside `embed`"),
        ('a = { file = "f", arguments = { "1" = {} } }', "starting with a letter"),
        ('a = { file = "f", arguments = { b = { type = "text" } } }', "one of `string`"),
    ],
)
def test_what_is_wrong_with_a_prompt_is_told(text: str, expected: str) -> None:
    _, ((_, line, message),) = load_config(f"[prompts]\n{text}\n")

    assert line == 2
    assert expected in message


@pytest.mark.parametrize(
    "uri", ["a:b", "shop://x/{a}/y/{b_1}", "x:{a}?q={b}", "urn:x:{a}", "x:%20{a}", "x:{a}-x/{b}"]
)
def test_a_uri_with_variables_that_can_be_told_apart_is_fine(uri: str) -> None:
    assert validators.is_uri_template(uri)


@pytest.mark.parametrize(
    "uri", ["", "a", "A:b", "x:{a}{b}", "x:{a}-{b}", "x:{a", "x:a}", "x:é", "x: y", "x:%2", "x:{é}"]
)
def test_a_uri_whose_values_cannot_be_told_apart_is_none(uri: str) -> None:
    assert not validators.is_uri_template(uri)
