"""The keys of `mcpgen.toml`: the one table behind validation, defaults and documentation."""

from mcpgen.config.tables import (
    announcement,
    authentication,
    authorisation,
    budgets,
    credentials,
    deployment,
    discovery,
    endpoint,
    flattening,
    knowledge,
    limits,
    project,
    selection,
    shaping,
)

KEYS = (
    *project.KEYS,
    *selection.KEYS,
    *shaping.KEYS,
    *flattening.KEYS,
    *announcement.KEYS,
    *budgets.KEYS,
    *discovery.KEYS,
    *endpoint.KEYS,
    *authentication.KEYS,
    *authorisation.KEYS,
    *limits.KEYS,
    *knowledge.KEYS,
    *credentials.KEYS,
    *deployment.KEYS,
)
"""Every key, in the order of the documentation."""
