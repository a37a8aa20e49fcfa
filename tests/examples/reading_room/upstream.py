"""The REST API of the Reading Room, as its description has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from tests.examples.reading_room import agents, knowledge
from tests.examples.reading_room.library import Library, Problem, stored

TOKEN = "the-reading-room-knows-its-own-doors"
"""What the front doors of the Reading Room show; callers never have it."""

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


def furnished() -> Library:
    """Two workspaces: one with a knowledge base that was read, a collection of old, three agents and
    a chat; one with nothing."""
    library = Library()
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
    return library


@dataclass
class House:
    """The library of the day; a test begins with a new one."""

    library: Library = field(default_factory=furnished)


def upstream(house: House) -> web.Application:
    """The API of a house."""
    app = web.Application(middlewares=[_answering(house)])

    def at(method: str, path: str, act: Callable[..., Any], status: int = 200) -> None:
        app.router.add_route(method, path, _route(house, act, status))

    at("GET", f"{ROOT}/knowledge-bases", knowledge.list_knowledge_bases)
    at("POST", f"{ROOT}/knowledge-bases", knowledge.create_knowledge_base, 201)
    at("DELETE", KB, knowledge.delete_knowledge_base)
    at("POST", f"{KB}/search", knowledge.search)
    at("GET", f"{KB}/documents", knowledge.list_documents)
    at("POST", f"{KB}/documents", knowledge.ingest, 201)
    at("DELETE", f"{KB}/documents/{{document}}", knowledge.delete_document)
    at("GET", f"{ROOT}/agents", agents.list_agents)
    at("GET", AGENT, agents.get_agent)
    at("GET", f"{AGENT}/chats", agents.list_chats)
    at("POST", f"{AGENT}/chats/{{chat}}/messages", agents.say, 201)
    at("POST", f"{AGENT}/runs", agents.run)
    at("GET", f"{ROOT}/chats/{{chat}}/messages", agents.list_messages)
    return app


def _route(house: House, act: Callable[..., Any], status: int) -> Handler:
    """Answers with what an act gives for the values in path and query, and for the body."""

    async def answer(request: web.Request) -> web.Response:
        given: list[Any] = [*request.match_info.values(), *request.query.values()]
        if await request.read():
            given.append(await request.json())
        done = act(house.library, *given)
        known = isinstance(done, dict) and done.get("outcome") == "duplicate"
        return web.json_response(done, status=200 if known else status)

    return answer


def _answering(house: House) -> Middleware:
    """Lets in who shows the token and names a workspace that exists, and tells of problems."""

    @web.middleware
    async def answering(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if request.headers.get("Authorization") != f"Bearer {TOKEN}":
                raise Problem(401, "unknown_door", "This door is not known here.")
            workspace = request.match_info.get("workspace", "")
            house.library.one("workspace", "select * from workspaces where id = ?", workspace)
            return await handler(request)
        except Problem as problem:
            return web.json_response(problem.body, status=problem.status)

    return answering
