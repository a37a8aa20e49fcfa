"""Lowers one operation to one tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mcpgen.config import Config, FlattenMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import (
    HEADER_KEYWORD,
    ArgumentSpec,
    BodyPlan,
    HintsSpec,
    PageSpec,
    RouteSpec,
    ToolSpec,
)
from mcpgen.ir.source import Json
from mcpgen.lower.argument_overrides import ArgumentOverrides
from mcpgen.lower.connector import ConnectorLowering
from mcpgen.lower.descriptions import (
    DescriptionBudget,
    derive_title,
    description_budget,
    tool_description,
    tool_title,
)
from mcpgen.lower.endpoint_parameters import EndpointParameters
from mcpgen.lower.flatten import FlattenContext, Unsupported, flatten
from mcpgen.lower.flatten.checks import RequestSchemaBuilder, schema_references
from mcpgen.lower.flatten.nested import ArgumentSchemas
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.flatten.strict import limit_enumerations, to_strict
from mcpgen.lower.hints import tool_hints
from mcpgen.lower.media_type_choice import choose_media_type
from mcpgen.lower.name_words import unique
from mcpgen.lower.output import output_schema
from mcpgen.lower.overrides import options_of_tool
from mcpgen.lower.response_schemas import accept_value, kept_fields
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
    budget: DescriptionBudget
    bound: EndpointParameters
    overrides: ArgumentOverrides
    with_scenarios: bool = True
    """True if tools get scenarios."""

    def reporting_to(self, diagnostics: Diagnostics) -> ToolLowering:
        """Returns a copy that reports to other diagnostics.

        The copy shares the caches of schemas and checks. `nested` and `overrides` start empty, so the copy
        must not lower operations with argument overrides: all tools of a server share their settings.
        """
        checks = replace(self.checks, diagnostics=diagnostics)
        scenarios = replace(self.scenarios, checks=checks, diagnostics=diagnostics)
        nested, overrides = ArgumentSchemas(checks), ArgumentOverrides(scenarios)
        return replace(
            self,
            diagnostics=diagnostics,
            checks=checks,
            scenarios=scenarios,
            nested=nested,
            overrides=overrides,
        )

    def tool(self, operation: Operation, name: str, module: str) -> ToolSpec | Unsupported:
        """Lowers an operation to a tool in the configured mode, or to `Unsupported`."""
        tool = self._lower_in_mode(self.bound.fix_in(operation), name, module)
        if isinstance(tool, Unsupported):
            return tool
        report_unfit_mirrors(tool, self.diagnostics)
        return self.bound.bind_tool(tool, operation, self.diagnostics)

    def _lower_in_mode(
        self, operation: Operation, name: str, module: str
    ) -> ToolSpec | Unsupported:
        if self.config.flattening.mode is FlattenMode.NESTED and not _has_inputs(operation):
            return self._lower_nested(operation, name, module)
        make = self._lower_handled if operation.handled else self._lower_flat
        tool = make(operation, name, module, self.diagnostics)
        if isinstance(tool, Unsupported):
            return tool
        tool = self._apply_options(tool, operation)
        if self.with_scenarios:
            tool = self.scenarios.add_scenarios(tool, operation)
        if self.config.flattening.mode is FlattenMode.STRICT:
            return to_strict(tool, self.diagnostics)
        return limit_enumerations(tool, self.diagnostics)

    def _lower_handled(
        self, operation: Operation, name: str, module: str, diagnostics: Diagnostics
    ) -> ToolSpec:
        """Returns the tool of a declaration answered by a handler."""
        title, description = self._texts(operation, name, diagnostics)
        declared = operation.declared
        return ToolSpec(
            name=name,
            module=module,
            title=title,
            description=description,
            arguments=declared_inputs.handler_arguments(declared, diagnostics) if declared else (),
            constants=(),
            route=None,
            hints=self._hints(operation, diagnostics),
            operation=operation.key,
            at=operation.at,
            output=declared.output if declared else None,
            filled=declared_inputs.defaults(declared) if declared else {},
            answer=declared.answer if declared else (),
            conditions=declared.conditions if declared else {},
        )

    def _lower_nested(self, operation: Operation, name: str, module: str) -> ToolSpec | Unsupported:
        """Returns the tool with nested arguments; scenarios come from the flat tool."""
        tool = self._lower_flat(operation, name, module, self.diagnostics, self.nested)
        if isinstance(tool, Unsupported):
            return tool
        tool = self._apply_options(tool, operation)
        if not self.with_scenarios:
            return tool
        # The flat tool only gives scenarios, so findings about the tool are dropped. `self.checks` still
        # reports: a definition is built, and reported, for the first tool only.
        flat = self._lower_flat(operation, name, module, Diagnostics())
        if isinstance(flat, Unsupported):
            return tool
        return self.scenarios.from_flat(tool, self.scenarios.add_scenarios(flat, operation))

    def _apply_options(self, tool: ToolSpec, operation: Operation) -> ToolSpec:
        """Returns the tool with overrides, pagination and connector contract applied."""
        overridden = self.overrides.apply(tool, operation, self.diagnostics)
        paged = apply_pagination(overridden, operation, self.config)
        connectors = ConnectorLowering(self.config, self.schemas)
        return connectors.apply_contract(paged, operation, self.diagnostics)

    def _lower_flat(
        self,
        operation: Operation,
        name: str,
        module: str,
        diagnostics: Diagnostics,
        nested: ArgumentSchemas | None = None,
    ) -> ToolSpec | Unsupported:
        """Flattens the request and describes the tool; `nested` announces the document's schemas."""
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
        field_paths = kept_fields(self.schemas, operation, self.config, diagnostics)
        announced = output_schema(self.schemas, operation, self.config.output_schemas, field_paths)
        title, description = self._texts(operation, name, diagnostics)
        tool = ToolSpec(
            name=name,
            module=module,
            title=title,
            description=description,
            arguments=flattened.arguments,
            constants=flattened.constants,
            route=self._route(operation, flattened.body, diagnostics),
            hints=self._hints(operation, diagnostics),
            operation=operation.key,
            at=operation.at,
            output=announced.schema,
            wrapped=announced.wrapped,
            definitions=_check_definitions(
                flattened.body and flattened.body.check, flattened.arguments
            ),
            fields=field_paths,
            shared=nested.shared(a.schema for a in flattened.arguments) if nested else {},
        )
        return declared_inputs.apply_declared_inputs(tool, operation, diagnostics)

    def _texts(self, operation: Operation, name: str, diagnostics: Diagnostics) -> tuple[str, str]:
        """Returns title and description; a title of the level `lean` does not repeat the description."""
        limit = self.config.descriptions.limit
        description = tool_description(operation, name, self.budget.tool, limit, diagnostics)
        shown_text = description if self.budget.is_lean else ""
        title = tool_title(operation, name, shown_text, diagnostics)
        if not title and self.config.descriptions.titles and not self.budget.is_lean:
            title = derive_title(operation, name)
        return title, description

    def _hints(self, operation: Operation, diagnostics: Diagnostics) -> HintsSpec:
        scope = self.config.descriptions.destructive
        return tool_hints(operation, self.budget.is_lean, diagnostics, scope)

    def _route(
        self, operation: Operation, body: BodyPlan | None, diagnostics: Diagnostics
    ) -> RouteSpec:
        """Returns the HTTP request of the tool."""
        return RouteSpec(
            method=operation.method,
            path=operation.path,
            security=security_alternatives(self.api, operation, diagnostics),
            accept=accept_value(operation),
            base_url=operation_base_url(self.api, operation, diagnostics),
            body=body,
        )


