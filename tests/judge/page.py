"""The page that the judge writes: docs/judge.md."""

from __future__ import annotations

from collections.abc import Iterator

from tests.judge.exceptions import EXCUSES, READINGS
from tests.judge.laws import limits
from tests.judge.prism_exceptions import PRISM_EXCUSES
from tests.judge.refusals import TRUTH, counted
from tests.judge.verdicts import Verdict

HEAD = """# The judge

Every request that a generated server sends is checked by software that mcpgen has no part in.
hypothesis-jsonschema draws arguments from the schemas that the tools announce, the server is
called as a client calls it, an upstream writes down what arrives, byte by byte, and two judges
compare it with the original document: openapi-core judges OpenAPI 3.x, and Prism
(`prism mock --errors`) gets the same requests. Swagger 2.0 is judged by Prism alone.
`python -m tests.judge` repeats this (`--all` with every tool); the tests do it over our own and
small documents at every run.

* `refused`: the server sent nothing and said why; the reasons are counted below.
* `excused`: the judge objects to something that the specification allows; the clauses stand below.
* `wrong`: the document does not allow the request. Nothing excuses it.
* `disputed`: openapi-core finds the request right and Prism does not. Prism reads less of OpenAPI
  3.x (parts of forms, styles with nesting), so this is where to look, not a verdict.

A `–` says that Prism was not asked: it does not open the document, or the document is very large.
Prism passes over a schema that it cannot compile, so its approval alone is weaker than openapi-core's.
"""

COLUMNS = (
    *(
        "document",
        "version",
        "operations",
        "tools",
        "tried",
        "calls",
        "valid",
        "refused",
        "excused",
    ),
    *("wrong", "Prism: valid", "excused", "disputed"),
)


def lines(found: list[Verdict]) -> Iterator[str]:
    """The page: the table, the excuses that were needed, the refusals, the limits of the laws."""
    yield HEAD.rstrip("\n") + "\n"
    yield f"| {' | '.join(COLUMNS)} |"
    yield "| --- | --- |" + " --: |" * (len(COLUMNS) - 2)
    for one in found:
        first = (one.operations, one.tools, one.tried, one.calls, one.valid, one.refused)
        asked = one.prism_valid + one.prism_excused + len(one.disputed)
        second = (one.prism_valid, one.prism_excused, len(one.disputed)) if asked else ("–",) * 3
        numbers = (*first, one.excused, len(one.wrong), *second)
        yield f"| {one.document} | {one.version} | {' | '.join(map(str, numbers))} |"
    yield f"\nOf the excused requests Prism finds {sum(one.seconded for one in found)} right.\n"
    yield "## What is read for openapi-core\n"
    yield "| reading | reason | clause |\n| --- | --- | --- |"
    for reading in READINGS:
        yield f"| {reading.name} | {reading.reason} | {reading.clause} |"
    yield "\n## Where openapi-core is not followed\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for excuse in EXCUSES:
        count = sum(one.excuses[excuse.name] for one in found)
        yield f"| {excuse.name} | {count} | {excuse.reason} | {excuse.clause} |"
    yield "\n## Where Prism is not followed\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for other in PRISM_EXCUSES:
        count = sum(one.prism_excuses[other.name] for one in found)
        yield f"| {other.name} | {count} | {other.reason} | {other.clause} |"
    yield "\n## Why calls were refused\n"
    yield "| reason | calls | what asks for it |\n| --- | --: | --- |"
    refused = counted(text for one in found for _, _, text in one.refusals)
    for reason, count in refused.most_common():
        yield f"| {reason} | {count} | {TRUTH[reason]} |"
    yield from limits(one.findings for one in found).lines()
