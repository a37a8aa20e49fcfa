"""Scenarios: sample calls of a tool with the expected upstream request and a stub response."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Operation, Place
from mcpgen.ir.server import (
    ArgumentSpec,
    ChatGptContract,
    ExpectedRequest,
    RouteSpec,
    StubResponse,
    ToolScenario,
    ToolSpec,
)
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.checks import RequestSchemaBuilder
from mcpgen.lower.flatten.discriminator import expand_discriminator
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.response_schemas import (
    EVENTS,
    is_stream_type,
    item_schema,
    preferred_response_media,
    success_response,
)
from mcpgen.lower.scenarios.expected_request import expected_request
from mcpgen.lower.scenarios.sampling import Sampler, with_files
from mcpgen.lower.scenarios.validity import Validity, place_arguments, split_request, wire_fault
from mcpgen.lower.scenarios.wire_values import compact_json, scalar_text
from mcpgen.sampling import sample, valid

_MAX_SCENARIOS = 3
_METHODS = (
    "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL"
    " MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE"
    " SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE"
)
_TESTED_METHODS = frozenset(_METHODS.split())
"""Methods that aiohttp's server accepts; a project's tests use aiohttp as the stub API."""
_MAX_ANSWER = 4_000


@dataclass
class ScenarioBuilder:
    """Builds the scenarios of one server's tools.

    The sampler is created on first use: a build with all tools in the cache needs none.
    """

    schemas: SchemaViews
    checks: RequestSchemaBuilder
    diagnostics: Diagnostics
    full_answers: bool = False
    """True if sampled answers of the API have optional members, as in a mock; tests need few members."""

    @cached_property
    def _raw(self) -> dict[str, Json]:
        definitions = self.schemas.definitions
        return {
            name: expand_discriminator(self.schemas, schema.json, is_use=False)
            for name, schema in definitions.items()
        }

    @cached_property
    def _sampler(self) -> Sampler:
        return Sampler(self._raw, self.schemas)

    @cached_property
    def _validity(self) -> Validity:
        return Validity(self.checks)

    def add_scenarios(self, tool: ToolSpec, operation: Operation) -> ToolSpec:
        """Returns the tool with up to three scenarios whose requests the document allows.

        A tool without a request gets sample arguments instead. Adds UNTESTED_METHOD and
        NO_SCENARIO.
        """
        if tool.route is None:
            return replace(tool, sample=self._sampler.repair(tool.announced_arguments, {}))
        if tool.route.method not in _TESTED_METHODS:
            self.diagnostics.add(codes.UNTESTED_METHOD, operation.at, operation=operation.key)
            return tool
        scenarios: list[ToolScenario] = []
        answer = self._answer(operation, tool)
        for name, values in self._candidates(tool, operation):
            if any(values == earlier.arguments for earlier in scenarios):
                continue
            scenario = self._scenario(tool, tool.route, name, values, answer)
            if scenario is not None:
                scenarios.append(scenario)
        if not scenarios:
            self.diagnostics.add(codes.NO_SCENARIO, operation.at, operation=operation.key)
        return replace(tool, scenarios=tuple(scenarios[:_MAX_SCENARIOS]))

    def from_flat(self, tool: ToolSpec, flat: ToolSpec) -> ToolSpec:
        """Returns the nested tool with the scenarios of its flat twin: different arguments for
        equal requests."""
        scenarios: list[ToolScenario] = []
        body = flat.route.body if flat.route else None
        for scenario in flat.scenarios:
            tree = place_arguments(flat.arguments, flat.constants, body, scenario.arguments)
            values = split_request(tool.announced_arguments, tree)
            if tool.supplied and tool.route:
                scenario = replace(
                    scenario,
                    expected_request=self._expected_with_defaults(tool, tool.route, values),
                )
            fault = self._validity.announced_fault(tool, values)
            if fault:
                self._report_dropped(tool, scenario.name, fault)
            elif all(values != other.arguments for other in scenarios):
                scenarios.append(replace(scenario, arguments=values))
        return replace(tool, scenarios=tuple(scenarios))

    def _expected_with_defaults(
        self, tool: ToolSpec, route: RouteSpec, values: Mapping[str, Json]
    ) -> ExpectedRequest:
        """Returns the request of a tool that fills in absent arguments."""
        supplied = {**tool.supplied, **values}
        tree = place_arguments(tool.arguments, tool.constants, route.body, supplied)
        return expected_request(route, tool.arguments, tool.constants, tree)

    def sample_of(self, argument: ArgumentSpec) -> Json:
        """Returns a sample value of an argument, None if impossible."""
        return self._sampler.repair([replace(argument, required=True)], {})[argument.name]

    def fault_of(self, argument: ArgumentSpec, value: Json) -> str:
        """Returns why a value cannot be sent for an argument, or `""`."""
        values = {argument.name: value}
        return self._validity.fault(
            (argument,), None, values, place_arguments((argument,), (), None, values)
        )

    def _report_dropped(self, tool: ToolSpec, name: str, fault: str) -> None:
        self.diagnostics.add(
            codes.DROPPED_SCENARIO, tool.at, scenario=name, operation=tool.operation, reason=fault
        )

    def _candidates(
        self, tool: ToolSpec, operation: Operation
    ) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """Calls by name: with required arguments only, with all, from an example, with nulls."""
        arguments, sampler = tool.announced_arguments, self._sampler
        tree = sampler.sample_request(operation, optional=False)
        bare = sampler.flatten(arguments, tree)
        required = {argument.name for argument in arguments if argument.required}
        required_only = {name: value for name, value in bare.items() if name in required}
        required_only = sampler.repair(arguments, required_only)
        yield "required_only", required_only
        everything = sampler.flatten(arguments, sampler.sample_request(operation, optional=True))
        yield "everything", sampler.repair(arguments, everything)
        example = sampler.example(operation, tree)
        if example is not None:
            yield "example", sampler.repair(arguments, sampler.flatten(arguments, example))
        nulls = next((argument for argument in arguments if argument.nulls), None)
        if nulls is not None:
            # Nulls are sent in a body, so the required members must be present too.
            tree = sampler.sample_request(operation, optional=False, body=True)
            beside = sampler.flatten(arguments, tree) | required_only
            if names := _clearable(nulls, beside, arguments):
                yield nulls.name.lower(), {**beside, nulls.name: names}

    def _scenario(
        self,
        tool: ToolSpec,
        route: RouteSpec,
        name: str,
        values: Mapping[str, Json],
        answer: StubResponse,
    ) -> ToolScenario | None:
        values = with_files(route.body, values)
        sent_values = {**tool.supplied, **values}
        tree = place_arguments(tool.arguments, tool.constants, route.body, sent_values)
        fault = self._validity.fault(tool.arguments, route.body, sent_values, tree)
        if not fault:
            request = expected_request(route, tool.arguments, tool.constants, tree)
            fault = wire_fault(request, route.path)
        if fault:
            self._report_dropped(tool, name, fault)
            return None
        return ToolScenario(name, values, request, answer)

    def _answer(self, operation: Operation, tool: ToolSpec) -> StubResponse:
        """Returns the upstream's stub response: the document's example, else a sample."""
        successful = success_response(operation)
        if tool.contract:
            return StubResponse(
                successful[0] if successful else 200,
                "application/json",
                connector_response(tool.contract),
            )
        if successful is None:
            return StubResponse(200, "", None)
        status, response = successful
        media = preferred_response_media(response)
        if media is None or status in (204, 205, 304) or operation.method == "HEAD":
            return StubResponse(status, "", None)
        name = "application/json" if "*" in media.name else media.name
        if is_stream_type(name):
            # With optional members: an event without `data` is not dispatched (HTML, 9.2.6).
            item = sample(item_schema(self.schemas, media), self._raw, optional=True)
            return StubResponse(status, name, stream_body(name, item))
        if media_kind(media.name) not in (Media.JSON, Media.JSON_SUFFIX):
            return StubResponse(status, name, "sample")
        schema = True if media.schema is None else media.schema.json
        examples = (example for example in media.examples if valid(example, schema, self._raw))
        body = next(examples, None)
        if body is None and self.full_answers:
            full = sample(schema, self._raw, optional=True)
            body = full if len(compact_json(full)) <= _MAX_ANSWER else None
        if body is None:
            body = sample(schema, self._raw, optional=False)
        large = tool.output is None and len(compact_json(body)) > _MAX_ANSWER
        return StubResponse(status, name, {} if large else body)


def _clearable(
    nulls: ArgumentSpec, values: Mapping[str, Json], arguments: tuple[ArgumentSpec, ...]
) -> list[str]:
    """Returns the fields a call may list in `null_fields`: without a value, also inside, and
    outside of empty objects."""
    targets = [a.target for a in arguments if a.name in values and a.place is Place.BODY]
    emptied = [a.empties[name] for a in arguments if a.empties for name in values.get(a.name, ())]
    return [
        name
        for name, target in nulls.nulls.items()
        if not any(path[: len(target)] == target for path in (*targets, *emptied))
        and not any(target[: len(path)] == path for path in emptied)
        and target
        and not any(
            other != target and target[: len(other)] == other for other in nulls.nulls.values()
        )
    ]


def connector_response(contract: ChatGptContract) -> Json:
    """Returns the smallest response with a value at every path of a contract."""
    whole: dict[str, Json] = {}
    paths = {key: path for key, path in contract.paths.items() if path and key != "results"}
    for path in (*paths.values(), *contract.metadata):
        _put_sample(whole, path.split("."))
    if contract.name != "search":
        return whole
    answer: Json = [whole]
    for step in reversed(contract.paths["results"].split(".") if contract.paths["results"] else []):
        answer = {step: answer}
    return answer


def _put_sample(tree: dict[str, Json], steps: list[str]) -> None:
    for step in steps[:-1]:
        inner = tree.get(step)
        if not isinstance(inner, dict):
            inner = tree[step] = {}
        tree = inner
    tree.setdefault(steps[-1], "sample")


def stream_body(media_type: str, item: Json) -> str:
    """Returns a stream of one item: an event, a record of a sequence, or a line."""
    essence = media_type.partition(";")[0].strip().lower()
    if essence == EVENTS:
        event = item if isinstance(item, dict) else {"data": item}
        lines = [
            f"{name}: {_value_line(value)}\n" for name, value in event.items() if name != "data"
        ]
        return f"{''.join(lines)}data: {_value_line(event.get('data', 'sample'))}\n\n"
    mark = "\x1e" if essence.endswith("json-seq") else ""
    return f"{mark}{compact_json(item)}\n"


def _value_line(value: Json) -> str:
    """Returns a value as one line."""
    text = scalar_text(value)
    return text if len(text.splitlines()) == 1 else compact_json(value)
