"""Scenarios as test functions: the call of the tool, and the expected upstream request."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.emit.code import SourceText, assertion, docstring, identifier, literal
from mcpgen.emit.literal import CallExpr, NameExpr, SubscriptExpr, Value
from mcpgen.emit.views import ScenarioView
from mcpgen.ir.server import ExpectedRequest, ToolScenario, ToolSpec
from mcpgen.ir.source import Json

_SUMMARIES = {
    "required_only": "Omitted arguments are not sent.",
    "everything": "Every argument lands in its place.",
}
"""The docstrings of the scenarios that `lower` always makes."""


def scenario_view(tool: ToolSpec, scenario: ToolScenario) -> ScenarioView:
    """The test function of a scenario."""
    call = _call(tool, scenario)
    return ScenarioView(
        name=identifier(f"test_{scenario.name}"),
        summary=docstring(_SUMMARIES.get(scenario.name, f"The scenario `{scenario.name}`.")),
        call=literal(call, indent=4, before=len("sent = await ")),
        expectations=tuple(_expectations(scenario.sent)),
    )


def least_arguments(tool: ToolSpec) -> dict[str, Json]:
    """The arguments of the scenario with the fewest arguments."""
    given = [dict(scenario.arguments) for scenario in tool.scenarios]
    return min(given, key=len)


def _call(tool: ToolSpec, scenario: ToolScenario) -> CallExpr:
    """`api.call(…)`. The upstream's answer is passed only for a tool with an output schema."""
    arguments: tuple[Value, ...] = (tool.name, dict(scenario.arguments))
    answer = scenario.answer
    if tool.output is None or answer.body is None:
        return CallExpr("api.call", arguments)
    if _is_json(answer.media_type):
        return CallExpr("api.call", (*arguments, answer.body))
    return CallExpr("api.call", (*arguments, answer.body), (("media_type", answer.media_type),))


def _is_json(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower().endswith(("/json", "+json"))


def _expectations(sent: ExpectedRequest) -> Iterator[SourceText]:
    """The expressions behind each `assert`."""
    yield assertion(NameExpr("sent.line"), f"{sent.method} {sent.target}")
    for header, text in sent.headers.items():
        yield assertion(SubscriptExpr("sent.headers", (header.lower(),)), text)
    if sent.cookies:
        yield assertion(NameExpr("sent.cookies"), dict(sent.cookies))
    if sent.media_type:
        yield from _body(sent)


def _body(sent: ExpectedRequest) -> Iterator[SourceText]:
    """The expected body, in the representation of the body's media type."""
    media_type = sent.media_type.partition(";")[0].strip().lower()
    if isinstance(sent.body, tuple):
        view = "sent.parts" if media_type.startswith("multipart/") else "sent.form"
        yield assertion(NameExpr(view), [tuple(piece) for piece in sent.body])
    elif _is_json(sent.media_type) and media_type != "application/stream+json":
        yield assertion(NameExpr("sent.json"), sent.body)
    elif isinstance(sent.body, list):
        yield assertion(NameExpr("sent.lines"), sent.body)
    elif sent.body is not None:
        view = "sent.xml" if media_type.endswith(("/xml", "+xml")) else "sent.text"
        yield assertion(NameExpr(view), sent.body)
