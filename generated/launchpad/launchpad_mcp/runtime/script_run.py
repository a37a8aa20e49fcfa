"""One run of a script: what it asks for is done and answered, until it is over or out of bounds."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping
from json import loads

from mcp.shared.exceptions import MCPError

from .result import Result
from .sandbox import Message, ProtocolViolation, ScriptProcess
from .script_settings import ScriptSettings
from .tool import Json, Tool
from .value_text import compact_json

_EXCESS = 1000
"""How many calls beyond its limit a script may ask for before it is ended."""

_MESSAGE = 4000
"""How many characters of what a script says of its failure are shown."""

Ask = Callable[[str, Mapping[str, Json]], Awaitable[Result]]
"""Makes a call in the name of the script's caller."""


class ScriptFailure(Exception):
    """Why a script has no value, as its author reads it."""


class ScriptRun:
    """A script in its process. `tools` are those it may call, by name; `logged` is what it has
    logged."""

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
        """The value of a script, as compact JSON. Raises `ScriptFailure`."""
        seconds = self._settings.script_seconds
        try:
            async with asyncio.timeout(seconds) as limit:
                await self._process.start({**order, "logs": self._settings.script_log_characters})
                return await self._followed()
        except TimeoutError:
            if not limit.expired():
                raise
            raise ScriptFailure(
                f"the script took longer than {seconds:g} seconds{self._made()}"
            ) from None
        except ProtocolViolation as broken:
            raise ScriptFailure(f"the script {broken}{self._made()}") from None
        finally:
            for task in self._calls:
                task.cancel()
            await asyncio.gather(*self._calls, return_exceptions=True)

    async def _followed(self) -> str:
        """The value, after all that comes before it."""
        while message := await self._process.receive():
            if "value" in message:
                return self._bounded(message["value"])
            if "error" in message:
                raise ScriptFailure(_describe_error(message["error"]))
            if "log" in message:
                self._log(str(message["log"]))
            elif "call" in message:
                self._begin(message)
            elif "echo" in message:
                self._echoes += 1
                if self._echoes > self._settings.script_calls + _EXCESS:
                    raise ProtocolViolation("asked for echo after echo")
                await self._process.send({"echo": True})
            else:
                raise ProtocolViolation("wrote what is no message")
        await self._process.end()
        raise ScriptFailure(f"{self._ended()}{self._made()}")

    def _bounded(self, value: Json) -> str:
        """A value as compact JSON, if that is not too large."""
        try:
            text = compact_json(value)
        except RecursionError:
            raise ProtocolViolation("gave a value that is nested too deeply") from None
        size, most = len(text.encode("utf-8", "replace")), self._settings.script_result_bytes
        if size > most:
            raise ScriptFailure(
                f"the value of the script has {size} bytes, and {most} are allowed; give back less"
            )
        return text

    def _log(self, text: str) -> None:
        """Keeps a line, as far as there is room."""
        most = self._settings.script_log_characters
        if len(self.logged) >= most:
            return
        self.logged = f"{self.logged}{text}\n"
        if len(self.logged) > most:
            self.logged = f"{self.logged[:most]}\n[cut after {most} characters]"

    def _begin(self, message: Message) -> None:
        """Begins a call; its answer goes to the script."""
        self._count += 1
        if self._count > self._settings.script_calls + _EXCESS:
            raise ProtocolViolation("asked for call after call")
        task = asyncio.create_task(self._called(message, self._count))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def _called(self, message: Message, number: int) -> None:
        failed, value = await self._answered(message, number)
        about = {"id": message.get("id"), "failed": failed}
        try:
            await self._process.send({**about, "value": value})
        except (ValueError, RecursionError):
            said = "the answer holds a number that is too large, or is nested too deeply"
            await self._process.send({**about, "failed": True, "value": said})

    async def _answered(self, message: Message, number: int) -> tuple[bool, Json]:
        """Whether a call failed, and its value or why."""
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
            except MCPError as refused:
                return True, str(refused)
        return result.failed, text_of(result) if result.failed else script_value(tool, result)

    def _ended(self) -> str:
        """Why the process is gone, by how it ended."""
        code = self._process.code
        if code == -signal.SIGXCPU:
            return f"the script took more than {self._settings.script_cpu_seconds} seconds of CPU"
        if code in (-signal.SIGTRAP, -signal.SIGABRT, -signal.SIGSEGV):
            return f"the script took more than {self._settings.script_megabytes} MB of memory"
        return "the script ended without a value"

    def _made(self) -> str:
        """What is worth knowing of a script that did not come to its end."""
        count = min(self._count, self._settings.script_calls)
        return f"; it had begun {count} call{'s' * (count != 1)}" if count else ""


def script_value(tool: Tool, result: Result) -> Json:
    """What a script gets for a result: its value, else the JSON of its text, else the text; the
    content blocks of one that has more."""
    if result.structured is not None:
        return result.structured["result"] if tool.wrapped else result.structured
    if len(result.content) != 1 or result.content[0].get("type") != "text":
        return list(result.content)
    text = result.content[0]["text"]
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return text


def text_of(result: Result) -> str:
    """The texts of a result."""
    return "\n".join(str(block["text"]) for block in result.content if "text" in block)


def _describe_error(error: Json) -> str:
    """What is said of an error: its message, and where in the script it happened."""
    error = error if isinstance(error, dict) else {}
    message = str(error.get("message", ""))[:_MESSAGE] or "the script failed"
    line, column = error.get("line"), error.get("column")
    is_placed = type(line) is int and type(column) is int and min(line, column) > 0
    return f"{message}\n  at line {line}:{column}" if is_placed else message
