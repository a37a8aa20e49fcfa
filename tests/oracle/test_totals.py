"""docs/requests.md has the totals of `results.md`."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "requests.md").read_text("utf-8")
RESULTS = Path(__file__).with_name("results.md").read_text("utf-8")


def totals(second_column: str) -> dict[str, int]:
    """The row of all documents in the table whose columns begin with OpenAPI, documents, `second_column`."""
    head, row = re.findall(
        rf"^\| (OpenAPI \| documents \| {second_column} .*) \|\n(?:\|.*\n)*?\| (\*\*all\*\* .*) \|$",
        RESULTS,
        re.MULTILINE,
    )[0]
    columns = [*zip(head.split(" | "), row.split(" | "), strict=True)][1:]
    # Prism's columns repeat names of earlier columns; the first column of a name counts.
    return {name: int(cell) for name, cell in reversed(columns)}


def figures(number: int) -> list[int]:
    """The documents and tools in the head of the page's table `number`, and the figure of every row."""
    table = re.findall(r"^\| \d+ documents, (?:.*\n)+?\n", PAGE, re.MULTILINE)[number]
    head, _, *rows = table.strip().splitlines()
    return [
        *map(int, re.findall(r"(\d+) (?:documents|tools)", head)),
        *(int(re.findall(r"\d+", row.split(" | ")[-1])[0]) for row in rows),
    ]


def test_the_page_has_the_totals_of_compared_requests() -> None:
    of_all = totals("operations")

    output = figures(0)

    assert output == [
        of_all[name]
        for name in (
            *("documents", "tried", "valid", "refused", "although valid"),
            *("excused", "unjudged", "wrong", "calls"),
        )
    ]


def test_the_page_has_the_totals_of_drawn_requests() -> None:
    of_all = totals("tools")
    wrong = of_all["refused wrongly"] + of_all["sent otherwise"] + of_all["silent"]

    output = figures(1)

    assert output == [
        of_all["documents"],
        of_all["tools"],
        of_all["sent"],
        of_all["refused rightly"],
        wrong,
        of_all["drawn"],
    ]
