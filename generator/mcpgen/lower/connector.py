"""The tools `search` and `fetch`, whose arguments and results ChatGPT prescribes for connectors.

https://developers.openai.com/api/docs/mcp
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.config import Config, FetchConfig, SearchConfig
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import ArgumentSpec, ChatGptContract, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.response_schemas import path_error

TOOLS = ("search", "fetch")
_ARGUMENT_NAME = {"search": "query", "fetch": "id"}
_COMMON_PARAMETER_NAMES = {"search": ("query", "q", "search", "term", "text"), "fetch": ("id",)}
_ARGUMENT_DESCRIPTION = {
    "query": "What to search for, in words.",
    "id": "The id of a result of `search`.",
}
_STRING_SCHEMA: Json = {"type": "string"}
_RESULT_KEYS = ("id", "title", "url")
_SEARCH_OUTPUT: Json = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": dict.fromkeys(_RESULT_KEYS, _STRING_SCHEMA),
                "required": list(_RESULT_KEYS),
            },
        }
    },
    "required": ["results"],
}
_FETCH_OUTPUT: Json = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("id", "title", "text", "url"), _STRING_SCHEMA),
        "metadata": {"type": "object", "additionalProperties": _STRING_SCHEMA},
    },
    "required": ["id", "title", "text", "url", "metadata"],
}
_OUTPUT = {"search": _SEARCH_OUTPUT, "fetch": _FETCH_OUTPUT}

Choice = SearchConfig | FetchConfig


def with_connector_names(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> Config:
    """Returns the configuration with the names `search` and `fetch` for the configured operations.

    Adds UNMATCHED_CONNECTOR for an unknown operation, UNFIT_CONNECTOR for an operation to which
    `names` or `tools` gives another name.
    """
    known_names = [
        name for operation in operations for name in (operation.id, operation.key) if name
    ]
    names = dict(config.names)
    served: set[str] = set()
    for tool, choice in _choices(config):
        place = _connector_place(config, tool, "operation") or at
        operation = next(
            (
                operation
                for operation in operations
                if choice.operation in _operation_names(operation)
            ),
            None,
        )
        if operation is None:
            hint = closest_match(choice.operation, known_names) or "choose one that is selected"
            diagnostics.add(
                codes.UNMATCHED_CONNECTOR,
                place,
                tool=tool,
                operation=choice.operation,
                nearest=hint,
            )
            continue
        # The connector decides the name; an equal name is no conflict.
        removed_names = [names.pop(name, tool) for name in _operation_names(operation)]
        if other_name := next((name for name in removed_names if name != tool), ""):
            reason = (
                f"`connector.{other_name}` uses the operation already"
                if operation.key in served
                else f"`[names]` or `[tools]` calls it `{other_name}`"
            )
            _report_contract(codes.UNFIT_CONNECTOR, place, tool, operation, reason, diagnostics)
        names[operation.key] = tool
        served.add(operation.key)
    return replace(config, names=names)


@dataclass(frozen=True, slots=True)
class ConnectorLowering:
    """Applies the connector contract to the two tools."""

    config: Config
    schemas: SchemaViews

    def apply_contract(
        self, tool: ToolSpec, operation: Operation, diagnostics: Diagnostics
    ) -> ToolSpec:
        """Returns the tool with the argument and output schema of its contract. Unchanged without a
        contract.

        Adds UNFIT_CONNECTOR and UNKNOWN_FIELD.
        """
        contracts = [
            (name, choice)
            for name, choice in _choices(self.config)
            if choice.operation in _operation_names(operation)
        ]
        if not contracts:
            return tool
        name, choice = contracts[0]
        argument_or_reason = _contract_argument(tool, name, choice)
        if tool.route is None:
            argument_or_reason = (
                "a handler in `hooks.py` answers it and has to return the connector's result itself"
            )
        if isinstance(argument_or_reason, str):
            place = _connector_place(self.config, name, "argument") or operation.at
            _report_contract(
                codes.UNFIT_CONNECTOR, place, name, operation, argument_or_reason, diagnostics
            )
            return tool
        argument = argument_or_reason
        contract = _contract(choice)
        self._report_unknown_fields(name, contract, operation, diagnostics)
        hidden = tuple(other for other in tool.arguments if other.hidden)
        defaults = tuple(
            replace(other, hidden=True)
            for other in tool.announced_arguments
            if other.name in tool.filled and other.name != argument.name
        )
        return replace(
            tool,
            arguments=(_renamed_argument(name, argument), *hidden, *defaults),
            filled={key: value for key, value in tool.filled.items() if key != argument.name},
            output=_OUTPUT[name],
            wrapped=False,
            fields=(),
            page=None,
            contract=contract,
        )

    def _report_unknown_fields(
        self, name: str, contract: ChatGptContract, operation: Operation, diagnostics: Diagnostics
    ) -> None:
        """Adds UNKNOWN_FIELD for paths that no result has."""
        for key, path in _contract_paths(contract):
            hint = path_error(self.schemas, operation, path)
            if hint is not None:
                diagnostics.add(
                    lower_codes.UNKNOWN_FIELD,
                    _connector_place(self.config, name, key) or operation.at,
                    field=path,
                    operation=operation.key,
                    nearest=hint,
                )


def _choices(config: Config) -> Iterator[tuple[str, Choice]]:
    if config.search:
        yield "search", config.search
    if config.fetch:
        yield "fetch", config.fetch


def _operation_names(operation: Operation) -> tuple[str, ...]:
    return (operation.key, operation.id) if operation.id else (operation.key,)


def _connector_place(config: Config, tool: str, key: str) -> Location | None:
    return config.at("connector", tool, key) or config.at("connector", tool)


def _contract(choice: Choice) -> ChatGptContract:
    if isinstance(choice, SearchConfig):
        paths = {"results": choice.results, "id": choice.id}
        return ChatGptContract("search", {**paths, "title": choice.title, "url": choice.url})
    paths = {"title": choice.title, "text": choice.text, "url": choice.url}
    return ChatGptContract("fetch", paths, choice.metadata)


def _contract_paths(contract: ChatGptContract) -> Iterator[tuple[str, str]]:
    """Yields configuration key and path of each part of a contract, from the root of the
    response."""
    start = f"{contract.paths['results']}." if contract.paths.get("results") else ""
    for key, path in contract.paths.items():
        if path and key != "results":
            yield key, f"{start}{path}"
    yield from (("metadata", path) for path in contract.metadata)


def _contract_argument(tool: ToolSpec, name: str, choice: Choice) -> ArgumentSpec | str:
    """Returns the argument that receives the contract's value, or the reason in words."""
    open_arguments = {
        argument.name: argument
        for argument in tool.announced_arguments
        if not argument.named_targets
    }
    if choice.argument and choice.argument not in open_arguments:
        listed = ", ".join(f"`{argument}`" for argument in open_arguments) or "none"
        hint = closest_match(choice.argument, list(open_arguments))
        return f"it has no argument `{choice.argument}`; {hint or f'its arguments are: {listed}'}"
    needed = [candidate for candidate in open_arguments.values() if candidate.required]
    usual = [
        open_arguments[candidate]
        for candidate in _COMMON_PARAMETER_NAMES[name]
        if candidate in open_arguments
    ]
    candidates = [open_arguments[choice.argument]] if choice.argument else (needed or usual)
    if not candidates:
        return f"it has no argument with a usual name; name one under `connector.{name}.argument`"
    argument = candidates[0]
    other_names = [candidate.name for candidate in needed if candidate is not argument]
    if other_names:
        listed = ", ".join(f"`{candidate}`" for candidate in other_names)
        return (
            f"it also requires {listed}; give each a value under `[tools]`, or choose another "
            f"argument under `connector.{name}.argument`"
        )
    if not _accepts_text(argument):
        return f"its argument `{argument.name}` takes no text"
    return argument


