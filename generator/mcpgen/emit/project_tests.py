"""The views of the test modules of a project: tools list, tools, resources and policy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from mcpgen.config import Config
from mcpgen.emit.code import SourceText, assertion, docstring, identifier, integer, literal
from mcpgen.emit.literal import CallExpr, NameExpr, SubscriptExpr, Value
from mcpgen.emit.views import (
    AuthFixtureView,
    ContractView,
    PolicyTestView,
    ResourcesTestView,
    ScenarioView,
)
from mcpgen.ir.json_format import format_entry
from mcpgen.ir.policy import PassthroughSpec, TokenExchange
from mcpgen.ir.resources_prompts import VARIABLE, ResourceSpec
from mcpgen.ir.server import ExpectedRequest, Server, ToolScenario, ToolSpec
from mcpgen.ir.source import Json


@dataclass(frozen=True, slots=True)
class ListingEntry:
    """A tool as announced: the text of the entry in the card, and the bytes of the entry as compact
    JSON."""

    text: str
    bytes: int


def entry(tool: ToolSpec) -> ListingEntry:
    """The entry of a tool."""
    announced = tool.announced
    compact = json.dumps(announced, ensure_ascii=False, separators=(",", ":"))
    return ListingEntry(str(format_entry(announced)), len(compact.encode("utf-8", "replace")))


def contract_view(
    server: Server, config: Config, entries: Mapping[str, ListingEntry]
) -> ContractView:
    """The tool names, the bytes of the list, and the budgets. `entries` are the entries of all
    listed tools, by name."""
    chosen = config.budgets
    budgets = {
        key: limit
        for key, limit in (
            ("tools", chosen.tools),
            ("tools_list_bytes", chosen.tools_list_bytes),
            ("tool_bytes", chosen.tool_bytes),
        )
        if limit
    }
    names = [tool.name for tool in server.listed]
    hidden = [name for name in names if name in server.policy.concealed_tools]
    # The brackets around the list are 2 bytes, and the comma between two entries is 1.
    size = sum(entries[name].bytes for name in names) + max(len(names) - 1, 0) + 2
    return ContractView(
        package=identifier(server.package),
        names=tuple(literal(name) for name in names),
        list_bytes=integer(size),
        has_budgets=bool(budgets),
        budgets=literal(budgets, before=len("BUDGETS = ")),
        has_hidden_tools=bool(hidden),
        has_sessions=server.sessions,
        hidden_tools=literal(hidden, before=len("HIDDEN_TOOLS = ")),
    )


_SUMMARIES = {
    "required_only": "Omitted arguments are not sent.",
    "everything": "Every argument lands in its place.",
}
"""The docstrings of the scenarios that `lower` always makes."""


def scenario_view(tool: ToolSpec, scenario: ToolScenario) -> ScenarioView:
    """The test function of a scenario."""
    call = _api_call(tool, scenario)
    return ScenarioView(
        name=identifier(f"test_{scenario.name}"),
        summary=docstring(_SUMMARIES.get(scenario.name, f"The scenario `{scenario.name}`.")),
        call=literal(call, indent=4, before=len("sent = await ")),
        expectations=tuple(_expectations(scenario.expected_request)),
    )


def least_arguments(tool: ToolSpec) -> dict[str, Json]:
    """The arguments of the scenario with the fewest arguments, by name. Raises ValueError for a
    tool without scenarios."""
    calls = [dict(scenario.arguments) for scenario in tool.scenarios]
    return min(calls, key=len)


def _api_call(tool: ToolSpec, scenario: ToolScenario) -> CallExpr:
    """`api.call(…)`. The upstream's answer is passed only for a tool with an output schema."""
    arguments: tuple[Value, ...] = (tool.name, dict(scenario.arguments))
    answer = scenario.stub_response
    if tool.output is None or answer.body is None:
        return CallExpr("api.call", arguments)
    if _is_json_media_type(answer.media_type):
        return CallExpr("api.call", (*arguments, answer.body))
    return CallExpr("api.call", (*arguments, answer.body), (("media_type", answer.media_type),))


