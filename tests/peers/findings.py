"""What our checks find in the servers that others wrote, as a document with evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.peers.peers import PEERS, Peer, serving

from mcpgen.conformance import Calls, Options, Report, Status, check
from mcpgen.conformance.revisions import ALL

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "other-servers.md"
_ROW = re.compile(r"^\| `(?P<check>[a-z0-9-]+)` \| (?P<level>\w+) \| (?P<revisions>[^|]*) \|")
_HEAD = """\
# Servers that others wrote

The checks of mcpgen on servers built with other software, each in its fresh default configuration and with
one tool that adds two numbers. The list exists so that a mistake of ours would show: whoever
knows such a server can read here what we hold against it, and what it said. The tests repeat the
run and compare. `python -m tests.peers` writes this page anew.

A finding is about the revisions it names. MUST is what the specification demands, SHOULD what
it recommends, HOST what hosts in use rely on; what the profile `universal` says about the one
tool's wording is left out here.
"""


def report_on(peer: Peer) -> Report:
    """The report on a server, with its tool called."""
    with serving(peer) as url:
        return check(url, Options(call=Calls.ALL, active=True))


Findings = Mapping[tuple[str, str], tuple[str, ...]]
"""Revisions by check and level: `all`, or each; a check that is made once stands with `once`."""


def findings(report: Report) -> Findings:
    """The violations of a report."""
    found: dict[tuple[str, str], set[str]] = {}
    for outcome in report.outcomes:
        if outcome.status in (Status.FAILED, Status.WARNING) and _counts(outcome.check.profile):
            key = (outcome.check.id, outcome.check.level.value)
            found.setdefault(key, set()).add(outcome.revision or "once")
    return {
        key: ("all",) if revisions == set(ALL) else tuple(sorted(revisions))
        for key, revisions in found.items()
    }


def _counts(profile: str) -> bool:
    return profile != "universal"


def recorded() -> dict[str, Findings]:
    """What the document says, by the name of the server."""
    found: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {}
    name = ""
    for line in DOCUMENT.read_text("utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
            found[name] = {}
        elif match := _ROW.match(line):
            key = (match["check"], match["level"])
            found[name][key] = tuple(match["revisions"].strip().split(", "))
    return dict(found)


def document() -> str:
    """The whole page, from a fresh run."""
    return "\n".join([_HEAD, *(_section(peer) for peer in PEERS)])


def _section(peer: Peer) -> str:
    report = report_on(peer)
    counts = ", ".join(f"{report.counts[status]} {status.value}" for status in Status)
    lines = [
        f"## {peer.name}",
        "",
        f"{peer.software}; speaks {', '.join(report.revisions)}: {counts}.",
        "",
    ]
    found = findings(report)
    if found:
        lines += ["| check | level | revisions | the server said |", "| --- | --- | --- | --- |"]
        lines += _rows(report, found)
        lines.append("")
    return "\n".join(lines)


def _rows(report: Report, found: Findings) -> Iterable[str]:
    for (id, level), revisions in found.items():
        saw = next(
            outcome.saw
            for outcome in report.outcomes
            if outcome.check.id == id and outcome.status in (Status.FAILED, Status.WARNING)
        )
        yield f"| `{id}` | {level} | {', '.join(revisions)} | {_cell(saw)} |"


def _cell(text: str) -> str:
    """One line of a table; ports change from run to run and say nothing."""
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", " ".join(text.split()))
    return text.replace("|", "\\|").replace("<", "&lt;")[:160]
