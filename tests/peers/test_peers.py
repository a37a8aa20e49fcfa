"""Servers built with other software: the findings match docs/other-servers.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.peers.findings import DOCUMENT, findings, recorded_findings, report_on
from tests.peers.notes import NOTES
from tests.peers.peers import PEERS, Peer
from tests.peers.published import REASONS, published_rows, published_section

from mcpgen.conformance import TABLE, CheckStatus, Level

AT_LENGTH = pytest.mark.thorough("repeats the proof with other settings of the same SDK")
REPEATS = pytest.mark.repeated("repeats the proof with one more server")
SOME = {"TypeScript SDK"}
REPEATED = {"FastMCP 4", "MCPServer stateless json"}


def each_peer() -> Iterator[Any]:
    """Every server with a unique id."""
    for peer in PEERS:
        name = f"{peer.name} {peer.variant}".strip()
        marks = REPEATS if name in REPEATED else () if name in SOME else AT_LENGTH
        yield pytest.param(peer, id=name, marks=marks)


@pytest.mark.parametrize("peer", list(each_peer()))
def test_findings_match_the_document(peer: Peer) -> None:
    report = report_on(peer)

    assert report.revisions
    assert report.counts[CheckStatus.PASSED] > 0
    assert findings(report) == recorded_findings()[peer.name, peer.variant]


def test_the_document_has_a_section_for_each_server() -> None:
    assert list(recorded_findings()) == [(peer.name, peer.variant) for peer in PEERS]


def test_section_of_published_servers_is_current() -> None:
    assert published_section() in DOCUMENT.read_text("utf-8")


def test_every_violated_must_of_a_published_server_has_a_reason() -> None:
    violated_ids = {id for row in published_rows() for id in row["failures"]}

    assert violated_ids == set(REASONS)
    assert {TABLE[id].level for id in violated_ids} == {Level.MUST}


def test_every_finding_is_accounted_for_and_no_other() -> None:
    texts = {id for findings in recorded_findings().values() for id, _ in findings}

    assert texts == set(NOTES)
    assert all(note in DOCUMENT.read_text("utf-8") for note in NOTES.values())
