"""MCP fan-in search SHALL apply global limits and source identity."""

from tests.scenario_engine.markers import scenario
from tests.scenario_engine.scenario import Scene

REQUIREMENT = "MCP fan-in search SHALL apply global limits and source identity"


@scenario(
    requirement=REQUIREMENT,
    name="Client searches without a connection scope",
    steps=7,
    at="spec.md:139",
)
async def test_client_searches_without_a_connection_scope(scene: Scene) -> None:
    """Client searches without a connection scope.

    - **WHEN** a client calls `search` with `limit: N` and without `connection_id`
    - **THEN** the adapter SHALL return at most N hits, merged from all granted connections
    - **AND** each hit SHALL hold `connection_id`, `connector_key`, the stream, the id of the record, and a display label if there is one
    - **AND** the text SHALL hold a short mix of sources where the hits come from more than one connection
    - **AND** snippets SHALL mark what was found with balanced tags, or not at all, and never with signs of punctuation
    - **AND** where its source has no title, the title of a hit SHALL be a name that a person can read, and not the snippet again
    - **AND** such a title SHALL prefer the time of the event, as `sent_at`, to the time it was collected, as `emitted_at`, where both are there
    """
    with scene.step(1, "WHEN a client calls `search` with `limit: N` and without…"):
        await scene.call("search", {"query": "harbour", "limit": 9})
        await scene.call("search", {"query": "lighthouse", "limit": 50})
        await scene.call("search", {"query": "harbour", "connection_id": "conn_chat_crew"})
    with scene.step(2, "THEN the adapter SHALL return at most N hits, merged from all…"):
        scene.path("structuredContent.results", count=9, at_call=1)
        scene.path("structuredContent.results", at_most=50, at_call=2)
        scene.upstream(count=1, at_call=1)
    with scene.step(3, "AND each hit SHALL hold `connection_id`, `connector_key`, the…"):
        scene.path(
            "structuredContent.results[*]",
            keys=[
                "id",
                "record_id",
                "stream",
                "connection_id",
                "connector_key",
                "grant_id",
                "display_name",
                "title",
                "snippet",
                "url",
            ],
            at_call=1,
        )
        scene.text(
            contains=[
                '"connection_id":"conn_mail_home"',
                '"connector_key":"paperplane"',
                '"stream":"attachments"',
                '"record_id":"at-',
                '"display_name":"Home mail"',
            ],
            at_call=1,
        )
    with scene.step(4, "AND the text SHALL hold a short mix of sources where the hits come…"):
        scene.text(
            matches=(
                "(?m)^Sources: (?=.*\\d+ from conn_mail_home .Home mail. of paperplane)(?=.*\\d+ "
                "from conn_chat_crew)"
            ),
            at_call=2,
        )
    with scene.step(5, "AND snippets SHALL mark what was found with balanced tags, or not at…"):
        scene.path(
            "structuredContent.results[*].snippet",
            matches="(?i)<mark>lighthouse</mark>",
            at_call=2,
        )
        scene.path(
            "structuredContent.results[*].snippet",
            matches="\\A(?:(?!</?mark>).|<mark>(?:(?!</?mark>).)*</mark>)*\\Z",
            at_call=2,
        )
        scene.path(
            "structuredContent.results[*].snippet",
            matches="\\A(?!.*(\\*\\*|__|\\[\\[|\\{\\{|>>))",
            at_call=2,
        )
    with scene.step(6, "AND where its source has no title, the title of a hit SHALL be a…"):
        scene.path(
            "structuredContent.results[*].title",
            matches=(
                "\\Amessages · (ada|bela|chidi|dora|emeka) · [-0-9]{10} \\d\\d:\\d\\d UTC · Crew "
                "chat\\Z"
            ),
            at_call=3,
        )
        scene.path(
            "structuredContent.results[*].title",
            matches="\\A(?!.*<mark>).{5,80}\\Z",
            at_call=1,
        )
    with scene.step(7, "AND such a title SHALL prefer the time of the event, as `sent_at`…"):
        scene.path("structuredContent.results[*].title", matches=" · 2026-03-0\\d ", at_call=3)


@scenario(
    requirement=REQUIREMENT,
    name="Client searches with a connection scope",
    steps=3,
    at="spec.md:149",
)
async def test_client_searches_with_a_connection_scope(scene: Scene) -> None:
    """Client searches with a connection scope.

    - **WHEN** a client calls `search` with `connection_id`
    - **THEN** the adapter SHALL search that granted connection and no other
    - **AND** `limit` SHALL count the hits of that connection
    """
    with scene.step(1, "WHEN a client calls `search` with `connection_id`"):
        await scene.call(
            "search",
            {"query": "harbour", "connection_id": "conn_chat_crew", "limit": 3},
        )
    with scene.step(2, "THEN the adapter SHALL search that granted connection and no other"):
        scene.path("structuredContent.results[*].connection_id", equals="conn_chat_crew")
        scene.upstream(
            count=1,
            path="/v1/search",
            query={"connection_id": "conn_chat_crew", "limit": "3"},
        )
        scene.text(lacks=["Sources", "conn_mail_home"])
    with scene.step(3, "AND `limit` SHALL count the hits of that connection"):
        scene.path("structuredContent.results", count=3)
