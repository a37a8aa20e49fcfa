"""Replaces the application of a running server, such as after a change of its description.

Every request is answered by one application from begin to end. Clients with a stream of
`subscriptions/listen` are notified:
https://modelcontextprotocol.io/specification/2026-07-28/server/tools#list-changed-notification
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ToolsListChanged,
)
from mcp_types import SubscriptionFilter, SubscriptionsListenRequestParams

from .app import App
from .asgi import Receive, Scope, Send
from .client_channel import Context

PAUSE_SECONDS = 0.3
"""Seconds between two looks at the files."""

START_SECONDS = 60
"""Seconds for the start of a changed server."""

_LISTEN = "subscriptions/listen"

Stamps = Mapping[Path, tuple[int, int] | None]
"""Modification time in ns and size of each file; None for a missing file."""


def watch_files(files: Callable[[], Iterable[Path]], reload: Callable[[], None]) -> None:
    """Calls `reload` after changes of files, in a thread, until the process ends. `files` names the
    files at every look."""

    def watch() -> None:
        stamps = _stamps(files())
        pause = threading.Event()
        while not pause.wait(PAUSE_SECONDS):
            current = _stamps(files())
            if current == stamps:
                continue
            # An editor or a build may still be writing.
            while not pause.wait(PAUSE_SECONDS) and (later := _stamps(files())) != current:
                current = later
            reload()
            # The next look compares with the files before `reload`, which may name others now.
            stamps = {path: current.get(path, _stamp(path)) for path in files()}

    # A daemon, because the thread waits for changes until the process ends.
    threading.Thread(target=watch, name="file watcher", daemon=True).start()


def _stamps(files: Iterable[Path]) -> Stamps:
    return {path: _stamp(path) for path in files}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


class ListChanges:
    """The streams of `subscriptions/listen` of all applications of a server."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._handler = ListenHandler(self._bus)

    async def listen(
        self, context: Context, params: SubscriptionsListenRequestParams
    ) -> dict[str, Any]:
        """Answers `subscriptions/listen` with changes of lists, until the client leaves."""
        filter = params.notifications
        lists = SubscriptionFilter(
            tools_list_changed=filter.tools_list_changed,
            prompts_list_changed=filter.prompts_list_changed,
            resources_list_changed=filter.resources_list_changed,
        )
        answer = await self._handler(context, params.model_copy(update={"notifications": lists}))
        return answer.model_dump(by_alias=True, exclude_none=True)

    def add_to(self, server: Any) -> None:
        """Adds `subscriptions/listen` to an SDK server without resource subscriptions, which have
        streams of their own."""
        if not server.get_request_handler(_LISTEN):
            server.add_request_handler(_LISTEN, SubscriptionsListenRequestParams, self.listen)
            server.notifies_changes = True

    async def publish(self) -> None:
        """Notifies every stream that the lists have changed."""
        for event in (ToolsListChanged(), PromptsListChanged(), ResourcesListChanged()):
            await self._bus.publish(event)

    def close(self) -> None:
        """Ends every stream."""
        self._handler.close()


class _RunningApp:
    """An application with the lifespan in a task of its own: the task groups of the SDK have to be
    left by the task that entered them."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._requests = 0
        self._is_replaced = False
        self._end = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Runs the application. Raises the exception of a failed start."""
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(started))
        await started

    async def _run(self, started: asyncio.Future[None]) -> None:
        try:
            async with self.app.running():
                started.set_result(None)
                await self._end.wait()
        except Exception as fault:
            if started.done():
                raise
            started.set_exception(fault)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request. The last request of a replaced application ends the application."""
        self._requests += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._requests -= 1
            self._end_if_idle()

    def retire(self) -> None:
        """Ends the application after its requests. Streams of sessions and of resource
        subscriptions end at once, so that their clients connect to the next application."""
        self._is_replaced = True
        self.app.end_streams()
        self._end_if_idle()

    async def stop(self) -> None:
        """Ends the application."""
        self._end.set()
        if self._task:
            await self._task

    @property
    def is_open(self) -> bool:
        """True until the application has ended."""
        return not self._end.is_set()

    def _end_if_idle(self) -> None:
        if self._is_replaced and not self._requests:
            self._end.set()


class ReloadableApp:
    """An ASGI application whose `App` can be replaced while it serves. `started` is called after the
    start, in the process that serves."""

    def __init__(
        self, app: App, started: Callable[[ReloadableApp], None] = lambda reloadable: None
    ) -> None:
        self._changes = ListChanges()
        self._first = app
        self._started = started
        self._apps: list[_RunningApp] = []
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def app(self) -> App:
        """The current application."""
        return self._apps[-1].app if self._apps else self._first

    def __getattr__(self, name: str) -> Any:
        """The attribute of the current application: identity, settings, address and so on."""
        return getattr(self.app, name)

    @property
    def draining(self) -> bool:
        """True if the server ends soon."""
        return self.app.draining

    @draining.setter
    def draining(self, draining: bool) -> None:
        self.app.draining = draining

    def disconnect_clients(self) -> None:
        """Ends open streams and unanswered questions."""
        self._changes.close()
        for running in self._apps:
            running.app.disconnect_clients()

    async def replace(self, app: App) -> None:
        """Answers new requests by `app` from now on. Raises the exception of an application that
        cannot start; the current application stays in this case."""
        app.announce_changes(self._changes)
        following = _RunningApp(app)
        await following.start()
        current = self._apps[-1]
        self._apps = [running for running in self._apps if running.is_open] + [following]
        current.retire()
        await self._changes.publish()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry point: a request or the lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._apps:
            await self._apps[-1].answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.loop = asyncio.get_running_loop()
        # Over stdio nothing is replaced, and nothing announced.
        self._first.announce_changes(self._changes)
        first = _RunningApp(self._first)
        await first.start()
        self._apps.append(first)
        self._started(self)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for running in self._apps:
            await running.stop()
        await send({"type": "lifespan.shutdown.complete"})
