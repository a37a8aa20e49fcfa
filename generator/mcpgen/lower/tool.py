"""One operation as one tool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mcpgen.config import Config, FlattenMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.frozen import frozen
from mcpgen.ir.api import Api, Operation
from mcpgen.ir.server import Argument, Route, Tool
from mcpgen.ir.source import Json
from mcpgen.lower.answers import accept
from mcpgen.lower.budget import Budget, budget
from mcpgen.lower.connector import Connectors
from mcpgen.lower.fields import fields
from mcpgen.lower.flatten import Context, Refusal, flatten
from mcpgen.lower.flatten.checks import Checks, references
from mcpgen.lower.flatten.enumerations import within_limit
from mcpgen.lower.flatten.nested import Nested
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.strict import strict
from mcpgen.lower.flatten.view import Schemas
from mcpgen.lower.hints import hints
from mcpgen.lower.mirrors import tell_unfit_mirrors
from mcpgen.lower.openspec import inputs
from mcpgen.lower.output import output
from mcpgen.lower.pages import paged
from mcpgen.lower.policy.endpoint import Bound
from mcpgen.lower.prose import description, title
from mcpgen.lower.representation import represented
from mcpgen.lower.scenarios import Scenarios
from mcpgen.lower.shaping import Shaper
from mcpgen.lower.upstream import alternatives, base_url, has_variable


@frozen
class Workshop:
    """What the tools of one server share: the definitions and what was found out about them."""

    api: Api
    config: Config
    diagnostics: Diagnostics
    schemas: Schemas
    objects: Objects
    checks: Checks
    scenarios: Scenarios
    nested: Nested
    budget: Budget
    bound: Bound
    shaper: Shaper
    rehearsed: bool = True
    """Whether tools get scenarios."""

    def telling(self, diagnostics: Diagnostics) -> Workshop:
        """The same workshop, but what is found from now on is told elsewhere; definitions that one
        of both has made are there for the other."""
        checks = replace(self.checks, diagnostics=diagnostics)
        scenarios = Scenarios(self.schemas, checks, diagnostics)
        nested, shaper = Nested(checks), Shaper(scenarios)
        return replace(
            self,
            diagnostics=diagnostics,
            checks=checks,
            scenarios=scenarios,
            nested=nested,
            shaper=shaper,
        )

    def tool(self, operation: Operation, name: str, module: str) -> Tool | Refusal:
        """The tool of an operation in the mode that is configured, or why there is none."""
        made = self._in_mode(self.bound.within(operation), name, module)
        if isinstance(made, Refusal):
            return made
        tell_unfit_mirrors(made, self.diagnostics)
        return self.bound.freed(made, operation, self.diagnostics)

    def _in_mode(self, operation: Operation, name: str, module: str) -> Tool | Refusal:
        if self.config.flattening.mode is FlattenMode.NESTED and not _has_inputs(operation):
            return self._nested(operation, name, module)
        make = self._handled if operation.handled else self._made
        made = make(operation, name, module, self.diagnostics)
        if isinstance(made, Refusal):
            return made
        made = self._wanted(made, operation)
        if self.rehearsed:
            made = self.scenarios.added(made, operation)
        if self.config.flattening.mode is FlattenMode.STRICT:
            return strict(made, self.diagnostics)
        return within_limit(made, self.diagnostics)

    def _handled(
        self, operation: Operation, name: str, module: str, diagnostics: Diagnostics
    ) -> Tool:
        """The tool of a declaration that a handler answers."""
        limit = self.config.descriptions.limit
        told = description(operation, name, self.budget.tool, limit, diagnostics)
        declared = operation.declared
        return Tool(
            name=name,
            module=module,
            title=title(operation, name, told if self.budget.brief else "", diagnostics),
            description=told,
            arguments=inputs.own(declared, diagnostics) if declared else (),
            constants=(),
            route=None,
            hints=hints(operation, self.budget.brief, diagnostics),
            operation=operation.key,
            at=operation.at,
            output=declared.output if declared else None,
            filled=inputs.defaults(declared) if declared else {},
            answer=declared.answer if declared else (),
            conditions=declared.conditions if declared else {},
        )

    def _nested(self, operation: Operation, name: str, module: str) -> Tool | Refusal:
        """The tool with nested arguments; its scenarios are those of the flat one."""
        made = self._made(operation, name, module, self.diagnostics, self.nested)
        if not self.rehearsed:
            return made
        # Nobody sees the flat one, so its findings are of no use to anybody.
        flat = self._made(operation, name, module, Diagnostics())
        if isinstance(made, Refusal) or isinstance(flat, Refusal):
            return made
        made = self._wanted(made, operation)
        return self.scenarios.nested(made, self.scenarios.added(flat, operation))

    def _wanted(self, tool: Tool, operation: Operation) -> Tool:
        """The tool with what is said of its arguments and of the size of its results."""
        shaped = self.shaper.shaped(tool, operation, self.diagnostics)
        made = paged(shaped, operation, self.config)
        connectors = Connectors(self.config, self.schemas)
        return connectors.connected(made, operation, self.diagnostics)

    def _made(
        self,
        operation: Operation,
        name: str,
        module: str,
        diagnostics: Diagnostics,
        nested: Nested | None = None,
    ) -> Tool | Refusal:
        context = Context(
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
            return Refusal("its server's URL has a variable without a value", operation.at)
        operation = represented(operation, self.config, context)
        flattened = flatten(context, operation)
        if isinstance(flattened, Refusal):
            return flattened
        shown = fields(self.schemas, operation, self.config, diagnostics)
        announced = output(self.schemas, operation, self.config.output_schemas, shown)
        limit = self.config.descriptions.limit
        told = description(operation, name, self.budget.tool, limit, diagnostics)
        made = Tool(
            name=name,
            module=module,
            title=title(operation, name, told if self.budget.brief else "", diagnostics),
            description=told,
            arguments=flattened.arguments,
            constants=flattened.constants,
            route=Route(
                method=operation.method,
                path=operation.path,
                security=alternatives(self.api, operation, diagnostics),
                accept=accept(operation),
                base_url=base_url(self.api, operation, diagnostics),
                body=flattened.body,
            ),
            hints=hints(operation, self.budget.brief, diagnostics),
            operation=operation.key,
            at=operation.at,
            output=announced.schema,
            wrapped=announced.wrapped,
            definitions=_named(flattened.body and flattened.body.check, flattened.arguments),
            fields=shown,
            shared=nested.shared(a.schema for a in flattened.arguments) if nested else {},
        )
        return inputs.as_declared(made, operation, diagnostics)


def _named(body: Json, arguments: Iterable[Argument]) -> tuple[str, ...]:
    """The definitions that a tool's checks name, in order of name."""
    found = references(body)
    for argument in arguments:
        if argument.check is not None:
            found |= references(argument.check)
    return tuple(sorted(found))


def _has_inputs(operation: Operation) -> bool:
    """Whether the arguments of a tool are declared, flat as they are."""
    return operation.declared is not None and operation.declared.inputs is not None


def workshop(
    api: Api,
    config: Config,
    operations: int,
    diagnostics: Diagnostics,
    bound: Bound = Bound(),  # noqa: B008 - it is immutable
    *,
    scenarios: bool = True,
) -> Workshop:
    """Everything that is needed to make tools of so many operations of an API, with `bound`
    parameters left out."""
    schemas = Schemas(api.definitions)
    checks = Checks(schemas, diagnostics)
    made = Scenarios(schemas, checks, diagnostics)
    return Workshop(
        api,
        config,
        diagnostics,
        schemas,
        Objects(schemas),
        checks,
        made,
        Nested(checks),
        budget(config.descriptions.detail, operations),
        bound,
        Shaper(made),
        scenarios,
    )
