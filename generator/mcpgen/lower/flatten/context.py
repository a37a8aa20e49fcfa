"""Settings and shared state for flattening one operation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcpgen.config import FlatteningConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.api import ApiSecurityScheme
from mcpgen.lower.descriptions import DescriptionBudget
from mcpgen.lower.flatten.checks import RequestSchemaBuilder
from mcpgen.lower.flatten.nested import ArgumentSchemas
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.schema_view import SchemaViews


@dataclass(frozen=True, slots=True)
class FlattenContext:
    """Shared views and checks, limits from the configuration, and the collector of diagnostics.

    `budget`: characters for descriptions. `operation`: name in messages. `nested`: announces the
    document's own schemas, None where arguments are flat.
    """

    schemas: SchemaViews
    objects: Objects
    checks: RequestSchemaBuilder
    limits: FlatteningConfig
    budget: DescriptionBudget
    schemes: Iterable[ApiSecurityScheme]
    diagnostics: Diagnostics
    operation: str
    nested: ArgumentSchemas | None = None
