"""Measures tools found in requirements: `python -m benchmarks.openspec_tools FOLDER [LABELS]`.

FOLDER has a folder per repository, with `spec.md` files at any depth. LABELS is a YAML file with an entry per
repository (`owner/name`, found as `owner+name`): `half`, `sampled` (paths of specs), and `tools`, `agent_tools` and
`negatives` with a `name` each, tools also with `arguments`; `aliases` maps other spellings of a tool. Tools marked
`weak`, tools of a language model inside the repository, and negatives of the kind `ambiguous` count neither way.
Without labels every spec is read and precision and recall are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml

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
    wrong: int = 0
    arguments: list[int] = field(default_factory=lambda: [0, 0, 0])
    seconds: float = 0.0

    def add(self, other: RepositoryScore) -> None:
        """Adds the counts of another repository."""
        self.specs += other.specs
        self.labeled += other.labeled
        self.right += other.right
        self.wrong += other.wrong
        self.arguments = [
            own + more for own, more in zip(self.arguments, other.arguments, strict=True)
        ]
        self.seconds += other.seconds

    @property
    def cells(self) -> list[str]:
        """The row of the table."""
        right, wrong, missed = self.arguments
        found = self.right + self.wrong
        return [
            self.name,
            self.half or NONE,
            str(self.specs),
            str(self.labeled),
            str(found),
            str(self.right),
            _format_share(self.right, found),
            _format_share(self.right, self.labeled),
            f"{_format_share(right, right + wrong)} / {_format_share(right, right + missed)}",
            f"{self.seconds:.1f}",
        ]


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
        [folder / path for path in labels["sampled"]] if labels else sorted(folder.rglob("spec.md"))
    )
    started = perf_counter()
    tools = requirement_tools(paths)
    result = RepositoryScore(name, specs=len(paths), seconds=perf_counter() - started)
    if labels is None:
        result.wrong = len(tools)
        return result
    result.half = labels["half"]
    aliases = labels.get("aliases", {})
    expected: dict[str, set[str]] = {}
    for tool in labels["tools"]:
        if not tool.get("weak"):
            own = {argument["name"] for argument in tool.get("arguments", [])}
            expected.setdefault(aliases.get(tool["name"], tool["name"]), set()).update(own)
    ignored = {tool["name"] for tool in labels["tools"] if tool.get("weak")}
    ignored |= {tool["name"] for tool in labels.get("agent_tools", [])}
    ignored |= {one["name"] for one in labels.get("negatives", []) if one["kind"] == "ambiguous"}
    hits: set[str] = set()
    for tool_name, arguments in tools.items():
        canonical = aliases.get(tool_name, tool_name)
        if canonical in expected and canonical not in hits:
            hits.add(canonical)
            known = expected[canonical]
            counts = (len(known & arguments), len(arguments - known), len(known - arguments))
            result.arguments = [
                own + more for own, more in zip(result.arguments, counts, strict=True)
            ]
        elif tool_name not in ignored:
            result.wrong += 1
    result.right, result.labeled = len(hits), len(expected)
    return result


def scores(folder: Path, labels: Mapping[str, Any]) -> Iterator[RepositoryScore]:
    """Scores every repository of the folder that has labels, or every one without labels."""
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        name = place.name.replace("+", "/", 1)
        if not labels or name in labels:
            yield score_repository(name, place, labels.get(name))


def _format_share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else NONE


def main(arguments: list[str]) -> int:
    """Prints the table, with a row per repository and a sum per half."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__)
        return 2
    labels = yaml.safe_load(Path(arguments[1]).read_text("utf-8")) if len(arguments) > 1 else {}
    rows = list(scores(Path(arguments[0]), labels))
    sums: dict[str, RepositoryScore] = {}
    for row in rows:
        sums.setdefault(row.half, RepositoryScore("all", row.half)).add(row)
    print(markdown_table(HEAD, [row.cells for row in (*rows, *sums.values())]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
