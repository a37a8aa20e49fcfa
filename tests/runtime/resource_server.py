"""Server of pets with resources, prompts, completion and subscriptions, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings, WireRequest

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.resources.completion import Completion
from mcpgen_runtime.resources.completion_values import ListedValues, StaticValues
from mcpgen_runtime.resources.prompts import Prompt, PromptArgument, PromptMessage, Prompts
from mcpgen_runtime.resources.resources import Resource, Resources
from mcpgen_runtime.resources.subscriptions import (
    ChangedResources,
    ChangeRelay,
    ResourceSubscriptions,
)
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.server.feature import Feature
from mcpgen_runtime.server.log_level import LogLevels
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.process import DrainingServer
from mcpgen_runtime.server.sessions import Sessions, SessionSettings
from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool

READS = Hints(read_only=True, destructive=False, idempotent=True)
WRITES = Hints(read_only=False, destructive=True, idempotent=True)
ID = Argument("petId", "path", {"type": "integer"}, required=True)
KIND = Argument("kind", "path", {"type": "string", "enum": ["cat", "dog"]}, required=True)
NAME = Argument("name", "body", {"type": "string"})

LIST = Tool("list_pets", "", "Lists.", Route("GET", "/pets"), READS)
GET = Tool("get_pet", "", "Gets.", Route("GET", "/pets/{petId}"), READS, (ID,))
PHOTO = Tool(
    "get_photo", "", "Shows.", Route("GET", "/pets/{petId}/photo", accept="image/*"), READS, (ID,)
)
FOOD = Tool("get_food", "", "Feeds.", Route("GET", "/food/{kind}"), READS, (KIND,))
UPDATE = Tool(
    "update_pet",
    "",
    "Renames.",
    Route("PUT", "/pets/{petId}", body=Body("application/json")),
    WRITES,
    (ID, NAME),
)
TOOLS = (LIST, GET, PHOTO, FOOD, UPDATE)

PETS = ListedValues("list_pets", "id")
RESOURCES = (
    Resource("shop://pets", "pets", "All pets", "Every pet.", "application/json", "list_pets"),
    Resource(
        "shop://pets/{petId}",
        "pet",
        mime_type="application/json",
        tool="get_pet",
        annotations={"audience": ["user"], "priority": 0.5},
        complete={"petId": PETS},
    ),
    Resource("shop://pets/{petId}/photo", "photo", tool="get_photo"),
    Resource(
        "shop://food/{kind}",
        "food",
        tool="get_food",
        complete={"kind": StaticValues(("cat", "dog"))},
    ),
)
PROMPTS = (
    Prompt(
        "review",
        "Review a pet",
        "Reviews one pet.",
        (
            PromptArgument("petId", "", "Which one.", required=True, type="integer", complete=PETS),
            PromptArgument("tone", values=("kind", "strict")),
        ),
        (
            PromptMessage(
                text="Review the pet {{petId}} ({{ tone }}). Keep {name} and {{{petId}}."
            ),
            PromptMessage("assistant", text="Which papers do you have?"),
            PromptMessage(uri="shop://pets/{{petId}}"),
        ),
    ),
)
WRITERS = {
    "update_pet": (
        ChangedResources("shop://pets/{petId}", {"petId": "petId"}),
        ChangedResources("shop://pets"),
    )
}


def all_features(
    *, is_alone: bool = True, relay: ChangeRelay | None = None, withheld_names: Sequence[str] = ()
) -> tuple[Feature, ...]:
    """Returns all features of the server beside its tools."""
    resources = Resources(RESOURCES, withheld_names)
    prompts = Prompts(PROMPTS, resources)
    changes = ResourceSubscriptions(resources, WRITERS, alone=is_alone, relay=relay)
    return (resources, prompts, Completion(resources, prompts), changes, LogLevels())


def pets(request: WireRequest) -> bytes:
    """Answers for the API of pets: 150 pets, a photo, food, and 404 for pet 404."""
    path = request.target
    if path == "/pets":
        return _answer(json.dumps([{"id": number} for number in range(1, 151)]).encode())
    if path.endswith("/photo"):
        return _answer(b"\x89PNG", "image/png")
    if path == "/pets/404":
        return _answer(b'{"detail": "no such pet"}', status="404 Not Found")
    if path == "/pets/500":
        return _answer(b"{}", status="500 Internal Server Error")
    return _answer(json.dumps({"asked": path}).encode())


def _answer(body: bytes, kind: str = "application/json", status: str = "200 OK") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@asynccontextmanager
async def serve_shop(
    upstream: str,
    offers: Sequence[Feature],
    *rules: Middleware,
    hooks: Hooks | None = None,
    tools: Sequence[Tool] = TOOLS,
    sessions: bool = False,
    package: str = "",
    **settings: Any,
) -> AsyncIterator[str]:
    """Yields the URL of the server."""
    identity = ServerInfo("shop", "Shop", "1.0.0", module=f"{package}.server")
    canary_settings = CanarySettings(upstream=upstream, **settings)
    session_store = Sessions(SessionSettings()) if sessions else None
    app = create_app(
        identity,
        tools,
        (),
        canary_settings,
        hooks or Hooks(),
        rules,
        offers=offers,
        sessions=session_store,
    )
    sock = socket.create_server(("127.0.0.1", 0))
    start_event = asyncio.Event()
    server = DrainingServer(app, start_event.set)
    serving_task = asyncio.create_task(server.serve([sock]))
    await start_event.wait()
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await asyncio.wait_for(serving_task, 120)
