"""Audit events of calls."""

from __future__ import annotations

from collections.abc import Callable

from tests.examples.project_process import ServerEndpoint
from tests.examples.reading_room.conftest import KEYS, WATCHED

Holding = Callable[[str], ServerEndpoint]


def test_every_call_is_an_event_that_tells_who_what_and_how_it_went(
    guarded_server: ServerEndpoint, with_key: Holding
) -> None:
    before = len(guarded_server.events(WATCHED, 0))

    with_key(WATCHED).call_json("list_agents")
    with_key(WATCHED).refused("get_agent", agentId="nobody")
    with_key(WATCHED).refused("delete_knowledge_base", knowledgeBaseId="kb-1")

    events = guarded_server.events(WATCHED, before + 3)[before:]
    summaries = [
        (event["event"], event["subject"], event["tool"], event["outcome"]) for event in events
    ]
    assert summaries == [
        ("mcp.invoke", WATCHED, "list_agents", "ok"),
        ("mcp.invoke", WATCHED, "get_agent", "failure"),
        ("mcp.invoke", WATCHED, "delete_knowledge_base", "denied"),
    ]
    assert [event.get("upstreamStatus") for event in events] == [200, 404, None]
    assert all(event["durationMs"] >= 0 for event in events)


def test_events_tell_neither_arguments_nor_keys(
    guarded_server: ServerEndpoint, with_key: Holding
) -> None:
    before = len(guarded_server.events(WATCHED, 0))

    with_key(WATCHED).call_json("ingest_text", knowledgeBaseId="kb-1", text="A word of mine.")

    assert len(guarded_server.events(WATCHED, before + 1)) == before + 1
    text = "".join(guarded_server.output + guarded_server.log)
    assert "A word of mine." not in text
    assert not any(key in text for key in KEYS.values())
