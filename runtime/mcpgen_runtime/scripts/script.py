"""The tool that runs a TypeScript script, which calls the other tools of the server.

In a script, tools are methods of an SDK: an object such as `db` with a module per group of tools,
as in `db.orders.list({})`. A call from a script is checked, limited, counted and recorded like any
other call of the script's caller. All output of the script process is untrusted; see `sandbox`.
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
"""Calls beyond the limit after which a script is ended, and echoes likewise. Up to then each call
beyond the limit fails with an error that the script can catch."""

_MAX_ERROR_CHARACTERS = 4000
"""Maximum characters shown of an error message."""


def _exit_codes(*signal_names: str) -> frozenset[int]:
    """The exit codes of a process ended by one of the signals. Windows does not have all
    signals."""
    return frozenset(-getattr(signal, name) for name in signal_names if hasattr(signal, name))


_CPU_EXIT_CODES = _exit_codes("SIGXCPU")
"""Exit codes of a process that reached the limit of CPU time."""

_MEMORY_EXIT_CODES = _exit_codes("SIGTRAP", "SIGABRT", "SIGSEGV")
"""Exit codes of a process that V8 ended because memory ran out."""

CallTool = Callable[[str, Mapping[str, Json]], Awaitable[Result]]
"""Calls the tool of a name with arguments, on behalf of the script's caller."""


class ScriptFailure(Exception):
    """The reason why a script has no value, in words for the author of the script."""


class ScriptRun:
    """A single run of a script. `tools` are the callable tools by name. `log` is the script's log
    output."""

    def __init__(
        self,
        process: ScriptProcess,
        settings: ScriptSettings,
        tools: Mapping[str, Tool],
        call_tool: CallTool,
    ) -> None:
        self.log = ""
        self._process = process
        self._settings = settings
        self._tools = tools
        self._call_tool = call_tool
        self._call_slots = asyncio.Semaphore(settings.script_calls_at_once)
        self._call_tasks: set[asyncio.Task[None]] = set()
        self._call_count = 0
        self._echo_count = 0

    async def value(self, order: Mapping[str, Json]) -> str:
        """Runs the script of an order and returns the value as compact JSON. Raises
        `ScriptFailure`.

        The order has the text `script`, the name `root` of the SDK, and `modules`: names of tools
        by module and method.
        """
        seconds = self._settings.script_seconds
        try:
            async with asyncio.timeout(seconds) as limit:
                await self._process.start({**order, "logs": self._settings.script_log_characters})
                return await self._receive_value()
        except TimeoutError:
            if not limit.expired():  # An error of a pipe, not the end of the script's time.
                raise
            raise ScriptFailure(
                f"the script took longer than {seconds:g} seconds{self._call_count_note()}"
            ) from None
        except ProtocolViolation as violation:
            raise ScriptFailure(f"the script {violation}{self._call_count_note()}") from None
        finally:
            for task in self._call_tasks:
                task.cancel()
            await asyncio.gather(*self._call_tasks, return_exceptions=True)

    async def _receive_value(self) -> str:
        """Handles the messages of the process until the value arrives."""
        while message := await self._process.receive():
            if "value" in message:
                return self._encode_value(message["value"])
            if "error" in message:
                raise ScriptFailure(_describe_error(message["error"]))
            if "log" in message:
                self._append_log(str(message["log"]))
            elif "call" in message:
                self._start_call(message)
            elif "echo" in message:
                # At the end of a script, an echo gives code that waits for the last answers time to
                # start further calls.
                self._echo_count += 1
                if self._echo_count > self._settings.script_calls + _EXCESS:
                    raise ProtocolViolation("asked for echo after echo")
                await self._process.send({"echo": True})
            else:
                raise ProtocolViolation("wrote what is no message")
        await self._process.end()
        raise ScriptFailure(f"{self._exit_reason()}{self._call_count_note()}")

    def _encode_value(self, value: Json) -> str:
        """The value as compact JSON. Raises `ScriptFailure` if the value is too large, and
        `ProtocolViolation` if nested too deeply."""
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

    def _append_log(self, text: str) -> None:
        """Appends a line to the log, up to the limit."""
        max_characters = self._settings.script_log_characters
        if len(self.log) >= max_characters:
            return
        self.log = f"{self.log}{text}\n"
        if len(self.log) > max_characters:
            self.log = f"{self.log[:max_characters]}\n[cut after {max_characters} characters]"

    def _start_call(self, message: Message) -> None:
        """Starts the requested call in a task, which sends the answer to the script."""
        self._call_count += 1
        if self._call_count > self._settings.script_calls + _EXCESS:
            raise ProtocolViolation("asked for call after call")
        task = asyncio.create_task(self._answer_call(message, self._call_count))
        self._call_tasks.add(task)
        task.add_done_callback(self._call_tasks.discard)

    async def _answer_call(self, message: Message, number: int) -> None:
        """Makes the requested call and sends the answer. `number` counts the calls from 1."""
        failed, value = await self._make_call(message, number)
        reply = {"id": message.get("id"), "failed": failed}
        try:
            await self._process.send({**reply, "value": value})
        except (ValueError, RecursionError):
            reason = "the answer holds a number that is too large, or is nested too deeply"
            await self._process.send({**reply, "failed": True, "value": reason})

    async def _make_call(self, message: Message, number: int) -> tuple[bool, Json]:
        """Makes the requested call. Returns whether the call failed, and the reason or the
        value."""
        name, arguments = message["call"], message.get("arguments")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            return True, "there is no such call"
        if not isinstance(arguments, dict):
            return True, "a method takes one object of named arguments"
        if number > self._settings.script_calls:
            return True, f"a script makes at most {self._settings.script_calls} calls"
        async with self._call_slots:
            try:
                result = await self._call_tool(tool.name, arguments)
            except MCPError as error:
                return True, str(error)
        return result.failed, _text(result) if result.failed else _script_value(tool, result)

    def _exit_reason(self) -> str:
        """The reason why the process ended without a value."""
        code = self._process.code
        if code in _CPU_EXIT_CODES:
            return f"the script took more than {self._settings.script_cpu_seconds} seconds of CPU"
        if code in _MEMORY_EXIT_CODES:
            return f"the script took more than {self._settings.script_megabytes} MB of memory"
        return "the script ended without a value"

    def _call_count_note(self) -> str:
        """The number of calls started, which are not undone; `""` without calls."""
        count = min(self._call_count, self._settings.script_calls)
        return f"; it had begun {count} call{'s' * (count != 1)}" if count else ""


