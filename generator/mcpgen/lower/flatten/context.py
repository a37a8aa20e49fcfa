"""What flattening one operation needs to know and where its findings go."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.config import Flattening
from mcpgen.diagnostics import Diagnostics
from mcpgen.frozen import frozen
from mcpgen.ir.api import SecurityScheme
from mcpgen.lower.budget import Budget
from mcpgen.lower.flatten.checks import Checks
from mcpgen.lower.flatten.nested import Nested
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.view import Schemas


@frozen
class Context:
    """The definitions with their views, the choices, and the name of the operation in messages.

    `budget` is what may be spent on descriptions.
    `nested` is what announces schemas as they are, or None where arguments are flat.
    """

    schemas: Schemas
    objects: Objects
    checks: Checks
    limits: Flattening
    budget: Budget
    schemes: Iterable[SecurityScheme]
    diagnostics: Diagnostics
    operation: str
    nested: Nested | None = None
