"""Tests of the results of the tools: titles, marked snippets, and errors."""

from typing import Any

import pytest

from mcp_adapter.reading.ambiguity import SHOWN, ambiguity_result
from mcp_adapter.reading.documents import fetch
from mcp_adapter.reading.records import _record, query_records
from mcp_adapter.reading.resource_server import failures_as_results
from mcp_adapter.reading.searching import mark_matches
from mcp_adapter.reading.titles import title_of
from mcp_adapter.runtime.hooks import Call, HandlerResponse
from mcp_adapter.tools import TOOLS

RECORD: dict[str, Any] = {
    "stream": "messages",
    "connection_id": "conn_chat_crew",
    "display_name": "Crew chat",
    "emitted_at": "2026-04-01T14:38:00Z",
    "roles": {"title": "subject", "author": "sender", "time": "sent_at"},
}


@pytest.mark.parametrize(
    ("payload", "title"),
    [
        ({"subject": "Nets", "sender": "ada"}, "Nets"),
        (
            {"sender": "ada", "sent_at": "2026-03-02T08:05:00Z"},
            "messages · ada · 2026-03-02 08:05 UTC · Crew chat",
        ),
        ({"sender": "ada"}, "messages · ada · 2026-04-01 14:38 UTC · Crew chat"),
        ({}, "messages · 2026-04-01 14:38 UTC · Crew chat"),
    ],
)
def test_title_has_the_title_of_the_source_or_stream_author_and_time(
    payload: dict[str, str], title: str
) -> None:
    assert title_of({**RECORD, "payload": payload}) == title


def test_title_has_the_id_of_a_connection_without_a_name() -> None:
    record = {key: value for key, value in RECORD.items() if key != "display_name"}

    assert title_of({**record, "payload": {}}).endswith(" · conn_chat_crew")


def test_tags_in_the_text_itself_do_not_unbalance_the_tags_of_the_snippet() -> None:
    text = "a </mark> b <mark> c"

    assert mark_matches(text, [[0, 1], [10, 11]]) == "<mark>a</mark>  <mark>b</mark>  c"


@pytest.mark.parametrize("total", [2, SHOWN, SHOWN + 1, 300])
def test_error_lists_connections_up_to_a_limit(total: int) -> None:
    source = {"grant_id": "g", "connector_key": "k", "connection_id": "c", "secret": "s"}
    problem = {"available_connections": [source] * total, "total_connections": total}

    error = ambiguity_result(problem).structured

    assert len(error["available_connections"]) == min(total, SHOWN)
    assert error["truncated"] is (total > SHOWN)
    assert "secret" not in error["available_connections"][0]


async def test_empty_list_of_fields_is_refused() -> None:
    async def never(*_: Any) -> Any:
        raise AssertionError("a request was sent")

    for handler in (fetch, query_records):
        arguments = {"stream": "messages", "id": "conn/messages/me-0001", "fields": []}
        call = Call(TOOLS[0], arguments, send=never, ask=never)
        result = await failures_as_results(handler)(call)
        assert result.structured["code"] == "invalid_argument"


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": "messages"},
        {"id": "conn//me-0001"},
        {"id": "conn/messages/me-0001", "connection_id": "other"},
    ],
)
async def test_invalid_id_is_refused_without_a_request(arguments: dict[str, str]) -> None:
    async def never(*_: Any) -> Any:
        raise AssertionError("a request was sent")

    call = Call(TOOLS[0], arguments, send=never, ask=never)

    result = await failures_as_results(fetch)(call)

    assert result.structured["code"] == "invalid_id"


async def test_answer_without_a_code_is_the_error_no_answer() -> None:
    async def answer_204(*_: Any) -> Any:
        return HandlerResponse(204)

    arguments = {"id": "conn/messages/me-0001"}
    call = Call(TOOLS[0], arguments, send=answer_204, ask=answer_204)

    result = await failures_as_results(fetch)(call)

    assert result.structured["code"] == "no_answer"


def test_expanded_records_have_the_keys_of_records() -> None:
    related = {**RECORD, "payload": {"filename": "a.pdf"}, "url": "hidden"}

    record = _record({**RECORD, "payload": {}, "expanded": {"attachments": [related]}})

    (attachment,) = record["expanded"]["attachments"]
    assert attachment["payload"] == {"filename": "a.pdf"}
    assert "url" not in attachment
