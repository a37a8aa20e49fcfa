"""Judges every document at hand and writes the table: `python -m tests.judge`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.judge.documents import ROOT, own, real
from tests.judge.exceptions import EXCUSES
from tests.judge.jury import jury
from tests.judge.project import Built, built
from tests.judge.verdicts import Verdict, judged

TABLE = ROOT / "docs" / "judge.md"
HEAD = """# The judge

Every request that a generated server sends is checked by software that mcpgen has no part in:
hypothesis-jsonschema draws arguments from the schemas that the tools announce, the server is
called as a client calls it, an upstream writes down what arrives, and openapi-core compares it
with the original document. `python -m tests.judge` repeats this; the tests do it over small
documents at every run.

`refused` are calls for which the server sent nothing and said why. `excused` are verdicts of
openapi-core that the specification does not bear out; the reasons stand below.

| document | version | operations | tools | tried | calls | valid | refused | excused | wrong |
| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |
"""


async def verdicts(draws: int, most_tools: int) -> list[Verdict]:
    """One verdict for each document that could be built."""
    found = []
    with jury() as judges:
        for name, document in (own() | real()).items():
            started = time.monotonic()
            project = built(document)
            if not isinstance(project, Built):
                print(f"{name}: not built", file=sys.stderr)
                continue
            with tempfile.TemporaryDirectory() as folder:
                verdict = await judged(
                    project, judges, Path(folder), draws=draws, most_tools=most_tools
                )
            verdict.document = name
            found.append(verdict)
            print(f"{name}: {time.monotonic() - started:.1f} s", file=sys.stderr)
            for wrong in verdict.wrong[:5]:
                print(f"wrong: {wrong}"[:2000], file=sys.stderr)
            for tool, reason in verdict.silent.items():
                print(f"silent: {tool}: {reason[:300]}", file=sys.stderr)
    return found


def lines(found: list[Verdict]) -> Iterator[str]:
    """The table, and the excuses that were needed."""
    yield HEAD.rstrip("\n")
    for one in found:
        numbers = (
            one.operations,
            one.tools,
            one.tried,
            one.calls,
            one.valid,
            one.refused,
            one.excused,
            len(one.wrong),
        )
        yield f"| {one.document} | {one.version} | {' | '.join(map(str, numbers))} |"
    yield "\n## Where openapi-core is not followed\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for excuse in EXCUSES:
        count = sum(one.excuses[excuse.name] for one in found)
        yield f"| {excuse.name} | {count} | {excuse.reason} | {excuse.clause} |"


def main() -> None:
    """Writes the table; fails if a request is wrong."""
    found = asyncio.run(verdicts(draws=3, most_tools=int(sys.argv[1]) if sys.argv[1:] else 60))
    TABLE.write_text("\n".join(lines(found)) + "\n", encoding="utf-8")
    sys.exit(any(one.wrong for one in found))


if __name__ == "__main__":
    main()
