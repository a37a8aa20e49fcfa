"""Prompts: messages from files, filled with arguments.

https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, GetPromptRequestParams, PaginatedRequestParams

from .bundled_files import bundled_files
from .client_channel import ClientChannel, Context
from .completion_values import scalar_text
from .feature import Feature, FeatureMethod, ServerContext, refuse_pages
from .prompt import Prompt, PromptMessage, fill_placeholders, fill_uri
from .resources import Resources

MOST_PROBLEMS = 20
"""What is told of what is wrong with the arguments of one request."""

_NO_RESOURCES = Resources(())


class Prompts(Feature):
    """Prompts in the order of the list; `resources` are those that their messages embed."""

    def __init__(self, prompts: Sequence[Prompt], resources: Resources = _NO_RESOURCES) -> None:
        self.prompts = {prompt.name: prompt for prompt in prompts}
        self._resources = resources

    def methods(self, inside: ServerContext) -> Mapping[str, FeatureMethod]:
        """What lists them and gets one."""
        return {
            "prompts/list": FeatureMethod(PaginatedRequestParams, self._list),
            "prompts/get": FeatureMethod(
                GetPromptRequestParams, partial(self._get, inside), asks=True
            ),
        }

    async def _list(self, context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        refuse_pages(params)
        shown = [prompt.announced for prompt in self.prompts.values()]
        return {"resultType": "complete", "prompts": shown}

    async def _get(
        self,
        inside: ServerContext,
        context: Context,
        params: GetPromptRequestParams,
        client: ClientChannel,
    ) -> dict[str, Any]:
        prompt = self.prompts.get(params.name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name[:128]}")
        given = params.arguments or {}
        if problems := list(islice(prompt.problems(given), MOST_PROBLEMS)):
            raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name}: {'; '.join(problems)}")
        given = {**given, **await _asked(prompt, given, client)}
        messages = [
            {"role": message.role, "content": await self._content(context, inside, message, given)}
            for message in prompt.messages
        ]
        told = {"description": prompt.description} if prompt.description else {}
        return {"resultType": "complete", **told, "messages": messages}

    async def _content(
        self,
        context: Context,
        inside: ServerContext,
        message: PromptMessage,
        given: Mapping[str, str],
    ) -> dict[str, Any]:
        """The content block of a message."""
        if message.text:
            return {"type": "text", "text": fill_placeholders(message.text, given)}
        uri = fill_uri(message.uri, given)
        if not message.file:
            contents = await self._resources.contents(context, inside, uri)
            return {"type": "resource", "resource": contents[0]}
        file = bundled_files()[message.file]
        if uri:
            kind = {"mimeType": message.mime_type} if message.mime_type else {}
            return {"type": "resource", "resource": {"uri": uri, **kind, **file}}
        kind_of = message.mime_type.partition("/")[0]
        return {"type": kind_of, "data": file["blob"], "mimeType": message.mime_type}


async def _asked(prompt: Prompt, given: Mapping[str, str], client: ClientChannel) -> dict[str, str]:
    """What the user answers for the arguments that the client gave no value, all asked at once. Raises
    `MCPError` if one that is required is kept back."""
    open = [each for each in prompt.arguments if each.ask and each.name not in given]
    if not open:
        return {}
    found: dict[str, str] = {}
    answers = await client.ask(*(each.question for each in open))
    for argument, answer in zip(open, answers, strict=True):
        if answer["action"] == "accept":
            found[argument.name] = scalar_text(answer["content"][argument.name])
            if problem := argument.problem(found[argument.name]):
                raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name}: {problem}")
        elif argument.required:
            why = f"the user did not give `{argument.name}` (`{answer['action']}`)"
            raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name}: {why}")
    return found
