"""Renders declared answers as declarations in tool modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcpgen.emit.literal import CallExpr, Value
from mcpgen.openspec.model.declared_answer import AnswerQuestion, AnswerStep, QuestionKind, StepKind

_CALLEES: Mapping[StepKind, tuple[str, str]] = {
    StepKind.TEXT: ("server.declared_answer", "Text"),
    StepKind.IMAGE: ("server.declared_answer", "Image"),
    StepKind.AUDIO: ("server.declared_answer", "Audio"),
    StepKind.RESOURCE: ("server.declared_answer", "Embedded"),
    StepKind.LINK: ("server.declared_answer", "ResourceLink"),
    StepKind.STRUCTURED: ("server.declared_answer", "Structured"),
    StepKind.PROGRESS: ("elicitation.interactive_steps", "Progress"),
    StepKind.LOG: ("elicitation.interactive_steps", "Log"),
    StepKind.WAIT: ("server.declared_answer", "Wait"),
    StepKind.ASK: ("elicitation.interactive_steps", "Ask"),
    StepKind.CLOSE: ("elicitation.interactive_steps", "Close"),
    StepKind.FAIL: ("server.declared_answer", "Fail"),
}
"""Runtime module and class per act."""

_ASKED: Mapping[QuestionKind, str] = {
    QuestionKind.FORM: "FormQuestion",
    QuestionKind.SAMPLE: "Sample",
    QuestionKind.ROOTS: "Roots",
}
"""Class per question, in the runtime module of the `ask` act."""


def play_call(acts: Sequence[AnswerStep]) -> Value:
    """Returns `DeclaredAnswer((Text(…), …))`, or None without acts."""
    return CallExpr("DeclaredAnswer", (tuple(_act_call(act) for act in acts),)) if acts else None


def play_callees(acts: Sequence[AnswerStep]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the runtime modules imported for an answer, with the imported names."""
    names: dict[str, set[str]] = {
        "elicitation.interactive_steps": set(),
        "server.declared_answer": {"DeclaredAnswer"} if acts else set(),
    }
    for act in acts:
        module, name = _CALLEES[act.deed]
        names[module] |= {name, *(_ASKED[question.asking] for question in act.questions)}
    for module, callees in names.items():
        if callees:
            yield module, tuple(sorted(callees))


def _act_call(act: AnswerStep) -> CallExpr:
    """Returns `Text("…")`, `Image(data="…")`, `Ask({"name": FormQuestion(…)})`."""
    _, callee = _CALLEES[act.deed]
    if act.questions:
        return CallExpr(
            callee, ({question.name: _question_call(question) for question in act.questions},)
        )
    if act.deed is StepKind.CLOSE:
        return CallExpr(callee)
    if act.deed is StepKind.STRUCTURED or not isinstance(act.value, dict):
        return CallExpr(callee, (act.value,))
    return CallExpr(callee, (), tuple(act.value.items()))


def _question_call(question: AnswerQuestion) -> CallExpr:
    """Returns `FormQuestion("…", {…})`, `Sample("…", 100)`, `Roots()`."""
    arguments: Mapping[QuestionKind, tuple[Value, ...]] = {
        QuestionKind.FORM: (question.message, question.value),
        QuestionKind.SAMPLE: (question.value, question.most_tokens),
        QuestionKind.ROOTS: (),
    }
    optional = (("optional", True),) if question.optional else ()
    return CallExpr(_ASKED[question.asking], arguments[question.asking], optional)
