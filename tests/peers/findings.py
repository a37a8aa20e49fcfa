"""Findings for servers built with other software; renders docs/other-servers.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from tests.peers.notes import NOTES
from tests.peers.peers import PEERS, Peer, serving
from tests.peers.published import published_section

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

What does `mcpgen check` find in servers built with other software? Each server below has its default configuration and one tool that adds two numbers.
The list exposes mistakes of the checks: authors of the software can compare each finding with the answer of the server and the [reason](#reasons). The
tests repeat the run and compare the findings. `python -m tests.peers` rewrites this page.

```sh
mcpgen check --run "python server.py" http://127.0.0.1:8000/mcp --profile protocol,security --active
```

MUST and SHOULD are requirements of the specification, HOST
needs of hosts in use; only a violated MUST is a failure. A finding occurs in `all` supported revisions, in those with a `handshake`
(up to 2025-11-25), in the named revisions, or `once` for a check that is made once.
"""

Findings = Mapping[tuple[str, str], str]
"""Cells of a table: the revisions with violations, by check id and level."""


def report_on(peer: Peer) -> Report:
    """The report on a server, with calls of its tool."""
    with serving(peer) as url:
        return check(url, OPTIONS)


def findings(report: Report) -> Findings:
    """The violations of a report."""
    found: dict[tuple[str, str], set[str]] = {}
    for outcome in _violations(report):
        key = (outcome.check.id, outcome.check.level.value)
        found.setdefault(key, set()).add(outcome.revision)
    return {key: _cell(revisions, report) for key, revisions in found.items()}


def _violations(report: Report) -> list[CheckOutcome]:
    return [outcome for outcome in report.outcomes if outcome.status in FOUND]


def _cell(revisions: set[str], report: Report) -> str:
    known = {
        "once": {""},
        "all": {*report.revisions},
        "handshake": {*report.revisions} & {*LEGACY},
    }
    words = [word for word, meant in known.items() if revisions == meant]
    return words[0] if words else ", ".join(sorted(revisions))


def recorded() -> dict[tuple[str, str], Findings]:
    """The findings in the document, by name and variant of the server."""
    found: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    name, variants = "", [""]
    for line in DOCUMENT.read_text("utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
            found |= {(name, peer.variant): {} for peer in PEERS if peer.name == name}
        elif line.startswith("| check |"):
            variants = [cell.strip() for cell in line.split("|")[3:-2]]
        elif match := _ROW.match(line):
            for variant, cell in zip(variants, match["cells"].split(" | "), strict=False):
                if cell != "–":
                    key = (match["check"], match["level"])
                    found[name, variant if len(variants) > 1 else ""][key] = cell
    return dict(found)


def document() -> str:
    """The whole page, from a fresh run."""
    sections = [_section([*peers]) for _, peers in groupby(PEERS, lambda peer: peer.name)]
    reasons = [f"* `{id}`: {note}" for id, note in NOTES.items()]
    return "\n".join([_HEAD, *sections, "## Reasons", "", *reasons, "", published_section()])


def _section(peers: list[Peer]) -> str:
    reports = [report_on(peer) for peer in peers]
    tables = [findings(report) for report in reports]
    software, spoken = peers[0].software, ", ".join(reports[0].revisions)
    lines = [f"## {peers[0].name}", "", f"{software}; speaks {spoken}."]
    lines += ["", *(_counts(*pair) for pair in zip(peers, reports, strict=True)), ""]
    variants = [peer.variant or "revisions" for peer in peers]
    lines.append(f"| check | level | {' | '.join(variants)} | the server said |")
    lines.append("| --- " * (len(peers) + 3) + "|")
    keys = dict.fromkeys(key for table in tables for key in table)
    for id, level in keys:
        cells = " | ".join(table.get((id, level), "–") for table in tables)
        lines.append(f"| `{id}` | {level} | {cells} | {_said(id, reports)} |")
    return "\n".join([*lines, ""])


def _counts(peer: Peer, report: Report) -> str:
    counts = report.counts
    shown = ", ".join(
        f"{counts[status]} {status.value}" for status in CheckStatus if counts[status]
    )
    return f"* {peer.variant}: {shown}" if peer.variant else f"* {shown}"


def _said(id: str, reports: list[Report]) -> str:
    """The answer of a server as a table cell, without ports and paths that change between runs."""
    saw = next(o.saw for report in reports for o in _violations(report) if o.check.id == id)
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", " ".join(saw.split()))
    return text.replace("|", "\\|").replace("<", "&lt;")[:120]