def _accepts_text(argument: ArgumentSpec) -> bool:
    """True if the argument accepts text; outside a body, integers travel as text too."""
    kind = argument.schema.get("type")
    outside = argument.place in (Place.PATH, Place.QUERY) and not argument.content
    return argument.text is None and (kind == "string" or (kind == "integer" and outside))


def _renamed_argument(name: str, argument: ArgumentSpec) -> ArgumentSpec:
    """The argument under the name of the contract."""
    original: Mapping[str, Json] = argument.schema
    schema = {
        key: original[key]
        for key in ("enum", "minLength", "maxLength", "pattern")
        if key in original
    }
    if original.get("type") == "integer":
        # The check is for integers; the announced value is a string with this pattern.
        schema["pattern"] = "^-?[0-9]+$"
    announced = _ARGUMENT_NAME[name]
    return replace(
        argument,
        name=announced,
        required=True,
        schema={"type": "string", **schema, "description": _ARGUMENT_DESCRIPTION[announced]},
        check=None if original.get("type") == "integer" else argument.check,
    )


def _report_contract(
    code: Code,
    at: Location,
    tool: str,
    operation: Operation,
    reason: str,
    diagnostics: Diagnostics,
) -> None:
    diagnostics.add(code, at, tool=tool, operation=operation.key, reason=reason)
