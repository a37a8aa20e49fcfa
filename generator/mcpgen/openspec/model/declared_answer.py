"""A tool's answer declared as data: acts in order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Json


class AnswerActKind(StrEnum):
    """Kind of an act, by key in the companion."""

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


TEXT_ACTS = frozenset({AnswerActKind.TEXT, AnswerActKind.STRUCTURED, AnswerActKind.FAIL})
"""Acts that add text to the result."""

CONTENT_ACTS = TEXT_ACTS | {
    AnswerActKind.IMAGE,
    AnswerActKind.AUDIO,
    AnswerActKind.RESOURCE,
    AnswerActKind.LINK,
}
"""Acts that add content to the result."""


class QuestionKind(StrEnum):
    """Kind of a question, by key in the companion."""

    FORM = "form"
    SAMPLE = "sample"
    ROOTS = "roots"


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A question of an `ask` act.

    `value` is the schema of the form, the prompt for the client's model, or true for the client's
    roots. `message` is shown to the user. `most_tokens` is the limit of the model's answer, only
    for `sample`. `optional`: the answer continues if the client cannot be
    asked or the user declines.
    """

    name: str
    kind: QuestionKind
    value: Json
    at: Location
    message: str = ""
    most_tokens: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class AnswerAct:
    """An act of an answer.

    `value` is a single value, or members by key in the companion. `questions` is set only for
    `ask`.
    """

    kind: AnswerActKind
    value: Json
    at: Location
    questions: tuple[AnswerQuestion, ...] = ()

    def texts(self) -> Json:
        """Returns all values that may contain placeholders: not the schema of a form, and not the name
        of a logger."""
        questions = [
            [question.message, question.value]
            for question in self.questions
            if question.kind is not QuestionKind.FORM
        ]
        messages = [
            question.message for question in self.questions if question.kind is QuestionKind.FORM
        ]
        value = self.value
        if self.kind is AnswerActKind.LOG:
            value = {name: text for name, text in self.value.items() if name != "logger"}
        return [value, questions, messages]
