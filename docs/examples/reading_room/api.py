"""The REST API of the Reading Room, as `specs/openapi/reading-room/openapi.yaml` describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docs.examples.reading_room import agents, knowledge
from docs.examples.reading_room.library import Library, Problem, stored
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

TOKEN = "the-reading-room-knows-its-own-doors"
"""The token of the Reading Room's own services. Callers of the MCP server never see the token."""

ROOT = "/api/v1/workspaces/{workspace}"
KB = f"{ROOT}/knowledge-bases/{{kb}}"
AGENT = f"{ROOT}/agents/{{agent}}"

BOOK = {
    "name": "Pilot book",
    "description": "How to get in and out.",
    "chunkingServiceId": "paragraphs",
    "embeddingServiceId": "letters-26",
    "rerankingServiceId": "shared-words",
}
TIDES = """High water at the east quay is at noon.

Leave the harbour before the ebb."""


def furnish(library: Library) -> None:
    """Fills an empty library: the workspace `harbour` with a knowledge base, a collection without one,
    three agents and a chat, and the empty workspace `lighthouse`."""
    library.add("workspaces", id="harbour")
    library.add("workspaces", id="lighthouse")
    library.add("collections", workspace="harbour", name="old_logbooks")
    book = knowledge.create_knowledge_base(library, "harbour", BOOK)["knowledgeBaseId"]
    knowledge.ingest(library, "harbour", book, {"text": TIDES, "sourceFilename": "tides.md"})
    for name, set_up in (
        ("Pilot", {"llmServiceId": "echo", "rerankEnabled": True, "systemPrompt": "Be brief."}),
        ("Clerk", {"llmServiceId": "echo", "rerankEnabled": False, "systemPrompt": None}),
        ("Statue", {"llmServiceId": agents.MUTE, "rerankEnabled": False, "systemPrompt": None}),
    ):
        more: dict[str, Any] = {"description": f"The {name.lower()}.", "knowledgeBaseIds": [book]}
        more |= {"toolIds": ["search_kb"], "rerankingOverrides": {}}
        values = stored(more | set_up)
        library.add("agents", id=name.lower(), workspace="harbour", name=name, set_up=values)
    library.add(
        "chats",
        id="chat-0",
        agent="pilot",
        workspace="harbour",
        title="The first one",
        at=library.now(),
    )


def create(library: Library) -> Starlette:
    """The REST API of a library."""

    def route(method: str, path: str, operation: Callable[..., Any], status: int = 200) -> Route:
        return Route(path, _endpoint(library, operation, status), methods=[method])

    return Starlette(
        routes=[
            route("GET", f"{ROOT}/knowledge-bases", knowledge.list_knowledge_bases),
            route("POST", f"{ROOT}/knowledge-bases", knowledge.create_knowledge_base, 201),
            route("DELETE", KB, knowledge.delete_knowledge_base),
            route("POST", f"{KB}/search", knowledge.search),
            route("GET", f"{KB}/documents", knowledge.list_documents),
            route("POST", f"{KB}/documents", knowledge.ingest, 201),
            route("DELETE", f"{KB}/documents/{{document}}", knowledge.delete_document),
            route("GET", f"{ROOT}/agents", agents.list_agents),
            route("GET", AGENT, agents.get_agent),
            route("GET", f"{AGENT}/chats", agents.list_chats),
            route("POST", f"{AGENT}/chats/{{chat}}/messages", agents.say, 201),
            route("POST", f"{AGENT}/runs", agents.run),
            route("GET", f"{ROOT}/chats/{{chat}}/messages", agents.list_messages),
        ],
        exception_handlers={Problem: _problem},
    )


def _endpoint(
    library: Library, operation: Callable[..., Any], status: int
) -> Callable[[Request], Any]:
    """Calls an operation with the values of path and query and the body, in one transaction."""

    async def endpoint(request: Request) -> Response:
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise Problem(401, "unknown_door", "This door is not known here.")
        given: list[Any] = [*request.path_params.values(), *request.query_params.values()]
        if await request.body():
            given.append(await request.json())
        with library.transaction():
            query = "select * from workspaces where id = ?"
            library.one("workspace", query, request.path_params["workspace"])
            result = operation(library, *given)
        duplicate = isinstance(result, dict) and result.get("outcome") == "duplicate"
        return JSONResponse(result, 200 if duplicate else status)

    return endpoint


async def _problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return JSONResponse(problem.body, problem.status)
