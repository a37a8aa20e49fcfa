"""What resources and prompts may be made of, and the completions that both have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from mcpgen.config import CompleteChoice, Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import Operation, Response
from mcpgen.ir.resources_prompts import CompletionSource
from mcpgen.ir.server import ArgumentSpec, ToolSpec
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.response_fields import problem
from mcpgen.lower.selectors import closest_match

SCALARS = ("string", "integer", "number", "boolean")
"""The types of arguments that take one value of a text."""


@dataclass(frozen=True)
class CompletionSources:
    """The tools of a server and what is wanted of them."""

    tools: Sequence[ToolSpec]
    operations: Sequence[Operation]
    schemas: SchemaViews
    config: Config
    diagnostics: Diagnostics
    at: Location

    @cached_property
    def _tools(self) -> dict[str, ToolSpec]:
        """The tools by the key of their operation, and by its id."""
        made = {tool.operation: tool for tool in self.tools}
        ids = {one.id: made[one.key] for one in self.operations if one.id and one.key in made}
        return {**ids, **made}

    def known(self, operation: str) -> ToolSpec | None:
        """The tool of an operation, by its id or `GET /pets/{id}`."""
        return self._tools.get(operation)

    def tool(self, operation: str, *path: str) -> ToolSpec | None:
        """The tool of an operation that the configuration names at a path; one that is not there is
        told."""
        tool = self.known(operation)
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
        """Where the configuration says what stands at a path, or at what is above it."""
        while path:
            if found := self.config.at(*path):
                return found
            path = path[:-1]
        return self.at

    def suggestions(
        self, chosen: CompleteChoice, name: str, others: Sequence[str], *path: str
    ) -> CompletionSource | None:
        """What suggests values for a variable or an argument beside `others`; what is wrong is told."""
        tool = self.tool(chosen.operation, *path, "operation")
        if tool is None:
            return None
        filled = [one for one in required_arguments(tool) if one not in others]
        if not tool.hints.read_only:
            reason = f"`{chosen.operation}` changes something"
        elif filled:
            listed = ", ".join(f"`{one}`" for one in filled)
            reason = f"`{chosen.operation}` requires {listed}, which nothing fills"
        elif (hint := self._missing(tool, chosen.value)) is not None:
            reason = f"no result of `{chosen.operation}` has `{chosen.value}`; {hint}"
        else:
            taken = [one.name for one in tool.accepted if one.name in others]
            arguments = {one: one for one in taken if one in required_arguments(tool)}
            return CompletionSource(tool=tool.name, value=chosen.value, arguments=arguments)
        where = ".".join(path[:2])
        place = self.place(*path)
        self.diagnostics.add(codes.UNFIT_COMPLETION, place, name=name, where=where, reason=reason)
        return None

    def _missing(self, tool: ToolSpec, path: str) -> str | None:
        """A hint, possibly `""`, if no result of a tool has a path; None if one may."""
        found = next((one for one in self.operations if one.key == tool.operation), None)
        if not found or not path or not any(_describes_response(each) for each in found.responses):
            return None
        return problem(self.schemas, found, path)


def _describes_response(response: Response) -> bool:
    """Whether the document says what an answer looks like."""
    return any(media.schema or media.item_schema for media in response.media)


def required_arguments(tool: ToolSpec) -> list[str]:
    """The arguments that every call of a tool has to give."""
    return [one.name for one in tool.accepted if one.required and one.name not in tool.supplied]


def argument_kind(argument: ArgumentSpec) -> str:
    """The type of an argument's values, without null; `""` if there are several."""
    said = argument.schema.get("type")
    kinds = [one for one in (said if isinstance(said, list) else [said]) if one != "null"]
    return str(kinds[0]) if len(kinds) == 1 else ""


_TYPES: Mapping[str, str] = {
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
"""Media types by suffix; those of the machine would make builds differ from place to place."""


def media_type(path: str, content: bytes) -> str:
    """The media type of a file, by its name, else by whether it is text."""
    known = _TYPES.get(PurePosixPath(path).suffix.lower())
    return known or ("application/octet-stream" if file_text(content) is None else "text/plain")


def file_text(content: bytes) -> str | None:
    """The text of a file, None if it is not one in UTF-8."""
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in decoded else decoded.replace("\r\n", "\n")
