"""The keys of `mcpgen.toml`: the one table behind validation, defaults and documentation."""

from mcpgen.config.tables import (
    announcement,
    authentication,
    authorisation,
    budgets,
    connector,
    endpoint,
    flattening,
    project,
    results,
    selection,
    shaping,
    tools,
    toolsets,
)

KEYS = (
    *project.KEYS,
    *selection.KEYS,
    *shaping.KEYS,
    *tools.KEYS,
    *toolsets.KEYS,
    *flattening.KEYS,
    *announcement.KEYS,
    *budgets.KEYS,
    *endpoint.KEYS,
    *authentication.KEYS,
    *authorisation.KEYS,
    *results.KEYS,
    *connector.KEYS,
)
"""Every key, in the order of the documentation."""
