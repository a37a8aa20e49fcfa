"""Runs the startup and shutdown of an ASGI application (ASGI lifespan protocol 2.0).

https://asgi.readthedocs.io/en/latest/specs/lifespan.html
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class LifespanApp:
    """An ASGI application whose lifespan runs in a task. Requests get a copy of the `state` that
    the application sets at startup."""

    def __init__(self, app: App) -> None:
        self.app, self.state = app, dict[str, Any]()
        self._events: asyncio.Queue[Message] = asyncio.Queue()
        self._replies: asyncio.Queue[Message] = asyncio.Queue()
        scope = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}}
        running = app({**scope, "state": self.state}, self._events.get, self._replies.put)
        self._task = asyncio.ensure_future(running)

    async def send_event(self, event: str) -> bool:
        """Sends `startup` or `shutdown` and waits until the application has completed the event.

        Returns False for an application without a lifespan. Raises RuntimeError if the application
        reports a failure, and at shutdown the application's own exception.
        """
        await self._events.put({"type": f"lifespan.{event}"})
        reply = asyncio.ensure_future(self._replies.get())
        await asyncio.wait({reply, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not reply.done():
            reply.cancel()
            if event == "startup":
                # An application that returns or raises before the first message has no lifespan.
                return False
            await self._task
            return True
        message = reply.result()
        if message["type"].endswith(".failed"):
            raise RuntimeError(f"{event} of the fixture's app failed: {message.get('message', '')}")
        return True

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handles a request with the state from startup."""
        await self.app({**scope, "state": self.state.copy()}, receive, send)

    async def stop(self) -> None:
        """Waits 1 s for the application to end, then cancels the application."""
        await asyncio.wait({self._task}, timeout=1)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def run_lifespan(app: App) -> AsyncIterator[App]:
    """Yields the application between startup and shutdown, unchanged if it has no lifespan."""
    lifespan_app = LifespanApp(app)
    try:
        has_lifespan = await lifespan_app.send_event("startup")
        try:
            yield lifespan_app if has_lifespan else app
        finally:
            if has_lifespan:
                await lifespan_app.send_event("shutdown")
    finally:
        await lifespan_app.stop()
