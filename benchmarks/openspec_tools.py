"""Measures tools found in requirements: `python -m benchmarks.openspec_tools FOLDER [LABELS [HALF]]`.

FOLDER has a folder per repository (`owner+name`), with `spec.md` files at any depth. LABELS is a JSON file such as
`benchmarks/openspec_tools_labels.json`: per repository (`owner/name`) the `commit`; `specs`, with the argument names of
each labeled tool by path of the spec and name of the tool; and `uncounted`, names that count neither way: tools of a
language model inside the program, deprecated aliases, and tools that the text describes without a literal name. HALF
(`tuned` or `held`) also prints the wrong and missed names of that half. Without LABELS every spec is read, and precision
and recall are left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.markdown import NONE, markdown_table
from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.lower.drafted_tools import inputs_of
from mcpgen.openspec.lower.extraction import facts_of
from mcpgen.openspec.parse import parse_requirements
from mcpgen.openspec.read.requirements import read_requirements

HEAD = (
    "repository",
    "half",
    "specs",
    "labeled",
    "found",
    "right",
    "precision",
    "recall",
    "arguments",
    "seconds",
)


@dataclass
class RepositoryScore:
    """Counts of one repository or of several; `arguments` are right, wrong and missed names."""

    name: str
    half: str = ""
    specs: int = 0
    labeled: int = 0
    right: int = 0
    wrong: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)
    arguments: list[int] = field(default_factory=lambda: [0, 0, 0])
    seconds: float = 0.0

    def add(self, score: RepositoryScore) -> None:
        """Adds the counts of another repository."""
        self.specs += score.specs
        self.labeled += score.labeled
        self.right += score.right
        self.wrong |= {f"{score.name} {name}" for name in score.wrong}
        self.missed |= {f"{score.name} {name}" for name in score.missed}
        self.arguments = [
            own_count + more
            for own_count, more in zip(self.arguments, score.arguments, strict=True)
        ]
        self.seconds += score.seconds

    @property
    def cells(self) -> list[str]:
        """The row of the table."""
        right, wrong, missed_count = self.arguments
        count = self.right + len(self.wrong)
        return [
            self.name,
            self.half or NONE,
            str(self.specs),
            str(self.labeled),
            str(count),
            str(self.right),
            _format_share(self.right, count),
            _format_share(self.right, self.labeled),
            f"{_format_share(right, right + wrong)} / {_format_share(right, right + missed_count)}",
            f"{self.seconds:.1f}",
        ]


def half_of(name: str) -> str:
    """Returns `tuned` or `held`, by the first hexadecimal digit of the SHA-256 of a name."""
    return "held" if int(sha256(name.encode()).hexdigest()[0], 16) % 2 else "tuned"


def requirement_tools(paths: list[Path]) -> dict[str, set[str]]:
    """The tools of all specs of a repository, with the names of their arguments."""
    tools: dict[str, set[str]] = {}
    for path in paths:
        source = read_requirements(path.as_posix(), Diagnostics())
        requirements = parse_requirements(source, Diagnostics()) if source else None
        if requirements is None:
            continue
        facts = facts_of(requirements)
        for name in facts.tools:
            tools.setdefault(name, set()).update(inputs_of(name, facts))
    return tools


def score_repository(name: str, folder: Path, labels: Mapping[str, Any] | None) -> RepositoryScore:
    """Reads the specs of a repository and compares the tools with the labels."""
    paths = (
        [folder / path for path in labels["specs"]] if labels else sorted(folder.rglob("spec.md"))
    )
    start_time = perf_counter()
    tools = requirement_tools(paths)
    score = RepositoryScore(name, specs=len(paths), seconds=perf_counter() - start_time)
    if labels is None:
        score.wrong = set(tools)
        return score
    score.half = half_of(name)
    expected: dict[str, set[str]] = {}
    for tool_labels in labels["specs"].values():
        for tool, arguments in tool_labels.items():
            expected.setdefault(tool, set()).update(arguments)
    right = expected.keys() & tools.keys()
    for tool in right:
        counts = (
            len(expected[tool] & tools[tool]),
            len(tools[tool] - expected[tool]),
            len(expected[tool] - tools[tool]),
        )
        score.arguments = [
            own_count + more for own_count, more in zip(score.arguments, counts, strict=True)
        ]
    score.wrong = tools.keys() - expected.keys() - set(labels.get("uncounted", ()))
    score.missed = expected.keys() - right
    score.right, score.labeled = len(right), len(expected)
    return score


def scores(folder: Path, labels: Mapping[str, Any]) -> Iterator[RepositoryScore]:
    """Scores every repository of the folder that has labels, or every one without labels."""
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        name = place.name.replace("+", "/", 1)
        if not labels or name in labels:
            yield score_repository(name, place, labels.get(name))


def _format_share(part: int, total: int) -> str:
    return f"{100 * part / total:.0f} %" if total else NONE


def main(arguments: list[str]) -> int:
    """Prints the table, with a row per repository and a sum per half."""
    if not 1 <= len(arguments) <= 3:
        print(__doc__)
        return 2
    labels = json.loads(Path(arguments[1]).read_text("utf-8")) if len(arguments) > 1 else {}
    rows = list(scores(Path(arguments[0]), labels))
    sums: dict[str, RepositoryScore] = {}
    for row in rows:
        sums.setdefault(row.half, RepositoryScore("all", row.half)).add(row)
    print(markdown_table(HEAD, [row.cells for row in (*rows, *sums.values())]))
    if len(arguments) > 2:
        total = sums[arguments[2]]
        for kind, names in (("wrong", total.wrong), ("missed", total.missed)):
            print(f"\n{kind}:\n  " + "\n  ".join(sorted(names)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
