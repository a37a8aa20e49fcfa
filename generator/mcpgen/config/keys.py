"""The keys of `mcpgen.toml`: the one table behind validation, defaults and documentation."""

from mcpgen.config.tables import (
    announcement,
    authentication,
    authorisation,
    budgets,
    connector,
    credentials,
    deployment,
    discovery,
    endpoint,
    flattening,
    knowledge,
    limits,
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
    *discovery.KEYS,
    *endpoint.KEYS,
    *authentication.KEYS,
    *authorisation.KEYS,
    *results.KEYS,
    *connector.KEYS,
    *limits.KEYS,
    *knowledge.KEYS,
    *credentials.KEYS,
    *deployment.KEYS,
)
"""Every key, in the order of the documentation."""
