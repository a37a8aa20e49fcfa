"""Servers that others wrote: the checks find in them what the document says, no less and no more."""

from __future__ import annotations

import pytest
from tests.peers.findings import findings, recorded, report_on
from tests.peers.peers import PEERS, Peer

from mcpgen.conformance import Status


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_the_checks_find_in_a_server_what_the_document_says(peer: Peer) -> None:
    report = report_on(peer)

    assert report.revisions
    assert report.counts[Status.PASSED] > 0
    assert findings(report) == recorded()[peer.name]


def test_the_document_has_a_section_for_each_server() -> None:
    assert list(recorded()) == [peer.name for peer in PEERS]
