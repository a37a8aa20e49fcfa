# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The tool that runs a script against the tools of the server.

A call from a script counts as a call of the script's caller: checked, limited, counted and recorded
like other calls. All output of the script process is untrusted; see `sandbox`.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from json import loads
from types import MappingProxyType

from mcp.shared.exceptions import MCPError

from ..hooks import Call
from ..result import Result, text_block
from ..server.feature import Feature, ServerContext
from ..tool import Json, Tool
from ..upstream.value_text import compact_json
from .documentation import Examples
from .sandbox import Message, ProtocolViolation, Sandbox, ScriptProcess, ScriptSettings
from .script_docs import Methods, ScriptDocs

_EXCESS = 1000
"""Calls beyond the limit after which a script is killed."""

_MESSAGE = 4000
"""Maximum characters shown of an error message."""

_CPU_SIGNALS = {-getattr(signal, name) for name in ("SIGXCPU",) if hasattr(signal, name)}
_MEMORY_SIGNALS = {
    -getattr(signal, name) for name in ("SIGTRAP", "SIGABRT", "SIGSEGV") if hasattr(signal, name)
}
"""Exit codes of a process ended by a limit. Windows has neither SIGXCPU nor SIGTRAP."""

Ask = Callable[[str, Mapping[str, Json]], Awaitable[Result]]
"""Makes a call as the script's caller."""


class ScriptFailure(Exception):
    """The reason why a script has no value, for the script's author."""


class ScriptRun:
    """A running script. `tools` are the callable tools by name; `logged` is the log output."""

    def __init__(
        self, process: ScriptProcess, settings: ScriptSettings, tools: Mapping[str, Tool], ask: Ask
    ) -> None:
        self.logged = ""
        self._process = process
        self._settings = settings
        self._tools = tools
        self._ask = ask
        self._places = asyncio.Semaphore(settings.script_calls_at_once)
        self._calls: set[asyncio.Task[None]] = set()
        self._count = 0
        self._echoes = 0

    async def value(self, order: Mapping[str, Json]) -> str:
        """Runs the script; returns the value as compact JSON. Raises `ScriptFailure`."""
        seconds = self._settings.script_seconds
        try:
            async with asyncio.timeout(seconds) as limit:
                await self._process.start({**order, "logs": self._settings.script_log_characters})
                return await self._followed()
        except TimeoutError:
            if not limit.expired():
                raise
            raise ScriptFailure(
                f"the script took longer than {seconds:g} seconds{self._call_count_note()}"
            ) from None
        except ProtocolViolation as broken:
            raise ScriptFailure(f"the script {broken}{self._call_count_note()}") from None
        finally:
            for task in self._calls:
                task.cancel()
            await asyncio.gather(*self._calls, return_exceptions=True)

    async def _followed(self) -> str:
        """Handles messages until the value arrives."""
        while message := await self._process.receive():
            if "value" in message:
                return self._encode_value(message["value"])
            if "error" in message:
                raise ScriptFailure(_describe_error(message["error"]))
            if "log" in message:
                self._log(str(message["log"]))
            elif "call" in message:
                self._start_call(message)
            elif "echo" in message:
                self._echoes += 1
                if self._echoes > self._settings.script_calls + _EXCESS:
                    raise ProtocolViolation("asked for echo after echo")
                await self._process.send({"echo": True})
            else:
                raise ProtocolViolation("wrote what is no message")
        await self._process.end()
        raise ScriptFailure(f"{self._exit_reason()}{self._call_count_note()}")

    def _encode_value(self, value: Json) -> str:
        """The value as compact JSON. Raises `ScriptFailure` if too large."""
        try:
            text = compact_json(value)
        except RecursionError:
            raise ProtocolViolation("gave a value that is nested too deeply") from None
        size, max_bytes = len(text.encode("utf-8", "replace")), self._settings.script_result_bytes
        if size > max_bytes:
            raise ScriptFailure(
                f"the value of the script has {size} bytes, and {max_bytes} are allowed; give"
                " back less"
            )
        return text

    def _log(self, text: str) -> None:
        """Appends log output up to the limit."""
        max_characters = self._settings.script_log_characters
        if len(self.logged) >= max_characters:
            return
        self.logged = f"{self.logged}{text}\n"
        if len(self.logged) > max_characters:
            self.logged = f"{self.logged[:max_characters]}\n[cut after {max_characters} characters]"

    def _start_call(self, message: Message) -> None:
        """Starts a call; the answer is sent to the script."""
        self._count += 1
        if self._count > self._settings.script_calls + _EXCESS:
            raise ProtocolViolation("asked for call after call")
        task = asyncio.create_task(self._answer_call(message, self._count))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def _answer_call(self, message: Message, number: int) -> None:
        failed, value = await self._make_call(message, number)
        reply = {"id": message.get("id"), "failed": failed}
        try:
            await self._process.send({**reply, "value": value})
        except (ValueError, RecursionError):
            reason = "the answer holds a number that is too large, or is nested too deeply"
            await self._process.send({**reply, "failed": True, "value": reason})

    async def _make_call(self, message: Message, number: int) -> tuple[bool, Json]:
        """Makes a call; returns True with the reason on failure, False with the value on
        success."""
        name, arguments = message["call"], message.get("arguments")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            return True, "there is no such call"
        if not isinstance(arguments, dict):
            return True, "a method takes one object of named arguments"
        if number > self._settings.script_calls:
            return True, f"a script makes at most {self._settings.script_calls} calls"
        async with self._places:
            try:
                result = await self._ask(tool.name, arguments)
            except MCPError as error:
                return True, str(error)
        return result.failed, text_of(result) if result.failed else script_value(tool, result)

    def _exit_reason(self) -> str:
        """The reason of the exit, by exit code."""
        code = self._process.code
        if code in _CPU_SIGNALS:
            return f"the script took more than {self._settings.script_cpu_seconds} seconds of CPU"
        if code in _MEMORY_SIGNALS:
            return f"the script took more than {self._settings.script_megabytes} MB of memory"
        return "the script ended without a value"

    def _call_count_note(self) -> str:
        """The number of calls made by a script that did not finish."""
        count = min(self._count, self._settings.script_calls)
        return f"; it had begun {count} call{'s' * (count != 1)}" if count else ""


