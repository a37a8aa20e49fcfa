# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Optional modules of the runtime, installed by the server of a project.

The core calls the installed functions and imports no optional module, so that a copy of the runtime has
only the modules that the API and the configuration need. A missing function raises `NotInstalled`: the
server refuses a call instead of answering the call without a check.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .observability.redact import Redactor
    from .result import Block, Result
    from .settings import ServerSettings
    from .tool import Json, Tool
    from .upstream.exchange import UpstreamResponse
    from .upstream.operation import ToolOperation
    from .validation.validate import FlatEngine


class NotInstalled(ValueError):
    """A declaration that needs a module outside of this copy of the runtime."""

    def __init__(self, module: str) -> None:
        super().__init__(f"the runtime has no module `{module}`; build the server again")


class OutputValidator(Protocol):
    """Makes results with structured content, if the content is valid for the output schema."""

    def of_response(self, value: Json, blocks: tuple[Block, ...]) -> Result: ...
    def of_no_content(self, text: str, blocks: tuple[Block, ...]) -> Result: ...
    def of_handler(self, result: Result) -> Result: ...


class Stream(Protocol):
    """The items of a streamed response, and the result of a tool."""

    @property
    def items(self) -> tuple[Json, ...]: ...
    def result(
        self, operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
    ) -> Result: ...


class Definitions:
    """The schemas of a package; without shared schemas there are none (`validation.definitions`)."""

    def __init__(self, package: str = "") -> None:
        self.package = package

    def with_definitions(self, schema: Json) -> Json:
        """The schema with all reachable definitions."""
        return schema


ReadStream = Callable[[AsyncIterator[bytes], str, "ServerSettings"], Awaitable[Stream]]
"""Reads the body of a content type."""

OtherResult = Callable[["ToolOperation", "UpstreamResponse", "Redactor"], "Result"]
"""Makes the result of a response that is not JSON."""


@dataclass
class Extensions:
    """The installed functions, None for a module that the project does not have. `list_pages` makes
    a `ListPages`; `stream_reader` returns None for the content type of a single value."""

    definitions: Callable[[str], Definitions] | None = None
    engine: Callable[[Json], FlatEngine] | None = None
    list_pages: Callable[[], Any] | None = None
    operation: Callable[[Tool, Definitions], ToolOperation] | None = None
    other_result: OtherResult | None = None
    output_validator: Callable[[Tool, Definitions], OutputValidator] | None = None
    stream_reader: Callable[[str], ReadStream | None] = lambda media_type: None


INSTALLED = Extensions()
"""The functions of this process: servers of one process share the optional modules."""

Install = Callable[[Extensions], None]  # Installs the functions of an optional module