def _script_value(tool: Tool, result: Result) -> Json:
    """The value that a script gets for a result: the structured content without the wrapping
    `result`; else a single text, parsed if the text is JSON; else the list of content blocks."""
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


def _text(result: Result) -> str:
    """The texts of a result, joined by newlines."""
    return "\n".join(str(block["text"]) for block in result.content if "text" in block)


def _describe_error(error: Json) -> str:
    """The message of an error, with the position in the script. `error` has `message`, and `line`
    and `column` from 1, but may be anything, because the output of the process is
    untrusted."""
    error = error if isinstance(error, dict) else {}
    message = str(error.get("message", ""))[:_MAX_ERROR_CHARACTERS] or "the script failed"
    line, column = error.get("line"), error.get("column")
    has_position = type(line) is int and type(column) is int and min(line, column) > 0
    return f"{message}\n  at line {line}:{column}" if has_position else message


ToolNames = Mapping[str, Mapping[str, str]]
"""The name of the tool behind each method of the SDK, by module and method."""


class Scripts(Feature):
    """Runs scripts with the tool `tool`. `root` is the name of the SDK object in scripts, such as
    `db`. `examples` are shown in the documentation of the SDK."""

    def __init__(
        self,
        tool: Tool,
        root: str,
        modules: ToolNames,
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
        """The value of the script as compact JSON, followed by log output. A script that only
        requests documentation is answered without running."""
        script, settings = call.arguments["script"], self._settings
        if len(script.encode("utf-8", "replace")) > settings.script_bytes:
            return Result.error(f"Error: a script has at most {settings.script_bytes} bytes")
        tools = {tool.name: tool for tool in server.visible_tools(call.caller)}
        modules = _visible_modules(self._modules, tools)
        docs = ScriptDocs(call.tool.name, self._root, modules, settings.docs_bytes, self._examples)
        if page := docs.requested_page(script):
            return Result.text(page)
        if self._running_scripts >= settings.scripts_at_once:
            return Result.crowded(f"at most {settings.scripts_at_once} scripts run at a time")
        self._running_scripts += 1
        try:
            return await self._run(script, modules, partial(server.call, call.caller))
        finally:
            self._running_scripts -= 1

    async def _run(
        self, script: str, modules: Mapping[str, Methods], call_tool: CallTool
    ) -> Result:
        """Runs a script and returns the value or the error, with log output."""
        tools = {tool.name: tool for methods in modules.values() for tool in methods.values()}
        names = {
            module: {method: tool.name for method, tool in methods.items()}
            for module, methods in modules.items()
        }
        async with self._sandbox.process() as process:
            run = ScriptRun(process, self._settings, tools, call_tool)
            order = {"script": script, "root": self._root, "modules": names}
            try:
                text, failed = await run.value(order), False
            except ScriptFailure as failure:
                text, failed = f"Error: {failure}", True
        log = (text_block(f"Logged:\n{run.log}"),) if run.log else ()
        return Result((text_block(text), *log), failed=failed)


def _visible_modules(modules: ToolNames, tools: Mapping[str, Tool]) -> dict[str, Methods]:
    """The methods whose tools are visible, with the tools; empty modules are left out."""
    visible = {
        module: {method: tools[name] for method, name in methods.items() if name in tools}
        for module, methods in modules.items()
    }
    return {module: methods for module, methods in visible.items() if methods}
