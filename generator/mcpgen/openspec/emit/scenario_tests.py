"""Renders requirement scenarios as tests: a module per requirement, and the fixtures."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.emit.code import (
    SourceText,
    block,
    comment,
    docstring,
    identifier,
    imports,
    literal,
    markdown,
)
from mcpgen.emit.escape import collapse_to_line, truncate_words
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.render import TemplateView, render
from mcpgen.emit.views import (
    BoundScenarioRowView,
    BoundScenarioView,
    FixturesView,
    RequirementTestView,
    ScenarioFixturesView,
    ScenariosView,
    StatementView,
    StepView,
)
from mcpgen.ir.project import File, Owner
from mcpgen.openspec.model.bound_scenarios import (
    Binding,
    BoundRequirement,
    BoundScenario,
    BoundScenarios,
    BoundStep,
    Coverage,
)
from mcpgen.openspec.model.companion import (
    ActionKind,
    Assertion,
    AssertionTarget,
    Fixture,
    ScenarioAction,
)

ENGINE = ("conftest.py", "tests/scenario_engine/")
"""Path prefixes of project files needed only by scenario tests."""

_MAX_TEXT = 70
"""Characters of a step's text on the line in its test; the docstring has the full text."""

_METHODS = {AssertionTarget.IS_ERROR: "is_error", AssertionTarget.TIME: "within"}
"""Methods of a scene whose name differs from the subject."""

_NAMED = frozenset({AssertionTarget.PATH, AssertionTarget.HEADER, AssertionTarget.BYTES})
"""Subjects with a named part."""

_BARE = {
    AssertionTarget.IS_ERROR: "equals",
    AssertionTarget.REFUSED: "equals",
    AssertionTarget.CODE: "equals",
    AssertionTarget.STATUS: "equals",
}
_BARE |= {AssertionTarget.TIME: "at_most", AssertionTarget.ARGUMENTS: "of"}
"""The claim whose operand is the first positional argument."""


def scenario_files(scenarios: BoundScenarios) -> Iterator[File]:
    """Yields a test module per requirement."""
    for requirement in scenarios.requirements:
        text = render("tests/scenarios/test_requirement.py", _requirement_view(requirement))
        module = identifier(f"test_{requirement.module}").text
        yield File(f"tests/scenarios/{module}.py", text, Owner.MCPGEN)


def scenario_views(scenarios: BoundScenarios) -> Iterator[tuple[str, TemplateView]]:
    """Yields the templates rendered once for all scenarios, with their views."""
    yield "SCENARIOS.md", _scenarios_view(scenarios)
    apps = tuple(dict.fromkeys(each.app for each in scenarios.fixtures if each.app))
    if apps:
        yield "tests/fixtures.py", FixturesView(tuple(identifier(app) for app in apps))
    has_exchanges = any(fixture.exchanges for fixture in scenarios.fixtures)
    needed = ("UpstreamExchange", "ScenarioFixture") if has_exchanges else ("ScenarioFixture",)
    fixtures = {fixture.name: _fixture_call(fixture) for fixture in scenarios.fixtures}
    yield "tests/scenarios/fixtures.py", ScenarioFixturesView(
        has_apps=bool(apps),
        imports=imports("tests.scenario_engine.fixtures", needed),
        fixtures=literal(fixtures, before=len("FIXTURES: dict[str, ScenarioFixture] = ")),
    )


def _fixture_call(fixture: Fixture) -> CallExpr:
    """Returns `ScenarioFixture(…)`."""
    app = NameExpr(f"fixtures.{identifier(fixture.app).text}") if fixture.app else None
    keywords: dict[str, Value] = {
        "environment": dict(fixture.environment),
        "headers": dict(fixture.headers),
        "exchanges": tuple(
            CallExpr(
                "UpstreamExchange",
                (exchange.method, exchange.path, exchange.body),
                _keywords(
                    status=exchange.status,
                    query=dict(exchange.query),
                    headers=dict(exchange.headers),
                ),
            )
            for exchange in fixture.exchanges
        ),
        "app": app,
        "values": dict(fixture.values),
    }
    return CallExpr("ScenarioFixture", (), _keywords(**keywords))


