"""One tool that takes a script, and runs it against the tools of the server.

A call that a script makes is a call of its caller: it is screened, checked, limited, counted and
recorded like any other. What runs the script is believed nothing; see `sandbox`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from types import MappingProxyType

from .feature import Feature, ServerContext
from .hooks import Call
from .result import Result, text_block
from .sandbox import Sandbox
from .script_docs import Methods, ScriptDocs
from .script_run import Ask, ScriptFailure, ScriptRun
from .script_settings import ScriptSettings
from .tool import Tool
from .tool_docs import Examples

Modules = Mapping[str, Mapping[str, str]]
"""The names of tools, by module and method of the SDK."""


class Scripts(Feature):
    """The tool that runs scripts. `root` is what they call the SDK, whose documentation shows the
    `examples`."""

    def __init__(
        self,
        tool: Tool,
        root: str,
        modules: Modules,
        settings: ScriptSettings,
        examples: Examples = MappingProxyType({}),
    ) -> None:
        self.tools = (tool,)
        self._root = root
        self._modules, self._examples = modules, examples
        self._settings = settings
        self._sandbox = Sandbox(settings)
        self._under_way = 0

    @asynccontextmanager
    async def running(self, inside: ServerContext) -> AsyncIterator[None]:
        """The time in which scripts are run."""
        async with self._sandbox.open():
            yield

    async def answer(self, call: Call, inside: ServerContext) -> Result:
        """The value of a script as compact JSON, and behind it what it has logged."""
        script, settings = call.arguments["script"], self._settings
        if len(script.encode("utf-8", "replace")) > settings.script_bytes:
            return Result.error(f"Error: a script has at most {settings.script_bytes} bytes")
        shown = {tool.name: tool for tool in inside.shown(call.caller)}
        modules = _within(self._modules, shown)
        papers = ScriptDocs(
            call.tool.name, self._root, modules, settings.docs_bytes, self._examples
        )
        if text := papers.asked(script):
            return Result.text(text)
        if self._under_way >= settings.scripts_at_once:
            return Result.crowded(f"at most {settings.scripts_at_once} scripts run at a time")
        self._under_way += 1
        try:
            return await self._result(script, modules, partial(inside.call, call.caller))
        finally:
            self._under_way -= 1

    async def _result(self, script: str, modules: Mapping[str, Methods], ask: Ask) -> Result:
        """The value of a script, or why it has none."""
        tools = {tool.name: tool for methods in modules.values() for tool in methods.values()}
        names = {
            module: {method: tool.name for method, tool in methods.items()}
            for module, methods in modules.items()
        }
        async with self._sandbox.process() as process:
            run = ScriptRun(process, self._settings, tools, ask)
            order = {"script": script, "root": self._root, "modules": names}
            try:
                text, failed = await run.value(order), False
            except ScriptFailure as failure:
                text, failed = f"Error: {failure}", True
        logs = (text_block(f"Logged:\n{run.logged}"),) if run.logged else ()
        return Result((text_block(text), *logs), failed=failed)


def _within(modules: Modules, shown: Mapping[str, Tool]) -> dict[str, Methods]:
    """The modules without what a caller does not find."""
    found = {
        module: {method: shown[name] for method, name in methods.items() if name in shown}
        for module, methods in modules.items()
    }
    return {module: methods for module, methods in found.items() if methods}
