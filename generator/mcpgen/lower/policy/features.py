"""Groups of tools that somebody has to ask for."""

from __future__ import annotations

from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.policy import Feature
from mcpgen.lower.matching import nearest
from mcpgen.lower.policy.known import Known


def features(known: Known) -> tuple[Feature, ...]:
    """The features that the user has named, in their order. Adds UNKNOWN_TOOL and
    UNKNOWN_FEATURE."""
    chosen = known.config.authorisation
    for name in chosen.feature_needs:
        if name not in chosen.features:
            hint = nearest(name, list(chosen.features)) or "name its tools under `[features]`"
            at = known.at("feature_needs", name)
            known.diagnostics.add(codes.UNKNOWN_FEATURE, at, asked=name, nearest=hint)
    return tuple(
        Feature(name, _tools(known, name, listed), chosen.feature_needs.get(name, ()))
        for name, listed in chosen.features.items()
    )


def _tools(known: Known, feature: str, listed: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the tools of a feature."""
    found = []
    for index, asked in enumerate(listed):
        if tool := known.named(asked):
            found.append(tool.name)
        else:
            known.tell_unknown("features", asked, known.at("features", feature, str(index)))
    return tuple(found)
