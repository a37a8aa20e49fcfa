"""MCP schema discovery SHALL be model-visible and bounded."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP schema discovery SHALL be model-visible and bounded"


@scenario(
    requirement=REQUIREMENT,
    name="Client requests global schema discovery",
    steps=4,
    given=("many_connections",),
    at="spec.md:86",
)
async def test_client_requests_global_schema_discovery(scene: Scene) -> None:
    """Client requests global schema discovery.

    - **WHEN** a client calls `schema` without a stream
    - **THEN** the adapter SHALL return the compact view of everything that is granted
    - **AND** its text SHALL suffice for a client to choose a stream and to call `schema(stream)`
    - **AND** the name of every granted stream SHALL stand in the text of `content[]`, also where the detailed rows were cut
    """
    with scene.step(1, "WHEN a client calls `schema` without a stream"):
        await scene.call("schema")
    with scene.step(2, "THEN the adapter SHALL return the compact view of everything that is…"):
        scene.path("structuredContent.data.view", equals="compact")
        scene.path("structuredContent.data.rows[*].fields", absent=True)
        scene.path("structuredContent.data.total_rows", equals=84)
        scene.path("structuredContent.data.truncated", equals=True)
        scene.path("structuredContent.data.rows", count=20)
        scene.bytes("result", at_most=60000)
        scene.upstream(count=1, path="/v1/schema")
    with scene.step(3, "AND its text SHALL suffice for a client to choose a stream and to…"):
        scene.text(contains=["schema(stream)", "conn_tin_can_12"])
    with scene.step(4, "AND the name of every granted stream SHALL stand in the text of…"):
        scene.text(
            contains=[
                "- footpath: walks (",
                "- pantry: purchases (",
                "- paperplane: messages, attachments (",
                "- sundial: events (",
                "- tin_can: messages, rooms (",
            ],
        )


@scenario(
    requirement=REQUIREMENT,
    name="Client requests stream-scoped schema discovery",
    steps=3,
    given=("many_connections",),
    at="spec.md:93",
)
async def test_client_requests_stream_scoped_schema_discovery(scene: Scene) -> None:
    """Client requests stream-scoped schema discovery.

    - **WHEN** a client calls `schema` with the name of a stream that several connectors or connections have
    - **THEN** the adapter SHALL tell for each matching row, in text, its fields and what can be aggregated
    - **AND** a client that never sees `structuredContent` SHALL still be able to choose arguments that are valid for filter, sort, aggregation, projection, and connection
    """
    with scene.step(1, "WHEN a client calls `schema` with the name of a stream that several…"):
        await scene.call("schema", {"stream": "messages"})
        await scene.call(
            "query_records",
            {
                "stream": "messages",
                "connection_id": "conn_tin_can_03",
                "fields": ["sender", "reactions"],
                "filter": ["reactions >= 1"],
                "sort": "-sent_at",
            },
        )
        await scene.call(
            "aggregate",
            {
                "stream": "messages",
                "connection_id": "conn_paperplane_07",
                "function": "max",
                "field": "size",
                "group_by": "sender",
            },
        )
    with scene.step(2, "THEN the adapter SHALL tell for each matching row, in text, its…"):
        scene.text(
            contains=[
                "connector_key paperplane, stream messages",
                "subject:string[fst]",
                "aggregate: count, sum, avg, min, max of sent_at, size",
                "group_by: sender, recipient, unread",
                "connector_key tin_can, stream messages",
                "reactions:integer[fsa]",
                "aggregate: count, sum, avg, min, max of sent_at, reactions",
                "group_by: sender, room",
                "conn_paperplane_07",
                "conn_tin_can_03",
            ],
            at_call=1,
        )
        scene.path("structuredContent.data.total_rows", equals=24, at_call=1)
        scene.bytes("result", at_most=60000, at_call=1)
    with scene.step(3, "AND a client that never sees `structuredContent` SHALL still be able…"):
        scene.is_error(False, at_call=2)
        scene.path("structuredContent.data[*].payload", keys=["sender", "reactions"], at_call=2)
        scene.is_error(False, at_call=3)
        scene.path("structuredContent.data", at_least=1, at_call=3)


@scenario(
    requirement=REQUIREMENT,
    name="Client narrows a shared stream to one connection",
    steps=3,
    at="spec.md:99",
)
async def test_client_narrows_a_shared_stream_to_one_connection(scene: Scene) -> None:
    """Client narrows a shared stream to one connection.

    - **WHEN** a client calls `schema` with both `stream` and `connection_id`
    - **THEN** the adapter SHALL return what this stream of this granted connection can do, and of no other
    - **AND** the text SHALL name `connection_id`, `connector_key`, the stream, the display label if it has one, the fields, and what it supports of projection, sorting, counts, expanded relations, modes of search, and aggregation
    """
    with scene.step(1, "WHEN a client calls `schema` with both `stream` and `connection_id`"):
        await scene.call("schema", {"stream": "messages", "connection_id": "conn_mail_home"})
    with scene.step(2, "THEN the adapter SHALL return what this stream of this granted…"):
        scene.path(
            "structuredContent.data.connectors[*].streams[*].connection_id",
            order=["conn_mail_home"],
            count=1,
        )
        scene.path("structuredContent.data.connectors[*].streams[*].stream", equals="messages")
        scene.text(lacks=["conn_chat_crew", "tin_can", "rooms"])
    with scene.step(3, "AND the text SHALL name `connection_id`, `connector_key`, the…"):
        scene.text(
            contains=[
                "connector_key paperplane",
                "stream messages",
                "connection_id: conn_mail_home 'Home mail'",
                "fields: subject:string[fst] sender:string[fsg]",
                "projection: fields",
                "sort: subject, sender, sent_at, size",
                "count: exact",
                "expand: attachments",
                "search: full_text",
                "aggregate: count, sum, avg, min, max of sent_at, size",
            ],
        )


@scenario(
    requirement=REQUIREMENT,
    name="Client uses compact schema flags",
    steps=3,
    at="spec.md:105",
)
async def test_client_uses_compact_schema_flags(scene: Scene) -> None:
    """Client uses compact schema flags.

    - **WHEN** a compact answer of `schema` abbreviates capabilities by flags or a small grammar
    - **THEN** it SHALL hold a legend, where a model can see it, that explains each of them
    - **AND** a client that reads `content[]` alone SHALL be able to write valid arguments for filter, sort, projection, and aggregation from it
    """
    with scene.step(1, "WHEN a compact answer of `schema` abbreviates capabilities by flags…"):
        await scene.call("schema", {"stream": "messages"})
        await scene.call(
            "query_records",
            {
                "stream": "messages",
                "connection_id": "conn_mail_home",
                "filter": ["subject ~ Ferry", "unread = false"],
                "sort": "-size",
                "fields": ["subject", "size"],
            },
        )
        await scene.call(
            "aggregate",
            {
                "stream": "messages",
                "connection_id": "conn_mail_home",
                "function": "sum",
                "field": "size",
                "group_by": "sender",
            },
        )
    with scene.step(2, "THEN it SHALL hold a legend, where a model can see it, that explains…"):
        scene.text(
            contains=[
                "Legend:",
                "name:type[flags] =",
                "f = filter",
                "s = sort",
                "g = aggregate with group_by",
                "a = aggregate with function",
                "t = search",
            ],
            at_call=1,
        )
    with scene.step(3, "AND a client that reads `content[]` alone SHALL be able to write…"):
        scene.is_error(False, at_call=2)
        scene.path(
            "structuredContent.data[*].payload.subject",
            matches="^Ferry timetable \\d+$",
            at_call=2,
        )
        scene.path("structuredContent.data[*].payload", keys=["subject", "size"], at_call=2)
        scene.is_error(False, at_call=3)
        scene.path("structuredContent.data", count=5, at_call=3)


@scenario(
    requirement=REQUIREMENT,
    name="Client requests exhaustive schema",
    steps=3,
    at="spec.md:111",
)
async def test_client_requests_exhaustive_schema(scene: Scene) -> None:
    """Client requests exhaustive schema.

    - **WHEN** a client calls `schema` with `detail: "full"` and no stream
    - **THEN** the adapter SHALL reject the call before it has fetched anything of the schema of the whole grant
    - **AND** the error SHALL say to begin with the compact view and then to call `schema(stream, connection_id, detail: "full")`
    """
    with scene.step(1, 'WHEN a client calls `schema` with `detail: "full"` and no stream'):
        await scene.call("schema", {"detail": "full"})
    with scene.step(2, "THEN the adapter SHALL reject the call before it has fetched…"):
        scene.is_error(True)
        scene.upstream(count=0)
        scene.path("structuredContent.data", absent=True)
    with scene.step(3, "AND the error SHALL say to begin with the compact view and then to…"):
        scene.text(contains=["compact index", 'schema(stream, connection_id, detail: "full")'])


@scenario(
    requirement=REQUIREMENT,
    name="Client requests scoped exhaustive schema",
    steps=7,
    at="spec.md:117",
)
async def test_client_requests_scoped_exhaustive_schema(scene: Scene) -> None:
    """Client requests scoped exhaustive schema.

    - **WHEN** a client calls `schema` with `detail: "full"` and a stream
    - **THEN** the resource server and the adapter SHALL return the rows of that stream only, never the schema of the whole grant
    - **AND** where the stream belongs to more than one configured source and no `connection_id` is given, the adapter SHALL return a typed error with `retry_with: "connection_id"` and nothing of the schema
    - **AND** where `connection_id` is given, the answer SHALL hold the matching connection only
    - **AND** the answer SHALL stay small enough for the host of an agent to take it as one result
    - **AND** the document SHALL stand directly in `structuredContent.data`, and no envelope of REST SHALL nest it as `structuredContent.data.data`
    - **AND** where streams are grouped by connector, the same row SHALL NOT stand a second time in a list of streams beside `connectors[].streams`
    """
    with scene.step(1, 'WHEN a client calls `schema` with `detail: "full"` and a stream'):
        await scene.call("schema", {"stream": "messages", "detail": "full"})
        await scene.call(
            "schema",
            {"stream": "messages", "detail": "full", "connection_id": "conn_mail_home"},
        )
    with scene.step(2, "THEN the resource server and the adapter SHALL return the rows of…"):
        scene.path("structuredContent.data.connectors[*].streams[*].stream", equals="messages")
        scene.upstream(
            count=1,
            path="/v1/schema",
            query={"stream": "messages", "detail": "full"},
            at_call=2,
        )
        scene.text(lacks=["media_type", "rooms"])
    with scene.step(3, "AND where the stream belongs to more than one configured source and…"):
        scene.is_error(True, at_call=1)
        scene.path("structuredContent.code", equals="ambiguous_connection", at_call=1)
        scene.path("structuredContent.retry_with", equals="connection_id", at_call=1)
        scene.path("structuredContent.data", absent=True, at_call=1)
        scene.text(lacks=["properties", "subject:"], at_call=1)
    with scene.step(4, "AND where `connection_id` is given, the answer SHALL hold the…"):
        scene.path(
            "structuredContent.data.connectors[*].streams[*].connection_id",
            order=["conn_mail_home"],
            count=1,
        )
    with scene.step(5, "AND the answer SHALL stay small enough for the host of an agent to…"):
        scene.bytes("result", at_most=60000)
    with scene.step(6, "AND the document SHALL stand directly in `structuredContent.data`…"):
        scene.path(
            "structuredContent.data.connectors[0].streams[0].json_schema.properties.subject.type",
            equals="string",
        )
        scene.path("structuredContent.data.data", absent=True)
        scene.path("structuredContent.data.request_id", absent=True)
    with scene.step(7, "AND where streams are grouped by connector, the same row SHALL NOT…"):
        scene.path("structuredContent.data.streams", absent=True)
        scene.path("structuredContent.data.connectors[*].streams[*]", unique=True, count=1)


@scenario(
    requirement=REQUIREMENT,
    name="Client sees paged or incremental results",
    steps=3,
    given=("one_connection",),
    at="spec.md:127",
)
async def test_client_sees_paged_or_incremental_results(scene: Scene) -> None:
    """Client sees paged or incremental results.

    - **WHEN** a reading tool returns `next_cursor`, `next_changes_since`, or a count
    - **THEN** the adapter SHALL repeat each of them in the text of `content[]`
    - **AND** a client that never sees `structuredContent` SHALL still be able to turn the page, to resume from a change, and to verify what was counted
    """
    with scene.step(1, "WHEN a reading tool returns `next_cursor`, `next_changes_since`, or…"):
        await scene.call(
            "query_records",
            {"stream": "messages", "limit": 15, "count": True},
            save={
                "page": "structuredContent.next_cursor",
                "bookmark": "structuredContent.next_changes_since",
            },
        )
        await scene.call(
            "query_records",
            {"stream": "messages", "limit": 15, "cursor": "${page}"},
            save={"last": "structuredContent.next_cursor"},
        )
        await scene.call("query_records", {"stream": "messages", "limit": 15, "cursor": "${last}"})
        await scene.call(
            "query_records",
            {"stream": "messages", "changes_since": "${bookmark}", "count": True},
        )
        await scene.call(
            "search",
            {"query": "harbour", "limit": 2},
            save={"hits": "structuredContent.next_cursor"},
        )
        await scene.call("search", {"query": "harbour", "limit": 2, "cursor": "${hits}"})
        await scene.call("aggregate", {"stream": "messages", "function": "sum", "field": "size"})
    with scene.step(2, "THEN the adapter SHALL repeat each of them in the text of `content[]`"):
        scene.text(matches="next_cursor: [\\w-]{8,}", at_call=1)
        scene.text(matches="next_changes_since: [\\w-]{8,}", at_call=1)
        scene.text(contains=["count: 40 (exact)"], at_call=1)
        scene.text(matches="next_cursor: [\\w-]{8,}", at_call=5)
        scene.text(contains=["count: 40 (exact)"], at_call=7)
    with scene.step(3, "AND a client that never sees `structuredContent` SHALL still be able…"):
        scene.path("structuredContent.data[*].record_id", count=15, at_call=2)
        scene.path("structuredContent.data[0].record_id", equals="me-0016", at_call=2)
        scene.path("structuredContent.data[*].record_id", count=10, at_call=3)
        scene.path("structuredContent.next_cursor", absent=True, at_call=3)
        scene.text(lacks=["next_cursor"], at_call=3)
        scene.path("structuredContent.data", count=0, at_call=4)
        scene.text(contains=["count: 0 (exact)"], at_call=4)
        scene.path("structuredContent.results", count=2, at_call=6)