def _is_json_media_type(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower().endswith(("/json", "+json"))


def _expectations(sent: ExpectedRequest) -> Iterator[SourceText]:
    """The expressions behind each `assert`."""
    yield assertion(NameExpr("sent.line"), f"{sent.method} {sent.target}")
    for header, text in sent.headers.items():
        yield assertion(SubscriptExpr("sent.headers", (header.lower(),)), text)
    if sent.cookies:
        yield assertion(NameExpr("sent.cookies"), dict(sent.cookies))
    if sent.media_type:
        yield from _expected_body(sent)


def _expected_body(sent: ExpectedRequest) -> Iterator[SourceText]:
    """The expected body, in the representation of the body's media type."""
    media_type = sent.media_type.partition(";")[0].strip().lower()
    if isinstance(sent.body, tuple):
        view = "sent.parts" if media_type.startswith("multipart/") else "sent.form"
        yield assertion(NameExpr(view), [tuple(piece) for piece in sent.body])
    elif _is_json_media_type(sent.media_type) and media_type != "application/stream+json":
        yield assertion(NameExpr("sent.json"), sent.body)
    elif isinstance(sent.body, list):
        yield assertion(NameExpr("sent.lines"), sent.body)
    elif sent.body is not None:
        view = "sent.xml" if media_type.endswith(("/xml", "+xml")) else "sent.text"
        yield assertion(NameExpr(view), sent.body)


Read = tuple[str, str, str, str]
"""A URI, the upstream request, and the type and text of the answer."""


def resources_test_view(server: Server) -> ResourcesTestView:
    """The tests of a server with resources or prompts."""
    announced = [resource.announced for resource in server.resources]
    plain = [announcement for announcement in announced if "uri" in announcement]
    templates = [announcement for announcement in announced if "uriTemplate" in announcement]
    promised = [prompt.announced for prompt in server.prompts]
    read = list(_resource_reads(server))
    files = [resource.uri for resource in server.resources if resource.file]
    return ResourcesTestView(
        resources=literal(plain, before=len("RESOURCES: list[dict[str, Any]] = ")),
        templates=literal(templates, before=len("TEMPLATES: list[dict[str, Any]] = ")),
        prompts=literal(promised, before=len("PROMPTS: list[dict[str, Any]] = ")),
        has_resources=bool(server.resources),
        has_prompts=bool(server.prompts),
        has_read=bool(read),
        read=literal(read, before=len("READ = ")),
        has_files=bool(files),
        files=literal(files, before=len("FILES = ")),
    )


def _resource_reads(server: Server) -> Iterator[Read]:
    """A read of each resource that has a tool and an example."""
    tools = {tool.name: tool for tool in server.served("")}
    tools |= {tool.name: tool for tool in server.tools if tool.withheld}
    for resource in server.resources:
        tool = tools.get(resource.tool)
        scenario = _scenario_of_resource(tool, resource) if tool else None
        if scenario:
            uri = _filled(resource, scenario)
            answer = scenario.stub_response
            is_text = isinstance(answer.body, str) and not _is_json_media_type(answer.media_type)
            body = answer.body if is_text else json.dumps(answer.body)
            sent = f"{scenario.expected_request.method} {scenario.expected_request.target}"
            yield uri, sent, answer.media_type, body


def _filled(resource: ResourceSpec, scenario: ToolScenario) -> str:
    """The URI with the arguments of a scenario."""
    values = {name: _quote_uri_value(scenario.arguments[name]) for name in resource.variables}
    return VARIABLE.sub(lambda match: quote(values[match[1]], safe=""), resource.uri)


def _scenario_of_resource(tool: ToolSpec, resource: ResourceSpec) -> ToolScenario | None:
    """The scenario of a tool with exactly the variables of a resource as arguments, or None."""
    wanted = set(resource.variables)
    for scenario in tool.scenarios:
        names = {name for name, value in scenario.arguments.items() if value is not None}
        if names == wanted and all(
            _is_nonempty_scalar(scenario.arguments[name]) for name in wanted
        ):
            return scenario
    return None


def _is_nonempty_scalar(value: Json) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _quote_uri_value(value: Json) -> str:
    """A value as written in a URI."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def needs_auth_setup(server: Server) -> bool:
    """True if the tests need the endpoint's path, features or credentials of callers."""
    policy = server.policy
    return bool(
        policy.authentication
        or policy.features
        or policy.has_custom_path
        or not policy.enabled
        or server.forwarded_credential
    )


def auth_fixture_view(server: Server) -> AuthFixtureView:
    """`tests/auth_fixture.py`."""
    policy = server.policy
    address = policy.path
    for name, value in policy.samples.items():
        address = address.replace(f"{{{name}}}", value)
    introspects = bool(policy.authentication and policy.authentication.introspection_url)
    hands_on = isinstance(server.forwarded_credential, PassthroughSpec)
    exposed = [feature.name for feature in policy.features]
    tried = policy.challenge_scopes or policy.scopes
    roles = sorted({role for needed in policy.roles.values() for role in needed})
    return AuthFixtureView(
        address=_constant_literal("ADDRESS", address),
        path=_constant_literal("PATH: dict[str, str]", dict(policy.samples)),
        scopes=_constant_literal(
            "SCOPES: dict[str, list[str]]", {tool: list(s) for tool, s in tried.items()}
        ),
        roles=_constant_literal("ROLES: list[str]", roles),
        features=_constant_literal(
            "OPT_IN_SETTINGS: dict[str, Any]", {"expose": exposed} if exposed else {}
        ),
        has_callers=policy.authentication is not None,
        has_introspection=introspects,
        names_credential=introspects or hands_on,
        passes_credential=hands_on,
        outward=_constant_literal("UPSTREAM_SETTINGS: dict[str, Any]", _outward(server)),
    )


def _outward(server: Server) -> dict[str, Json]:
    """The settings about forwarded credentials with which test calls reach the stub API."""
    match server.forwarded_credential:
        case PassthroughSpec():
            return {"trusted_hosts": "127.0.0.1"}
        case TokenExchange():
            return {"exchange_tokens": False}
        case None:
            return {}


def policy_test_view(server: Server) -> PolicyTestView:
    """`tests/test_policy.py`."""
    policy = server.policy
    needy = policy.challenge_scopes or policy.scopes
    sending = [tool for tool in server.tools if tool.scenarios and tool.name in needy]
    return PolicyTestView(
        has_path=bool(policy.samples),
        has_scopes=bool(policy.scopes),
        has_requests=bool(sending),
        has_envelope=bool(policy.scopes) and not policy.challenge_scopes,
        steps_up=bool(policy.challenge_scopes),
    )


def _constant_literal(name: str, value: Value) -> SourceText:
    return literal(value, before=len(f"{name} = "))
