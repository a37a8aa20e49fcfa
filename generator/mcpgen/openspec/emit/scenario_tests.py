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


def scenario_files(proofs: BoundScenarios) -> Iterator[File]:
    """Yields a test module per requirement."""
    for chapter in proofs.chapters:
        text = render("tests/scenarios/test_requirement.py", _chapter_view(chapter))
        module = identifier(f"test_{chapter.module}").text
        yield File(f"tests/scenarios/{module}.py", text, Owner.MCPGEN)


def scenario_views(proofs: BoundScenarios) -> Iterator[tuple[str, TemplateView]]:
    """Yields the templates rendered once for all scenarios, with their views."""
    yield "SCENARIOS.md", _scenarios_view(proofs)
    apps = tuple(dict.fromkeys(each.app for each in proofs.fixtures if each.app))
    if apps:
        yield "tests/fixtures.py", FixturesView(tuple(identifier(app) for app in apps))
    has_exchanges = any(fixture.exchanges for fixture in proofs.fixtures)
    needed = ("UpstreamExchange", "ScenarioFixture") if has_exchanges else ("ScenarioFixture",)
    fixtures = {fixture.name: _fixture_call(fixture) for fixture in proofs.fixtures}
    yield "tests/scenarios/fixtures.py", ScenarioFixturesView(
        has_apps=bool(apps),
        imports=imports("tests.scenario_engine.fixtures", needed),
        fixtures=literal(fixtures, before=len("GIVEN: dict[str, ScenarioFixture] = ")),
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


def _chapter_view(chapter: BoundRequirement) -> RequirementTestView:
    """Returns the view of `tests/scenarios/test_<requirement>.py`."""
    marks = {"scenario"} | {mark for proof in chapter.proofs for mark in _scenario_marks(proof)}
    return RequirementTestView(
        summary=docstring(chapter.title),
        marks=imports("tests.scenario_engine.markers", tuple(marks)),
        requirement=literal(chapter.title, before=len("REQUIREMENT = ")),
        proofs=tuple(_proof_view(proof) for proof in chapter.proofs),
    )


def _scenario_marks(proof: BoundScenario) -> Iterator[str]:
    """Yields markers of scenarios whose test cannot pass completely: manual, stale, pending."""
    if proof.manual:
        yield "manual"
    elif proof.stale:
        yield "stale"
    elif proof.coverage in (Coverage.PARTIAL, Coverage.PENDING):
        yield "pending"


def _decorator(mark: str, proof: BoundScenario) -> SourceText:
    if mark == "manual":
        return literal(CallExpr(mark, (collapse_to_line(proof.manual),)), before=1)
    return identifier(mark)


def _proof_view(proof: BoundScenario) -> BoundScenarioView:
    """Returns the view of a test."""
    mark = CallExpr(
        "scenario",
        (),
        (
            ("requirement", NameExpr("REQUIREMENT")),
            ("name", proof.name),
            ("steps", len(proof.steps)),
            *_keywords(given=tuple(proof.given)),
            ("at", f"{proof.at.file.rpartition('/')[2]}:{proof.at.line}"),
            *_keywords(stale="its text has changed since it was bound" if proof.stale else ""),
        ),
    )
    last = _performing(proof)
    steps = () if proof.manual else proof.steps
    return BoundScenarioView(
        mark=literal(mark, before=1),
        decorators=tuple(_decorator(mark, proof) for mark in _scenario_marks(proof)),
        name=identifier(f"test_{proof.test}"),
        summary=docstring(proof.name, indent=4),
        has_text=bool(proof.text.strip()),
        text=block(proof.text, indent=4),
        statements=() if proof.manual or last else tuple(_actions(proof, 4)),
        steps=tuple(_step_view(proof, step, step.number == last) for step in steps),
    )


def _performing(proof: BoundScenario) -> int:
    """Returns the number of the step containing the actions, 0 without actions.

    The step is the last premise (GIVEN or WHEN) before the first other step.
    """
    number = 0
    for step in proof.steps:
        if step.binding is not Binding.PREMISE:
            break
        number = step.number
    return number if proof.actions else 0


def _step_view(proof: BoundScenario, step: BoundStep, acts: bool) -> StepView:
    """Returns the view of a step: a line, or a block of actions and assertions."""
    arguments = (step.number, truncate_words(collapse_to_line(step.text), _MAX_TEXT))
    if step.binding is Binding.PREMISE and not acts:
        return StepView(False, literal(CallExpr("scene.premise", arguments), indent=4), ())
    statements = tuple(_actions(proof, 8)) if acts else tuple(_asserted(step))
    head = literal(CallExpr("scene.step", arguments), indent=4, before=len("with "), after=1)
    return StepView(True, head, statements)


def _asserted(step: BoundStep) -> Iterator[StatementView]:
    """Yields the assertions of a step, then calls for manual and pending parts."""
    for assertion in step.assertions:
        yield _statement(_assertion(assertion), 8, assertion.phrase)
    if step.binding is Binding.MANUAL:
        yield _statement(CallExpr("scene.manual", (collapse_to_line(step.manual),)), 8)
    elif step.binding is Binding.PARTLY:
        yield _statement(CallExpr("scene.pending", (collapse_to_line(step.rest),)), 8)
    elif step.binding is Binding.PENDING:
        arguments = (collapse_to_line(step.rest),) if step.rest else ()
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


def _actions(proof: BoundScenario, indent: int) -> Iterator[StatementView]:
    """Yields the actions of the fixtures and the actions of a scenario."""
    for action in proof.setup:
        yield _statement(_action_call(action), indent, waits=action.kind is not ActionKind.FILE)
    if proof.setup:
        yield _statement(CallExpr("scene.end_setup", ()), indent)
    for action in proof.actions:
        waits = action.kind is not ActionKind.FILE
        yield _statement(_action_call(action), indent, proof.phrase, waits=waits)


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


def _scenarios_view(proofs: BoundScenarios) -> ScenariosView:
    """Returns the view of `SCENARIOS.md`: bound steps per scenario."""
    every = proofs.every
    count = f"{len(every)} scenario" + ("" if len(every) == 1 else "s")
    return ScenariosView(
        summary=markdown(f"{count}; {proofs.percent:g} % of their steps are bound."),
        rows=tuple(
            BoundScenarioRowView(
                markdown(chapter.title),
                markdown(proof.name),
                markdown(f"{proof.coverage.value} {proof.bound}/{len(proof.steps)}"),
                markdown(_missing(proof), limit=400),
            )
            for chapter, proof in every
        ),
    )


def _missing(proof: BoundScenario) -> str:
    """Returns the unbound steps of a scenario, on a single line."""
    if proof.manual:
        return proof.manual
    reasons = [f"step {step.number}" for step in proof.steps if step.binding is Binding.PENDING]
    reasons += [
        f"step {step.number}: {step.rest or step.manual}"
        for step in proof.steps
        if step.binding in (Binding.PARTLY, Binding.MANUAL)
    ]
    return "; ".join(["bound to another text", *reasons] if proof.stale else reasons)
