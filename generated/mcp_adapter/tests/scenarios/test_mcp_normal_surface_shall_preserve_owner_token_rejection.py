"""MCP normal surface SHALL preserve owner-token rejection."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP normal surface SHALL preserve owner-token rejection"


@scenario(requirement=REQUIREMENT, name="Owner bearer reaches MCP setup", steps=3, at="spec.md:58")
async def test_owner_bearer_reaches_mcp_setup(scene: Scene) -> None:
    """Owner bearer reaches MCP setup.

    - **WHEN** a request, or the environment of a local process, carries the bearer of an owner
    - **THEN** the adapter SHALL reject the request, or refuse to start
    - **AND** it SHALL NOT process anything of the request as an operation of MCP
    """
    with scene.step(1, "WHEN a request, or the environment of a local process, carries the…"):
        await scene.call(
            "query_records",
            {"stream": "walks", "connection_id": "conn_footpath_01"},
            headers={"Authorization": "Bearer owner_sample"},
        )
        await scene.call("schema", headers={"Authorization": "Bearer control_sample"})
        await scene.request("tools/list", headers={"Authorization": "Bearer 0f8e1f0c52a94f0e"})
        await scene.command(
            "mcp_adapter",
            environment={"MCP_ADAPTER_CALLER_INTROSPECTION_CLIENT_SECRET": "owner_sample"},
        )
    with scene.step(2, "THEN the adapter SHALL reject the request, or refuse to start"):
        scene.status(403, at_call=1)
        scene.status(403, at_call=2)
        scene.status(403, at_call=3)
        scene.path("data.error", equals="access_denied", at_call=1)
        scene.path("data.error", equals="access_denied", at_call=3)
        scene.status(2, at_call=4)
        scene.text(contains=["the credential of an owner"], at_call=4)
    with scene.step(3, "AND it SHALL NOT process anything of the request as an operation of…"):
        scene.upstream(count=0)
        scene.path("tools", absent=True, at_call=3)
