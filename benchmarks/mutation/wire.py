"""The mutants of the wire: a single fact of the plain server's answers is changed."""

from __future__ import annotations

import copy
from functools import cache

from benchmarks.mutation.mutant import Mutant
from benchmarks.mutation.servers.plain import Answer, Exchange
from benchmarks.mutation.wire_exchanges import Encode, exchange_changes, revision_of
from benchmarks.mutation.wire_members import Change, member_changes


class ChangingWire:
    """Applies one mutant to each answer, and counts the changed answers in `hits`."""

    def __init__(self, revision: str, change: Change | None, encode: Encode | None) -> None:
        self.revision = revision
        self.change_answer = change
        self.encode_answer = encode
        self.hits = 0
        self.revisions: dict[str, str] = {}

    def change(self, exchange: Exchange, answer: Answer) -> Answer:
        """The answer with the changed fact. The answer is copied: parts belong to the fixture."""
        session = answer.headers.get("Mcp-Session-Id", "")
        self.revisions[session] = exchange.revision
        # The revision of a request that the server refused is that of the session.
        session_revision = self.revisions.get(
            exchange.request.headers.get("mcp-session-id", "none"), ""
        )
        exchange.revision = exchange.revision or session_revision
        if self.change_answer is None:
            return answer
        changed_answer = copy.deepcopy(answer)
        if not self.change_answer(exchange, changed_answer):
            return answer
        self.hits += 1
        return changed_answer

    def encode(self, exchange: Exchange, answer: Answer, data: bytes) -> bytes:
        """The bytes with the changed fact."""
        if self.encode_answer is None or revision_of(exchange) != self.revision:
            return data
        changed_bytes = self.encode_answer(exchange, data)
        self.hits += changed_bytes != data or exchange.method == "tools/list"
        return changed_bytes


@cache
def _changes() -> dict[str, tuple[Mutant, Change | None, Encode | None]]:
    members = {
        id: (mutant, member_change.change, None)
        for id, (mutant, member_change) in member_changes().items()
    }
    return {**members, **exchange_changes()}


def wire_mutants() -> list[Mutant]:
    """Every mutant of the wire."""
    return [mutant for mutant, _, _ in _changes().values()]


def wire_of(id: str) -> ChangingWire:
    """The wire with the mutant."""
    mutant, change, encode = _changes()[id]
    return ChangingWire(mutant.revision, change, encode)
