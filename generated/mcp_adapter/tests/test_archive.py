"""Tests of the sample archive over HTTP."""

import socket
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import httpx2
import pytest

from mcp_adapter import hooks
from mcp_adapter.resource import embedded
from mcp_adapter.resource.__main__ import run
from mcp_adapter.resource.app import CLIENT, create
from mcp_adapter.settings import Settings

BASIC = f"Basic {b64encode(':'.join(CLIENT).encode()).decode()}"
RECORDS = "/v1/streams/messages/records"


@pytest.fixture(scope="module")
async def archive(anyio_backend: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the archive with a grant of two connections."""
    headers = {"Authorization": "Bearer grant_sample_two"}
    transport = httpx2.ASGITransport(create())
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://archive", headers=headers
    ) as client:
        yield client


async def read(archive: httpx2.AsyncClient, path: str, **query: Any) -> Any:
    """Returns the JSON body of a read, which must succeed."""
    response = await archive.get(path, params={"connection_id": "conn_mail_home", **query})
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize("sort", ["", "size", "-size", "sender", "-sender", "-sent_at"])
async def test_pages_have_every_record_once_and_in_order(
    archive: httpx2.AsyncClient, sort: str
) -> None:
    whole = await read(archive, RECORDS, sort=sort, limit=100)

    ids: list[str] = []
    more: dict[str, str] = {}
    for _ in range(6):
        page = await read(archive, RECORDS, sort=sort, limit=7, **more)
        ids += [record["id"] for record in page["data"]]
        more = {"cursor": page.get("next_cursor", "")}

    assert not more["cursor"]
    assert ids == [record["id"] for record in whole["data"]]
    assert len(set(ids)) == 40


@pytest.mark.parametrize(
    "query",
    [
        {"cursor": "bm90aGluZw"},
        {"cursor": "WyJwYWdlIixbMV0sMSwiIl0"},
        {"changes_since": "WyJjaGFuZ2VzIl0"},
        {"changes_since": "é"},
        {"limit": "0"},
        {"limit": "1e3"},
        {"filter": "sent_at"},
        {"filter": "size > many"},
        {"filter": "unread = perhaps"},
    ],
)
async def test_what_makes_no_sense_is_refused(
    archive: httpx2.AsyncClient, query: dict[str, str]
) -> None:
    response = await archive.get(RECORDS, params={"connection_id": "conn_mail_home", **query})

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid_argument"


async def test_a_cursor_is_good_for_its_own_order_alone(archive: httpx2.AsyncClient) -> None:
    page = await read(archive, RECORDS, sort="size", limit=2)

    asked = {"connection_id": "conn_mail_home", "sort": "-size", "cursor": page["next_cursor"]}
    response = await archive.get(RECORDS, params=asked)

    assert response.status_code == 400


async def test_conditions_hold_together(archive: httpx2.AsyncClient) -> None:
    conditions = ["size >= 1000", "unread = true", "subject ~ FERRY"]

    page = await read(archive, RECORDS, filter=conditions, limit=100, count="exact")

    payloads = [record["payload"] for record in page["data"]]
    assert len(payloads) == page["meta"]["count"]["value"] > 0
    for payload in payloads:
        assert payload["size"] >= 1000 and payload["unread"] and "Ferry" in payload["subject"]


async def test_sql_in_a_condition_is_a_value_like_any_other(archive: httpx2.AsyncClient) -> None:
    page = await read(archive, RECORDS, filter=["sender = x' OR '1'='1"])

    assert page["data"] == []


async def test_only_fields_of_the_catalogue_are_looked_at(archive: httpx2.AsyncClient) -> None:
    for query in ({"filter": "version > 1"}, {"sort": "payload"}, {"fields": "emitted_at"}):
        response = await archive.get(RECORDS, params={"connection_id": "conn_mail_home", **query})
        assert response.json()["error"]["code"] == "unknown_field"


async def test_a_grant_opens_its_own_connections_alone(archive: httpx2.AsyncClient) -> None:
    elsewhere = {"connection_id": "conn_tin_can_01"}

    for path in (RECORDS, "/v1/schema", "/v1/connections/conn_tin_can_01/health"):
        response = await archive.get(path, params={**elsewhere, "stream": "messages"})
        assert response.status_code == 404, path


async def test_an_owner_opens_everything(archive: httpx2.AsyncClient) -> None:
    owner = {"Authorization": "Bearer owner_sample"}

    response = await archive.get("/v1/connections", headers=owner)

    assert response.json()["total"] == 62


async def test_words_are_looked_for_and_operators_are_words(archive: httpx2.AsyncClient) -> None:
    for query in ('harbour"', "harbour ^*", "(harbour)"):
        found = await archive.get("/v1/search", params={"q": query})
        assert found.json()["data"], query

    nothing = await archive.get("/v1/search", params={"q": "harbour NOT lighthouse"})
    assert nothing.json()["data"] == []


async def test_marks_stand_where_the_words_are(archive: httpx2.AsyncClient) -> None:
    found = await archive.get("/v1/search", params={"q": "oil lamp", "limit": 50})

    for hit in found.json()["data"]:
        snippet = hit["snippet"]
        marked = {snippet["text"][begin:end].lower() for begin, end in snippet["marks"]}
        assert marked == {"oil", "lamp"}


async def test_strangers_are_told_nothing_of_bearers(archive: httpx2.AsyncClient) -> None:
    token = {"token": "grant_sample_one"}

    stranger = await archive.post("/introspect", data=token)
    adapter = await archive.post("/introspect", data=token, headers={"Authorization": BASIC})

    assert stranger.status_code == 401
    assert adapter.json()["authority"] == "client"


@pytest.mark.parametrize(
    ("path", "query", "status", "code"),
    [
        (f"{RECORDS}/me-9999", {}, 404, "unknown_record"),
        (RECORDS, {"expand": "replies"}, 404, "unknown_relation"),
        ("/v1/streams/rooms/records", {}, 404, "unknown_stream"),
        ("/v1/streams/messages/aggregate", {"function": "median"}, 400, "invalid_argument"),
        (
            "/v1/streams/messages/aggregate",
            {"function": "sum", "field": "sent_at"},
            400,
            "invalid_argument",
        ),
        ("/v1/schema", {"detail": "full"}, 400, "invalid_argument"),
        ("/v1/schema", {"stream": "messages", "detail": "all"}, 400, "invalid_argument"),
        ("/v1/search", {"q": "..."}, 400, "invalid_argument"),
        ("/v1/search", {"q": "harbour", "cursor": "WyJoaXRzIiwtMV0"}, 400, "invalid_argument"),
    ],
)
async def test_a_read_that_cannot_be_answered_says_why(
    archive: httpx2.AsyncClient, path: str, query: dict[str, str], status: int, code: str
) -> None:
    response = await archive.get(path, params={"connection_id": "conn_mail_home", **query})

    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


async def test_an_expanded_record_has_its_attachments(archive: httpx2.AsyncClient) -> None:
    page = await read(archive, RECORDS, expand="attachments", limit=1)

    (record,) = page["data"]
    attachments = record["expanded"]["attachments"]
    assert {each["payload"]["message_id"] for each in attachments} == {record["record_id"]}


async def test_a_second_page_of_hits_continues_the_first(archive: httpx2.AsyncClient) -> None:
    whole = (await archive.get("/v1/search", params={"q": "harbour", "limit": 6})).json()
    first = (await archive.get("/v1/search", params={"q": "harbour", "limit": 3})).json()

    query = {"q": "harbour", "limit": 3, "cursor": first["next_cursor"]}
    second = (await archive.get("/v1/search", params=query)).json()

    assert [hit["id"] for hit in first["data"] + second["data"]] == [
        hit["id"] for hit in whole["data"]
    ]


async def test_a_connection_tells_the_time_of_its_newest_record(
    archive: httpx2.AsyncClient,
) -> None:
    response = await archive.get("/v1/connections/conn_mail_home/health")

    newest = (await read(archive, RECORDS, limit=100))["data"]
    assert response.json()["data"]["newest"] >= max(each["emitted_at"] for each in newest)


async def test_an_unknown_bearer_is_inactive_and_opens_nothing(
    archive: httpx2.AsyncClient,
) -> None:
    introspected = await archive.post(
        "/introspect", data={"token": "nobody"}, headers={"Authorization": BASIC}
    )
    response = await archive.get("/v1/connections", headers={"Authorization": "Bearer nobody"})

    assert introspected.json() == {"active": False}
    assert response.status_code == 401


async def test_the_adapter_serves_the_archive_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(socket.socket()) as free:
        free.bind((embedded.HOST, 0))
        port = free.getsockname()[1]
    address = f"http://{embedded.HOST}:{port}"
    monkeypatch.setattr(embedded, "PORT", port)
    monkeypatch.setattr(hooks, "ADDRESS", address)
    headers = {"Authorization": "Bearer owner_sample"}

    async with (
        httpx2.AsyncClient(base_url=address, headers=headers) as client,
        hooks.run_sample_archive(Settings(upstream=address)),
    ):
        response = await client.get("/v1/connections")

    assert response.json()["total"] == 62


async def test_an_archive_whose_port_is_taken_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(socket.socket()) as taken:
        taken.bind((embedded.HOST, 0))
        taken.listen()
        monkeypatch.setattr(embedded, "PORT", taken.getsockname()[1])

        with pytest.raises(OSError, match="in use"):
            async with embedded.serve_embedded():
                pass


def test_the_archive_alone_is_served_at_the_port_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("uvicorn.run", lambda app, **options: served.append(options["port"]))
    monkeypatch.setattr("sys.argv", ["resource", "--port", "9"])

    run()

    assert served == [9]
