"""Lint rules about tools: number of arguments, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcpgen.diagnostics import Code, Location
from mcpgen.diagnostics.codes import lint as codes
from mcpgen.ir.api import Place
from mcpgen.ir.server import ArgumentSpec, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.argument_schema import describe_by_place
from mcpgen.lower.sanitize_text import truncate

MAX_ARGUMENTS = 20
"""Arguments a model still fills in carefully; 80 % of tools of real descriptions have fewer than
half."""

MAX_NAMED = 5
"""Arguments or values named in a message."""

LocatedFinding = tuple[Code, Location, dict[str, object]]
"""Code, place and facts of a finding."""


def tool_findings(tool: ToolSpec) -> Iterator[LocatedFinding]:
    """Yields TOO_MANY_ARGUMENTS and UNDESCRIBED_ARGUMENTS for one tool, with place and facts."""
    count = len(tool.announced_arguments)
    if count > MAX_ARGUMENTS:
        required = sum(argument.required for argument in tool.announced_arguments)
        facts: dict[str, object] = {"name": tool.name, "count": count, "required": required}
        yield codes.TOO_MANY_ARGUMENTS, tool.at, facts
    undescribed = [
        argument.name
        for argument in _undescribed_arguments(tool)
        if not _enumerated_values(argument.schema)
    ]
    if undescribed:
        facts = {
            "count": len(undescribed),
            "all": count,
            "name": tool.name,
            "arguments": _name_list(undescribed),
        }
        yield codes.UNDESCRIBED_ARGUMENTS, tool.at, dict(facts)


def enum_findings(tools: Sequence[ToolSpec]) -> Iterator[LocatedFinding]:
    """Yields one finding per undescribed enum, at its first place, however many tools announce it.

    Arguments share an enum if they share the place in the document (a referenced schema), or name
    and values (a referenced parameter, whose places are those of the references).
    """
    enums: dict[object, list[tuple[ToolSpec, ArgumentSpec]]] = {}
    for tool in tools:
        for argument in _undescribed_arguments(tool):
            if values := tuple(_enumerated_values(argument.schema)):
                keys = (argument.at, (argument.name, values))
                users = next((enums[key] for key in keys if key in enums), [])
                enums |= dict.fromkeys(keys, users)
                users.append((tool, argument))
    for users in {id(users): users for users in enums.values()}.values():
        tool, argument = users[0]
        others = len({other.name for other, _ in users}) - 1
        also = f" and of {others} more tool{'s' * (others > 1)}" if others else ""
        facts: dict[str, object] = {
            "values": _name_list(_enumerated_values(argument.schema)),
            "argument": argument.name,
            "tools": f"`{tool.name}`{also}",
        }
        yield codes.UNDESCRIBED_ENUM, argument.at, facts


def _undescribed_arguments(tool: ToolSpec) -> list[ArgumentSpec]:
    """The arguments that a caller fills in and the document does not describe."""
    return [
        argument
        for argument in tool.announced_arguments
        if not argument.named_targets and not _is_described(argument)
    ]


def _is_described(argument: ArgumentSpec) -> bool:
    """True if the document says more about an argument than its name and place."""
    text = argument.schema.get("description")
    if not isinstance(text, str) or argument.place is Place.HANDLER:
        return bool(text)
    return not text.startswith(describe_by_place(argument.target, argument.place))


def _enumerated_values(schema: Json) -> list[str]:
    """Returns the enumerated values of an argument or its items, `[]` for a single value."""
    inner = schema.get("items")
    enumerated = schema.get("enum") or (inner.get("enum") if isinstance(inner, dict) else None)
    return (
        [str(value) for value in enumerated]
        if isinstance(enumerated, list) and len(enumerated) > 1
        else []
    )


def _name_list(names: list[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(f"`{truncate(name, 60)}`" for name in names[:MAX_NAMED]) + more
