"""Optional modules of the runtime, installed by the server of a project.

The core calls the installed functions and imports no optional module, so that a copy of the runtime has
only the modules that the API and the configuration need. A missing function raises `NotInstalled`: the
server refuses a call instead of answering the call without a check.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from .observability.redact import Redactor
    from .result import Block, Result
    from .server.tool_registry import ListPage
    from .settings import ServerSettings
    from .tool import Json, Tool
    from .upstream.exchange import UpstreamResponse
    from .upstream.operation import ToolOperation
    from .validation.validate import FlatEngine

_Part = TypeVar("_Part")


class NotInstalled(ValueError):
    """A declaration that needs a module outside of this copy of the runtime."""

    def __init__(self, module: str) -> None:
        super().__init__(f"the runtime has no module `{module}`; build the server again")


class OutputValidator(Protocol):
    """Validates results against the output schema of a tool."""

    def of_response(self, value: Json, blocks: tuple[Block, ...]) -> Result:
        """The result of a response, with structured content if valid."""

    def of_handler(self, result: Result) -> Result:
        """The result of a handler, with structured content if valid."""


class Stream(Protocol):
    """The items of a streamed response."""

    @property
    def items(self) -> tuple[Json, ...]:
        """The items read."""

    def result(
        self, operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
    ) -> Result:
        """The result of a tool."""


class Definitions(Protocol):
    """The schemas of a package, by name."""

    @property
    def package(self) -> str:
        """The package."""

    def closed(self, schema: Json) -> Json:
        """The schema with all reachable definitions."""


class Pages(Protocol):
    """The pages of a tool list."""

    def page(self, tools: Sequence[Tool], cursor: str | None) -> ListPage:
        """The page at a cursor. Raises `MCPError` for an unknown cursor."""


ReadStream = Callable[[AsyncIterator[bytes], str, "ServerSettings"], Awaitable[Stream]]
"""Reads the body of a content type."""


@dataclass
class Extensions:
    """The installed functions, None for a module that the project does not have. `stream_reader`
    returns None for the content type of a single value."""

    definitions: Callable[[str], Definitions] | None = None
    engine: Callable[[Json], FlatEngine] | None = None
    list_pages: Callable[[], Pages] | None = None
    operation: Callable[[Tool, Definitions], ToolOperation] | None = None
    output_validator: Callable[[Tool, Definitions], OutputValidator] | None = None
    stream_reader: Callable[[str], ReadStream | None] = lambda media_type: None


INSTALLED = Extensions()
"""The functions of this process: servers of one process share the optional modules."""

Install = Callable[[Extensions], None]  # Installs the functions of an optional module


def need(part: _Part | None, module: str) -> _Part:
    """The installed function of a module. Raises `NotInstalled` if there is none."""
    if part is None:
        raise NotInstalled(module)
    return part
