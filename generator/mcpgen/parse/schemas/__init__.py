"""Normalizes schemas of every dialect to JSON Schema 2020-12."""

from mcpgen.parse.schemas.registry import NormalizedSchema, SchemaRegistry

__all__ = ["NormalizedSchema", "SchemaRegistry"]
