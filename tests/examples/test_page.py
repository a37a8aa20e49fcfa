"""What docs/examples.md says is shown, is shown."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = (ROOT / "docs" / "examples.md").read_text("utf-8")


def test_every_demand_of_the_page_has_a_test_and_every_test_a_demand() -> None:
    scenarios = (ROOT / "generated").glob("*/tests/scenarios/test_*.py")
    written = {
        name
        for module in (*HERE.glob("*/test_*.py"), *scenarios)
        for name in re.findall(
            r"^(?:async )?def (test_\w+)", module.read_text("utf-8"), re.MULTILINE
        )
    }

    named = set(re.findall(r"`(test_\w+)`", PAGE))

    assert named - written == set()
    assert written - named == set()
