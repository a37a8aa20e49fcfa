"""An argument before it has its final name."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ArgumentSpec, ConstantSpec, TextForm
from mcpgen.ir.source import Json


@dataclass(frozen=True, slots=True)
class Wire:
    """How the value at the top of a place is written; shared by all arguments below it."""

    style: Style | None = None
    explode: bool = False
    allow_reserved: bool = False
    content: str = ""
    rows: Style | None = None


UNSTYLED = Wire()
"""A value whose place has no styles."""


@dataclass(frozen=True, slots=True)
class ArgumentDraft:
    """An argument as it will be, but for its name.

    `chosen` is the name its author chose, or `""`. `nullable` tells that an explicit null may be
    sent in its place. `also` is the same as in `ArgumentSpec`.
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
        """The draft of a required array that must have items: in parameters outside of paths, and in
        forms, an empty array is not written, so it would be missing;
        https://spec.openapis.org/oas/v3.1.1.html#style-values."""
        if self.schema.get("type") != "array" or self.schema.get("minItems"):
            return self
        return replace(self, schema={**self.schema, "minItems": 1})

    def named(self, name: str) -> ArgumentSpec:
        """The argument under its announced name."""
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
    """What one place of a request became. `nulls` are the places in a body where an explicit null
    may be sent, `empties` those of objects that may be empty; `crossing` tells that the arguments together must be checked.
    """

    drafts: tuple[ArgumentDraft, ...] = ()
    constants: tuple[ConstantSpec, ...] = ()
    nulls: tuple[tuple[str, ...], ...] = ()
    empties: tuple[tuple[str, ...], ...] = ()
    crossing: bool = False

    @property
    def is_fixed(self) -> bool:
        """Whether values are sent that no argument has a part in."""
        return bool(self.constants) and not (self.drafts or self.nulls or self.empties)


@dataclass(frozen=True, slots=True)
class HoistedBody:
    """What the properties of a body became, and the room that this takes: with less of it, fewer
    objects would have been opened."""

    drafted: PlaceDraft
    count: int


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Why an operation cannot become a tool, in words, and where that is written."""

    reason: str
    at: Location
