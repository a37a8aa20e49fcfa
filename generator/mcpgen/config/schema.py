"""The keys of `mcpgen.toml`: the table behind validation, defaults, documentation and JSON Schema."""

from __future__ import annotations

from mcpgen.config import selectors
from mcpgen.config.key_spec import JsonSchema
from mcpgen.config.tables import (
    authentication,
    authorization,
    budgets,
    connector,
    credentials,
    deployment,
    descriptions,
    discovery,
    docs,
    elicitation,
    endpoint,
    flattening,
    limits,
    models,
    notifications,
    observability,
    pagination,
    project,
    prompts,
    registry,
    request_response,
    resources,
    script,
    selection,
    tools,
    toolsets,
)

KEYS = (
    *project.KEYS,
    *selection.KEYS,
    *request_response.KEYS,
    *tools.KEYS,
    *toolsets.KEYS,
    *flattening.KEYS,
    *descriptions.KEYS,
    *models.KEYS,
    *budgets.KEYS,
    *discovery.KEYS,
    *resources.KEYS,
    *prompts.KEYS,
    *notifications.KEYS,
    *script.KEYS,
    *docs.KEYS,
    *elicitation.KEYS,
    *endpoint.KEYS,
    *authentication.KEYS,
    *authorization.KEYS,
    *pagination.KEYS,
    *connector.KEYS,
    *limits.KEYS,
    *observability.KEYS,
    *credentials.KEYS,
    *registry.KEYS,
    *deployment.KEYS,
)
"""Every key, in the order of the documentation."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The `$schema` of every schema that mcpgen prints."""


def config_schema() -> JsonSchema:
    """The JSON Schema of `mcpgen.toml`, from the table of keys."""
    schema: JsonSchema = {
        "$schema": DIALECT,
        "title": "mcpgen.toml",
        "description": "The choices for an MCP server; docs/configuration.md describes every key.",
        "type": "object",
        "properties": {},
        "additionalProperties": False,
        "$defs": {"selector": selectors.SCHEMA},
    }
    for key in KEYS:
        *tables, name = key.path.split(".")
        owner = schema
        for table in tables:
            empty = {"type": "object", "properties": {}, "additionalProperties": False}
            owner = owner["properties"].setdefault(table, empty)
        owner["properties"][name] = key.schema
    return schema
