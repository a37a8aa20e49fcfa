"""The forms of an object that comes in several, and when each of its properties applies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.ir.source import Json
from mcpgen.lower.text import strip_invisible


@dataclass(frozen=True, slots=True)
class ObjectProperty:
    """A property of an object and, in words, the forms it belongs to (`""` for all). `exact`: its
    forms give it different types, so a value of another type would belong to another form.
    `unnamed`: the property stands for all properties of the object that have no name."""

    name: str
    schema: Json
    required: bool
    when: str = ""
    exact: bool = False
    unnamed: bool = False


@dataclass(frozen=True, slots=True)
class ObjectProperties:
    """The properties of an object. `crossing` tells that its schema says more than its properties do;
    `open` that it describes properties without a name; `free` that it allows them expressly, with any
    value (`additionalProperties: true`)."""

    all: tuple[ObjectProperty, ...]
    crossing: bool
    open: bool
    free: bool


@dataclass(frozen=True, slots=True)
class SchemaVariant:
    """One alternative: its properties by name and the value of the discriminator that tells it."""

    label: str
    properties: Mapping[str, ObjectProperty]
    values: tuple[str, ...] = ()


def when(
    having: list[SchemaVariant],
    parts: list[ObjectProperty],
    forms: list[SchemaVariant],
    key: str,
    *,
    everywhere: bool,
) -> str:
    """In which case a property applies, or is required, in one sentence."""
    needing = [form for form, part in zip(having, parts, strict=True) if part.required]
    if needing and len(needing) == len(having):
        return f"Required {_case(needing, key)}."
    return "" if everywhere or len(having) == len(forms) else f"Only {_case(having, key)}."


def _case(forms: list[SchemaVariant], key: str) -> str:
    values = list(dict.fromkeys(value for form in forms for value in form.values))
    if key and values and all(form.values for form in forms):
        shown = " or ".join(f"`{strip_invisible(value)}`" for value in values[:4])
        return f"if `{strip_invisible(key)}` is {shown}" + (" or others" if len(values) > 4 else "")
    labels = list(dict.fromkeys(form.label for form in forms))
    return f"for {' or '.join(labels[:4])}" + (" and others" if len(labels) > 4 else "")
