"""Configuration keys without effect."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import load
from mcpgen.diagnostics import Diagnostics


@pytest.mark.parametrize(
    ("toml", "idle"),
    [
        ('[script]\nname = "run"\nroot = "api"', {"script.name", "script.root"}),
        ('[script]\nmode = "on"\nname = "run"', set()),
        ('[docs]\nname = "help"', {"docs.name"}),
        ('[elicitation]\nname = "ask"\nresumable = true', {"elicitation.name", "elicitation.resumable"}),
        ('[elicitation]\nmode = "on"\nsessions = true\nname = "ask"\nresumable = true', set()),
        ('[discovery]\npinned = ["do"]', {"discovery.pinned"}),
        ('[limits]\nstore = "redis"', {"limits.store"}),
        ('[limits]\nstore = "redis"\nbreaker_failures = 3', set()),
        ("[notices]\nchanges = true", {"notices.changes"}),
        ('[authentication]\nissuer = "https://a.example"\n[authentication.path_claims]\nspace = "s"',
         {"authentication.issuer", "authentication.path_claims"}),
        ('[registry]\nname = "com.example/pets"\nttl_seconds = 60', {"registry.ttl_seconds"}),
    ],
)  # fmt: skip
def test_a_key_that_changes_nothing_is_reported_at_its_place(
    build: Any, toml: str, idle: set[str]
) -> None:
    config = load(toml.encode(), "mcpgen.toml", Diagnostics())

    diagnostics = [
        diagnostic
        for diagnostic in build.lower_operation(config=config).diagnostics
        if diagnostic.code.id == "MG388"
    ]

    assert {diagnostic.message.split("`")[1] for diagnostic in diagnostics} == idle
    assert all(
        diagnostic.at.file == "mcpgen.toml" and diagnostic.at.line > 1 for diagnostic in diagnostics
    )
