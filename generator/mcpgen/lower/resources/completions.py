"""Completions of resource variables and prompt arguments, and the files both may include."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from mcpgen.config import CompletionConfig, Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Operation, Response
from mcpgen.ir.resources_prompts import CompletionSource
from mcpgen.ir.server import ArgumentSpec, ToolSpec
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.response_schemas import path_error

SCALARS = ("string", "integer", "number", "boolean")
"""Argument types that one text can fill."""

_OTHER_OPERATION = (
    "choose a read-only operation that requires only other variables of the same URI or prompt"
)


@dataclass(frozen=True)
class CompletionSources:
    """The tools of a server and the configuration of resources and prompts."""

    tools: Sequence[ToolSpec]
    operations: Sequence[Operation]
    schemas: SchemaViews
    config: Config
    diagnostics: Diagnostics
    at: Location

    @cached_property
    def _tools(self) -> dict[str, ToolSpec]:
        """Tools by operation key and operationId."""
        by_key = {tool.operation: tool for tool in self.tools}
        ids = {
            operation.id: by_key[operation.key]
            for operation in self.operations
            if operation.id and operation.key in by_key
        }
        return {**ids, **by_key}

    def find_tool(self, operation: str) -> ToolSpec | None:
        """Returns the tool of an operation by operationId or `GET /pets/{id}`, None if unknown."""
        return self._tools.get(operation)

    def tool(self, operation: str, *path: str) -> ToolSpec | None:
        """Returns the tool of an operation named at a configuration path; None for an unknown
        operation. Adds UNMATCHED_OFFER."""
        tool = self.find_tool(operation)
        if tool is None:
            hint = closest_match(operation, list(self._tools)) or "choose one that is selected"
            self.diagnostics.add(
                codes.UNMATCHED_OFFER,
                self.place(*path),
                where=".".join(path[:-1]),
                operation=operation,
                nearest=hint,
            )
        return tool

    def place(self, *path: str) -> Location:
        """Returns the place of a configuration path or of its nearest written parent."""
        while path:
            if place := self.config.at(*path):
                return place
            path = path[:-1]
        return self.at

    def suggestions(
        self, chosen: CompletionConfig, name: str, siblings: Sequence[str], *path: str
    ) -> CompletionSource | None:
        """Returns the source of suggested values for a variable or argument; None after
        UNMATCHED_OFFER or UNFIT_COMPLETION."""
        tool = self.tool(chosen.operation, *path, "operation")
        if tool is None:
            return None
        unfilled = [argument for argument in required_arguments(tool) if argument not in siblings]
        if not tool.hints.read_only:
            reason, remedy = f"`{chosen.operation}` changes something", _OTHER_OPERATION
        elif unfilled:
            listed = ", ".join(f"`{argument}`" for argument in unfilled)
            reason = f"`{chosen.operation}` requires {listed}, which nothing fills"
            remedy = _OTHER_OPERATION
        elif (hint := self._path_hint(tool, chosen.value)) is not None:
            reason = f"no result of `{chosen.operation}` has `{chosen.value}`"
            remedy = hint or "correct the path of the values"
        else:
            filled_names = [
                argument.name for argument in tool.announced_arguments if argument.name in siblings
            ]
            arguments = {name: name for name in filled_names if name in required_arguments(tool)}
            return CompletionSource(tool=tool.name, value=chosen.value, arguments=arguments)
        where, place = ".".join(path[:2]), self.place(*path)
        self.diagnostics.add(
            codes.UNFIT_COMPLETION, place, name=name, where=where, reason=reason, hint=remedy
        )
        return None

    def _path_hint(self, tool: ToolSpec, path: str) -> str | None:
        """Returns a hint, possibly `""`, for a path absent from every result of a tool, else
        None."""
        operation = next(
            (operation for operation in self.operations if operation.key == tool.operation), None
        )
        if (
            not operation
            or not path
            or not any(_describes_response(response) for response in operation.responses)
        ):
            return None
        return path_error(self.schemas, operation, path)


def _describes_response(response: Response) -> bool:
    """True if the document describes the content of a response."""
    return any(media.schema or media.item_schema for media in response.media)


def required_arguments(tool: ToolSpec) -> list[str]:
    """Returns the names of required arguments without a value of the server, in order."""
    return [
        argument.name
        for argument in tool.announced_arguments
        if argument.required and argument.name not in tool.supplied
    ]


def argument_kind(argument: ArgumentSpec) -> str:
    """The type of an argument's values, without null; `""` if there are several."""
    types = argument.schema.get("type")
    kinds = [kind for kind in (types if isinstance(types, list) else [types]) if kind != "null"]
    return str(kinds[0]) if len(kinds) == 1 else ""


_MEDIA_TYPES: Mapping[str, str] = {
    ".csv": "text/csv",
    ".gif": "image/gif",
    ".htm": "text/html",
    ".html": "text/html",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wav": "audio/wav",
    ".webp": "image/webp",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
"""Media types by suffix. The `mimetypes` module reads files of the machine, so builds would
differ."""


def media_type(path: str, content: bytes) -> str:
    """Returns the media type of a file by suffix, else `text/plain` for UTF-8 and
    `application/octet-stream`."""
    by_suffix = _MEDIA_TYPES.get(PurePosixPath(path).suffix.lower())
    return by_suffix or ("application/octet-stream" if file_text(content) is None else "text/plain")


def file_text(content: bytes) -> str | None:
    """Returns the text of a file, None for bytes outside UTF-8."""
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in decoded else decoded.replace("\r\n", "\n")