def _check_definitions(body: Json, arguments: Iterable[ArgumentSpec]) -> tuple[str, ...]:
    """Returns the definitions used by a tool's checks, in order of name."""
    names = schema_references(body)
    for argument in arguments:
        if argument.check is not None:
            names |= schema_references(argument.check)
    return tuple(sorted(names))


def _has_inputs(operation: Operation) -> bool:
    """True if the operation's arguments are declared, flat already."""
    return operation.declared is not None and operation.declared.inputs is not None


def tool_lowering(
    api: ApiDescription,
    config: Config,
    operation_count: int,
    diagnostics: Diagnostics,
    bound: EndpointParameters = EndpointParameters(),  # noqa: B008 - it is immutable
    *,
    scenarios: bool = True,
) -> ToolLowering:
    """Builds the shared state for a server with `operation_count` operations.

    `bound` parameters are filled in by the endpoint's URL.
    """
    schemas = SchemaViews(api.definitions)
    checks = RequestSchemaBuilder(schemas, diagnostics)
    builder = ScenarioBuilder(schemas, checks, diagnostics, config.full_answers)
    return ToolLowering(
        api,
        config,
        diagnostics,
        schemas,
        Objects(schemas),
        checks,
        builder,
        ArgumentSchemas(checks),
        description_budget(config.descriptions.detail, operation_count),
        bound,
        ArgumentOverrides(builder),
        scenarios,
    )


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TYPES = ("string", "integer", "boolean")


