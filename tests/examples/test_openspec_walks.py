"""The sections of docs/openspec.md about folders without a companion, executed block by block."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.examples.docs_walkthrough import Walk, blocks


@pytest.mark.repeated("performs as a user what the tests of each command show")
@pytest.mark.parametrize("title", ["Requirements beside an API", "Requirements alone"])
def test_the_section_does_what_the_page_shows(title: str, tmp_path: Path) -> None:
    walk = Walk(tmp_path)

    for block in blocks(title):
        walk.take(block)

    assert walk.said
