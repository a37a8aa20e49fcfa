"""What flattening one operation needs to know and where its findings go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcpgen.config import FlatteningConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiSecurityScheme
from mcpgen.lower.descriptions import Budget
from mcpgen.lower.flatten.checks import RequestSchemaBuilder
from mcpgen.lower.flatten.nested import ArgumentSchemas
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.schema_view import SchemaViews


@dataclass(frozen=True, slots=True)
class FlattenContext:
    """The definitions with their views, the choices, and the name of the operation in messages.

    `budget` is what may be spent on descriptions.
    `nested` is what announces schemas as they are, or None where arguments are flat.
    """

    schemas: SchemaViews
    objects: Objects
    checks: RequestSchemaBuilder
    limits: FlatteningConfig
    budget: Budget
    schemes: Iterable[ApiSecurityScheme]
    diagnostics: Diagnostics
    operation: str
    nested: ArgumentSchemas | None = None
