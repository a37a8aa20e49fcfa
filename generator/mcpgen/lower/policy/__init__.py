"""Who may call a server: the user's choices and the document's demands as one `Policy`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from mcpgen.config import Config
from mcpgen.config.tables.authentication import UnscopedTokens
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Operation
from mcpgen.ir.policy import AuthenticationSpec, Policy
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.policy.authorization import (
    family_scopes,
    report_unenforced_rights,
    tool_roles,
    tool_scopes,
)
from mcpgen.lower.policy.endpoint_parameters import EndpointParameters
from mcpgen.lower.policy.features import opt_in_features
from mcpgen.lower.policy.tool_aliases import ToolAliases


def policy(
    tools: Sequence[ToolSpec],
    operations: Sequence[Operation],
    bound: EndpointParameters,
    config: Config,
    diagnostics: Diagnostics,
) -> Policy:
    """The policy of a server with these tools. Adds MG272, MG373, MG390 to MG392, MG394, MG396
    and MG399."""
    known = ToolAliases(tools, operations, config, diagnostics)
    chosen = config.authorisation
    needed, wanted, of_families = tool_scopes(known), tool_roles(known), family_scopes(known)
    required = config.authentication.required
    report_unenforced_rights(known)
    _tell_issuer_alone(config, diagnostics)
    return Policy(
        path=config.endpoint.path,
        enabled=config.endpoint.enabled,
        samples=bound.samples,
        authentication=_authentication(config) if required else None,
        scopes=needed if required else {},
        roles=wanted if required else {},
        family_scopes=of_families if required else {},
        known_scopes=chosen.known_scopes,
        known_roles=chosen.known_roles,
        hide=chosen.hide,
        step_up=chosen.step_up,
        features=opt_in_features(known),
        public_url=config.endpoint.public_url,
    )


def _tell_issuer_alone(config: Config, diagnostics: Diagnostics) -> None:
    """Adds ISSUER_ALONE where only the environment can say how tokens are verified."""
    chosen, at = config.authentication, config.at("authentication", "issuer")
    verified = chosen.jwks_url or chosen.introspection_url
    if chosen.required and at and not verified:
        diagnostics.add(codes.ISSUER_ALONE, at)


def _authentication(config: Config) -> AuthenticationSpec:
    """What callers have to show, as the user has chosen."""
    chosen = config.authentication
    same = {each.name: getattr(chosen, each.name) for each in fields(AuthenticationSpec)}
    return AuthenticationSpec(**{**same, "unscoped": chosen.unscoped is UnscopedTokens.EVERYTHING})


__all__ = ["EndpointParameters", "policy"]
