"""What the user wants of single tools, said as if the author had written it on the operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.config import Config, ToolChoice
from mcpgen.config.tables.tools import EVERY
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import ArgumentExtension, Operation, Parameter
from mcpgen.lower.flatten.reserved_parameters import argument_of, is_forwarded
from mcpgen.lower.selectors import closest_match
from mcpgen.lower.settings import KINDS


def with_choices(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> tuple[Operation, ...]:
    """The operations with the user's words in place of the author's, argument by argument.

    Adds UNMATCHED_TOOL for tables about no operation, and SAID_TWICE.
    """
    known = [name for operation in operations for name in (operation.id, operation.key) if name]
    for asked in config.tools:
        if asked not in known and asked != EVERY:
            hint = closest_match(asked, known) or "see the operations of the document"
            place = config.at("tools", asked) or at
            diagnostics.add(codes.UNMATCHED_TOOL, place, operation=asked, nearest=hint)
    chosen = [_with_choice(operation, config, diagnostics) for operation in operations]
    return _with_forwarded(chosen, diagnostics)


def _with_forwarded(
    operations: Sequence[Operation], diagnostics: Diagnostics
) -> tuple[Operation, ...]:
    """The operations whose required headers of the way to the API come from the environment, unless
    somebody has said otherwise: they are facts of the deployment, which no model knows.

    Adds FORWARDED_SETTING once for each header.
    """
    found: list[Operation] = []
    users: dict[str, list[tuple[Operation, Parameter]]] = {}
    for operation in operations:
        wishes: dict[str, ArgumentExtension] = {}
        for each in operation.parameters:
            if not _is_demanded(each):
                continue
            name = argument_of(each)
            if name not in operation.extension.arguments:
                wishes[name] = ArgumentExtension(each.at, setting=name, everywhere=True)
                users.setdefault(name, []).append((operation, each))
        if wishes:
            extension = operation.extension
            arguments = {**wishes, **extension.arguments}
            operation = replace(operation, extension=replace(extension, arguments=arguments))
        found.append(operation)
    for name, asking in users.items():
        operation, parameter = asking[0]
        diagnostics.add(
            codes.FORWARDED_SETTING,
            parameter.at,
            name=parameter.name,
            operation=operation.key,
            more=f" and {len(asking) - 1} more" if len(asking) > 1 else "",
            setting=name,
        )
    return tuple(found)


def _is_demanded(parameter: Parameter) -> bool:
    """Whether an operation needs a header of the way to the API that has a single, open value."""
    schema = parameter.schema.json
    if not is_forwarded(parameter) or not parameter.required or not isinstance(schema, dict):
        return False
    is_fixed = "const" in schema or len(schema.get("enum", (0, 0))) == 1
    return schema.get("type") in KINDS and not is_fixed


def choice_of(operation: Operation, config: Config) -> ToolChoice:
    """What the user says of the tool of an operation; nothing where there is no table."""
    return next((config.tools[name] for name in _named(operation, config)), ToolChoice())


def _named(operation: Operation, config: Config) -> list[str]:
    """The names under which an operation has tables."""
    return [name for name in (operation.key, operation.id) if name in config.tools]


def _with_choice(operation: Operation, config: Config, diagnostics: Diagnostics) -> Operation:
    names = _named(operation, config)
    if not names and EVERY not in config.tools:
        return operation
    if len(names) > 1:
        first, second = names
        diagnostics.add(
            codes.SAID_TWICE,
            config.at("tools", second) or operation.at,
            operation=operation.key,
            first=first,
            second=second,
        )
    said = operation.extension
    wishes = {**_arguments(EVERY, operation, config), **said.arguments}
    choice = ToolChoice()
    if names:
        choice = config.tools[names[0]]
        wishes |= _arguments(names[0], operation, config)
    extension = replace(
        said,
        title=choice.title or said.title,
        description=choice.description or said.description,
        arguments=wishes,
    )
    return replace(operation, extension=extension)


def _arguments(name: str, operation: Operation, config: Config) -> dict[str, ArgumentExtension]:
    """What one table says of the arguments of an operation's tool."""
    choice = config.tools.get(name, ToolChoice())
    return {
        argument: ArgumentExtension(
            at=config.at("tools", name, "arguments", argument) or operation.at,
            description=one.description,
            fixed=one.fixed,
            default=one.default,
            setting=one.setting,
            hidden=one.hidden,
            header=one.header,
            everywhere=name == EVERY,
        )
        for argument, one in choice.arguments.items()
    }
