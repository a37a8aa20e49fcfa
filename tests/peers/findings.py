"""Finds the violations of servers built with other software, and renders docs/other-servers.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.peers.notes import NOTES
from tests.peers.peers import PEERS, Peer, serving
from tests.peers.published import published_section, truncate_answer

from mcpgen.conformance import (
    CallableTools,
    CheckOptions,
    CheckOutcome,
    CheckStatus,
    Report,
    check,
)
from mcpgen.conformance.revisions import LEGACY

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "other-servers.md"
OPTIONS = CheckOptions(call=CallableTools.ALL, profiles=("protocol", "security"), active=True)
FOUND = (CheckStatus.FAILED, CheckStatus.WARNING)
_ROW = re.compile(r"^\| `(?P<check>[a-z0-9-]+)` \| (?P<level>\w+) \| (?P<cells>.*) \|$")
_HEAD = """\
# Other servers

What does `mcpgen check` find in servers built with other software? Each server has its default configuration and one tool that adds two numbers. Authors
of the software can compare each finding with the answer of a server and the [reason](#reasons), and report mistakes of the checks. The tests repeat the
run; `python -m tests.peers` rewrites this page. The same run on a server of mcpgen:

```sh run
mcpgen check --run "mcpgen serve openapi.yaml --mock --port {port}" "http://127.0.0.1:{port}/mcp" --profile protocol,security --active --call all
```

```text
passed: …
```

MUST and SHOULD are requirements of the specification, HOST needs of hosts in use; only a violated MUST is a failure. A cell names the revisions with the
finding: `all` supported revisions, those with a `handshake` (up to 2025-11-25), or `once` for a check that is made once.
"""

Findings = Mapping[tuple[str, str], str]
"""Cells of a table: the revisions with violations, by check id and level."""


def report_on(peer: Peer) -> Report:
    """The report on a server, with calls of its tool."""
    with serving(peer) as url:
        return check(url, OPTIONS)


def findings(report: Report) -> Findings:
    """The violations of a report."""
    result: dict[tuple[str, str], set[str]] = {}
    for outcome in _violations(report):
        key = (outcome.check.id, outcome.check.level.value)
        result.setdefault(key, set()).add(outcome.revision)
    return {key: _cell(revisions, report) for key, revisions in result.items()}


def _violations(report: Report) -> list[CheckOutcome]:
    return [outcome for outcome in report.outcomes if outcome.status in FOUND]


def _cell(revisions: set[str], report: Report) -> str:
    groups = {
        "once": {""},
        "all": {*report.revisions},
        "handshake": {*report.revisions} & {*LEGACY},
    }
    words = [word for word, members in groups.items() if revisions == members]
    return words[0] if words else ", ".join(sorted(revisions))


def recorded_findings() -> dict[tuple[str, str], Findings]:
    """The findings in the document, by name and variant of the server."""
    result: dict[tuple[str, str], dict[tuple[str, str], str]] = {
        (peer.name, peer.variant): {} for peer in PEERS
    }
    names: list[str] = []
    for line in DOCUMENT.read_text("utf-8").splitlines():
        if line.startswith("| check |"):
            names = [cell.strip() for cell in line.split("|")[3:-1]]
        elif match := _ROW.match(line):
            for name, cell in zip(names, match["cells"].split(" | "), strict=False):
                for variant, revisions in _read_cell(name, cell):
                    result[name, variant][match["check"], match["level"]] = revisions
    return dict(result)


def _write_cell(revisions: Mapping[str, str]) -> str:
    """The cell of a server with the revisions by variant, `–` for a variant without a finding."""
    texts = dict.fromkeys(revisions.values())
    if len(texts) == 1:
        return next(iter(texts))
    variants = {
        text: ", ".join(name for name, cell_text in revisions.items() if cell_text == text)
        for text in texts
    }
    return "; ".join(f"{text} ({variants[text]})" for text in texts if text != "–")


def _read_cell(name: str, cell: str) -> Iterator[tuple[str, str]]:
    """The variants of a server with a finding, with the revisions. Inverse of `_write_cell`."""
    variants = [peer.variant for peer in PEERS if peer.name == name]
    for part in cell.split("; "):
        revisions, _, names = part.removesuffix(")").partition(" (")
        if revisions != "–":
            choices = names.split(", ") if names else variants
            yield from ((variant, revisions) for variant in choices)


def document() -> str:
    """The whole page, from a fresh run."""
    reports = {(peer.name, peer.variant): report_on(peer) for peer in PEERS}
    servers = [
        f"| {peer.name} | {peer.software} | {peer.variant} | {_revisions(report)} | {_counts(report)} |"
        for peer, report in zip(PEERS, reports.values(), strict=True)
    ]
    tables = {key: findings(report) for key, report in reports.items()}
    violations = [violation for report in reports.values() for violation in _violations(report)]
    return page(servers, tables, {id: _describe_answer(id, violations) for id in NOTES})


def page(
    servers: Sequence[str],
    tables: Mapping[tuple[str, str], Findings],
    seen_answers: Mapping[str, str],
) -> str:
    """The page of the rows of the servers, the findings by server, and an answer for each check."""
    names = list(dict.fromkeys(name for name, _ in tables))
    lines = [_HEAD, "| server | software | configuration | revisions | checks |"]
    lines += ["| --- | --- | --- | --- | --- |", *servers, ""]
    lines += [f"| check | level | {' | '.join(names)} |", "| --- " * (len(names) + 2) + "|"]
    for id, level in dict.fromkeys(key for table in tables.values() for key in table):
        cells = [
            _write_cell(
                {
                    variant: table.get((id, level), "–")
                    for (server, variant), table in tables.items()
                    if server == name
                }
            )
            for name in names
        ]
        lines.append(f"| `{id}` | {level} | {' | '.join(cells)} |")
    reasons = [f"* `{id}`: {note} Seen: {seen_answers[id]}" for id, note in NOTES.items()]
    return "\n".join([*lines, "", "## Reasons", "", *reasons, "", published_section()])


def _revisions(report: Report) -> str:
    return f"{report.revisions[0]} to {report.revisions[-1]}"


def _counts(report: Report) -> str:
    counts = report.counts
    return ", ".join(f"{counts[status]} {status.value}" for status in CheckStatus if counts[status])


def _describe_answer(id: str, violations: Sequence[CheckOutcome]) -> str:
    """The answer of a server in a line, without ports and paths that change between runs."""
    answer_text = next(outcome.saw for outcome in violations if outcome.check.id == id)
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", " ".join(answer_text.split()))
    return truncate_answer(text)
