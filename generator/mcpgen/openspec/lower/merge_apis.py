"""Several API descriptions as the parts of one, with a name of its own for whatever shares one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, Schema, SchemeUse
from mcpgen.ir.source import Json

_DEFS = "#/$defs/"


@dataclass(frozen=True, slots=True)
class MergedApis:
    """API descriptions whose schemas and security schemes can stand together. `apis` are those given,
    in which what had a taken name has another."""

    apis: tuple[ApiDescription, ...]
    definitions: Mapping[str, Schema] = field(default_factory=dict)
    security_schemes: Mapping[str, ApiSecurityScheme] = field(default_factory=dict)


def merge_apis(apis: Sequence[ApiDescription]) -> MergedApis:
    """The descriptions together; names of the first are kept, those of the others where they are
    free or mean the same."""
    made: list[ApiDescription] = []
    definitions: dict[str, Schema] = {}
    schemes: dict[str, ApiSecurityScheme] = {}
    for api in apis:
        told = {name: one.json for name, one in api.definitions.items()}
        known = {name: one.json for name, one in definitions.items()}
        names = _MergeNames(
            _fresh(told, known),
            _fresh(_without_places(api.security_schemes), _without_places(schemes)),
        )
        renamed: ApiDescription = names.renamed(api)
        definitions |= {names.definitions.get(n, n): s for n, s in renamed.definitions.items()}
        for id, scheme in renamed.security_schemes.items():
            called = names.schemes.get(id, id)
            schemes.setdefault(called, replace(scheme, id=called))
        made.append(renamed)
    return MergedApis(tuple(made), definitions, schemes)


def _without_places(schemes: Mapping[str, ApiSecurityScheme]) -> dict[str, ApiSecurityScheme]:
    """The schemes without their places, which tell no two of them apart."""
    nowhere = Location("")
    return {id: replace(scheme, id="", at=nowhere) for id, scheme in schemes.items()}


def _fresh(told: Mapping[str, object], known: Mapping[str, object]) -> dict[str, str]:
    """New names for those that mean something else already.

    Where one schema is renamed all are, since those that mean the same may refer to others that do
    not.
    """
    if all(known.get(name, meant) == meant for name, meant in told.items()):
        return {}
    found: dict[str, str] = {}
    taken = {*told, *known}
    for name in told:
        number = 2
        while f"{name}_{number}" in taken:
            number += 1
        found[name] = f"{name}_{number}"
        taken.add(found[name])
    return found


@dataclass(frozen=True, slots=True)
class _MergeNames:
    """New names of definitions and of security schemes, by the old ones."""

    definitions: Mapping[str, str]
    schemes: Mapping[str, str]

    def renamed(self, value: Any) -> Any:
        """A value of `ir.api` with the new names wherever it refers to something."""
        if not self.definitions and not self.schemes:
            return value
        if isinstance(value, Schema):
            return replace(value, json=self._schema(value.json))
        if isinstance(value, SchemeUse):
            return replace(value, scheme=self.schemes.get(value.scheme, value.scheme))
        if isinstance(value, tuple):
            return tuple(self.renamed(each) for each in value)
        if isinstance(value, Mapping):
            return {key: self.renamed(each) for key, each in value.items()}
        if isinstance(value, Location) or not is_dataclass(value) or isinstance(value, type):
            return value
        return replace(
            value, **{one.name: self.renamed(getattr(value, one.name)) for one in fields(value)}
        )

    def _schema(self, schema: Json) -> Json:
        if isinstance(schema, list):
            return [self._schema(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        made = {key: self._schema(each) for key, each in schema.items()}
        for key in ("$ref", "defaultMapping"):
            if isinstance(made.get(key), str):
                made[key] = self._reference(made[key])
        if isinstance(made.get("mapping"), dict) and "propertyName" in made:
            mapping = made["mapping"].items()
            made["mapping"] = {
                value: self._reference(to) if isinstance(to, str) else to for value, to in mapping
            }
        return made

    def _reference(self, reference: str) -> str:
        name = reference.removeprefix(_DEFS)
        if name == reference or name not in self.definitions:
            return reference
        return f"{_DEFS}{self.definitions[name]}"
