"""Lowers one operation to one tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mcpgen.config import Config, FlattenMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import MIRROR, ArgumentSpec, PageSpec, RouteSpec, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.argument_overrides import ArgumentOverrides
from mcpgen.lower.connector import ConnectorLowering
from mcpgen.lower.descriptions import Budget, budget, tool_description, tool_title
from mcpgen.lower.endpoint_parameters import EndpointParameters
from mcpgen.lower.flatten import FlattenContext, Unsupported, flatten
from mcpgen.lower.flatten.checks import RequestSchemaBuilder, schema_references
from mcpgen.lower.flatten.nested import ArgumentSchemas
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.flatten.strict import strict, within_limit
from mcpgen.lower.hints import tool_hints
from mcpgen.lower.media_type_choice import choose_media_type
from mcpgen.lower.name_words import unique
from mcpgen.lower.output import output
from mcpgen.lower.overrides import choice_of
from mcpgen.lower.response_fields import fields
from mcpgen.lower.response_schemas import accept_value
from mcpgen.lower.scenarios import ScenarioBuilder
from mcpgen.lower.upstream import has_variable, operation_base_url, security_alternatives
from mcpgen.openspec.lower import declared_inputs


@dataclass(frozen=True, slots=True)
class ToolLowering:
    """State shared by the tools of one server: definitions, caches, configuration."""

    api: ApiDescription
    config: Config
    diagnostics: Diagnostics
    schemas: SchemaViews
    objects: Objects
    checks: RequestSchemaBuilder
    scenarios: ScenarioBuilder
    nested: ArgumentSchemas
    budget: Budget
    bound: EndpointParameters
    shaper: ArgumentOverrides
    rehearsed: bool = True
    """True if tools get scenarios."""

    def telling(self, diagnostics: Diagnostics) -> ToolLowering:
        """Returns a copy that reports to different diagnostics and shares the caches."""
        checks = replace(self.checks, diagnostics=diagnostics)
        scenarios = ScenarioBuilder(self.schemas, checks, diagnostics)
        nested, shaper = ArgumentSchemas(checks), ArgumentOverrides(scenarios)
        return replace(
            self,
            diagnostics=diagnostics,
            checks=checks,
            scenarios=scenarios,
            nested=nested,
            shaper=shaper,
        )

    def tool(self, operation: Operation, name: str, module: str) -> ToolSpec | Unsupported:
        """Lowers an operation to a tool in the configured mode, or to `Unsupported`."""
        made = self._in_mode(self.bound.within(operation), name, module)
        if isinstance(made, Unsupported):
            return made
        report_unfit_mirrors(made, self.diagnostics)
        return self.bound.freed(made, operation, self.diagnostics)

    def _in_mode(self, operation: Operation, name: str, module: str) -> ToolSpec | Unsupported:
        if self.config.flattening.mode is FlattenMode.NESTED and not _has_inputs(operation):
            return self._nested(operation, name, module)
        make = self._handled if operation.handled else self._made
        made = make(operation, name, module, self.diagnostics)
        if isinstance(made, Unsupported):
            return made
        made = self._wanted(made, operation)
        if self.rehearsed:
            made = self.scenarios.added(made, operation)
        if self.config.flattening.mode is FlattenMode.STRICT:
            return strict(made, self.diagnostics)
        return within_limit(made, self.diagnostics)

    def _handled(
        self, operation: Operation, name: str, module: str, diagnostics: Diagnostics
    ) -> ToolSpec:
        """Returns the tool of a declaration answered by a handler."""
        limit = self.config.descriptions.limit
        told = tool_description(operation, name, self.budget.tool, limit, diagnostics)
        declared = operation.declared
        return ToolSpec(
            name=name,
            module=module,
            title=tool_title(operation, name, told if self.budget.brief else "", diagnostics),
            description=told,
            arguments=declared_inputs.handler_arguments(declared, diagnostics) if declared else (),
            constants=(),
            route=None,
            hints=tool_hints(operation, self.budget.brief, diagnostics),
            operation=operation.key,
            at=operation.at,
            output=declared.output if declared else None,
            filled=declared_inputs.defaults(declared) if declared else {},
            answer=declared.answer if declared else (),
            conditions=declared.conditions if declared else {},
        )

    def _nested(self, operation: Operation, name: str, module: str) -> ToolSpec | Unsupported:
        """Returns the tool with nested arguments; scenarios come from the flat tool."""
        made = self._made(operation, name, module, self.diagnostics, self.nested)
        if not self.rehearsed:
            return made
        # Nobody sees the flat one, so its findings are of no use to anybody.
        flat = self._made(operation, name, module, Diagnostics())
        if isinstance(made, Unsupported) or isinstance(flat, Unsupported):
            return made
        made = self._wanted(made, operation)
        return self.scenarios.nested(made, self.scenarios.added(flat, operation))

    def _wanted(self, tool: ToolSpec, operation: Operation) -> ToolSpec:
        """Returns the tool with overrides, pagination and connector contract applied."""
        shaped = self.shaper.shaped(tool, operation, self.diagnostics)
        made = apply_pagination(shaped, operation, self.config)
        connectors = ConnectorLowering(self.config, self.schemas)
        return connectors.connected(made, operation, self.diagnostics)

    def _made(
        self,
        operation: Operation,
        name: str,
        module: str,
        diagnostics: Diagnostics,
        nested: ArgumentSchemas | None = None,
    ) -> ToolSpec | Unsupported:
        context = FlattenContext(
            schemas=self.schemas,
            objects=self.objects,
            checks=self.checks,
            limits=self.config.flattening,
            budget=self.budget,
            schemes=tuple(self.api.security_schemes.values()),
            diagnostics=diagnostics,
            operation=name,
            nested=nested,
        )
        own = operation.servers[0].url if operation.servers else ""
        if has_variable(own) and own not in [server.url for server in self.api.servers]:
            return Unsupported("its server's URL has a variable without a value", operation.at)
        operation = choose_media_type(operation, self.config, context)
        flattened = flatten(context, operation)
        if isinstance(flattened, Unsupported):
            return flattened
        shown = fields(self.schemas, operation, self.config, diagnostics)
        announced = output(self.schemas, operation, self.config.output_schemas, shown)
        limit = self.config.descriptions.limit
        told = tool_description(operation, name, self.budget.tool, limit, diagnostics)
        made = ToolSpec(
            name=name,
            module=module,
            title=tool_title(operation, name, told if self.budget.brief else "", diagnostics),
            description=told,
            arguments=flattened.arguments,
            constants=flattened.constants,
            route=RouteSpec(
                method=operation.method,
                path=operation.path,
                security=security_alternatives(self.api, operation, diagnostics),
                accept=accept_value(operation),
                base_url=operation_base_url(self.api, operation, diagnostics),
                body=flattened.body,
            ),
            hints=tool_hints(operation, self.budget.brief, diagnostics),
            operation=operation.key,
            at=operation.at,
            output=announced.schema,
            wrapped=announced.wrapped,
            definitions=_named(flattened.body and flattened.body.check, flattened.arguments),
            fields=shown,
            shared=nested.shared(a.schema for a in flattened.arguments) if nested else {},
        )
        return declared_inputs.apply_declared_inputs(made, operation, diagnostics)


def _named(body: Json, arguments: Iterable[ArgumentSpec]) -> tuple[str, ...]:
    """Returns the definitions used by a tool's checks, in order of name."""
    found = schema_references(body)
    for argument in arguments:
        if argument.check is not None:
            found |= schema_references(argument.check)
    return tuple(sorted(found))


