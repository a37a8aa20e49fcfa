"""The tools `search` and `fetch` for connectors of ChatGPT.

https://developers.openai.com/api/docs/mcp
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.config import Config, FetchChoice, SearchChoice
from mcpgen.diagnostics import Code, Diagnostics, Location
from mcpgen.diagnostics.codes import lower as lower_codes
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import ArgumentSpec, Contract, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.response_fields import problem
from mcpgen.lower.selectors import closest_match

TOOLS = ("search", "fetch")
_ARGUMENT = {"search": "query", "fetch": "id"}
_USUAL = {"search": ("query", "q", "search", "term", "text"), "fetch": ("id",)}
_MEANING = {
    "query": "What to search for, in words.",
    "id": "The id of a result of `search`.",
}
_TEXT: Json = {"type": "string"}
_PARTS = ("id", "title", "url")
_SEARCHED: Json = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": dict.fromkeys(_PARTS, _TEXT),
                "required": list(_PARTS),
            },
        }
    },
    "required": ["results"],
}
_FETCHED: Json = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("id", "title", "text", "url"), _TEXT),
        "metadata": {"type": "object", "additionalProperties": _TEXT},
    },
    "required": ["id", "title", "text", "url", "metadata"],
}
_OUTPUT = {"search": _SEARCHED, "fetch": _FETCHED}

Choice = SearchChoice | FetchChoice


def with_connector(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> Config:
    """Returns the configuration with the names `search` and `fetch` for the configured operations.

    Adds UNMATCHED_CONNECTOR for an unknown operation, UNFIT_CONNECTOR for an operation with a
    different name.
    """
    known = [name for operation in operations for name in (operation.id, operation.key) if name]
    names = dict(config.names)
    for tool, choice in _choices(config):
        place = _place(config, tool, "operation") or at
        operation = next((one for one in operations if choice.operation in _named(one)), None)
        if operation is None:
            hint = closest_match(choice.operation, known) or "choose one that is selected"
            diagnostics.add(
                codes.UNMATCHED_CONNECTOR,
                place,
                tool=tool,
                operation=choice.operation,
                nearest=hint,
            )
            continue
        if any(names.pop(name, tool) != tool for name in _named(operation)):
            reason = "it is given another name by `names` or `tools`"
            _tell(codes.UNFIT_CONNECTOR, place, tool, operation, reason, diagnostics)
        names[operation.key] = tool
    return replace(config, names=names)


@dataclass(frozen=True, slots=True)
class ConnectorLowering:
    """Applies the connector contract to the two tools."""

    config: Config
    schemas: SchemaViews

    def connected(self, tool: ToolSpec, operation: Operation, diagnostics: Diagnostics) -> ToolSpec:
        """Returns the tool with the argument and output schema of its contract. Unchanged without a
        contract.

        Adds UNFIT_CONNECTOR and UNKNOWN_FIELD.
        """
        found = [
            (name, choice)
            for name, choice in _choices(self.config)
            if choice.operation in _named(operation)
        ]
        if not found:
            return tool
        name, choice = found[0]
        taken = _taken(tool, name, choice)
        if tool.route is None:
            taken = "a handler answers it, and gives what connectors expect by itself"
        if isinstance(taken, str):
            place = _place(self.config, name, "argument") or operation.at
            _tell(codes.UNFIT_CONNECTOR, place, name, operation, taken, diagnostics)
            return tool
        contract = _contract(choice)
        self._judge(name, contract, operation, diagnostics)
        hidden = tuple(one for one in tool.arguments if one.hidden)
        defaults = tuple(
            replace(one, hidden=True)
            for one in tool.accepted
            if one.name in tool.filled and one.name != taken.name
        )
        return replace(
            tool,
            arguments=(_argument(name, taken), *hidden, *defaults),
            filled={one: value for one, value in tool.filled.items() if one != taken.name},
            output=_OUTPUT[name],
            wrapped=False,
            fields=(),
            page=None,
            contract=contract,
        )

    def _judge(
        self, name: str, contract: Contract, operation: Operation, diagnostics: Diagnostics
    ) -> None:
        """Adds UNKNOWN_FIELD for paths that no result has."""
        for key, path in _paths(contract):
            hint = problem(self.schemas, operation, path)
            if hint is not None:
                diagnostics.add(
                    lower_codes.UNKNOWN_FIELD,
                    _place(self.config, name, key) or operation.at,
                    field=path,
                    operation=operation.key,
                    nearest=hint,
                )


def _choices(config: Config) -> Iterator[tuple[str, Choice]]:
    if config.search:
        yield "search", config.search
    if config.fetch:
        yield "fetch", config.fetch


def _named(operation: Operation) -> tuple[str, ...]:
    return (operation.key, operation.id) if operation.id else (operation.key,)


def _place(config: Config, tool: str, key: str) -> Location | None:
    return config.at("connector", tool, key) or config.at("connector", tool)


def _contract(choice: Choice) -> Contract:
    if isinstance(choice, SearchChoice):
        given = {"results": choice.results, "id": choice.id}
        return Contract("search", {**given, "title": choice.title, "url": choice.url})
    given = {"title": choice.title, "text": choice.text, "url": choice.url}
    return Contract("fetch", given, choice.metadata)


def _paths(contract: Contract) -> Iterator[tuple[str, str]]:
    """Yields configuration key and path of each part of a contract, from the root of the
    response."""
    start = f"{contract.paths['results']}." if contract.paths.get("results") else ""
    for key, path in contract.paths.items():
        if path and key != "results":
            yield key, f"{start}{path}"
    yield from (("metadata", path) for path in contract.metadata)


def _taken(tool: ToolSpec, name: str, choice: Choice) -> ArgumentSpec | str:
    """Returns the argument that receives the contract's value, or the reason in words."""
    open_ = {one.name: one for one in tool.accepted if not one.fills}
    if choice.argument and choice.argument not in open_:
        return (
            f"it has no argument `{choice.argument}`; {closest_match(choice.argument, list(open_))}"
        )
    needed = [one for one in open_.values() if one.required]
    usual = [open_[one] for one in _USUAL[name] if one in open_]
    candidates = [open_[choice.argument]] if choice.argument else (needed or usual)
    if not candidates:
        return "say its `argument`"
    taken = candidates[0]
    others = [one.name for one in needed if one is not taken]
    if others:
        listed = ", ".join(f"`{one}`" for one in others)
        return f"it also requires {listed}; give values under `[tools]`, or say its `argument`"
    if not _is_text(taken):
        return f"its argument `{taken.name}` takes no text"
    return taken


def _is_text(argument: ArgumentSpec) -> bool:
    """True if the argument accepts text; outside a body, integers travel as text too."""
    kind = argument.schema.get("type")
    outside = argument.place in (Place.PATH, Place.QUERY) and not argument.content
    return argument.text is None and (kind == "string" or (kind == "integer" and outside))


def _argument(name: str, taken: ArgumentSpec) -> ArgumentSpec:
    """The argument under the name of the contract."""
    kept: Mapping[str, Json] = taken.schema
    schema = {
        key: kept[key] for key in ("enum", "minLength", "maxLength", "pattern") if key in kept
    }
    if kept.get("type") == "integer":
        schema["pattern"] = "^-?[0-9]+$"
    announced = _ARGUMENT[name]
    return replace(
        taken,
        name=announced,
        required=True,
        schema={"type": "string", **schema, "description": _MEANING[announced]},
        check=None if kept.get("type") == "integer" else taken.check,
    )


def _tell(
    code: Code,
    at: Location,
    tool: str,
    operation: Operation,
    reason: str,
    diagnostics: Diagnostics,
) -> None:
    diagnostics.add(code, at, tool=tool, operation=operation.key, reason=reason)
