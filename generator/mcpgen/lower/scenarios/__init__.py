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
    Contract,
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
    representation,
    success,
)
from mcpgen.lower.scenarios.expected_request import expected_request
from mcpgen.lower.scenarios.parameter_styles import compact_json, scalar_text
from mcpgen.lower.scenarios.place_arguments import place_arguments, split_request
from mcpgen.lower.scenarios.sampling import Sampler, with_files
from mcpgen.lower.scenarios.validity import Validity, wire_fault
from mcpgen.sampling import sample, valid

_MOST = 3
_METHODS = (
    "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL"
    " MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE"
    " SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE"
)
_TESTED_METHODS = frozenset(_METHODS.split())
"""Methods that aiohttp's server accepts; a project's tests use aiohttp as the stub API."""
_LARGEST_ANSWER = 4_000


@dataclass
class ScenarioBuilder:
    """Builds the scenarios of one server's tools.

    The sampler is created on first use: a build with all tools in the cache needs none.
    """

    schemas: SchemaViews
    checks: RequestSchemaBuilder
    diagnostics: Diagnostics

    @cached_property
    def _raw(self) -> dict[str, Json]:
        definitions = self.schemas.definitions
        return {
            name: expand_discriminator(self.schemas, one.json, is_use=False)
            for name, one in definitions.items()
        }

    @cached_property
    def _sampler(self) -> Sampler:
        return Sampler(self._raw, self.schemas)

    @cached_property
    def _validity(self) -> Validity:
        return Validity(self.checks)

    def added(self, tool: ToolSpec, operation: Operation) -> ToolSpec:
        """Returns the tool with up to three scenarios whose requests the document allows.

        A tool without a request gets sample arguments instead.
        """
        if tool.route is None:
            return replace(tool, sample=self._sampler.repaired(tool.accepted, {}))
        if tool.route.method not in _TESTED_METHODS:
            self.diagnostics.add(codes.UNTESTED_METHOD, operation.at, operation=operation.key)
            return tool
        kept: list[ToolScenario] = []
        answer = self._answer(operation, tool)
        for name, values in self._candidates(tool, operation):
            if any(values == one.arguments for one in kept):
                continue
            made = self._scenario(tool, tool.route, name, values, answer)
            if made is not None:
                kept.append(made)
        if not kept:
            self.diagnostics.add(codes.NO_SCENARIO, operation.at, operation=operation.key)
        return replace(tool, scenarios=tuple(kept[:_MOST]))

    def nested(self, tool: ToolSpec, flat: ToolSpec) -> ToolSpec:
        """Returns the nested tool with the scenarios of its flat twin: different arguments for
        equal requests."""
        kept: list[ToolScenario] = []
        body = flat.route.body if flat.route else None
        for one in flat.scenarios:
            tree = place_arguments(flat.arguments, flat.constants, body, one.arguments)
            values = split_request(tool.accepted, tree)
            if tool.supplied and tool.route:
                one = replace(one, sent=self._supplied(tool, tool.route, values))
            fault = self._validity.announced_fault(tool, values)
            if fault:
                self._tell_dropped(tool, one.name, fault)
            elif all(values != other.arguments for other in kept):
                kept.append(replace(one, arguments=values))
        return replace(tool, scenarios=tuple(kept))

    def _supplied(
        self, tool: ToolSpec, route: RouteSpec, values: Mapping[str, Json]
    ) -> ExpectedRequest:
        """Returns the request of a tool that fills in absent arguments."""
        given = {**tool.supplied, **values}
        tree = place_arguments(tool.arguments, tool.constants, route.body, given)
        return expected_request(route, tool.arguments, tool.constants, tree)

    def sample_of(self, argument: ArgumentSpec) -> Json:
        """Returns a sample value of an argument, None if impossible."""
        return self._sampler.repaired([replace(argument, required=True)], {})[argument.name]

    def fault_of(self, argument: ArgumentSpec, value: Json) -> str:
        """Returns why a value cannot be sent for an argument, or `""`."""
        values = {argument.name: value}
        return self._validity.fault(
            (argument,), None, values, place_arguments((argument,), (), None, values)
        )

    def _tell_dropped(self, tool: ToolSpec, name: str, fault: str) -> None:
        self.diagnostics.add(
            codes.DROPPED_SCENARIO, tool.at, scenario=name, operation=tool.operation, reason=fault
        )

    def _candidates(
        self, tool: ToolSpec, operation: Operation
    ) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """Calls by name: with required arguments only, with all, from an example, with nulls."""
        arguments, sampler = tool.accepted, self._sampler
        tree = sampler.sampled(operation, optional=False)
        bare = sampler.flattened(arguments, tree)
        required = {argument.name for argument in arguments if argument.required}
        least = {name: value for name, value in bare.items() if name in required}
        least = sampler.repaired(arguments, least)
        yield "required_only", least
        everything = sampler.flattened(arguments, sampler.sampled(operation, optional=True))
        yield "everything", sampler.repaired(arguments, everything)
        example = sampler.example(operation, tree)
        if example is not None:
            yield "example", sampler.repaired(arguments, sampler.flattened(arguments, example))
        nulls = next((argument for argument in arguments if argument.nulls), None)
        if nulls is not None:
            # A null is sent in a body, which has to have what a body needs.
            tree = sampler.sampled(operation, optional=False, body=True)
            beside = sampler.flattened(arguments, tree) | least
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
            self._tell_dropped(tool, name, fault)
            return None
        return ToolScenario(name, values, request, answer)

    def _answer(self, operation: Operation, tool: ToolSpec) -> StubResponse:
        """Returns the upstream's stub response: the document's example, else a sample."""
        found = success(operation)
        if tool.contract:
            return StubResponse(
                found[0] if found else 200, "application/json", connector_response(tool.contract)
            )
        if found is None:
            return StubResponse(200, "", None)
        status, response = found
        media = representation(response)
        if media is None or status in (204, 205, 304) or operation.method == "HEAD":
            return StubResponse(status, "", None)
        name = "application/json" if "*" in media.name else media.name
        if is_stream_type(name):
            # All of it, since an event is none without its data.
            item = sample(item_schema(self.schemas, media), self._raw, optional=True)
            return StubResponse(status, name, stream_body(name, item))
        if media_kind(media.name) not in (Media.JSON, Media.JSON_SUFFIX):
            return StubResponse(status, name, "sample")
        schema = True if media.schema is None else media.schema.json
        examples = (example for example in media.examples if valid(example, schema, self._raw))
        body = next(examples, None)
        if body is None:
            body = sample(schema, self._raw, optional=False)
        large = tool.output is None and len(compact_json(body)) > _LARGEST_ANSWER
        return StubResponse(status, name, {} if large else body)


