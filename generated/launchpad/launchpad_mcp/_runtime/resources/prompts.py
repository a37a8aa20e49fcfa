# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Prompts: messages from files, filled with arguments.

https://modelcontextprotocol.io/specification/2025-11-25/server/prompts"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Literal
from urllib.parse import quote

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, GetPromptRequestParams, PaginatedRequestParams

from ..elicitation.forms import Question
from ..server.client_channel import ClientChannel, Context
from ..server.feature import Feature, FeatureMethod, ServerContext, refuse_pages
from .completion_values import ValueSource, scalar_text
from .resources import Resources, bundled_files, convert_text

MAX_ARGUMENT_LENGTH = 100_000
"""Maximum characters of an argument."""

_PLACEHOLDER = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_-]*) *\}\}")
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


@dataclass(frozen=True)
class PromptArgument:
    """One argument of a prompt. Clients send strings: the string must parse as `type`, and be in
    `values` if there are any. If the client omits the argument, the user is asked with the text
    `ask`, if set."""

    name: str
    title: str = ""
    description: str = ""
    required: bool = False
    type: Literal["string", "integer", "number", "boolean"] = "string"
    values: tuple[str, ...] = ()
    complete: ValueSource | None = None
    ask: str = ""

    @property
    def announced(self) -> dict[str, Any]:
        """The argument as MCP lists it."""
        optional = {"title": self.title, "description": self.description}
        members = {name: value for name, value in optional.items() if value}
        return {"name": self.name, **members, "required": self.required and not self.ask}

    @property
    def question(self) -> Question:
        """The form that asks the user for the argument."""
        optional = {"title": self.title, "description": self.description}
        labels = {name: value for name, value in optional.items() if value}
        values = {"enum": list(self.values)} if self.values else {}
        shape = {"type": "string" if self.values else self.type, **labels, **values}
        form = {"type": "object", "properties": {self.name: shape}, "required": [self.name]}
        return Question.form(self.ask, form, key=self.name, early=True)

    def problem(self, text: str) -> str:
        """The problem with a value of the argument, `""` if valid."""
        if len(text) > MAX_ARGUMENT_LENGTH:
            return f"`{self.name}` is longer than {MAX_ARGUMENT_LENGTH} characters"
        if self.values and text not in self.values:
            return f"`{self.name}` must be one of {', '.join(self.values)}"
        value = convert_text(text, {"type": self.type})
        if self.type != "string" and not isinstance(value, _KINDS[self.type]):
            article = "an" if self.type == "integer" else "a"
            return f"`{self.name}` must be {article} {self.type}"
        return ""


@dataclass(frozen=True)
class PromptMessage:
    """One message of a prompt: `text` with placeholders `{{name}}`; a `file` as image, as audio, or
    embedded under `uri`; or the resource at `uri`."""

    role: Literal["user", "assistant"] = "user"
    text: str = ""
    file: str = ""
    mime_type: str = ""
    uri: str = ""


@dataclass(frozen=True)
class Prompt:
    """A prompt: messages in order, and arguments for the placeholders."""

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    messages: tuple[PromptMessage, ...] = ()

    @property
    def announced(self) -> dict[str, Any]:
        """The prompt as MCP lists it, without empty members.

        https://modelcontextprotocol.io/specification/2025-11-25/schema#prompt
        """
        optional = {
            "title": self.title,
            "description": self.description,
            "arguments": [argument.announced for argument in self.arguments],
        }
        return {"name": self.name, **{name: value for name, value in optional.items() if value}}

    def problems(self, arguments: Mapping[str, str]) -> Iterator[str]:
        """The problems with the arguments of a request."""
        declared = {argument.name: argument for argument in self.arguments}
        for name in arguments:
            if name not in declared:
                yield f"`{name[:128]}` is no argument of it"
        for name, argument in declared.items():
            if name not in arguments:
                if argument.required and not argument.ask:
                    yield f"`{name}` is required"
            elif problem := argument.problem(arguments[name]):
                yield problem


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Replaces placeholders with values, or with `""` if there is no value. Placeholders inside
    values are not replaced."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], ""), text)


