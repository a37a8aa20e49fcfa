"""Answers described as data, as the declarations that stand in the modules of tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcpgen.emit.literal import Call, Value
from mcpgen.ir.play import Act, Asking, Deed, Question

_CALLEES: Mapping[Deed, tuple[str, str]] = {
    Deed.TEXT: ("play", "Text"),
    Deed.IMAGE: ("play", "Image"),
    Deed.AUDIO: ("play", "Audio"),
    Deed.RESOURCE: ("play", "Embedded"),
    Deed.LINK: ("play", "Link"),
    Deed.STRUCTURED: ("play", "Structured"),
    Deed.PROGRESS: ("dialogue", "Progress"),
    Deed.LOG: ("dialogue", "Log"),
    Deed.WAIT: ("play", "Wait"),
    Deed.ASK: ("dialogue", "Ask"),
    Deed.CLOSE: ("dialogue", "Close"),
    Deed.FAIL: ("play", "Fail"),
}
"""The class of each act, and the module of the runtime that has it."""

_ASKED: Mapping[Asking, str] = {
    Asking.FORM: "Form",
    Asking.SAMPLE: "Sample",
    Asking.ROOTS: "Roots",
}
"""The class of each question, in the same module as the act that asks."""


def play_call(acts: Sequence[Act]) -> Value:
    """`Play((Text(…), …))`, None without acts."""
    return Call("Play", (tuple(_act_call(act) for act in acts),)) if acts else None


def play_callees(acts: Sequence[Act]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The modules of the runtime that a tool's answer needs, each with the names from it."""
    names: dict[str, set[str]] = {"dialogue": set(), "play": {"Play"} if acts else set()}
    for act in acts:
        module, name = _CALLEES[act.deed]
        names[module] |= {name, *(_ASKED[one.asking] for one in act.questions)}
    for module, found in names.items():
        if found:
            yield module, tuple(sorted(found))


def _act_call(act: Act) -> Call:
    """`Text("…")`, `Image(data="…", type="…")`, `Ask({"name": Form(…)})`."""
    _, callee = _CALLEES[act.deed]
    if act.questions:
        return Call(callee, ({one.name: _question_call(one) for one in act.questions},))
    if act.deed is Deed.CLOSE:
        return Call(callee)
    if act.deed is Deed.STRUCTURED or not isinstance(act.value, dict):
        return Call(callee, (act.value,))
    return Call(callee, (), tuple(act.value.items()))


def _question_call(question: Question) -> Call:
    """`Form("…", {…})`, `Sample("…", 100)`, `Roots()`."""
    given: Mapping[Asking, tuple[Value, ...]] = {
        Asking.FORM: (question.message, question.value),
        Asking.SAMPLE: (question.value, question.most_tokens),
        Asking.ROOTS: (),
    }
    optional = (("optional", True),) if question.optional else ()
    return Call(_ASKED[question.asking], given[question.asking], optional)
