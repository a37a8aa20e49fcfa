"""The scenarios of requirements as tests: a module for each requirement, and what they are given."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.emit.code import (
    Code,
    block,
    comment,
    docstring,
    identifier,
    imports,
    literal,
    markdown,
)
from mcpgen.emit.escape import one_line, shortened
from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.render import View, rendered
from mcpgen.emit.views import (
    ChapterView,
    FixturesView,
    GivenView,
    ProofRowView,
    ProofView,
    ScenariosView,
    StatementView,
    StepView,
)
from mcpgen.ir.companion import Action, Assertion, Doing, Fixture, Subject
from mcpgen.ir.project import File, Owner
from mcpgen.ir.proofs import Binding, BoundStep, Chapter, Coverage, Proof, Proofs

ENGINE = ("conftest.py", "tests/scenario_engine/")
"""What the paths of the plain files begin with that only the tests of scenarios need."""

_LONGEST = 70
"""Characters of a step's text in its test, a line; all of it stands in the docstring."""

_METHODS = {Subject.IS_ERROR: "is_error", Subject.TIME: "within"}
"""What asserts about a subject, where it is not called as the subject is."""

_NAMED = frozenset({Subject.PATH, Subject.HEADER, Subject.BYTES})
"""The subjects of which a part is looked at."""

_BARE = {Subject.IS_ERROR: "equals", Subject.CODE: "equals", Subject.STATUS: "equals"}
_BARE |= {Subject.TIME: "at_most", Subject.ARGUMENTS: "of"}
"""The claim whose operand stands alone, as the first argument."""


def scenario_files(proofs: Proofs) -> Iterator[File]:
    """A module of tests for each requirement."""
    for chapter in proofs.chapters:
        text = rendered("tests/scenarios/test_requirement.py", _chapter_view(chapter))
        module = identifier(f"test_{chapter.module}").text
        yield File(f"tests/scenarios/{module}.py", text, Owner.MCPGEN)


def scenario_views(proofs: Proofs) -> Iterator[tuple[str, View]]:
    """The templates of what is there once for all scenarios, with their views."""
    yield "SCENARIOS.md", _scenarios_view(proofs)
    apps = tuple(dict.fromkeys(each.app for each in proofs.fixtures if each.app))
    if apps:
        yield "tests/fixtures.py", FixturesView(tuple(identifier(app) for app in apps))
    has_exchanges = any(fixture.exchanges for fixture in proofs.fixtures)
    needed = ("Exchange", "Given") if has_exchanges else ("Given",)
    given = {fixture.name: _given(fixture) for fixture in proofs.fixtures}
    yield "tests/scenarios/given.py", GivenView(
        has_apps=bool(apps),
        imports=imports("tests.scenario_engine.backdrop", needed),
        fixtures=literal(given, before=len("GIVEN: dict[str, Given] = ")),
    )


def _given(fixture: Fixture) -> Call:
    """`Given(…)`."""
    app = Name(f"fixtures.{identifier(fixture.app).text}") if fixture.app else None
    told: dict[str, Value] = {
        "environment": dict(fixture.environment),
        "headers": dict(fixture.headers),
        "exchanges": tuple(
            Call(
                "Exchange",
                (one.method, one.path, one.body),
                _told(status=one.status, query=dict(one.query), headers=dict(one.headers)),
            )
            for one in fixture.exchanges
        ),
        "app": app,
        "values": dict(fixture.values),
    }
    return Call("Given", (), _told(**told))


def _chapter_view(chapter: Chapter) -> ChapterView:
    """`tests/scenarios/test_<requirement>.py`."""
    marks = {"scenario"} | {mark for proof in chapter.proofs for mark in _marks(proof)}
    return ChapterView(
        summary=docstring(chapter.requirement),
        marks=imports("tests.scenario_engine.marks", tuple(marks)),
        requirement=literal(chapter.requirement, before=len("REQUIREMENT = ")),
        proofs=tuple(_proof_view(proof) for proof in chapter.proofs),
    )


def _marks(proof: Proof) -> Iterator[str]:
    """What is known beforehand not to be shown by a scenario's test."""
    if proof.manual:
        yield "manual"
    elif proof.stale:
        yield "stale"
    elif proof.coverage in (Coverage.PARTIAL, Coverage.PENDING):
        yield "pending"


def _decorator(mark: str, proof: Proof) -> Code:
    if mark == "manual":
        return literal(Call(mark, (one_line(proof.manual),)), before=1)
    return identifier(mark)


def _proof_view(proof: Proof) -> ProofView:
    """One test."""
    mark = Call(
        "scenario",
        (),
        (
            ("requirement", Name("REQUIREMENT")),
            ("name", proof.name),
            ("steps", len(proof.steps)),
            *_told(given=tuple(proof.given)),
            ("at", f"{proof.at.file.rpartition('/')[2]}:{proof.at.line}"),
            *_told(stale="its text has changed since it was bound" if proof.stale else ""),
        ),
    )
    last = _performing(proof)
    steps = () if proof.manual else proof.steps
    return ProofView(
        mark=literal(mark, before=1),
        decorators=tuple(_decorator(mark, proof) for mark in _marks(proof)),
        name=identifier(f"test_{proof.test}"),
        summary=docstring(proof.name, indent=4),
        has_text=bool(proof.text.strip()),
        text=block(proof.text, indent=4),
        statements=() if proof.manual or last else tuple(_actions(proof, 4)),
        steps=tuple(_step_view(proof, step, step.number == last) for step in steps),
    )


