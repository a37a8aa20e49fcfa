"""Schemas of every dialect, normalised to JSON Schema 2020-12."""

from mcpgen.parse.schemas.collection import Normal, Schemas

__all__ = ["Normal", "Schemas"]
