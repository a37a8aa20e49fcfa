"""What a prompt is: a declaration, and what clients are told of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from .completion_values import Suggestions
from .elicitation import Question
from .resource import convert_text

LONGEST = 100_000
"""Characters of one argument; a longer one is refused."""

_PLACEHOLDER = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_-]*) *\}\}")
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


@dataclass(frozen=True)
class PromptArgument:
    """One argument of a prompt. Clients give texts: `type` is what the text must be written as, and
    `values` are those it may be, any if there are none. Where the client gives none, the user is asked
    with the words of `ask`, if there are some."""

    name: str
    title: str = ""
    description: str = ""
    required: bool = False
    type: Literal["string", "integer", "number", "boolean"] = "string"
    values: tuple[str, ...] = ()
    complete: Suggestions | None = None
    ask: str = ""

    @property
    def announced(self) -> dict[str, Any]:
        """The argument as MCP lists it."""
        told = {"title": self.title, "description": self.description}
        kept = {name: value for name, value in told.items() if value}
        return {"name": self.name, **kept, "required": self.required and not self.ask}

    @property
    def question(self) -> Question:
        """What the user is asked for it."""
        told = {"title": self.title, "description": self.description}
        kept = {name: value for name, value in told.items() if value}
        values = {"enum": list(self.values)} if self.values else {}
        shape = {"type": "string" if self.values else self.type, **kept, **values}
        form = {"type": "object", "properties": {self.name: shape}, "required": [self.name]}
        return Question.form(self.ask, form, key=self.name, early=True)

    def problem(self, text: str) -> str:
        """What is wrong with a text as its value, `""` if nothing is."""
        if len(text) > LONGEST:
            return f"`{self.name}` is longer than {LONGEST} characters"
        if self.values and text not in self.values:
            return f"`{self.name}` must be one of {', '.join(self.values)}"
        value = convert_text(text, {"type": self.type})
        if self.type != "string" and not isinstance(value, _KINDS[self.type]):
            article = "an" if self.type == "integer" else "a"
            return f"`{self.name}` must be {article} {self.type}"
        return ""


@dataclass(frozen=True)
class PromptMessage:
    """One message of a prompt: a `text` with placeholders `{{name}}`; a `file`, as an image, as audio
    or embedded under a `uri`; or, where there is a `uri` alone, the resource that it names."""

    role: Literal["user", "assistant"] = "user"
    text: str = ""
    file: str = ""
    mime_type: str = ""
    uri: str = ""


@dataclass(frozen=True)
class Prompt:
    """One prompt: its messages in order, and the arguments that fill their placeholders."""

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    messages: tuple[PromptMessage, ...] = ()

    @property
    def announced(self) -> dict[str, Any]:
        """The prompt as MCP lists it; what is not said is left out.

        https://modelcontextprotocol.io/specification/2025-11-25/schema#prompt
        """
        told = {
            "title": self.title,
            "description": self.description,
            "arguments": [argument.announced for argument in self.arguments],
        }
        return {"name": self.name, **{name: value for name, value in told.items() if value}}

    def problems(self, given: Mapping[str, str]) -> Iterator[str]:
        """What is wrong with the arguments of a request."""
        known = {argument.name: argument for argument in self.arguments}
        for name in given:
            if name not in known:
                yield f"`{name[:128]}` is no argument of it"
        for name, argument in known.items():
            if name not in given:
                if argument.required and not argument.ask:
                    yield f"`{name}` is required"
            elif problem := argument.problem(given[name]):
                yield problem


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """A text with values in place of its placeholders, nothing for those that have none. What a
    value holds is never looked at."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], ""), text)


def fill_uri(uri: str, values: Mapping[str, str]) -> str:
    """A URI with values in place of its placeholders, escaped where they are a part of it only."""
    whole = _PLACEHOLDER.fullmatch(uri)
    if whole:
        return values.get(whole[1], "")
    return fill_placeholders(uri, {name: quote(value, safe="") for name, value in values.items()})