def _has_inputs(operation: Operation) -> bool:
    """True if the operation's arguments are declared, flat already."""
    return operation.declared is not None and operation.declared.inputs is not None


def tool_lowering(
    api: ApiDescription,
    config: Config,
    operations: int,
    diagnostics: Diagnostics,
    bound: EndpointParameters = EndpointParameters(),  # noqa: B008 - it is immutable
    *,
    scenarios: bool = True,
) -> ToolLowering:
    """Builds the shared state for `operations` operations.

    `bound` parameters are filled in by the endpoint's URL.
    """
    schemas = SchemaViews(api.definitions)
    checks = RequestSchemaBuilder(schemas, diagnostics)
    made = ScenarioBuilder(schemas, checks, diagnostics)
    return ToolLowering(
        api,
        config,
        diagnostics,
        schemas,
        Objects(schemas),
        checks,
        made,
        ArgumentSchemas(checks),
        budget(config.descriptions.detail, operations),
        bound,
        ArgumentOverrides(made),
        scenarios,
    )


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TYPES = ("string", "integer", "boolean")


def report_unfit_mirrors(tool: ToolSpec, diagnostics: Diagnostics) -> None:
    """Adds UNFIT_MIRROR for each invalid `x-mcp-header`: clients drop a tool that has one."""
    for argument, reason in _unfit(tool):
        diagnostics.add(
            codes.UNFIT_MIRROR,
            argument.at,
            name=argument.name,
            tool=tool.name,
            header=str(argument.schema[MIRROR])[:60],
            reason=reason,
        )


def _unfit(tool: ToolSpec) -> Iterator[tuple[ArgumentSpec, str]]:
    """Yields the arguments with an invalid header, and the reason."""
    takers: dict[str, str] = {}
    for argument in tool.arguments:
        if MIRROR not in argument.schema:
            continue
        folded = str(argument.schema[MIRROR]).lower()
        if reason := _reason(argument):
            yield argument, reason
        elif folded in takers:
            yield argument, f"it is that of `{takers[folded]}`, and capitals make no difference"
        takers.setdefault(folded, argument.name)


def _reason(argument: ArgumentSpec) -> str:
    """Why a header cannot repeat the value of an argument, or `""`."""
    if argument.hidden:
        return "no call can give the argument a value"
    if not _TOKEN.fullmatch(str(argument.schema[MIRROR])):
        return "a header's name is letters, digits and some signs, without spaces"
    if argument.schema.get("type") not in _TYPES:
        return "only a text, a whole number or true and false can stand in a header"
    if argument.schema.get("format") == "password":
        return "a secret must not stand where everything between client and server reads it"
    return ""


_CURSOR = "result_cursor"
_LONGEST = 64


def apply_pagination(tool: ToolSpec, operation: Operation, config: Config) -> ToolSpec:
    """Returns the tool with the configured pagination of its results.

    Only a read-only tool gets a cursor: every page repeats the call.
    """
    choice = choice_of(operation, config)
    most, items = config.results.limit_bytes, config.results.limit_items
    most = most if choice.limit_bytes is None else choice.limit_bytes
    items = items if choice.limit_items is None else choice.limit_items
    if not most and not items:
        return tool
    taken = {argument.name for argument in tool.arguments}
    cursor = unique(_CURSOR, _LONGEST, taken.__contains__) if tool.hints.read_only else ""
    return replace(tool, page=PageSpec(most, items, cursor), output=_loosened(tool.output))


def _loosened(schema: Json) -> Json:
    """Returns the output schema without `minItems`: a page may be shorter than the API's list."""
    if isinstance(schema, list):
        return [_loosened(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: value for key, value in schema.items() if key != "minItems"}
    for key in ("items", "anyOf", "additionalProperties"):
        if key in made:
            made[key] = _loosened(made[key])
    if "properties" in made:
        made["properties"] = {name: _loosened(each) for name, each in made["properties"].items()}
    return made
