"""What the parts of the companion say of each other: fixtures by name, and values that are saved."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.source import Json, texts_in
from mcpgen.openspec.companion.reader import CompanionReader
from mcpgen.openspec.model.companion import Companion, ScenarioAction, ScenarioBinding
from mcpgen.parse.node import Node

DEFAULT = "default"
"""The fixture that every scenario is given."""

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")


def report_references(companion: Companion, root: Node, reader: CompanionReader) -> None:
    """Tells of names that lead nowhere, and of fixtures that nobody names."""
    given: set[str] = {DEFAULT}
    declared = [name for name, _ in root.child("fixtures").members()]
    for binding in companion.scenarios:
        for name in binding.given:
            given.add(name)
            if name not in declared and name != DEFAULT:
                hint = closest_match(name, declared) or "add it under `fixtures`"
                reader.diagnostics.add(
                    codes.UNKNOWN_FIXTURE, binding.at / "given", name=name, nearest=hint
                )
        _tell_unsaved(binding, reader)
    for fixture in companion.fixtures:
        if fixture.name not in given:
            reader.diagnostics.add(codes.UNUSED_FIXTURE, fixture.at, name=fixture.name)


def _tell_unsaved(binding: ScenarioBinding, reader: CompanionReader) -> None:
    saved: set[str] = set()
    for action in binding.actions:
        for name in _placeholders(_used(action)):
            if name not in saved:
                reader.diagnostics.add(codes.UNSAVED_VALUE, action.at, name=name)
        saved |= action.save.keys()


def _used(action: ScenarioAction) -> Json:
    """Everything of an action in which a saved value may stand."""
    return [
        action.value,
        action.path,
        *action.headers.values(),
        *action.environment.values(),
    ]


def _placeholders(value: Json) -> Iterator[str]:
    """The names between `${` and `}` in the texts of a value."""
    for each in texts_in(value):
        yield from (match[1] for match in _PLACEHOLDER.finditer(each))
