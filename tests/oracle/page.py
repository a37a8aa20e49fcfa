"""The pages that `python -m tests.oracle` writes: `results.md` and `deviations.md` beside this module."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.oracle.completeness import Completeness
from tests.oracle.known_false_positives import EXCUSES, READINGS
from tests.oracle.prism_false_positives import PRISM_EXCUSES
from tests.oracle.verdicts import DocumentVerdict

from mcpgen.diagnostics import Code
from mcpgen.diagnostics.codes import TABLE

REASONS = (
    ("path segment", r"path segment `\.|must not be empty"),
    ("control characters", r"control characters"),
    ("ASCII in headers and cookies", r"printable ASCII"),
    ("delimiter inside a value", r"stands between the values"),
    ("nulls beside a value", r"has a value as well"),
    ("half a surrogate pair", r"surrogate"),
    ("not JSON", r"is not JSON|nested too deeply|too many digits"),
    ("not base64", r"base64"),
    ("required", r"required"),
    ("original schema", r""),
)
"""A reason and what the server says for it; the first that fits."""

TRUTH = {
    "path segment": "an empty segment, `.` and `..` are taken out of a path before it is looked up "
    "(RFC 3986, 5.2.4 and 3.3), so another operation would be called",
    "control characters": "servers and proxies end or rewrite a path at a control character, percent-"
    "encoded or not",
    "ASCII in headers and cookies": "a field value is visible ASCII, space and tab (RFC 9110, 5.5)",
    "delimiter inside a value": "`simple` does not escape the comma in a header, so the value would be "
    "read as two (OpenAPI 3.1.1, Appendix D)",
    "nulls beside a value": "one member of a body cannot be null and have a value",
    "half a surrogate pair": "UTF-8 cannot write it (RFC 3629, 3)",
    "not JSON": "an argument that holds JSON text is read before it is placed",
    "not base64": "bytes are given as base64",
    "required": "what the original schema requires below an optional argument",
    "original schema": "what the flat schema cannot say: the value does not meet the original schema",
}


def refusal_reasons(message: str) -> set[str]:
    """The reasons in the text of a refusal."""
    lines = re.findall(r"^- (.*)$", message, re.MULTILINE) or [message]
    return {next(name for name, pattern in REASONS if re.search(pattern, line)) for line in lines}


def count_reasons(texts: Iterable[str]) -> Counter[str]:
    """Number of refused calls by reason; a call may have several reasons."""
    return Counter(reason for text in texts for reason in refusal_reasons(text))


STAGES = ("MG2", "MG3")
"""Prefixes of the stages that decide which requests a tool can send."""

NOT_OF_THE_LAWS = {
    *("MG301", "MG303", "MG304", "MG305", "MG306", "MG310", "MG311", "MG340", "MG350", "MG351"),
    *("MG302", "MG307", "MG313", "MG316", "MG317", "MG341", "MG352", "MG360", "MG361", "MG371"),
    *("MG380", "MG217", "MG221", "MG241", "MG261", "MG270", "MG271", "MG280", "MG281", "MG282"),
    "MG382",
}
"""Diagnostics after which a tool still sends exactly the requests that the document allows."""


@dataclass(frozen=True)
class FlatteningLimits:
    """`findings`: per code, the number of diagnostics and of documents."""

    findings: Mapping[Code, tuple[int, int]]

    def lines(self) -> Iterator[str]:
        """Lines of the section of `results.md`."""
        yield "\n## Requests that a tool cannot send\n"
        yield (
            "Diagnostics over the documents of the table, without those that change names, texts or "
            "addresses only. A diagnostic names the position, and the part that is left out or assumed; "
            "`mcpgen explain CODE` has the reason.\n"
        )
        yield "| code | name | findings | documents |\n| --- | --- | --: | --: |"
        for code, (count, documents) in sorted(self.findings.items(), key=lambda item: item[0].id):
            yield f"| {code.id} | {code.name} | {count} | {documents} |"


def collect_limits(finding_counts: Iterable[Counter[Code]]) -> FlatteningLimits:
    """Sums the diagnostics about unsendable requests over all documents."""
    counts: Counter[Code] = Counter()
    places: Counter[Code] = Counter()
    for codes in finding_counts:
        of_the_laws = {code: count for code, count in codes.items() if _is_of_the_laws(code)}
        counts.update(of_the_laws)
        places.update(of_the_laws.keys())
    return FlatteningLimits({code: (count, places[code]) for code, count in counts.items()})


def _is_of_the_laws(code: Code) -> bool:
    return code.id in TABLE and code.id.startswith(STAGES) and code.id not in NOT_OF_THE_LAWS


HEAD = """# Requests compared with their descriptions

