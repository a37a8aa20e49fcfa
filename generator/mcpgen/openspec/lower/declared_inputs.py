"""Builds the arguments of a declared tool, own arguments or arguments mapped to an operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mcpgen.diagnostics import Code, Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import HEADER_KEYWORD, ArgumentSpec, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.descriptions import humanize
from mcpgen.lower.flatten.argument_schema import (
    MAX_DESCRIPTION,
    constraint_sentences,
    default_sentence,
    unrepeated_sentences,
)
from mcpgen.lower.flatten.checks import compilable_pattern
from mcpgen.lower.sanitize_text import end_sentence, sanitize, truncate
from mcpgen.openspec.model.companion import DeclaredTool, Input

_ABOUT = frozenset({"description", "title", "default", "examples"})
"""Keywords without effect on the allowed values."""

_TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


def handler_arguments(declared: DeclaredTool, diagnostics: Diagnostics) -> tuple[ArgumentSpec, ...]:
    """Returns the arguments of a tool answered by a handler."""
    return tuple(
        ArgumentSpec(
            argument.name,
            _announced_schema(argument, {}, diagnostics),
            argument.required,
            Place.HANDLER,
            (argument.name,),
            argument.at,
        )
        for argument in declared.inputs or ()
    )


def defaults(declared: DeclaredTool) -> dict[str, Json]:
    """Returns the default values of optional arguments, by announced name."""
    optional = (argument for argument in declared.inputs or () if not argument.required)
    return {
        argument.name: argument.schema["default"]
        for argument in optional
        if "default" in argument.schema
    }


def apply_declared_inputs(
    tool: ToolSpec, operation: Operation, diagnostics: Diagnostics
) -> ToolSpec:
    """Returns the tool of an operation with the declared arguments and output.

    Arguments and output stay unchanged where undeclared. Adds MG772 to MG775.
    """
    declared = operation.declared
    if declared is None or declared.inputs is None:
        return _announcing(tool, declared)
    mapping = _DeclaredInputs(tool, declared, diagnostics)
    arguments = (*mapping.declared(), *mapping.hidden_defaults())
    filled = {**tool.filled, **mapping.defaults(), **defaults(declared)}
    return _announcing(replace(tool, arguments=arguments, filled=filled), declared)


def _announcing(tool: ToolSpec, declared: DeclaredTool | None) -> ToolSpec:
    if declared is None or declared.output is None:
        return tool
    return replace(tool, output=declared.output, wrapped=False)


@dataclass(frozen=True, slots=True)
class _DeclaredInputs:
    """Maps the arguments of an operation to a declaration."""

    tool: ToolSpec
    tool_declared: DeclaredTool
    diagnostics: Diagnostics

    def declared(self) -> Iterator[ArgumentSpec]:
        """Yields the declared arguments, in the order of the declaration."""
        arguments = {argument.name: argument for argument in self.tool.arguments}
        takers: dict[str, str] = {}
        for entry in self.tool_declared.inputs or ():
            source = entry.source or entry.name
            if source not in arguments:
                self._tell_unknown(entry, source, list(arguments))
            elif source in takers:
                self._tell(
                    codes.ARGUMENT_DECLARED_TWICE, entry, source=source, other=takers[source]
                )
            else:
                takers[source] = entry.name
                yield self._argument(entry, arguments[source])

    def hidden_defaults(self) -> Iterator[ArgumentSpec]:
        """Yields undeclared required arguments with a default, hidden from callers."""
        for argument in self._undeclared():
            if argument.required and "default" in argument.schema:
                yield replace(argument, hidden=True, required=False)
            elif argument.required:
                self._tell_unfilled(argument.name)

    def defaults(self) -> dict[str, Json]:
        """Returns the operation's defaults of undeclared required arguments."""
        return {
            argument.name: argument.schema["default"]
            for argument in self._undeclared()
            if argument.required and "default" in argument.schema
        }

    def _undeclared(self) -> list[ArgumentSpec]:
        sources = {argument.source or argument.name for argument in self.tool_declared.inputs or ()}
        return [argument for argument in self.tool.arguments if argument.name not in sources]

    def _argument(self, entry: Input, argument: ArgumentSpec) -> ArgumentSpec:
        schema = _announced_schema(entry, argument.schema, self.diagnostics)
        declared, accepted = _types(schema), _types(argument.schema)
        if not all(
            kind in accepted or (kind, "number") == ("integer", *accepted) for kind in declared
        ):
            kinds = {"declared": _join_kinds(declared), "taken": _join_kinds(accepted)}
            self._tell(codes.UNFIT_INPUT_TYPE, entry, **kinds)
        if argument.required and not entry.required and "default" not in entry.schema:
            self._tell_unfilled(argument.name)
        return replace(
            argument,
            name=entry.name,
            schema=schema,
            required=entry.required,
            at=entry.at,
            check=_missing_constraints(argument, schema),
        )

    def _tell_unknown(self, entry: Input, source: str, names: list[str]) -> None:
        listing = ", ".join(f"`{name}`" for name in names[:12]) or "none"
        hint = closest_match(source, names) or f"its arguments are {listing}"
        operation = self.tool_declared.upstream.operation if self.tool_declared.upstream else ""
        facts = {"source": source, "operation": operation, "nearest": hint}
        self._tell(codes.UNKNOWN_UPSTREAM_ARGUMENT, entry, **facts)

    def _tell_unfilled(self, source: str) -> None:
        at, name = self.tool_declared.at, self.tool_declared.name
        self.diagnostics.add(codes.UNFILLED_ARGUMENT, at, tool=name, source=source)

    def _tell(self, code: Code, entry: Input, **facts: Any) -> None:
        self.diagnostics.add(code, entry.at, name=entry.name, tool=self.tool_declared.name, **facts)


