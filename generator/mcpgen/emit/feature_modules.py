"""The features of a server besides the tools of the API, one generated module each."""

from __future__ import annotations

from collections.abc import Callable

from mcpgen.emit.docs import docs
from mcpgen.emit.elicit import elicit
from mcpgen.emit.feature_module import FeatureModule
from mcpgen.emit.resources_prompts import changes, completion, log_levels, prompts, resources
from mcpgen.emit.script import script
from mcpgen.ir.server import Server

OFFERS: tuple[Callable[[Server], FeatureModule | None], ...] = (
    script,
    docs,
    elicit,
    resources,
    prompts,
    completion,
    changes,
    log_levels,
)
"""The functions that render each feature module, or return None for a server without the feature;
in the order in which built-in tools are listed."""


def feature_modules(server: Server) -> tuple[FeatureModule, ...]:
    """The offers of a server, in order."""
    return tuple(offered for make in OFFERS if (offered := make(server)))
