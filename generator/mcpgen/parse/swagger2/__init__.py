"""Parses Swagger 2.0.

https://swagger.io/specification/v2/
"""

from mcpgen.parse.swagger2.document import parse

__all__ = ["parse"]
