"""The rules of each dialect of OpenAPI 3, and the differences between dialects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mcpgen.ir.source import Dialect

METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
"""Fields of a Path Item Object that hold operations, in OpenAPI 3.0 and 3.1."""

_JSON_SCHEMA_KEYWORDS = (
    "const",
    "examples",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalItems",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
)


@dataclass(frozen=True, slots=True)
class DialectRules:
    """The rules by which the parser reads one dialect.

    `name`: the dialect in messages.
    `methods`: fields of a path item that hold operations.
    `older_schemas`: schemas are OpenAPI's own form from before 3.1: a `$ref` replaces its siblings,
    `exclusiveMinimum` is a flag, an array needs `items`.
    `foreign`: keywords of other versions that are read all the same, each with a phrase for its
    origin, such as `in JSON Schema`.
    `additional_operations`: a path item may have `additionalOperations` (OpenAPI 3.2).
    `query_strings`: a parameter may be `in: querystring` (OpenAPI 3.2).
    `cookie_style`: a parameter may have `style: cookie` (OpenAPI 3.2).
    `definitions`: path to the named schemas. `schemes`: key of the security schemes.
    `null_keywords`: keywords that allow null when they are true.
    `named_discriminators`: `discriminator` is the name of a property, not a mapping.
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


OPENAPI_3_0 = DialectRules(
    dialect=Dialect.OPENAPI_3_0,
    name="OpenAPI 3.0",
    methods=METHODS,
    older_schemas=True,
    foreign=dict.fromkeys(_JSON_SCHEMA_KEYWORDS, "in JSON Schema"),
)
"""Schemas are a dialect of their own: https://spec.openapis.org/oas/v3.0.4.html#schema-object"""

OPENAPI_3_1 = DialectRules(
    dialect=Dialect.OPENAPI_3_1,
    name="OpenAPI 3.1",
    methods=METHODS,
    older_schemas=False,
    foreign={
        "nullable": "in OpenAPI 3.0",
        "dependencies": "in older drafts of JSON Schema",
        "additionalItems": "in older drafts of JSON Schema",
    },
)
"""Schemas are JSON Schema 2020-12: https://spec.openapis.org/oas/v3.1.1.html#schema-object"""

OPENAPI_3_2 = replace(
    OPENAPI_3_1,
    dialect=Dialect.OPENAPI_3_2,
    name="OpenAPI 3.2",
    methods=METHODS | {"query"},
    additional_operations=True,
    query_strings=True,
    cookie_style=True,
)
"""OpenAPI 3.1 with more methods, streams and query strings: https://spec.openapis.org/oas/v3.2.0.html"""
