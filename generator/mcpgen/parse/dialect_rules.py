"""What differs between the dialects that share a walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.ir.source import Dialect


@dataclass(frozen=True, slots=True)
class DialectRules:
    """How one dialect is read.

    `name` is how messages call it. `methods` are the keys of a path item that hold operations.
    `older_schemas` tells that schemas are OpenAPI's own of before 3.1: a `$ref` replaces what stands
    beside it, exclusive bounds are flags, arrays say what they hold. `foreign` are the schema keywords
    of other versions that are honoured, each with what it is read as.
    `additional_operations` tells that a path item may name further methods, `query_strings` that a
    parameter may be the whole query string,
    `cookie_style` that cookies may be written as cookies are. `definitions` is the way to the named schemas, and
    `schemes` the key of the security schemes. `null_keywords` are those that allow null when they
    are true. `named_discriminators` tells that a discriminator is just the name of a property.
    """

    dialect: Dialect
    name: str
    methods: frozenset[str]
    older_schemas: bool
    foreign: Mapping[str, str]
    additional_operations: bool = False
    query_strings: bool = False
    cookie_style: bool = False
    definitions: tuple[str, ...] = ("components", "schemas")
    schemes: str = "securitySchemes"
    null_keywords: tuple[str, ...] = ("nullable",)
    named_discriminators: bool = False