def fill_uri(uri: str, values: Mapping[str, str]) -> str:
    """Fills the placeholders of a URI; values are percent-encoded unless the placeholder is the
    whole URI."""
    placeholder = _PLACEHOLDER.fullmatch(uri)
    if placeholder:
        return values.get(placeholder[1], "")
    return fill_placeholders(uri, {name: quote(value, safe="") for name, value in values.items()})


MAX_PROBLEMS = 20
"""Maximum number of problems reported per request."""

_NO_RESOURCES = Resources(())


class Prompts(Feature):
    """Prompts in the order of the list; messages may embed `resources`."""

    def __init__(self, prompts: Sequence[Prompt], resources: Resources = _NO_RESOURCES) -> None:
        self.prompts = {prompt.name: prompt for prompt in prompts}
        self._resources = resources

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The methods `prompts/list` and `prompts/get`."""
        return {
            "prompts/list": FeatureMethod(PaginatedRequestParams, self._list),
            "prompts/get": FeatureMethod(
                GetPromptRequestParams, partial(self._get, server), asks=True
            ),
        }

    async def _list(self, context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        refuse_pages(params)
        prompts = [prompt.announced for prompt in self.prompts.values()]
        return {"resultType": "complete", "prompts": prompts}

    async def _get(
        self,
        server: ServerContext,
        context: Context,
        params: GetPromptRequestParams,
        client: ClientChannel,
    ) -> dict[str, Any]:
        prompt = self.prompts.get(params.name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name[:128]}")
        arguments = params.arguments or {}
        if problems := list(islice(prompt.problems(arguments), MAX_PROBLEMS)):
            raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name}: {'; '.join(problems)}")
        arguments = {**arguments, **await _ask_missing(prompt, arguments, client)}
        messages = [
            {
                "role": message.role,
                "content": await self._content(context, server, message, arguments),
            }
            for message in prompt.messages
        ]
        description = {"description": prompt.description} if prompt.description else {}
        return {"resultType": "complete", **description, "messages": messages}

    async def _content(
        self,
        context: Context,
        server: ServerContext,
        message: PromptMessage,
        arguments: Mapping[str, str],
    ) -> dict[str, Any]:
        """The content block of a message."""
        if message.text:
            return {"type": "text", "text": fill_placeholders(message.text, arguments)}
        uri = fill_uri(message.uri, arguments)
        if not message.file:
            contents = await self._resources.contents(context, server, uri)
            return {"type": "resource", "resource": contents[0]}
        file = bundled_files(server.package)[message.file]
        if uri:
            kind = {"mimeType": message.mime_type} if message.mime_type else {}
            return {"type": "resource", "resource": {"uri": uri, **kind, **file}}
        kind_of = message.mime_type.partition("/")[0]
        return {"type": kind_of, "data": file["blob"], "mimeType": message.mime_type}


async def _ask_missing(
    prompt: Prompt, arguments: Mapping[str, str], client: ClientChannel
) -> dict[str, str]:
    """Asks the user for all arguments missing in the request, in one round. Raises `MCPError` if
    the user does not give a required argument."""
    open = [
        argument for argument in prompt.arguments if argument.ask and argument.name not in arguments
    ]
    if not open:
        return {}
    texts: dict[str, str] = {}
    answers = await client.ask(*(argument.question for argument in open))
    for argument, answer in zip(open, answers, strict=True):
        if answer["action"] == "accept":
            texts[argument.name] = scalar_text(answer["content"][argument.name])
            if problem := argument.problem(texts[argument.name]):
                raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name}: {problem}")
        elif argument.required:
            why = f"the user did not give `{argument.name}` (`{answer['action']}`)"
            raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name}: {why}")
    return texts