def script_value(tool: Tool, result: Result) -> Json:
    """The value of a result in scripts: the structured value, else the text parsed as JSON, else
    the text; for several blocks, and for a file, the list of blocks."""
    value = result.structured
    if value is not None and (not tool.wrapped or "result" in value):
        return value["result"] if tool.wrapped else value
    if len(result.content) != 1 or result.content[0].get("type") != "text":
        return list(result.content)
    text = result.content[0]["text"]
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return text


def text_of(result: Result) -> str:
    """The texts of a result, joined by newlines."""
    return "\n".join(str(block["text"]) for block in result.content if "text" in block)


def _describe_error(error: Json) -> str:
    """An error message with the position in the script."""
    error = error if isinstance(error, dict) else {}
    message = str(error.get("message", ""))[:_MESSAGE] or "the script failed"
    line, column = error.get("line"), error.get("column")
    is_placed = type(line) is int and type(column) is int and min(line, column) > 0
    return f"{message}\n  at line {line}:{column}" if is_placed else message


Modules = Mapping[str, Mapping[str, str]]
"""Names of tools, by module and method of the SDK."""


class Scripts(Feature):
    """Runs scripts. `root` is the SDK's name in scripts; the SDK's documentation shows
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
        self._running_scripts = 0

    @asynccontextmanager
    async def running(self, server: ServerContext) -> AsyncIterator[None]:
        """Keeps the sandbox open."""
        async with self._sandbox.open():
            yield

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """The script's value as compact JSON, followed by log output; or documentation."""
        script, settings = call.arguments["script"], self._settings
        if len(script.encode("utf-8", "replace")) > settings.script_bytes:
            return Result.error(f"Error: a script has at most {settings.script_bytes} bytes")
        tools = {tool.name: tool for tool in server.visible_tools(call.caller)}
        modules = _visible_modules(self._modules, tools)
        docs = ScriptDocs(call.tool.name, self._root, modules, settings.docs_bytes, self._examples)
        if text := docs.requested_page(script):
            return Result.text(text)
        if self._running_scripts >= settings.scripts_at_once:
            return Result.crowded(f"at most {settings.scripts_at_once} scripts run at a time")
        self._running_scripts += 1
        try:
            return await self._result(script, modules, partial(server.call, call.caller))
        finally:
            self._running_scripts -= 1

    async def _result(self, script: str, modules: Mapping[str, Methods], ask: Ask) -> Result:
        """Runs a script; returns the value or the error."""
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


def _visible_modules(modules: Modules, tools: Mapping[str, Tool]) -> dict[str, Methods]:
    """The modules reduced to visible tools."""
    visible = {
        module: {method: tools[name] for method, name in methods.items() if name in tools}
        for module, methods in modules.items()
    }
    return {module: methods for module, methods in visible.items() if methods}
