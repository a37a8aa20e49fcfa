"""The answer of a tool described as data: what is said, shown and asked, act by act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json


class StepKind(StrEnum):
    """What an act does, by its key in the companion."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    RESOURCE = "resource"
    LINK = "link"
    STRUCTURED = "structured"
    PROGRESS = "progress"
    LOG = "log"
    WAIT = "wait"
    ASK = "ask"
    CLOSE = "close"
    FAIL = "fail"


SPOKEN = frozenset({StepKind.TEXT, StepKind.STRUCTURED, StepKind.FAIL})
"""The acts that add a text to the result."""

SHOWN = SPOKEN | {StepKind.IMAGE, StepKind.AUDIO, StepKind.RESOURCE, StepKind.LINK}
"""The acts that add something to the result."""


class QuestionKind(StrEnum):
    """How something is asked, by its key in the companion."""

    FORM = "form"
    SAMPLE = "sample"
    ROOTS = "roots"


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """One question of an act that asks. `value` is the schema of the form, the prompt of what the
    client's model is to write, or true for the client's folders; `message` is what the user reads.
    `optional` tells that the answer goes on without, where the client cannot be asked or its user
    says no."""

    name: str
    asking: QuestionKind
    value: Json
    at: Location
    message: str = ""
    most_tokens: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """One act of an answer: what it does, and its own value or its members by their keys in the
    companion. `questions` are those of an act that asks, which is all it has."""

    deed: StepKind
    value: Json
    at: Location
    questions: tuple[AnswerQuestion, ...] = ()

    def texts(self) -> Json:
        """Everything in which a placeholder may stand."""
        asked = [
            [one.message, one.value]
            for one in self.questions
            if one.asking is not QuestionKind.FORM
        ]
        told = [one.message for one in self.questions if one.asking is QuestionKind.FORM]
        value = self.value
        if self.deed is StepKind.LOG:
            value = {name: text for name, text in self.value.items() if name != "logger"}
        return [value, asked, told]
