"""Which calls a user has to confirm, as the configuration chooses them."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.config import CannotAskPolicy, Config
from mcpgen.config.tables.limits import CountStore
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.builtin_tools import ConfirmationSpec
from mcpgen.ir.policy import Policy
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.selectors import closest_match


def lower_confirmation(
    tools: Sequence[ToolSpec],
    policy: Policy,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> ConfirmationSpec | None:
    """What is confirmed, in the order of the tools; None where nothing is.

    Adds UNKNOWN_CONFIRMED for a tool that is not there or a scope that no tool needs, and
    NOTHING_CONFIRMED where the keys choose no tool at all; CONFIRMED_BY_ONE where manifests start several
    instances that share no used confirmations.
    """
    chosen = config.confirming
    names = {tool.name for tool in tools}
    if not (chosen.destructive or chosen.tools or chosen.scopes):
        return None
    known = (
        ("tools", "is no tool of the API", chosen.tools, names),
        ("scopes", "no tool of the API needs", chosen.scopes, set(policy.all_scopes)),
    )
    is_unknown = False
    for table, fault, asked, found in known:
        for name in (each for each in asked if each not in found):
            is_unknown = True
            hint = (
                closest_match(name, sorted(found)) or f"remove it from `{table}` under `[confirm]`"
            )
            place = config.at("confirm", table) or at
            diagnostics.add(
                codes.UNKNOWN_CONFIRMED, place, table=table, name=name, fault=fault, nearest=hint
            )
    confirmed = tuple(
        tool.name
        for tool in tools
        if tool.name in chosen.tools
        or (chosen.destructive and tool.hints.destructive and not tool.hints.read_only)
        or not set(chosen.scopes).isdisjoint(policy.scopes.get(tool.name, ()))
    )
    if not confirmed and not is_unknown:
        diagnostics.add(codes.NOTHING_CONFIRMED, config.at("confirm", "destructive") or at)
    if confirmed and config.deployment.kubernetes and config.limits.store is CountStore.MEMORY:
        place = config.at("deploy", "kubernetes") or config.at("confirm") or at
        diagnostics.add(config_codes.CONFIRMED_BY_ONE, place)
    return (
        ConfirmationSpec(confirmed, chosen.unable is CannotAskPolicy.ALLOW) if confirmed else None
    )
