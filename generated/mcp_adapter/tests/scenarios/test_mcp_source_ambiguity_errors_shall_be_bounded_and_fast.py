"""MCP source ambiguity errors SHALL be bounded and fast."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP source ambiguity errors SHALL be bounded and fast"


@scenario(
    requirement=REQUIREMENT,
    name="Client omits connection identity on a multi-source package",
    steps=5,
    given=("many_connections",),
    at="spec.md:191",
)
async def test_client_omits_connection_identity_on_a_multi_source_package(scene: Scene) -> None:
    """Client omits connection identity on a multi-source package.

    - **WHEN** a client calls a tool that reads one source without `connection_id`, and the package holds more than one configured source
    - **THEN** the adapter SHALL return the typed error `ambiguous_connection` with `retry_with: "connection_id"`
    - **AND** it SHALL NOT probe the health of the connections only to write this error
    - **AND** each entry of `available_connections` SHALL hold `grant_id`, `connector_key`, and `connection_id`
    - **AND** for a large package the error SHALL tell the total and that it was cut, with a hint in its text to call `schema` for the whole index of connections
    """
    with scene.step(1, "WHEN a client calls a tool that reads one source without…"):
        await scene.call("query_records", {"stream": "messages"})
        await scene.call("aggregate", {"stream": "walks", "function": "count"})
        await scene.call("fetch", {"id": "messages/me-0001"})
        await scene.call(
            "query_records",
            {"stream": "messages"},
            headers={"Authorization": "Bearer grant_sample_two"},
        )
    with scene.step(2, "THEN the adapter SHALL return the typed error `ambiguous_connection`…"):
        scene.is_error(True, at_call=1)
        scene.path("structuredContent.code", equals="ambiguous_connection", at_call=1)
        scene.path("structuredContent.retry_with", equals="connection_id", at_call=1)
        scene.path("structuredContent.code", equals="ambiguous_connection", at_call=2)
        scene.path("structuredContent.retry_with", equals="connection_id", at_call=2)
        scene.path("structuredContent.code", equals="ambiguous_connection", at_call=3)
        scene.path("structuredContent.retry_with", equals="connection_id", at_call=4)
        scene.text(contains=["ambiguous_connection", "retry_with: connection_id"], at_call=1)
    with scene.step(3, "AND it SHALL NOT probe the health of the connections only to write…"):
        scene.upstream(count=0, path="/v1/connections/*/health")
        scene.upstream(count=1, at_call=1)
        scene.upstream(count=4)
    with scene.step(4, "AND each entry of `available_connections` SHALL hold `grant_id`…"):
        scene.path(
            "structuredContent.available_connections[*]",
            keys=["grant_id", "connector_key", "connection_id", "display_name"],
            at_call=4,
        )
        scene.path("structuredContent.available_connections[*].grant_id", count=8, at_call=1)
        scene.path("structuredContent.available_connections[*].connector_key", count=8, at_call=1)
        scene.path(
            "structuredContent.available_connections[*].connection_id",
            count=8,
            unique=True,
            at_call=1,
        )
    with scene.step(5, "AND for a large package the error SHALL tell the total and that it…"):
        scene.path("structuredContent.total_connections", equals=24, at_call=1)
        scene.path("structuredContent.truncated", equals=True, at_call=1)
        scene.text(contains=["8 of 24", "Call schema for the full connection index"], at_call=1)
        scene.path("structuredContent.truncated", equals=False, at_call=4)
        scene.bytes("result", at_most=4000, at_call=1)