def _announced_schema(
    entry: Input, inherited: Mapping[str, Json], diagnostics: Diagnostics
) -> Mapping[str, Json]:
    """Returns the announced schema, always with a type.

    The declared schema replaces the operation's schema if any keyword constrains values; otherwise
    name and description are merged into the operation's schema.
    """
    conditions = {key: value for key, value in entry.schema.items() if key not in _ABOUT}
    schema = dict(entry.schema) if conditions else {**inherited, **entry.schema}
    if "pattern" in schema:
        pattern = compilable_pattern(schema.pop("pattern"), entry.at, diagnostics)
        schema |= {} if pattern is None else {"pattern": pattern}
    kind = schema.pop("type", None) or inherited.get("type") or _type_of(schema)
    words = sanitize(str(schema.pop("description", "")), entry.at, diagnostics)
    mirror = {HEADER_KEYWORD: entry.header} if entry.header else {}
    return {
        "type": kind,
        **schema,
        "description": _describe_input(words, entry.name, schema),
        **mirror,
    }


def _describe_input(words: str, name: str, schema: Mapping[str, Json]) -> str:
    """Returns the author's description plus the constraints of the schema; never empty.

    Many hosts show models only the description.
    """
    sentence = end_sentence(words or humanize(name))
    usual = [default_sentence(schema["default"])] if "default" in schema else []
    return truncate(
        " ".join(
            [sentence, *unrepeated_sentences([*constraint_sentences(schema), *usual], sentence)]
        ),
        MAX_DESCRIPTION,
    )


def _type_of(schema: Mapping[str, Json]) -> str:
    """Returns the common type of `enum` or `const` values, `string` for mixed types."""
    values = schema.get("enum") or [schema.get("const")]
    kinds = {_TYPES.get(type(value), "string") for value in values}
    return kinds.pop() if len(kinds) == 1 else "string"


def _types(schema: Mapping[str, Json]) -> tuple[str, ...]:
    kind = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _join_kinds(kinds: tuple[str, ...]) -> str:
    return " or ".join(f"`{kind}`" for kind in kinds) or "anything"


def _missing_constraints(argument: ArgumentSpec, announced: Mapping[str, Json]) -> Json:
    """Returns the operation's constraints on the value, None if the declaration repeats all."""
    if argument.check is not None or argument.text is not None:
        return argument.check
    demanded = {key: value for key, value in argument.schema.items() if key not in _ABOUT}
    is_complete = all(key in announced and announced[key] == demanded[key] for key in demanded)
    return None if is_complete else demanded