def report_unfit_mirrors(tool: ToolSpec, diagnostics: Diagnostics) -> None:
    """Adds UNFIT_MIRROR for each invalid `x-mcp-header`: clients drop a tool that has one.

    A mirror is a header in which the client repeats the argument.
    """
    for argument, reason in _invalid_headers(tool):
        diagnostics.add(
            codes.UNFIT_MIRROR,
            argument.at,
            name=argument.name,
            tool=tool.name,
            header=str(argument.schema[HEADER_KEYWORD])[:60],
            reason=reason,
        )


def _invalid_headers(tool: ToolSpec) -> Iterator[tuple[ArgumentSpec, str]]:
    """Yields the arguments with an invalid header, and the reason."""
    owners: dict[str, str] = {}
    for argument in tool.arguments:
        if HEADER_KEYWORD not in argument.schema:
            continue
        folded = str(argument.schema[HEADER_KEYWORD]).lower()
        if reason := _header_error(argument):
            yield argument, reason
        elif folded in owners:
            yield argument, f"it is that of `{owners[folded]}`, and capitals make no difference"
        owners.setdefault(folded, argument.name)


def _header_error(argument: ArgumentSpec) -> str:
    """Why a header cannot repeat the value of an argument, or `""`."""
    if argument.hidden:
        return "no call can give the argument a value"
    if not _TOKEN.fullmatch(str(argument.schema[HEADER_KEYWORD])):
        return "a header's name is letters, digits and some signs, without spaces"
    if argument.schema.get("type") not in _TYPES:
        return "only a text, a whole number or true and false can stand in a header"
    if argument.schema.get("format") == "password":
        return "a secret must not stand where everything between client and server reads it"
    return ""


_CURSOR = "result_cursor"
_MAX_NAME = 64
"""Characters of an argument's name: Anthropic's API refuses a request with a longer name
(conformance/hosts/facts.json, check `argument-name`)."""


def apply_pagination(tool: ToolSpec, operation: Operation, config: Config) -> ToolSpec:
    """Returns the tool with the configured pagination of its results.

    Only a read-only tool gets a cursor: every page repeats the call.
    """
    choice = options_of_tool(operation, config)
    max_bytes, max_items = config.results.limit_bytes, config.results.limit_items
    max_bytes = max_bytes if choice.limit_bytes is None else choice.limit_bytes
    max_items = max_items if choice.limit_items is None else choice.limit_items
    if not max_bytes and not max_items:
        return tool
    names = {argument.name for argument in tool.arguments}
    cursor = unique(_CURSOR, _MAX_NAME, names.__contains__) if tool.hints.read_only else ""
    return replace(
        tool, page=PageSpec(max_bytes, max_items, cursor), output=_without_min_items(tool.output)
    )


def _without_min_items(schema: Json) -> Json:
    """Returns the output schema without `minItems`: a page may be shorter than the API's list."""
    if isinstance(schema, list):
        return [_without_min_items(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    loose = {key: value for key, value in schema.items() if key != "minItems"}
    for key in ("items", "anyOf", "additionalProperties"):
        if key in loose:
            loose[key] = _without_min_items(loose[key])
    if "properties" in loose:
        loose["properties"] = {
            name: _without_min_items(part) for name, part in loose["properties"].items()
        }
    return loose
