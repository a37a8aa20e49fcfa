"""Writes docs/judge.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.oracle.completeness import Completeness
from tests.oracle.known_deviations import collect_limits
from tests.oracle.known_false_positives import EXCUSES, READINGS
from tests.oracle.prism_false_positives import PRISM_EXCUSES
from tests.oracle.refusals import TRUTH, count_reasons, refusal_reasons
from tests.oracle.verdicts import DocumentVerdict

HEAD = """# The judge

Every request that a generated server sends is checked by software that mcpgen has no part in.
hypothesis-jsonschema draws arguments from the schemas that the tools announce, the server is
called as a client calls it, an upstream writes down what arrives, byte by byte, and two judges
compare it with the original document: openapi-core, and Prism (`prism mock --errors`) as a second
opinion. For openapi-core, swagger2openapi writes Swagger 2.0 as OpenAPI 3.0; Prism reads the document
itself, and one of several files in one piece, which its own reader of references makes of it.
`python -m tests.oracle` repeats this (`--all` with every tool); the tests do it over our own and
small documents at every run.

* `refused`: the server sent nothing and said why; the reasons are counted below.
* `although valid`: of the refused calls, those whose request, assembled without asking any schema,
  openapi-core finds right. Values that no request can carry (in paths and headers, below) leave none to judge.
* `excused`: openapi-core objects to something that the specification allows; the clauses stand below.
* `unjudged`: openapi-core broke down, and the request counts for nothing.
* `wrong`: the document does not allow the request. Nothing excuses it.
* `disputed`: openapi-core finds the request right and Prism does not. Prism reads less of OpenAPI
  3.x (parts of forms, styles with nesting), so this is where to look, not a verdict. `no opinion`:
  Prism ended itself or answered nothing of use.

A `–` says that Prism was not asked: it does not open the document, or the document is larger than 400 kB.
Prism passes over a schema that it cannot compile, so its approval alone is weaker than openapi-core's.

Every request is also read by three parsers of servers: the standard library's, Werkzeug's, and a plain version
of what Go's `net/http` and `mime/multipart` do. A request that they read differently is `wrong`.
[serializations.yaml](../tests/judge/serializations.yaml) lists the bytes of every documented serialization
(style, explode, location, type; empty, one, many, reserved, non-ASCII, delimiter inside; 2.0, 3.0, 3.1 and 3.2),
each row with its clause and with what mcpgen does where the text is silent; a test holds servers to the list.
Calls are drawn from what the tools announce; the last section draws from the documents.
"""

COLUMNS = (
    *("document", "version", "operations", "tools", "tried", "calls", "valid", "refused"),
    *("although valid", "excused", "unjudged", "wrong"),
    *("Prism: valid", "excused", "no opinion", "disputed"),
)


COMPLETENESS = "## Completeness, drawn from the document"
"""The heading of the last section, which `python -m tests.oracle --complete` writes."""

ABOUT_COMPLETENESS = """
`python -m tests.oracle --complete` (`--tools` and `--draws` as above) reads each document without any module of
mcpgen and draws requests from the original schemas: each branch of a union, bounds, nulls, free keys, `5` and `5.0`,
texts that look like numbers, empty lists. The flattening rules and the tool's table of arguments and places give
the arguments, the server is called, and the request that arrives is compared with the one drawn. A request
counts as sent only if the three parsers read the drawn values. Draws depend on a digest of
document and operation alone.

* `valid`: the original schemas allow the drawn request.
* `sent`: the server sent exactly the drawn request.
* `refused rightly`: the request is not valid, no request can carry the value, or a finding of the build says
  that the tool cannot send such requests. The reasons are counted below.
* `refused wrongly`: valid, the arguments fit the announced schema, and the server refused them.
* `sent otherwise`: the request that arrived is another than the one drawn.
* `silent`: valid, no arguments cause the request, and no finding says so.
* `sent though invalid`: the original schemas do not allow the request.