def _clearable(
    nulls: ArgumentSpec, values: Mapping[str, Json], arguments: tuple[ArgumentSpec, ...]
) -> list[str]:
    """Returns the fields a call may list in `null_fields`: without a value, also inside, and
    outside of empty objects."""
    given = [a.target for a in arguments if a.name in values and a.place is Place.BODY]
    emptied = [a.empties[name] for a in arguments if a.empties for name in values.get(a.name, ())]
    return [
        name
        for name, target in nulls.nulls.items()
        if not any(one[: len(target)] == target for one in (*given, *emptied))
        and not any(target[: len(one)] == one for one in emptied)
        and target
        and not any(
            other != target and target[: len(other)] == other for other in nulls.nulls.values()
        )
    ]


def connector_response(contract: Contract) -> Json:
    """Returns the smallest response with a value at every path of a contract."""
    whole: dict[str, Json] = {}
    paths = {key: path for key, path in contract.paths.items() if path and key != "results"}
    for path in (*paths.values(), *contract.metadata):
        _put(whole, path.split("."))
    if contract.name != "search":
        return whole
    answer: Json = [whole]
    for step in reversed(contract.paths["results"].split(".") if contract.paths["results"] else []):
        answer = {step: answer}
    return answer


def _put(tree: dict[str, Json], steps: list[str]) -> None:
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
        lines = [f"{name}: {_line(value)}\n" for name, value in event.items() if name != "data"]
        return f"{''.join(lines)}data: {_line(event.get('data', 'sample'))}\n\n"
    mark = "\x1e" if essence.endswith("json-seq") else ""
    return f"{mark}{compact_json(item)}\n"


def _line(value: Json) -> str:
    """Returns a value as one line."""
    written = scalar_text(value)
    return written if len(written.splitlines()) == 1 else compact_json(value)
