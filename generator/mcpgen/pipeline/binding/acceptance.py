"""Stamps bindings as current that their author has looked at."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.companion import Companion
from mcpgen.ir.requirements import Requirements
from mcpgen.lower.matching import nearest
from mcpgen.lower.openspec.matching import Match, matched, name_of
from mcpgen.pipeline.binding.addition import Cannot, inserted, replaced
from mcpgen.pipeline.binding.growth import NO_BLOCK


def accepted(
    requirements: Requirements,
    companion: Companion,
    text: str,
    names: Sequence[str],
    diagnostics: Diagnostics,
) -> str:
    """The text with the digests of the named scenarios as they are now, and that of the whole text
    once no binding is stale. Adds MG750 for a name that no binding has, and MG762."""
    matches = {name_of(match.binding): match for match in matched(requirements, companion)}
    stamped = set()
    for name in names:
        match = matches.get(" ".join(name.split()))
        if match is None:
            hint = nearest(name, list(matches)) or "name it as the companion does"
            diagnostics.add(codes.UNKNOWN_SCENARIO, companion.at, name=name, nearest=hint)
            continue
        made = _stamped(match, text)
        if isinstance(made, Cannot):
            diagnostics.add(codes.NO_ROOM, match.binding.at, name=f"`{name}`", why=NO_BLOCK)
            continue
        text = made
        stamped.add(name_of(match.binding))
    stale = {name for name, match in matches.items() if match.stale}
    if stamped and not stale - stamped and companion.sha256:
        made = replaced(text, ("spec", "sha256"), f'"{requirements.sha256}"')
        text = text if isinstance(made, Cannot) else made
    return text


def _stamped(match: Match, text: str) -> str | Cannot:
    path = match.binding.at.path
    digest = f'"{match.scenario.digest}"'
    if match.binding.digest:
        return replaced(text, (*path, "of"), digest)
    return inserted(text, path, f"of: {digest}")