def _requirement_view(requirement: BoundRequirement) -> RequirementTestView:
    """Returns the view of `tests/scenarios/test_<requirement>.py`."""
    marks = {"scenario"} | {
        mark for scenario in requirement.scenarios for mark in _scenario_marks(scenario)
    }
    return RequirementTestView(
        summary=docstring(requirement.title),
        marks=imports("tests.scenario_engine.markers", tuple(marks)),
        requirement=literal(requirement.title, before=len("REQUIREMENT = ")),
        scenarios=tuple(_scenario_view(scenario) for scenario in requirement.scenarios),
    )


def _scenario_marks(scenario: BoundScenario) -> Iterator[str]:
    """Yields markers of scenarios whose test cannot pass completely: manual, stale, pending."""
    if scenario.manual:
        yield "manual"
    elif scenario.is_stale:
        yield "stale"
    elif scenario.coverage in (Coverage.PARTIAL, Coverage.PENDING):
        yield "pending"


def _decorator(mark: str, scenario: BoundScenario) -> SourceText:
    if mark == "manual":
        return literal(CallExpr(mark, (collapse_to_line(scenario.manual),)), before=1)
    return identifier(mark)


def _scenario_view(scenario: BoundScenario) -> BoundScenarioView:
    """Returns the view of a test."""
    mark = CallExpr(
        "scenario",
        (),
        (
            ("requirement", NameExpr("REQUIREMENT")),
            ("name", scenario.name),
            ("steps", len(scenario.steps)),
            *_keywords(given=tuple(scenario.given)),
            ("at", f"{scenario.at.file.rpartition('/')[2]}:{scenario.at.line}"),
            *_keywords(
                stale="its text has changed since it was bound" if scenario.is_stale else ""
            ),
        ),
    )
    last = _performing(scenario)
    steps = () if scenario.manual else scenario.steps
    return BoundScenarioView(
        mark=literal(mark, before=1),
        decorators=tuple(_decorator(mark, scenario) for mark in _scenario_marks(scenario)),
        name=identifier(f"test_{scenario.test}"),
        summary=docstring(scenario.name, indent=4),
        has_text=bool(scenario.text.strip()),
        text=block(scenario.text, indent=4),
        statements=() if scenario.manual or last else tuple(_actions(scenario, 4)),
        steps=tuple(_step_view(scenario, step, step.number == last) for step in steps),
    )


def _performing(scenario: BoundScenario) -> int:
    """Returns the number of the step containing the actions, 0 without actions.

    The step is the last premise (GIVEN or WHEN) before the first other step.
    """
    number = 0
    for step in scenario.steps:
        if step.binding is not Binding.PREMISE:
            break
        number = step.number
    return number if scenario.actions else 0


def _step_view(scenario: BoundScenario, step: BoundStep, acts: bool) -> StepView:
    """Returns the view of a step: a line, or a block of actions and assertions."""
    arguments = (step.number, truncate_words(collapse_to_line(step.text), _MAX_TEXT))
    if step.binding is Binding.PREMISE and not acts:
        return StepView(False, literal(CallExpr("scene.premise", arguments), indent=4), ())
    statements = tuple(_actions(scenario, 8)) if acts else tuple(_asserted(step))
    head = literal(CallExpr("scene.step", arguments), indent=4, before=len("with "), after=1)
    return StepView(True, head, statements)


def _asserted(step: BoundStep) -> Iterator[StatementView]:
    """Yields the assertions of a step, then calls for manual and pending parts."""
    for assertion in step.assertions:
        yield _statement(_assertion(assertion), 8, assertion.phrase)
    if step.binding is Binding.MANUAL:
        yield _statement(CallExpr("scene.manual", (collapse_to_line(step.manual),)), 8)
    elif step.binding is Binding.PARTLY:
        yield _statement(CallExpr("scene.pending", (collapse_to_line(step.open_part),)), 8)
    elif step.binding is Binding.PENDING:
        arguments = (collapse_to_line(step.open_part),) if step.open_part else ()
        yield _statement(CallExpr("scene.pending", arguments), 8)


