"""`mcpgen serve --watch`: serves a changed description or configuration without a restart."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcpgen.cli.console import say
from mcpgen.cli.options import count
from mcpgen.cli.serve import log_calls, say_findings

if TYPE_CHECKING:
    from mcpgen.pipeline.runnable_server import RunnableServer, ServerModules


class FileWatcher:
    """Looks at the files of a server in a thread, and replaces the server after a change.

    `load` loads a generation of the server; `prepare` prepares the environment of a package. Packages are written to folders that `stack` deletes. A
    server with errors, or with breaking changes unless `allow_breaking`, is not served: the server
    from before stays.
    """

    def __init__(
        self,
        load: Callable[..., RunnableServer],
        prepare: Callable[[RunnableServer, Path], None],
        runnable: RunnableServer,
        stack: ExitStack,
        *,
        allow_breaking: bool,
    ) -> None:
        self._load = load
        self._prepare = prepare
        self._runnable = runnable
        self._stack = stack
        self._allow_breaking = allow_breaking
        self._generation = 1
        self._served: Any = None

    def start(self, app: Any, modules: ServerModules) -> Any:
        """Returns the application in a `ReloadableApp`, and starts to look at the files."""
        self._served = modules.reload.ReloadableApp(app)
        self._start_seconds = modules.reload.START_SECONDS
        modules.reload.watch_files(lambda: self._runnable.inputs, self._serve_changes)
        return self._served

    def _serve_changes(self) -> None:
        """Serves the changed files; the user's `hooks.py` may raise any exception."""
        try:
            self._reload()
        except Exception:  # noqa: BLE001
            say(traceback.format_exc())
            say("not served: the server from before goes on")

    def _reload(self) -> None:
        """Serves the changed files, or says why not."""
        from mcpgen.analysis.diff import diff_listings
        from mcpgen.analysis.render_diff import diff_as_text

        self._generation += 1
        following = self._load(generation=self._generation)
        say_findings(following)
        if following.server is None:
            say("not served: the server from before goes on")
            return
        diff = diff_listings(self._runnable.listing, following.listing)
        if diff.changes:
            say(diff_as_text(diff).rstrip())
        if diff.breaking_changes and not self._allow_breaking:
            changes = count(len(diff.breaking_changes), "breaking change")
            say(f"not served: {changes}; start again, or with --allow-breaking")
            return
        self._replace(following)
        self._runnable = following
        say(f"serving {count(len(following.tools), 'tool')}")

    def _replace(self, following: RunnableServer) -> None:
        """Imports the package and replaces the application. Raises the exception of a server that
        does not start."""
        from mcpgen.pipeline.runnable_server import import_server, write_package

        folder = self._stack.enter_context(write_package(following))
        self._prepare(following, folder)
        modules = import_server(following, folder)
        settings = modules.settings.Settings(**self._options())
        log_calls(modules, settings)
        app = modules.server.create(settings)
        loop: asyncio.AbstractEventLoop = self._served.loop
        replaced = asyncio.run_coroutine_threadsafe(self._served.replace(app), loop)
        replaced.result(self._start_seconds)

    def _options(self) -> dict[str, Any]:
        """The settings that the command line or the environment gave. A mocked upstream is in the
        environment and may have changed."""
        settings = self._served.settings
        names = settings.model_fields_set & {"host", "port", "upstream", "workers"}
        if settings.variable("upstream") in os.environ:
            names -= {"upstream"}
        return {name: getattr(settings, name) for name in names}