The draws leave out: `readOnly` properties, and optional objects of nothing else; members without a name of objects
that name properties and do not say `additionalProperties`; other media types of a body than the one that the tool
sends (MG320); more than one text for a parameter whose schema names no type. By default at most 30 tools of each
document are drawn for, 12 requests each.
"""

COMPLETENESS_COLUMNS = (
    *("document", "version", "tools", "drawn", "valid", "sent", "refused rightly"),
    *("refused wrongly", "sent otherwise", "silent", "sent though invalid"),
)


def completeness_lines(found: list[Completeness]) -> Iterator[str]:
    """Lines of the section about drawn requests."""
    yield f"{COMPLETENESS}\n{ABOUT_COMPLETENESS}"
    yield f"| {' | '.join(COMPLETENESS_COLUMNS)} |"
    yield "| --- | --- |" + " --: |" * (len(COMPLETENESS_COLUMNS) - 2)
    for one in found:
        yield f"| {one.document} | {one.version} | {' | '.join(map(str, one.numbers))} |"
    total = [sum(column) for column in zip(*(one.numbers for one in found), strict=True)]
    yield f"| **all** | | {' | '.join(map(str, total))} |"
    yield "\n### Why requests were refused rightly\n"
    yield "| reason | requests |\n| --- | --: |"
    for reason, count in sum((one.excused for one in found), Counter()).most_common():
        yield f"| {reason} | {count} |"
    skipped = sum((one.skipped for one in found), Counter())
    if skipped:
        yield "\n### Tools without draws\n"
        yield "| reason | tools |\n| --- | --: |"
        for reason, count in skipped.most_common():
            yield f"| {reason} | {count} |"


def lines(found: list[DocumentVerdict]) -> Iterator[str]:
    """Lines of the page: table, excuses, refusals, and limits of the laws."""
    yield HEAD.rstrip("\n") + "\n"
    yield f"| {' | '.join(COLUMNS)} |"
    yield "| --- | --- |" + " --: |" * (len(COLUMNS) - 2)
    for one in found:
        yield f"| {one.document} | {one.version} | {' | '.join(map(str, _numbers(one)))} |"
    if len(found) > 1:
        total = [sum(column) for column in zip(*map(_counted, found), strict=True)]
        yield f"| **all** | | {' | '.join(map(str, total))} |"
    yield f"\nOf the excused requests Prism finds {sum(one.seconded for one in found)} right.\n"
    yield (
        f"Of the refused requests openapi-core finds {sum(one.misread for one in found)} right because "
        "it matches patterns by Python's expressions, where `\\s`, `\\d` and `\\w` match more than in "
        "ECMA-262 (JSON Schema 2020-12 Core, 6.4).\n"
    )
    yield from _withheld(found)
    yield "## What is read for openapi-core\n"
    yield "| reading | reason | clause |\n| --- | --- | --- |"
    for reading in READINGS:
        yield f"| {reading.name} | {reading.reason} | {reading.clause} |"
    yield "\n## Where openapi-core is not followed\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for excuse in EXCUSES:
        if not excuse.told:
            count = sum(one.excuses[excuse.name] for one in found)
            yield f"| {excuse.name} | {count} | {excuse.reason} | {excuse.clause} |"
    yield "\n## Where mcpgen does not follow the document\n"
    yield "By the letter openapi-core is right about these. They are counted as excused.\n"
    yield "| departure | requests | reason | what is written | told |"
    yield "| --- | --: | --- | --- | --- |"
    for excuse in EXCUSES:
        if excuse.told:
            count = sum(one.excuses[excuse.name] for one in found)
            told = (excuse.reason, excuse.clause, excuse.told)
            yield f"| {excuse.name} | {count} | {' | '.join(told)} |"
    yield "\n## Where Prism is not followed\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for other in PRISM_EXCUSES:
        count = sum(one.prism_excuses[other.name] for one in found)
        yield f"| {other.name} | {count} | {other.reason} | {other.clause} |"
    yield "\n## Why calls were refused\n"
    yield "| reason | calls | what asks for it |\n| --- | --: | --- |"
    refused = count_reasons(text for one in found for _, _, text in one.refusals)
    for reason, count in refused.most_common():
        yield f"| {reason} | {count} | {TRUTH[reason]} |"
    yield from collect_limits(one.findings for one in found).lines()


def _counted(one: DocumentVerdict) -> tuple[int, ...]:
    refused = (one.refused, len(one.withheld))
    judged = (one.excused, len(one.unjudged), len(one.wrong))
    second = (one.prism_valid, one.prism_excused, one.prism_none, len(one.disputed))
    calls = (one.operations, one.tools, one.tried, one.calls, one.valid)
    return (*calls, *refused, *judged, *second)


def _numbers(one: DocumentVerdict) -> Iterator[int | str]:
    numbers = _counted(one)
    was_asked = any(numbers[-4:])
    yield from numbers[:-4]
    yield from numbers[-4:] if was_asked else ("–",) * 4


def _withheld(found: list[DocumentVerdict]) -> Iterator[str]:
    """Lines about refused requests that the document allows, by document and reason."""
    counts = Counter(
        (one.document, case.tool, reason)
        for one in found
        for case, said in one.withheld
        for reason in refusal_reasons(said)
    )
    if not counts:
        return
    yield "## Refused although valid\n"
    yield "| document | tool | calls | what the server said |\n| --- | --- | --: | --- |"
    for (document, tool, reason), count in counts.items():
        yield f"| {document} | {tool} | {count} | {reason} |"
    yield ""
