"""Renders declared answers as declarations in tool modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcpgen.emit.literal import CallExpr, Value
from mcpgen.openspec.model.declared_answer import (
    AnswerAct,
    AnswerActKind,
    AnswerQuestion,
    QuestionKind,
)

_CALLEES: Mapping[AnswerActKind, tuple[str, str]] = {
    AnswerActKind.TEXT: ("server.declared_answer", "Text"),
    AnswerActKind.IMAGE: ("server.declared_answer", "Image"),
    AnswerActKind.AUDIO: ("server.declared_answer", "Audio"),
    AnswerActKind.RESOURCE: ("server.declared_answer", "Embedded"),
    AnswerActKind.LINK: ("server.declared_answer", "ResourceLink"),
    AnswerActKind.STRUCTURED: ("server.declared_answer", "Structured"),
    AnswerActKind.PROGRESS: ("elicitation.interactive_steps", "Progress"),
    AnswerActKind.LOG: ("elicitation.interactive_steps", "Log"),
    AnswerActKind.WAIT: ("server.declared_answer", "Wait"),
    AnswerActKind.ASK: ("elicitation.interactive_steps", "Ask"),
    AnswerActKind.CLOSE: ("elicitation.interactive_steps", "Close"),
    AnswerActKind.FAIL: ("server.declared_answer", "Fail"),
}
"""Runtime module and class per act."""

_ASKED: Mapping[QuestionKind, str] = {
    QuestionKind.FORM: "FormQuestion",
    QuestionKind.SAMPLE: "Sample",
    QuestionKind.ROOTS: "Roots",
}
"""Class per question, in the runtime module of the `ask` act."""


def play_call(acts: Sequence[AnswerAct]) -> Value:
    """Returns `DeclaredAnswer((Text(…), …))`, or None without acts."""
    return CallExpr("DeclaredAnswer", (tuple(_act_call(act) for act in acts),)) if acts else None


def play_callees(acts: Sequence[AnswerAct]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the runtime modules imported for an answer, with the imported names."""
    names: dict[str, set[str]] = {
        "elicitation.interactive_steps": set(),
        "server.declared_answer": {"DeclaredAnswer"} if acts else set(),
    }
    for act in acts:
        module, name = _CALLEES[act.kind]
        names[module] |= {name, *(_ASKED[question.kind] for question in act.questions)}
    for module, callees in names.items():
        if callees:
            yield module, tuple(sorted(callees))


def _act_call(act: AnswerAct) -> CallExpr:
    """Returns `Text("…")`, `Image(data="…")`, `Ask({"name": FormQuestion(…)})`."""
    _, callee = _CALLEES[act.kind]
    if act.questions:
        return CallExpr(
            callee, ({question.name: _question_call(question) for question in act.questions},)
        )
    if act.kind is AnswerActKind.CLOSE:
        return CallExpr(callee)
    if act.kind is AnswerActKind.STRUCTURED or not isinstance(act.value, dict):
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
    return CallExpr(_ASKED[question.kind], arguments[question.kind], optional)
