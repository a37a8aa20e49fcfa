"""MCP projected reads SHALL narrow payloads and fetch SHALL stay document-shaped."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP projected reads SHALL narrow payloads and fetch SHALL stay document-shaped"


@scenario(
    requirement=REQUIREMENT,
    name="Client fetches a document from a search result",
    steps=5,
    at="spec.md:164",
)
async def test_client_fetches_a_document_from_a_search_result(scene: Scene) -> None:
    """Client fetches a document from a search result.

    - **WHEN** a client calls `fetch` with an id that `search` has returned
    - **THEN** `structuredContent` SHALL hold the fields of the document and nothing else: `id`, `title`, `text`, `url`, and `metadata`
    - **AND** `content[]` SHALL hold the same document as JSON text
    - **AND** the result SHALL NOT hold `structuredContent.data`, `provider_url`, or `request_id`
    - **AND** what identifies the source, for a citation or another try, SHALL stand in `metadata`
    """
    with scene.step(1, "WHEN a client calls `fetch` with an id that `search` has returned"):
        await scene.call(
            "search",
            {"query": "crane", "limit": 1},
            save={"hit": "structuredContent.results[0].id"},
        )
        await scene.call("fetch", {"id": "${hit}"})
    with scene.step(2, "THEN `structuredContent` SHALL hold the fields of the document and…"):
        scene.is_error(False)
        scene.path("structuredContent", keys=["id", "title", "text", "url", "metadata"])
        scene.path("structuredContent.url", matches="^https://archive\\.example/conn_")
    with scene.step(3, "AND `content[]` SHALL hold the same document as JSON text"):
        scene.path("content", count=1)
        scene.path("content[0].text", mirrors="structuredContent")
    with scene.step(4, "AND the result SHALL NOT hold `structuredContent.data`…"):
        scene.path("structuredContent.data", absent=True)
        scene.text(lacks=["provider_url", "request_id", "payload"])
    with scene.step(5, "AND what identifies the source, for a citation or another try, SHALL…"):
        scene.path(
            "structuredContent.metadata",
            contains=["stream", "record_id", "connection_id", "connector_key", "grant_id"],
        )


@scenario(
    requirement=REQUIREMENT,
    name="Client fetches a projected document",
    steps=4,
    at="spec.md:172",
)
async def test_client_fetches_a_projected_document(scene: Scene) -> None:
    """Client fetches a projected document.

    - **WHEN** a client calls `fetch` with `fields`
    - **THEN** the adapter SHALL narrow the record before it makes a document of it
    - **AND** fields of the source that were not asked for SHALL NOT show in the text, in `metadata`, or anywhere else in the result
    - **AND** what identifies the source, for later reads and for attribution, SHALL stand in `metadata`
    """
    with scene.step(1, "WHEN a client calls `fetch` with `fields`"):
        await scene.call("fetch", {"id": "conn_mail_home/messages/me-0003", "fields": ["subject"]})
        await scene.call("fetch", {"id": "conn_mail_home/messages/me-0003", "fields": ["size"]})
        await scene.call("fetch", {"id": "conn_mail_home/messages/me-0003"})
    with scene.step(2, "THEN the adapter SHALL narrow the record before it makes a document…"):
        scene.path("structuredContent.text", equals="subject: Crane inspection 3", at_call=1)
        scene.upstream(
            count=1,
            path="/v1/streams/messages/records/me-0003",
            query={"fields": "subject"},
            at_call=1,
        )
        scene.path("structuredContent.text", equals="size: 1011", at_call=2)
    with scene.step(3, "AND fields of the source that were not asked for SHALL NOT show in…"):
        scene.text(
            contains=["harbour may open", "dora@harbour.example", "2026-03-03T00:38:00Z"],
            at_call=3,
        )
        scene.text(
            lacks=["harbour may open", "dora", "emeka", "2026-03-03", "1011", "provider_url"],
            at_call=1,
        )
        scene.text(
            lacks=["Crane", "harbour may open", "dora", "emeka", "2026-03-03", "provider_url"],
            at_call=2,
        )
        scene.path(
            "structuredContent.metadata",
            keys=[
                "stream",
                "record_id",
                "connection_id",
                "connector_key",
                "grant_id",
                "display_name",
                "emitted_at",
            ],
            at_call=1,
        )
        scene.path("content[0].text", mirrors="structuredContent", at_call=2)
    with scene.step(4, "AND what identifies the source, for later reads and for attribution…"):
        scene.path("structuredContent.metadata.connection_id", equals="conn_mail_home", at_call=2)
        scene.path("structuredContent.metadata.connector_key", equals="paperplane", at_call=2)
        scene.path("structuredContent.metadata.grant_id", equals="grt_two_01", at_call=2)


@scenario(
    requirement=REQUIREMENT,
    name="Client queries projected records",
    steps=3,
    at="spec.md:179",
)
async def test_client_queries_projected_records(scene: Scene) -> None:
    """Client queries projected records.

    - **WHEN** a client calls `query_records` with `fields`
    - **THEN** the payload of each record SHALL be narrowed to these fields and to those that identify the record
    - **AND** whatever else remains SHALL be declared in the schema or the documentation as identifying or operational
    """
    with scene.step(1, "WHEN a client calls `query_records` with `fields`"):
        await scene.call(
            "query_records",
            {
                "stream": "messages",
                "connection_id": "conn_mail_home",
                "fields": ["subject", "size"],
                "limit": 5,
            },
        )
        await scene.call("schema", {"stream": "messages", "connection_id": "conn_mail_home"})
    with scene.step(2, "THEN the payload of each record SHALL be narrowed to these fields…"):
        scene.path("structuredContent.data[*].payload", keys=["subject", "size"], at_call=1)
        scene.path("structuredContent.data", count=5, at_call=1)
        scene.text(lacks=["sender", "harbour.example", "sent_at", "provider_url"], at_call=1)
        scene.upstream(
            count=1,
            path="/v1/streams/messages/records",
            query={"fields": "size"},
            at_call=1,
        )
    with scene.step(3, "AND whatever else remains SHALL be declared in the schema or the…"):
        scene.path(
            "structuredContent.data[*]",
            keys=[
                "id",
                "record_id",
                "stream",
                "connection_id",
                "connector_key",
                "grant_id",
                "display_name",
                "payload",
            ],
            at_call=1,
        )
        scene.text(
            contains=[
                (
                    "always there: id, record_id, stream, connection_id, connector_key, grant_id, "
                    "display_name"
                ),
            ],
            at_call=2,
        )
