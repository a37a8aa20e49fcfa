# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The declaration of a tool. Every module under `tools/` has one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Json = Any  # A JSON value


Place = Literal["path", "query", "header", "cookie", "body", "part", "handler"]
"""The place of a value in a request; `part` is the header of a multipart part. A `handler` value is
not sent."""


@dataclass(frozen=True)
class Argument:
    """One flat argument and the place of the value in the upstream request.

    `to` is the path inside the place, by default the argument's name: the wire name of a parameter,
    then keys; for a body the keys from the root; for a multipart part the name, then `filename`,
    `type`, or `headers` and a header name. `style`: without a style, `simple` in path and header,
    `form` in query and cookie. `rows` is the style of arrays inside an array. `text`:
    the string holds JSON or base64, decoded first. `check` is a stricter schema for the decoded
    value. `nulls` and `empties` map names allowed in `null_fields` and `empty_fields` to paths in
    the body. `spread`: the members of the value are added to the object at `to`. `also` lists types
    accepted besides the announced type. `hidden`: not announced.
    """

    name: str
    place: Place
    schema: Mapping[str, Json]
    required: bool = False
    to: tuple[str, ...] | None = None
    style: str = ""
    explode: bool = False
    reserved: bool = False
    rows: str = ""
    content: str = ""
    text: Literal["", "json", "base64"] = ""
    check: Json = None
    nulls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    empties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spread: bool = False
    also: tuple[str, ...] = ()
    hidden: bool = False

    @property
    def accepted(self) -> Mapping[str, Json]:
        """The schema for validation: the announced schema with the types of `also`."""
        if not self.also:
            return self.schema
        if "items" in self.schema:
            return {**self.schema, "items": _with_types(self.schema["items"], self.also)}
        return _with_types(self.schema, self.also)

    @property
    def fills(self) -> Mapping[str, tuple[str, ...]]:
        """The field names allowed in a list of null or empty fields."""
        return self.nulls or self.empties

    @property
    def target(self) -> tuple[str, ...]:
        """The path inside the place."""
        return (self.name,) if self.to is None else self.to


def _with_types(schema: Mapping[str, Json], more: tuple[str, ...]) -> Mapping[str, Json]:
    kinds = schema["type"]
    return {**schema, "type": [*([kinds] if isinstance(kinds, str) else kinds), *more]}


@dataclass(frozen=True)
class Body:
    """The encoding of the body. `check` is a schema for the assembled body. `parts` are the `Part`s of
    a form or multipart body by name; for parts without names by position, with `""` for all further
    parts. `xml` has an `Element` by name, `""` for the root; without shapes, an XML body is given as
    text."""

    media_type: str
    required: bool = False
    check: Json = None
    parts: Mapping[str, Any] = field(default_factory=dict)
    xml: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Route:
    """The upstream request. `security` lists alternatives of schemes used together; an empty
    alternative needs no credential. `base_url` replaces the server's base URL, or with `/` its path.
    A `trusted` URL gets credentials even on another host."""

    method: str
    path: str
    security: tuple[tuple[str, ...], ...] = ()
    accept: str = "application/json"
    base_url: str = ""
    body: Body | None = None
    trusted: bool = False


@dataclass(frozen=True)
class Hints:
    """The tool's annotations, hints without guarantee. `brief` omits hints with default values."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = True
    brief: bool = False


@dataclass(frozen=True)
class Tool:
    """One MCP tool; the title is empty if the name is sufficient.

    Without a `route` the declared `answer` runs, or a handler in `hooks.py`. `bound` arguments come
    only from the path of the endpoint. `output` is the output schema; `wrapped`: the upstream value
    becomes the member `result`. `fields` are the dotted paths of selected response fields.
    `strict`: every argument is announced as required, and null means absent; `shared` are schemas
    referenced with `#/$defs/…`. `filled` are defaults by argument, and `settings` maps arguments to
    settings with further defaults. `constants` are `Constant`s, and `page` is a `Page`, of
    `tool_parts`. `conditions` are further keywords of the input schema.
    """

    name: str
    title: str
    description: str
    route: Route | None
    hints: Hints
    arguments: tuple[Argument, ...] = ()
    constants: tuple[Any, ...] = ()
    bound: tuple[Argument, ...] = ()
    output: Mapping[str, Json] | None = None
    wrapped: bool = False
    fields: tuple[str, ...] = ()
    strict: bool = False
    shared: Mapping[str, Json] = field(default_factory=dict)
    filled: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    page: Any = None
    answer: Callable[[Any], Awaitable[Any]] | None = None
    conditions: Mapping[str, Json] = field(default_factory=dict)

    @cached_property
    def input_schema(self) -> dict[str, Json]:
        """The announced JSON Schema, derived from the arguments."""
        arguments = [argument for argument in self.arguments if not argument.hidden]
        needed = [argument.name for argument in arguments if argument.required or self.strict]
        shared = {"$defs": self.shared} if self.shared else {}
        properties = {argument.name: argument.schema for argument in arguments}
        if self.page and self.page.cursor:
            properties[self.page.cursor] = self.page.cursor_schema(self.strict)
            needed += [self.page.cursor] if self.strict else []
        return {
            "type": "object",
            "properties": properties,
            "required": needed,
            "additionalProperties": False,
            **shared,
            **self.conditions,
        }

    @property
    def accepted_schema(self) -> dict[str, Json]:
        """The JSON Schema for validating calls."""
        schema = self.input_schema
        arguments = (argument for argument in self.arguments if not argument.hidden)
        accepted = {argument.name: argument.accepted for argument in arguments}
        return {**schema, "properties": {**schema["properties"], **accepted}}
