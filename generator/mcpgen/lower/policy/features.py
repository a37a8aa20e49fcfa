"""Groups of tools that somebody has to ask for."""

from __future__ import annotations

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.policy import OptInSpec
from mcpgen.lower.policy.tool_aliases import ToolAliases
from mcpgen.lower.selectors import closest_match


def opt_in_features(known: ToolAliases) -> tuple[OptInSpec, ...]:
    """The features that the user has named, in their order. Adds UNKNOWN_TOOL and
    UNKNOWN_FEATURE."""
    chosen = known.config.authorisation
    for name in chosen.feature_needs:
        if name not in chosen.features:
            hint = closest_match(name, list(chosen.features)) or "name its tools under `[features]`"
            at = known.at("feature_needs", name)
            known.diagnostics.add(codes.UNKNOWN_FEATURE, at, asked=name, nearest=hint)
    return tuple(
        OptInSpec(name, _tools(known, name, listed), chosen.feature_needs.get(name, ()))
        for name, listed in chosen.features.items()
    )


def _tools(known: ToolAliases, feature: str, listed: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the tools of a feature."""
    found = []
    for index, asked in enumerate(listed):
        if tool := known.named(asked):
            found.append(tool.name)
        else:
            known.tell_unknown("features", asked, known.at("features", feature, str(index)))
    return tuple(found)
