"""Calls of tools, made once in a run and shared by all checks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from mcpgen.conformance.client_session import ProbeSession, header_value
from mcpgen.conformance.exchange import FaultKind, HttpExchange
from mcpgen.conformance.options import CallableTools, CheckOptions
from mcpgen.conformance.schemas import schema_problem, value_problem
from mcpgen.conformance.strict_json import Json
from mcpgen.sampling import sample

HEADER_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

MISSING_CAPABILITY = -32021
"""The error code of 2026-07-28 for a request that requires a capability that the client did not
declare.
"""

WORKERS = 4
"""Number of concurrent connections for calls."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool with its exchange.

    `vouched`: the tester gave the arguments, so the call has to succeed. `fault`: the intended
    defect of the arguments, `""` for good arguments.
    """

    tool: Mapping[str, Json]
    arguments: Mapping[str, Json]
    identifier: int
    exchange: HttpExchange
    vouched: bool = False
    fault: str = ""

    @property
    def name(self) -> str:
        """The tool's name."""
        return str(self.tool["name"])

    @property
    def result(self) -> dict[str, Json] | None:
        """The result object, or None if the answer is not a result."""
        result = (self.exchange.response(self.identifier) or {}).get("result")
        return result if isinstance(result, dict) else None

    @property
    def timed_out(self) -> bool:
        """True if no answer came in the time allowed."""
        fault = self.exchange.fault
        return fault is not None and fault.kind in (FaultKind.TIMEOUT, FaultKind.DEADLINE)

    @property
    def needs_client_input(self) -> bool:
        """True if the answer is the error -32021: the tool requires a capability of the client."""
        error = (self.exchange.response(self.identifier) or {}).get("error")
        return isinstance(error, dict) and error.get("code") == MISSING_CAPABILITY

    @property
    def may_be_resumed(self) -> bool:
        """True if the stream ended without the response, after an event with an id.

        Transports, "Sending Messages to the Server": the server may close the connection before the
        response, and the client polls the stream with `Last-Event-ID`.
        """
        fault = self.exchange.fault
        # An event that cannot be read is no end of the stream.
        is_readable = fault is None or fault.kind is not FaultKind.NOT_JSON
        has_response = self.exchange.response(self.identifier) is not None
        return is_readable and not has_response and any(event.id for event in self.exchange.events)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call to make. Fields as in `ToolCall`."""

    tool: Mapping[str, Json]
    arguments: Mapping[str, Json]
    vouched: bool = False
    fault: str = ""


def callable_tools(
    tools: tuple[dict[str, Json], ...], options: CheckOptions
) -> tuple[dict[str, Json], ...]:
    """Tools that `options.call` and `options.never_call` allow to call, in list order."""
    if options.call is CallableTools.NONE:
        return ()
    return tuple(
        tool
        for tool in tools
        if tool["name"] not in options.never_call
        and (options.call is CallableTools.ALL or _read_only(tool))
    )


def plan_good_calls(tools: tuple[dict[str, Json], ...], options: CheckOptions) -> list[PlannedCall]:
    """One call per tool with sampled arguments, or one per argument object of `options.arguments`."""
    plans = []
    for tool in callable_tools(tools, options):
        vouched = options.arguments.get(str(tool["name"]))
        if vouched:
            plans += [PlannedCall(tool, arguments, vouched=True) for arguments in vouched]
        else:
            plans.append(PlannedCall(tool, _sampled(tool)))
    return plans


def plan_bad_calls(tools: tuple[dict[str, Json], ...], options: CheckOptions) -> list[PlannedCall]:
    """Calls with arguments that violate the announced schema, for the first `options.bad_calls`
    tools.
    """
    plans = []
    for tool in callable_tools(tools, options)[: options.bad_calls]:
        vouched = options.arguments.get(str(tool["name"]))
        good = dict(vouched[0]) if vouched else _sampled(tool)
        plans += [
            PlannedCall(tool, arguments, fault=fault) for fault, arguments in _broken(tool, good)
        ]
    return plans


def make_calls(
    session: ProbeSession, plans: list[PlannedCall], *, has_token: bool = True
) -> list[ToolCall]:
    """Makes the calls over `WORKERS` connections; results in the order of `plans`. `has_token`: sends
    progress tokens.
    """
    pairs = [(session.next_id(), plan) for plan in plans]
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(
            pool.map(lambda pair: _call_planned(session, *pair, has_token=has_token), pairs)
        )


def _call_planned(
    session: ProbeSession, identifier: int, plan: PlannedCall, *, has_token: bool
) -> ToolCall:
    params: dict[str, Json] = {"name": plan.tool["name"], "arguments": dict(plan.arguments)}
    if has_token:
        # A tool that reports progress is waited for: no revision limits the time of a tool.
        params["_meta"] = {"progressToken": f"call-{identifier}"}
    headers = mirrored_headers(plan.tool, plan.arguments) if session.modern else None
    timeout = max(session.options.timeout, session.options.call_timeout)
    exchange = session.send(
        "tools/call", params, identifier=identifier, headers=headers, timeout=timeout
    )
    return ToolCall(plan.tool, plan.arguments, identifier, exchange, plan.vouched, plan.fault)


def mirrored_headers(tool: Mapping[str, Json], arguments: Mapping[str, Json]) -> dict[str, str]:
    """The `Mcp-Param-…` headers for arguments whose schemas have `x-mcp-header`.

    Missing, null and structured arguments have no header. Example: a property `region` with
    `"x-mcp-header": "Region"` and the value `eu` gives `{"Mcp-Param-Region": "eu"}`.
    """
    schema = tool.get("inputSchema")
    return dict(_mirrored(schema if isinstance(schema, dict) else {}, arguments))


def _mirrored(schema: Mapping[str, Json], value: Json) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties")
    for name, declared in properties.items() if isinstance(properties, dict) else ():
        argument = value.get(name) if isinstance(value, dict) else None
        if not isinstance(declared, dict) or argument is None:
            continue
        token = declared.get("x-mcp-header")
        if _is_token(token) and isinstance(argument, str | int | float):
            text = str(argument).lower() if isinstance(argument, bool) else str(argument)
            yield f"Mcp-Param-{token}", header_value(text)
        yield from _mirrored(declared, argument)


def _is_token(token: Json) -> bool:
    return isinstance(token, str) and HEADER_TOKEN.fullmatch(token) is not None


def _read_only(tool: Mapping[str, Json]) -> bool:
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def _sampled(tool: Mapping[str, Json]) -> dict[str, Json]:
    """Sample arguments that match `inputSchema`; `{}` if the schema is invalid."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema_problem(schema):
        return {}
    arguments = sample(schema, {}, optional=False)
    return arguments if isinstance(arguments, dict) else {}


def _broken(
    tool: Mapping[str, Json], good: Mapping[str, Json]
) -> list[tuple[str, dict[str, Json]]]:
    """Pairs of a fault in words and arguments with that single fault."""
    schema = tool.get("inputSchema")
    schema = schema if isinstance(schema, dict) else {}
    required = schema.get("required")
    properties = schema.get("properties")
    faults: list[tuple[str, dict[str, Json]]] = []
    name = required[0] if isinstance(required, list) and required else None
    if isinstance(name, str) and name in good:
        faults.append((f"`{name}` is missing", {k: v for k, v in good.items() if k != name}))
    for name, declared in properties.items() if isinstance(properties, dict) else ():
        kind = declared.get("type") if isinstance(declared, dict) else None
        if isinstance(kind, str) and kind != "object":
            faults.append((f"`{name}` is an object, not {kind}", {**good, name: {"wrong": True}}))
            break
    unknown = {**good, "no_such_argument": "x"}
    # `patternProperties` may allow the argument.
    if schema.get("additionalProperties") is False and value_problem(schema, unknown):
        faults.append(("`no_such_argument` is unknown", unknown))
    return faults
