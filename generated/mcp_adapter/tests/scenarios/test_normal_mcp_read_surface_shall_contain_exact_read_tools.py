"""Normal MCP read surface SHALL contain exact read tools."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Normal MCP read surface SHALL contain exact read tools"


@scenario(requirement=REQUIREMENT, name="Client lists MCP tools", steps=3, at="spec.md:35")
async def test_client_lists_mcp_tools(scene: Scene) -> None:
    """Client lists MCP tools.

    - **WHEN** a client calls `tools/list` at the recommended endpoint
    - **THEN** the answer SHALL hold exactly `schema`, `query_records`, `aggregate`, `search`, and `fetch`
    - **AND** it SHALL NOT hold `list_streams`, `fetch_blob`, or any event-subscription management tool
    """
    with scene.step(1, "WHEN a client calls `tools/list` at the recommended endpoint"):
        await scene.request("tools/list")
    with scene.step(2, "THEN the answer SHALL hold exactly `schema`, `query_records`…"):
        scene.tools(exactly=["schema", "query_records", "aggregate", "search", "fetch"])
    with scene.step(3, "AND it SHALL NOT hold `list_streams`, `fetch_blob`, or any…"):
        scene.tools(exclude=["list_streams", "fetch_blob", "*subscri*", "*webhook*", "*event*"])


@scenario(
    requirement=REQUIREMENT,
    name="Client inspects data-tool selector arguments",
    steps=3,
    at="spec.md:41",
)
async def test_client_inspects_data_tool_selector_arguments(scene: Scene) -> None:
    """Client inspects data-tool selector arguments.

    - **WHEN** a client calls `tools/list` at the recommended endpoint
    - **THEN** `schema`, `query_records`, `aggregate`, `search`, and `fetch` SHALL each advertise `connection_id` as an optional argument that tells sources apart
    - **AND** none of them SHALL advertise `connector_instance_id`
    """
    with scene.step(1, "WHEN a client calls `tools/list` at the recommended endpoint"):
        await scene.request("tools/list")
    with scene.step(2, "THEN `schema`, `query_records`, `aggregate`, `search`, and `fetch`…"):
        scene.arguments(
            ["schema", "query_records", "aggregate", "search", "fetch"],
            include=["connection_id"],
        )
        scene.path("tools[*].inputSchema.required[*]", lacks="connection_id")
    with scene.step(3, "AND none of them SHALL advertise `connector_instance_id`"):
        scene.arguments("every", exclude=["connector_instance_id"])


@scenario(requirement=REQUIREMENT, name="Normal read tool is invoked", steps=3, at="spec.md:47")
async def test_normal_read_tool_is_invoked(scene: Scene) -> None:
    """Normal read tool is invoked.

    - **WHEN** a client invokes one of the reading tools
    - **THEN** the adapter SHALL put the request to the same resource-server contracts that every other reader is held to
    - **AND** it SHALL NOT widen the grant, nor try once more with the credentials of an owner
    """
    with scene.step(1, "WHEN a client invokes one of the reading tools"):
        await scene.call("schema")
        await scene.call("query_records", {"stream": "messages", "connection_id": "conn_mail_home"})
        await scene.call(
            "aggregate",
            {"stream": "messages", "function": "count", "connection_id": "conn_mail_home"},
        )
        await scene.call("search", {"query": "harbour"})
        await scene.call("fetch", {"id": "conn_mail_home/messages/me-0003"})
        await scene.call("query_records", {"stream": "walks", "connection_id": "conn_footpath_01"})
    with scene.step(2, "THEN the adapter SHALL put the request to the same resource-server…"):
        scene.upstream(count=1, method="GET", path="/v1/schema", at_call=1)
        scene.upstream(
            count=1,
            method="GET",
            path="/v1/streams/messages/records",
            query={"connection_id": "conn_mail_home"},
            at_call=2,
        )
        scene.upstream(
            count=1,
            method="GET",
            path="/v1/streams/messages/aggregate",
            query={"function": "count"},
            at_call=3,
        )
        scene.upstream(count=1, method="GET", path="/v1/search", query={"q": "harbour"}, at_call=4)
        scene.upstream(
            count=1,
            method="GET",
            path="/v1/streams/messages/records/me-0003",
            query={"connection_id": "conn_mail_home"},
            at_call=5,
        )
    with scene.step(3, "AND it SHALL NOT widen the grant, nor try once more with the…"):
        scene.is_error(True, at_call=6)
        scene.path("structuredContent.code", equals="unknown_connection", at_call=6)
        scene.upstream(count=1, at_call=6)
        scene.upstream(count=6)
