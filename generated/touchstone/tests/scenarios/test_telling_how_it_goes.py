"""Telling how it goes."""

from tests.scenario_engine.markers import manual, scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "Telling how it goes"


@manual("this client reads the last event of a stream only; the official suite shows it")
@scenario(requirement=REQUIREMENT, name="Client asks for progress", steps=2, at="spec.md:45")
async def test_client_asks_for_progress(scene: Scene) -> None:
    """Client asks for progress.

    - **WHEN** a client calls `test_tool_with_progress` with a progress token and reads events
    - **THEN** 0, 50 and 100 of 100 are told before the result
    """


@scenario(requirement=REQUIREMENT, name="Client wants no log", steps=2, at="spec.md:49")
async def test_client_wants_no_log(scene: Scene) -> None:
    """Client wants no log.

    - **WHEN** a client calls `test_logging_tool` and names no level
    - **THEN** nothing but the result comes
    """
    with scene.step(1, "WHEN a client calls `test_logging_tool` and names no level"):
        await scene.http(
            "POST",
            headers={
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": "tools/call",
                "Mcp-Name": "test_logging_tool",
            },
            body={
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {
                    "name": "test_logging_tool",
                    "arguments": {},
                    "_meta": {
                        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities": {},
                    },
                },
            },
        )
    with scene.step(2, "THEN nothing but the result comes"):
        scene.header("content-type", contains=["application/json"])
        scene.is_error(False)
