"""Steps of a declared answer that use the client: progress, log, questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..server.client_channel import Level
from ..server.declared_answer import AnswerContext
from ..tool import Json
from .forms import Question


@dataclass(frozen=True)
class Progress:
    """Sends progress, if the client asked for progress."""

    done: float
    total: float | None = None
    message: str | None = None

    async def perform(self, context: AnswerContext) -> None:
        """Sends the progress."""
        message = None if self.message is None else context.text(self.message)
        await context.call.progress(self.done, self.total, message)


@dataclass(frozen=True)
class Log:
    """Sends a log message, if the client asked for log messages."""

    text: str
    level: Level = "info"
    logger: str | None = None

    async def perform(self, context: AnswerContext) -> None:
        """Sends the message."""
        await context.call.log(self.level, context.text(self.text), self.logger)


@dataclass(frozen=True)
class FormQuestion:
    """A form for the user."""

    message: str
    schema: Mapping[str, Json]
    optional: bool = False

    def question(self, key: str, context: AnswerContext) -> Question:
        """The question to the client."""
        return Question.form(context.text(self.message), self.schema, key=key)


@dataclass(frozen=True)
class Sample:
    """A prompt for the client's model."""

    prompt: str
    most_tokens: int
    optional: bool = False

    def question(self, key: str, context: AnswerContext) -> Question:
        """The question to the client."""
        content = {"type": "text", "text": context.text(self.prompt)}
        return Question.sampling(({"role": "user", "content": content},), self.most_tokens, key=key)


@dataclass(frozen=True)
class Roots:
    """A request for the client's root folders."""

    optional: bool = False

    def question(self, key: str, context: AnswerContext) -> Question:
        """The question to the client."""
        return Question.roots(key=key)


@dataclass(frozen=True)
class Ask:
    """Asks the client all questions at once; stores each answer under the name of the question, in
    MCP format."""

    questions: Mapping[str, FormQuestion | Sample | Roots]

    async def perform(self, context: AnswerContext) -> None:
        """Asks all questions that the client supports; fails if the user declines a required
        question."""
        questions = {
            name: replace(form.question(name, context), early=True)
            for name, form in self.questions.items()
        }
        supported = {
            name: question
            for name, question in questions.items()
            if not self.questions[name].optional or await context.call.hears(question)
        }
        answers = await context.call.inquire(*supported.values())
        for name, answer in zip(supported, answers, strict=True):
            context.values[name] = answer
            if answer.get("action", "accept") != "accept" and not self.questions[name].optional:
                message = questions[name].params["message"]
                context.fail(f"The user said no (`{answer['action']}`) to: {message}")
                return


@dataclass(frozen=True)
class Close:
    """Closes the event stream of the call; the client may resume the stream."""

    async def perform(self, context: AnswerContext) -> None:
        """Closes the stream."""
        await context.call.close_stream()