def _statement(
    call: CallExpr, indent: int, phrase: str = "", *, waits: bool = False
) -> StatementView:
    """Returns a call, with a comment naming its step definition."""
    note = comment(f"Read from the phrase {phrase}.", indent=indent)
    code = literal(call, indent=indent, before=len("await ") if waits else 0)
    return StatementView(bool(phrase), waits, note, code)


def _assertion(assertion: Assertion) -> CallExpr:
    """Returns `scene.path(…)` or the call of any other subject."""
    claims = dict(assertion.claims)
    method = _METHODS.get(assertion.subject, assertion.subject.value)
    first: tuple[Value, ...] = (assertion.name,) if assertion.subject in _NAMED else ()
    if assertion.subject in _BARE:
        first = (claims.pop(_BARE[assertion.subject]),)
    if assertion.call:
        claims["at_call"] = assertion.call
    return CallExpr(f"scene.{method}", first, tuple(claims.items()))


def _actions(scenario: BoundScenario, indent: int) -> Iterator[StatementView]:
    """Yields the actions of the fixtures and the actions of a scenario."""
    for action in scenario.setup:
        yield _statement(_action_call(action), indent, waits=action.kind is not ActionKind.FILE)
    if scenario.setup:
        yield _statement(CallExpr("scene.end_setup", ()), indent)
    for action in scenario.actions:
        waits = action.kind is not ActionKind.FILE
        yield _statement(_action_call(action), indent, scenario.phrase, waits=waits)


def _action_call(action: ScenarioAction) -> CallExpr:
    """Returns `scene.call(…)` or the call of any other action."""
    name, value = action.name, action.value
    headers, save = dict(action.headers), dict(action.save)
    version = _keywords(version=action.version)
    if action.kind is ActionKind.FILE:
        return CallExpr("scene.file", (name,))
    if action.kind is ActionKind.COMMAND:
        keywords = _keywords(environment=dict(action.environment), input=action.input)
        return CallExpr("scene.command", (name, *((value,) if value else ())), keywords)
    if action.kind is ActionKind.HTTP:
        place = (action.path,) if action.path else ()
        keywords = _keywords(headers=headers, body=value, save=save)
        return CallExpr("scene.http", (name, *place), keywords)
    positional = (value,) if value else ()
    keywords = (*_keywords(headers=headers), *version, *_keywords(save=save))
    return CallExpr(f"scene.{action.kind.value}", (name, *positional), keywords)


def _keywords(**values: Value) -> tuple[tuple[str, Value], ...]:
    """Returns the keywords without empty and default values."""
    return tuple(
        (name, value)
        for name, value in values.items()
        if value not in ("", {}, (), None) and (name, value) != ("status", 200)
    )


def _scenarios_view(scenarios: BoundScenarios) -> ScenariosView:
    """Returns the view of `SCENARIOS.md`: bound steps per scenario."""
    every = scenarios.every
    count = f"{len(every)} scenario" + ("" if len(every) == 1 else "s")
    return ScenariosView(
        summary=markdown(f"{count}; {scenarios.percent:g} % of their steps are bound."),
        rows=tuple(
            BoundScenarioRowView(
                markdown(requirement.title),
                markdown(scenario.name),
                markdown(f"{scenario.coverage.value} {scenario.bound_steps}/{len(scenario.steps)}"),
                markdown(_missing(scenario), limit=400),
            )
            for requirement, scenario in every
        ),
    )


def _missing(scenario: BoundScenario) -> str:
    """Returns the unbound steps of a scenario, on a single line."""
    if scenario.manual:
        return scenario.manual
    reasons = [f"step {step.number}" for step in scenario.steps if step.binding is Binding.PENDING]
    reasons += [
        f"step {step.number}: {step.open_part or step.manual}"
        for step in scenario.steps
        if step.binding in (Binding.PARTLY, Binding.MANUAL)
    ]
    return "; ".join(["bound to another text", *reasons] if scenario.is_stale else reasons)
