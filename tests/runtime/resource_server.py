"""A server of pets with resources, prompts and all that belongs to them, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from templates.project.package.runtime.app import create_app
from templates.project.package.runtime.completion import Completion
from templates.project.package.runtime.completion_values import ListedValues, StaticValues
from templates.project.package.runtime.feature import Feature
from templates.project.package.runtime.hooks import Hooks
from templates.project.package.runtime.log_level import LogLevels
from templates.project.package.runtime.middleware import Middleware
from templates.project.package.runtime.prompt import Prompt, PromptArgument, PromptMessage
from templates.project.package.runtime.prompts import Prompts
from templates.project.package.runtime.resource import Resource
from templates.project.package.runtime.resource_subscriptions import (
    ChangedResources,
    ChangeRelay,
    ResourceSubscriptions,
)
from templates.project.package.runtime.resources import Resources
from templates.project.package.runtime.server import DrainingServer
from templates.project.package.runtime.server_info import ServerInfo
from templates.project.package.runtime.sessions import Sessions, SessionSettings
from templates.project.package.runtime.tool import Argument, Body, Hints, Route, Tool
from tests.runtime.conftest import CanarySettings, WireRequest

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


def everything(
    *, alone: bool = True, relay: ChangeRelay | None = None, withheld: Sequence[str] = ()
) -> tuple[Feature, ...]:
    """All that the server offers beside its tools."""
    resources = Resources(RESOURCES, withheld)
    prompts = Prompts(PROMPTS, resources)
    changes = ResourceSubscriptions(resources, WRITERS, alone=alone, relay=relay)
    return (resources, prompts, Completion(resources, prompts), changes, LogLevels())


def pets(request: WireRequest) -> bytes:
    """What the API of pets answers: 150 pets, a photo, food, and nothing for pet 404."""
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
async def served(
    upstream: str,
    offers: Sequence[Feature],
    *rules: Middleware,
    hooks: Hooks | None = None,
    tools: Sequence[Tool] = TOOLS,
    sessions: bool = False,
    **settings: Any,
) -> AsyncIterator[str]:
    """The URL of the server."""
    identity = ServerInfo("shop", "Shop", "1.0.0")
    chosen = CanarySettings(upstream=upstream, **settings)
    kept = Sessions(SessionSettings()) if sessions else None
    app = create_app(
        identity, tools, (), chosen, hooks or Hooks(), rules, offers=offers, sessions=kept
    )
    sock = socket.create_server(("127.0.0.1", 0))
    started = asyncio.Event()
    server = DrainingServer(app, started.set)
    running = asyncio.create_task(server.serve([sock]))
    await started.wait()
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await asyncio.wait_for(running, 120)