def _performing(proof: Proof) -> int:
    """The number of the step that the actions stand in: the last GIVEN or WHEN before the first that
    is asserted, 0 for none."""
    number = 0
    for step in proof.steps:
        if step.binding is not Binding.PREMISE:
            break
        number = step.number
    return number if proof.actions else 0


def _step_view(proof: Proof, step: BoundStep, acts: bool) -> StepView:
    """One step: a line of its own, or a block with what is done and asserted in it."""
    told = (step.number, shortened(one_line(step.text), _LONGEST))
    if step.binding is Binding.PREMISE and not acts:
        return StepView(False, literal(Call("scene.premise", told), indent=4), ())
    statements = tuple(_actions(proof, 8)) if acts else tuple(_asserted(step))
    head = literal(Call("scene.step", told), indent=4, before=len("with "), after=1)
    return StepView(True, head, statements)


def _asserted(step: BoundStep) -> Iterator[StatementView]:
    """What is asserted for a step, and what is not."""
    for assertion in step.assertions:
        yield _statement(_assertion(assertion), 8, assertion.phrase)
    if step.binding is Binding.MANUAL:
        yield _statement(Call("scene.manual", (one_line(step.manual),)), 8)
    elif step.binding is Binding.PARTLY:
        yield _statement(Call("scene.pending", (one_line(step.rest),)), 8)
    elif step.binding is Binding.PENDING:
        yield _statement(Call("scene.pending"), 8)


def _statement(call: Call, indent: int, phrase: str = "", *, waits: bool = False) -> StatementView:
    """A call, with the phrase it was read from above it."""
    told = comment(f"Read from the phrase {phrase}.", indent=indent)
    code = literal(call, indent=indent, before=len("await ") if waits else 0)
    return StatementView(bool(phrase), waits, told, code)


def _assertion(assertion: Assertion) -> Call:
    """`scene.path(…)` and the like."""
    claims = dict(assertion.claims)
    method = _METHODS.get(assertion.subject, assertion.subject.value)
    first: tuple[Value, ...] = (assertion.name,) if assertion.subject in _NAMED else ()
    if assertion.subject in _BARE:
        first = (claims.pop(_BARE[assertion.subject]),)
    if assertion.call:
        claims["at_call"] = assertion.call
    return Call(f"scene.{method}", first, tuple(claims.items()))


def _actions(proof: Proof, indent: int) -> Iterator[StatementView]:
    """What a scenario does."""
    for action in proof.actions:
        waits = action.doing is not Doing.FILE
        yield _statement(_action(action), indent, proof.phrase, waits=waits)


def _action(action: Action) -> Call:
    """`scene.call(…)` and the like."""
    name, value = action.name, action.value
    headers, save = dict(action.headers), dict(action.save)
    version = _told(version=action.version)
    if action.doing is Doing.FILE:
        return Call("scene.file", (name,))
    if action.doing is Doing.COMMAND:
        environment = _told(environment=dict(action.environment))
        return Call("scene.command", (name, *((value,) if value else ())), environment)
    if action.doing is Doing.HTTP:
        place = (action.path,) if action.path else ()
        told = _told(headers=headers, body=value, save=save)
        return Call("scene.http", (name, *place), told)
    given = (value,) if value else ()
    told = (*_told(headers=headers), *version, *_told(save=save))
    return Call(f"scene.{action.doing.value}", (name, *given), told)


def _told(**values: Value) -> tuple[tuple[str, Value], ...]:
    """The keywords that say something."""
    return tuple(
        (name, value)
        for name, value in values.items()
        if value not in ("", {}, (), None) and (name, value) != ("status", 200)
    )


def _scenarios_view(proofs: Proofs) -> ScenariosView:
    """`SCENARIOS.md`: how much of each scenario is bound."""
    every = proofs.every
    count = f"{len(every)} scenario" + ("" if len(every) == 1 else "s")
    return ScenariosView(
        summary=markdown(f"{count}; {proofs.percent:g} % of their steps are bound."),
        rows=tuple(
            ProofRowView(
                markdown(chapter.requirement),
                markdown(proof.name),
                markdown(f"{proof.coverage.value} {proof.bound}/{len(proof.steps)}"),
                markdown(_missing(proof), limit=400),
            )
            for chapter, proof in every
        ),
    )


def _missing(proof: Proof) -> str:
    """What of a scenario is not bound, in a line."""
    if proof.manual:
        return proof.manual
    told = [f"step {step.number}" for step in proof.steps if step.binding is Binding.PENDING]
    told += [
        f"step {step.number}: {step.rest or step.manual}"
        for step in proof.steps
        if step.binding in (Binding.PARTLY, Binding.MANUAL)
    ]
    return "; ".join(["bound to another text", *told] if proof.stale else told)