Written by `python -m tests.oracle`; [Are the requests right?](../../docs/requests.md) has the method, the terms and the totals.
"""

COLUMNS = (
    *("OpenAPI", "documents", "operations", "tools", "tried", "calls", "valid", "refused"),
    *("although valid", "excused", "unjudged", "wrong"),
    *("Prism: valid", "excused", "no opinion", "disputed"),
)


COMPLETENESS = "## Can every valid request be sent?"
"""The heading of the last section, written by `python -m tests.oracle --complete`."""

ABOUT_COMPLETENESS = """
Written by `python -m tests.oracle --complete`, which draws requests from the documents.
"""

COMPLETENESS_COLUMNS = (
    *("OpenAPI", "documents", "tools", "drawn", "valid", "sent", "refused rightly"),
    *("refused wrongly", "sent otherwise", "silent", "sent though invalid"),
)


def completeness_lines(results: list[Completeness]) -> Iterator[str]:
    """Lines of the section about drawn requests."""
    yield f"{COMPLETENESS}\n{ABOUT_COMPLETENESS}"
    yield f"| {' | '.join(COMPLETENESS_COLUMNS)} |"
    yield "| --- |" + " --: |" * (len(COMPLETENESS_COLUMNS) - 1)
    yield from _rows((completeness.version, completeness.numbers) for completeness in results)
    yield "\n### Reasons for right refusals\n"
    yield "| reason | requests |\n| --- | --: |"
    for reason, count in sum(
        (completeness.excused for completeness in results), Counter()
    ).most_common():
        yield f"| {reason} | {count} |"
    skip_counts = sum((completeness.skipped for completeness in results), Counter())
    if skip_counts:
        yield "\n### Tools without draws\n"
        yield "| reason | tools |\n| --- | --: |"
        for reason, count in skip_counts.most_common():
            yield f"| {reason} | {count} |"


def lines(verdicts: list[DocumentVerdict]) -> Iterator[str]:
    """Lines of the page: table, excuses, refusals, and limits of the laws."""
    yield HEAD.rstrip("\n") + "\n"
    yield f"| {' | '.join(COLUMNS)} |"
    yield "| --- |" + " --: |" * (len(COLUMNS) - 1)
    yield from _rows((verdict.version, call_counts(verdict)) for verdict in verdicts)
    yield f"\nPrism accepts {sum(verdict.seconded for verdict in verdicts)} of the excused requests.\n"
    yield (
        f"openapi-core accepts {sum(verdict.misread for verdict in verdicts)} of the refused requests because Python's "
        "regular expressions match more than ECMA-262 for `\\s`, `\\d` and `\\w` (JSON Schema 2020-12 Core, 6.4).\n"
    )
    yield from _withheld_lines(verdicts)
    yield "## Where mcpgen does not follow the document\n"
    yield "By the letter openapi-core is right about these requests, counted as excused.\n"
    yield "| departure | requests | reason | what is written | told |"
    yield "| --- | --: | --- | --- | --- |"
    for excuse in EXCUSES:
        if excuse.reported_as:
            count = sum(verdict.excuses[excuse.name] for verdict in verdicts)
            messages = (excuse.reason, excuse.clause, excuse.reported_as)
            yield f"| {excuse.name} | {count} | {' | '.join(messages)} |"
    yield "\n## Why calls were refused\n"
    yield "| reason | calls | required by |\n| --- | --: | --- |"
    refusal_counts = count_reasons(text for verdict in verdicts for _, _, text in verdict.refusals)
    for reason, count in refusal_counts.most_common():
        yield f"| {reason} | {count} | {TRUTH[reason]} |"
    yield from collect_limits(verdict.findings for verdict in verdicts).lines()


def deviation_lines(verdicts: list[DocumentVerdict]) -> Iterator[str]:
    """Lines of the page about deviations of openapi-core and Prism from the specifications."""
    yield "# Where openapi-core and Prism deviate from the specifications\n"
    yield (
        "Written by `python -m tests.oracle` beside [Are the requests right?](../../docs/requests.md). Every row has the\n"
        "clause by which the request is right.\n"
    )
    yield "## Readings supplied to openapi-core\n"
    yield "| reading | reason | clause |\n| --- | --- | --- |"
    for reading in READINGS:
        yield f"| {reading.name} | {reading.reason} | {reading.clause} |"
    yield "\n## Requests that openapi-core refuses\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for excuse in EXCUSES:
        if not excuse.reported_as:
            count = sum(verdict.excuses[excuse.name] for verdict in verdicts)
            yield f"| {excuse.name} | {count} | {excuse.reason} | {excuse.clause} |"
    yield "\n## Requests that Prism refuses\n"
    yield "| excuse | requests | reason | clause |\n| --- | --: | --- | --- |"
    for prism_excuse in PRISM_EXCUSES:
        count = sum(verdict.prism_excuses[prism_excuse.name] for verdict in verdicts)
        yield f"| {prism_excuse.name} | {count} | {prism_excuse.reason} | {prism_excuse.clause} |"


def call_counts(verdict: DocumentVerdict) -> tuple[int, ...]:
    """The numbers of a document, in the order of `COLUMNS` after the number of documents."""
    refusal_counts = (verdict.refused, len(verdict.withheld))
    unconfirmed_counts = (verdict.excused, len(verdict.unjudged), len(verdict.wrong))
    second = (verdict.prism_valid, verdict.prism_excused, verdict.prism_none, len(verdict.disputed))
    calls = (verdict.operations, verdict.tools, verdict.tried, verdict.calls, verdict.valid)
    return (*calls, *refusal_counts, *unconfirmed_counts, *second)


def _rows(version_counts: Iterable[tuple[str, Sequence[int]]]) -> Iterator[str]:
    """Rows of a table: the sums of each version of OpenAPI, such as 3.1, and of all."""
    by_version: dict[str, list[Sequence[int]]] = {}
    for version, numbers in version_counts:
        for name in (".".join(version.split(".")[:2]), "**all**"):
            by_version.setdefault(name, []).append(numbers)
    for name in sorted(by_version, key=lambda name: (name == "**all**", name)):
        rows = by_version[name]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        yield f"| {name} | {' | '.join(map(str, [len(rows), *sums]))} |"


def _withheld_lines(verdicts: list[DocumentVerdict]) -> Iterator[str]:
    """Lines about refused requests that the document allows, by document and reason."""
    counts = Counter(
        (verdict.document, case.tool, reason)
        for verdict in verdicts
        for case, message in verdict.withheld
        for reason in refusal_reasons(message)
    )
    if not counts:
        return
    yield "## Refused although valid\n"
    yield "| document | tool | calls | what the server said |\n| --- | --- | --: | --- |"
    for (document, tool, reason), count in counts.items():
        yield f"| {document} | {tool} | {count} | {reason} |"
    yield ""
