"""Stamps bindings as current that their author has looked at."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.lower.selectors import closest_match
from mcpgen.openspec.bind.update import NO_BLOCK
from mcpgen.openspec.bind.yaml_insert import CannotInsert, insert_first, replace_scalar
from mcpgen.openspec.lower.scenario_lookup import ScenarioMatch, binding_name, match_bindings
from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements


def accepted(
    requirements: Requirements,
    companion: Companion,
    text: str,
    names: Sequence[str],
    diagnostics: Diagnostics,
) -> str:
    """The text with the digests of the named scenarios as they are now, and that of the whole text
    once no binding is stale. Adds MG750 for a name that no binding has, and MG762."""
    matches = {
        binding_name(match.binding): match for match in match_bindings(requirements, companion)
    }
    stamped = set()
    for name in names:
        match = matches.get(" ".join(name.split()))
        if match is None:
            hint = closest_match(name, list(matches)) or "name it as the companion does"
            diagnostics.add(codes.UNKNOWN_SCENARIO, companion.at, name=name, nearest=hint)
            continue
        made = _stamped(match, text)
        if isinstance(made, CannotInsert):
            diagnostics.add(codes.NO_ROOM, match.binding.at, name=f"`{name}`", why=NO_BLOCK)
            continue
        text = made
        stamped.add(binding_name(match.binding))
    stale = {name for name, match in matches.items() if match.stale}
    if stamped and not stale - stamped and companion.sha256:
        made = replace_scalar(text, ("spec", "sha256"), f'"{requirements.sha256}"')
        text = text if isinstance(made, CannotInsert) else made
    return text


def _stamped(match: ScenarioMatch, text: str) -> str | CannotInsert:
    path = match.binding.at.path
    digest = f'"{match.scenario.digest}"'
    if match.binding.digest:
        return replace_scalar(text, (*path, "of"), digest)
    return insert_first(text, path, f"of: {digest}")
