"""Arguments before naming, and the results of flattening one place of a request."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ArgumentSpec, ConstantSpec, TextForm
from mcpgen.ir.source import Json


@dataclass(frozen=True, slots=True)
class Wire:
    """Rule "parameter serialization": style of a parameter, shared by all its arguments.

    `rows` is the style of arrays inside the array.
    """

    style: Style | None = None
    explode: bool = False
    allow_reserved: bool = False
    content: str = ""
    rows: Style | None = None


UNSTYLED = Wire()
"""Serialization of places without styles, such as a JSON body."""


@dataclass(frozen=True, slots=True)
class ArgumentDraft:
    """An argument without its final name.

    `chosen`: name from `x-mcp-name`, or `""`. `nullable`: the API accepts an explicit null.
    `spread` and `also` as in `ArgumentSpec`.
    """

    place: Place
    target: tuple[str, ...]
    schema: dict[str, Json]
    description: str
    required: bool
    at: Location
    wire: Wire = UNSTYLED
    text: TextForm | None = None
    check: Json = None
    chosen: str = ""
    nullable: bool = False
    spread: bool = False
    also: tuple[str, ...] = ()

    def with_items(self) -> ArgumentDraft:
        """Returns the draft of a required array with `minItems: 1`.

        Query, header and cookie parameters and form fields serialize an empty array as nothing, so
        a required array without items would be missing;
        https://spec.openapis.org/oas/v3.1.1.html#style-values.
        """
        if self.schema.get("type") != "array" or self.schema.get("minItems"):
            return self
        return replace(self, schema={**self.schema, "minItems": 1})

    def to_argument(self, name: str) -> ArgumentSpec:
        """Returns the finished argument, announced as `name`."""
        return ArgumentSpec(
            name=name,
            schema={**self.schema, "description": self.description},
            required=self.required,
            place=self.place,
            target=self.target,
            at=self.at,
            style=self.wire.style,
            explode=self.wire.explode,
            allow_reserved=self.wire.allow_reserved,
            content=self.wire.content,
            rows=self.wire.rows,
            text=self.text,
            check=self.check,
            spread=self.spread,
            also=self.also,
        )


@dataclass(frozen=True, slots=True)
class PlaceDraft:
    """Flattened parameters or body.

    `nulls`: targets in the body that accept an explicit null. `empties`: targets of objects that
    may be empty. `crossing`: the assembled value needs a check, because no single argument can hold
    the whole constraint.
    """

    drafts: tuple[ArgumentDraft, ...] = ()
    constants: tuple[ConstantSpec, ...] = ()
    nulls: tuple[tuple[str, ...], ...] = ()
    empties: tuple[tuple[str, ...], ...] = ()
    crossing: bool = False

    @property
    def is_fixed(self) -> bool:
        """True if the server sends constants here and no argument exists."""
        return bool(self.constants) and not (self.drafts or self.nulls or self.empties)


@dataclass(frozen=True, slots=True)
class HoistedBody:
    """The arguments of a body and the room they need.

    With less than `count` arguments of room, fewer nested objects would have been opened.
    """

    drafted: PlaceDraft
    count: int


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Reason in words why an operation cannot become a tool, with its place in the document."""

    reason: str
    at: Location
