"""What a tool is: a declaration. Every module under `tools/` holds one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Json = Any
"""A JSON value."""

Place = Literal["path", "query", "header", "cookie", "body", "part", "handler"]
"""Where in a request a value travels; `part` is the head of one part of a multipart body. With
`handler` it goes nowhere: the tool sends nothing by itself."""


@dataclass(frozen=True)
class Argument:
    """One flat argument and where its value goes in the upstream request.

    `to` is the path inside the place: the wire name of a parameter, then the keys below it; for
    a body the keys from its root, `()` for the body itself; for a part of a multipart body its name,
    then `filename`, `type`, or `headers` and the name of one. Left out, it is the argument's own name.
    `rows` is the style of the arrays inside an array.
    `text` tells that the string holds JSON or base64, decoded before it is placed. `check` is a
    schema for the placed value where the announced one says less. `nulls` maps the names that
    `null_fields` may list to their places in the body, `empties` those of `empty_fields`, which
    become empty objects. `spread` tells that the members of the value stand beside those of the object at `to`.
    `also` lists the types that the API takes beside the announced string, which a call may give.
    `hidden` tells that it is not announced: no call can give it a value.
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
        """The schema that values are held against: the announced one, with the types of `also`."""
        if not self.also:
            return self.schema
        if "items" in self.schema:
            return {**self.schema, "items": _with_types(self.schema["items"], self.also)}
        return _with_types(self.schema, self.also)

    @property
    def fills(self) -> Mapping[str, tuple[str, ...]]:
        """The names it may list instead of having a value of its own."""
        return self.nulls or self.empties

    @property
    def target(self) -> tuple[str, ...]:
        """The path inside the place."""
        return (self.name,) if self.to is None else self.to


def _with_types(schema: Mapping[str, Json], more: tuple[str, ...]) -> Mapping[str, Json]:
    kinds = schema["type"]
    return {**schema, "type": [*([kinds] if isinstance(kinds, str) else kinds), *more]}


@dataclass(frozen=True)
class Constant:
    """A value the server fills in, because the API allows only this one; or `{}` for an object
    that must be there, unless arguments have made it."""

    place: Place
    to: tuple[str, ...]
    value: Json
    style: str = ""
    explode: bool = False


@dataclass(frozen=True)
class Part:
    """How one property of a form or multipart body is written. `media_type` is its content type; a
    range such as `image/*` asks every call for one. `base64` tells that a string stands for bytes,
    `xml` how XML is made of the value. `needs` are the headers that the part cannot do without."""

    media_type: str = ""
    base64: bool = False
    needs: tuple[str, ...] = ()
    xml: Element | None = None


@dataclass(frozen=True)
class Element:
    """How a value is written in XML. `name` may have a prefix, which `namespace` is bound to there.

    `fields` are the members of an object and `other` those without a name of their own; `each` is
    an item of an array, which stands inside an element of its own if it is `wrapped`. `like` names
    the shape, in `Body.xml`, that has these instead.
    """

    name: str = ""
    node: Literal["element", "attribute", "text", "cdata"] = "element"
    namespace: str = ""
    fields: Mapping[str, Element] = field(default_factory=dict)
    other: Element | None = None
    each: Element | None = None
    wrapped: bool = False
    like: str = ""


@dataclass(frozen=True)
class Body:
    """How the body is sent. `check` is a schema the assembled body must meet before it is.

    `parts` are the properties of a form or multipart body, by name; of a body whose parts have no
    names, by position, with `""` for all that follow. `xml` are shapes by name, `""` for the root;
    without any, a body of XML is given as text.
    """

    media_type: str
    required: bool = False
    check: Json = None
    parts: Mapping[str, Part] = field(default_factory=dict)
    xml: Mapping[str, Element] = field(default_factory=dict)


@dataclass(frozen=True)
class Route:
    """The upstream request. `security` lists alternatives, each the schemes that go together; an
    empty alternative needs no credential. `base_url` replaces the server's; one that begins with
    `/` replaces its path only. One that is `trusted` gets credentials also on another host."""

    method: str
    path: str
    security: tuple[tuple[str, ...], ...] = ()
    accept: str = "application/json"
    base_url: str = ""
    body: Body | None = None
    trusted: bool = False


@dataclass(frozen=True)
class Hints:
    """What a host may assume about a call; hints, not guarantees. `brief` leaves out those that
    clients know without being told."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = True
    brief: bool = False


@dataclass(frozen=True)
class Page:
    """How much of a result one call shows: bytes of its text and items of its list, 0 for all.
    `cursor` is the argument that asks for what follows, `""` if the call may not be repeated."""

    bytes: int = 0
    items: int = 0
    cursor: str = ""


CURSOR = {
    "type": "string",
    "description": "Handle of the next page, from a result that was cut; the other arguments stay the same.",
}
"""The announced schema of the argument that asks for what follows."""


@dataclass(frozen=True)
class Tool:
    """One MCP tool; its title is empty where its name says it all. Without a `route` it sends nothing
    by itself: its `answer` is performed, or a handler in `hooks.py` answers its calls. `output` is the announced output schema;
    `wrapped` tells that the upstream's value becomes the member `result` of it. `fields` are the dotted paths that its answers are
    reduced to, none for all of an answer. `bound` are those whose values come from the path of the
    endpoint and from nobody else. `strict` tells that every argument is announced as
    required, and that null stands for one left out; `shared` are schemas that arguments refer to
    with `#/$defs/…`. `filled` are the values, by argument, that are sent where a call gives none,
    and `settings` the fields of the server's settings that hold more of them. `page` bounds
    what one call shows. `conditions` are keywords that the input schema has beside its arguments.
    """

    name: str
    title: str
    description: str
    route: Route | None
    hints: Hints
    arguments: tuple[Argument, ...] = ()
    constants: tuple[Constant, ...] = ()
    bound: tuple[Argument, ...] = ()
    output: Mapping[str, Json] | None = None
    wrapped: bool = False
    fields: tuple[str, ...] = ()
    strict: bool = False
    shared: Mapping[str, Json] = field(default_factory=dict)
    filled: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    page: Page | None = None
    answer: Callable[[Any], Awaitable[Any]] | None = None
    conditions: Mapping[str, Json] = field(default_factory=dict)

    @cached_property
    def input_schema(self) -> dict[str, Json]:
        """The JSON Schema that is announced; made from the arguments, so it cannot disagree."""
        announced = [one for one in self.arguments if not one.hidden]
        needed = [one.name for one in announced if one.required or self.strict]
        shared = {"$defs": self.shared} if self.shared else {}
        properties = {argument.name: argument.schema for argument in announced}
        if self.page and self.page.cursor:
            kind = ["string", "null"] if self.strict else "string"
            properties[self.page.cursor] = {**CURSOR, "type": kind}
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
        """The JSON Schema that calls are held against."""
        schema = self.input_schema
        accepted = {one.name: one.accepted for one in self.arguments if not one.hidden}
        return {**schema, "properties": {**schema["properties"], **accepted}}
