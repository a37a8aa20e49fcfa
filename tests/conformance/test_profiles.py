"""Profiles: selected checks, levels, required revisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from base_server import ConformingServer, ReceivedRequest, Reply, serving

from mcpgen.conformance import TABLE, CheckOptions, CheckOutcome, CheckStatus, check, explain
from mcpgen.conformance.checks import RULES
from mcpgen.conformance.profiles import DEFAULT, EVERY_HOST, PROFILES, WORDS, parse_profiles
from mcpgen.conformance.run import SAME_CAUSE
from mcpgen.conformance.selection import select_checks


class NewestOnly(ConformingServer):
    """A server without a handshake."""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return self.unknown_method("initialize")


class Lingering(ConformingServer):
    """A server with event streams that stay open."""

    def answer(self, request: ReceivedRequest) -> Reply:
        reply = super().answer(request)
        if b'"id":"stream"' not in request.body:
            return reply
        body = b"data: " + reply.body + b"\n\n"
        return Reply(200, body, {"Content-Type": "text/event-stream"}, hold=5.0)


def outcomes(server: ConformingServer, *words: str, **choices: Any) -> list[CheckOutcome]:
    """The outcomes of the chosen profiles on a server."""
    with serving(server) as url:
        return list(check(url, CheckOptions(profiles=words, **choices)).outcomes)


def test_default_profiles_are_protocol_and_universal() -> None:
    texts = {word for choice in select_checks(CheckOptions()) for word in choice.profiles}

    assert texts == set(DEFAULT)


@pytest.mark.parametrize("id", SAME_CAUSE)
def test_checks_with_the_same_cause_are_earlier_in_the_table(id: str) -> None:
    ids = list(TABLE)

    assert set(SAME_CAUSE[id]) <= set(ids[: ids.index(id)])


def test_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"`mpc` is not a profile; there are protocol, .*cursor"):
        parse_profiles(("mpc",))


def test_host_may_be_spelled_with_hyphens() -> None:
    assert parse_profiles(("claude-code", "claude_code")) == (PROFILES["claude_code"],)


def test_revision_is_checked_alone_when_it_is_named() -> None:
    result = outcomes(ConformingServer(), "mcp-2025-06-18", only=frozenset({"ping-answers"}))

    assert [(o.revision, o.status, o.profiles) for o in result] == [
        ("2025-06-18", CheckStatus.PASSED, ("mcp-2025-06-18",))
    ]


def test_named_revision_must_be_spoken() -> None:
    result = outcomes(NewestOnly(), "mcp-2025-11-25", only=frozenset({"tools-list-shape"}))

    assert [(o.check.id, o.status) for o in result] == [
        ("speaks-mcp", CheckStatus.FAILED),
        ("tools-list-shape", CheckStatus.BLOCKED),
    ]
    assert {o.expected for o in result} == {"the server speaks 2025-11-25"}


def test_check_made_once_needs_one_of_the_named_revisions() -> None:
    result = outcomes(NewestOnly(), "mcp-2025-11-25", only=frozenset({"tool-name-unique"}))

    assert [(o.status, o.blocked_by, o.saw) for o in result] == [
        (CheckStatus.BLOCKED, "speaks-mcp", "it speaks 2026-07-28")
    ]


def test_experience_workspace_needs_its_revision() -> None:
    result = outcomes(NewestOnly(), "experience-workspace")

    assert {o.expected for o in result if o.revision} == {"the server speaks 2025-03-26"}


def test_check_in_several_profiles_is_made_once_and_counts_for_each() -> None:
    words = ("mcp-2025-03-26", "protocol", "experience-workspace")

    result = outcomes(ConformingServer(), *words, only=frozenset({"notification-202-empty"}))

    profiles_by_revision = {o.revision: set(o.profiles) for o in result}
    assert profiles_by_revision["2025-03-26"] == set(words)
    assert profiles_by_revision["2025-06-18"] == {"protocol"}


def test_profile_may_bind_a_check_harder() -> None:
    check_ids = frozenset({"event-stream-closes"})

    protocol = outcomes(Lingering(), "mcp-2025-03-26", only=check_ids)
    workspace = outcomes(Lingering(), "experience-workspace", only=check_ids)

    assert [o.status for o in protocol] == [CheckStatus.WARNING]
    assert [o.status for o in workspace] == [CheckStatus.FAILED]


def test_vouched_calls_are_checked_when_arguments_are_given() -> None:
    options = CheckOptions(profiles=("security",), arguments={"echo": ({"text": "a"},)})

    assert "vouched-call-succeeds" in {choice.check.id for choice in select_checks(options)}


def test_every_check_in_also_exists() -> None:
    also_ids = {id for profile in PROFILES.values() for id in profile.also}

    assert also_ids <= {rule.check.id for rule in RULES}


def test_every_word_selects_checks_and_every_check_has_a_word() -> None:
    for word in WORDS:
        assert list(select_checks(CheckOptions(profiles=(word,), active=True))), word

    selected_ids = {
        choice.check.id for choice in select_checks(CheckOptions(profiles=WORDS, active=True))
    }
    assert {
        id for id, entry in TABLE.items() if entry.profile not in ("trial", "promises")
    } >= selected_ids
    assert {rule.check.id for rule in RULES} - selected_ids == {"vouched-call-succeeds"}


def test_checks_of_hosts_are_explained() -> None:
    text = explain("host-tool-name")

    assert text is not None
    assert "40 of a-z" in text
    assert len(EVERY_HOST) == 20


def test_every_word_is_in_the_documentation() -> None:
    docs = Path(__file__).parent.parent.parent / "docs"
    text = "".join(
        (docs / f"{name}.md").read_text(encoding="utf-8") for name in ("checks", "hosts")
    )

    missing = [word for word in WORDS if f"`{word}`" not in text]

    assert not missing
