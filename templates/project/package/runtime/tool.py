"""What a tool is: a declaration. Every module under `tools/` holds one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Json = Any
"""A JSON value."""


@dataclass(frozen=True)
class Argument:
    """One flat argument and where its value goes in the upstream request.

    `to` is the path inside the place: the wire name of a parameter, then the keys below it; for
    a body the keys from its root, `()` for the body itself. Left out, it is the argument's own name.
    `text` tells that the string holds JSON or base64, decoded before it is placed. `check` is a
    schema for the placed value where the announced one says less. `nulls` maps the names that
    `null_fields` may list to their places in the body.
    """

    name: str
    place: Literal["path", "query", "header", "cookie", "body"]
    schema: Mapping[str, Json]
    required: bool = False
    to: tuple[str, ...] | None = None
    style: str = ""
    explode: bool = False
    reserved: bool = False
    content: str = ""
    text: Literal["", "json", "base64"] = ""
    check: Json = None
    nulls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def target(self) -> tuple[str, ...]:
        """The path inside the place."""
        return (self.name,) if self.to is None else self.to


@dataclass(frozen=True)
class Constant:
    """A value the server fills in, because the API allows only this one."""

    place: Literal["path", "query", "header", "cookie", "body"]
    to: tuple[str, ...]
    value: Json
    style: str = ""
    explode: bool = False


@dataclass(frozen=True)
class Body:
    """How the body is sent. `check` is a schema the assembled body must meet before it is;
    `part_types` are the content types of multipart parts, by property."""

    media_type: str
    required: bool = False
    check: Json = None
    part_types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Route:
    """The upstream request. `security` lists alternatives, each the schemes that go together; an
    empty alternative needs no credential. `base_url` replaces the server's; one that begins with
    `/` replaces its path only."""

    method: str
    path: str
    security: tuple[tuple[str, ...], ...] = ()
    accept: str = "application/json"
    base_url: str = ""
    body: Body | None = None


@dataclass(frozen=True)
class Hints:
    """What a host may assume about a call; hints, not guarantees."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = True


@dataclass(frozen=True)
class Tool:
    """One MCP tool. `output` is the announced output schema; `wrapped` tells that the upstream's
    value becomes the member `result` of it. `fields` are the dotted paths that its answers are
    reduced to, none for all of an answer."""

    name: str
    title: str
    description: str
    route: Route
    hints: Hints
    arguments: tuple[Argument, ...] = ()
    constants: tuple[Constant, ...] = ()
    output: Mapping[str, Json] | None = None
    wrapped: bool = False
    fields: tuple[str, ...] = ()

    @cached_property
    def input_schema(self) -> dict[str, Json]:
        """The JSON Schema that is announced; made from the arguments, so it cannot disagree."""
        return {
            "type": "object",
            "properties": {argument.name: argument.schema for argument in self.arguments},
            "required": [argument.name for argument in self.arguments if argument.required],
            "additionalProperties": False,
        }
