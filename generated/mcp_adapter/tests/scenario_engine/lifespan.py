"""Runs the startup and shutdown of an ASGI application (ASGI lifespan protocol 2.0)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class Lifespan:
    """The lifespan of an application: the messages in both directions, and the state."""

    def __init__(self, app: App) -> None:
        self.app, self.state = app, dict[str, Any]()
        self._told: asyncio.Queue[Message] = asyncio.Queue()
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        scope = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}}
        running = app({**scope, "state": self.state}, self._told.get, self._said.put)
        self._task = asyncio.ensure_future(running)

    async def reaches(self, event: str) -> bool:
        """Sends `startup` or `shutdown`; True once the application has completed the event, False
        for an application without a lifespan. Raises RuntimeError if the application reports a
        failure, and at shutdown the application's own exception."""
        await self._told.put({"type": f"lifespan.{event}"})
        said = asyncio.ensure_future(self._said.get())
        await asyncio.wait({said, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not said.done():
            said.cancel()
            if event == "startup":
                # An application that returns or raises before the first message has no lifespan.
                return False
            await self._task
            return True
        message = said.result()
        if message["type"].endswith(".failed"):
            raise RuntimeError(f"{event} of the fixture's app failed: {message.get('message', '')}")
        return True

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handles a request with the state from startup."""
        await self.app({**scope, "state": self.state.copy()}, receive, send)

    async def ended(self) -> None:
        """Waits 1 s for the application to end, then cancels the application."""
        await asyncio.wait({self._task}, timeout=1)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def run_lifespan(app: App) -> AsyncIterator[App]:
    """The application between startup and shutdown; applications without a lifespan are supported."""
    lifespan = Lifespan(app)
    try:
        knows = await lifespan.reaches("startup")
        try:
            yield lifespan if knows else app
        finally:
            if knows:
                await lifespan.reaches("shutdown")
    finally:
        await lifespan.ended()
