# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Completion of resource URIs and prompt arguments.

https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CompleteRequestParams, PromptReference

from ..server.client_channel import Context, caller_in
from ..server.feature import Feature, FeatureMethod, ServerContext
from .completion_values import StaticValues, ValueSource, complete_prefix, listed_values
from .prompts import Prompts
from .resources import Resources, convert_arguments, is_visible, read_error


class Completion(Feature):
    """Completes variables of the resource templates and arguments of the prompts."""

    def __init__(self, resources: Resources | None = None, prompts: Prompts | None = None) -> None:
        self._templates = (
            {resource.uri: resource for resource in resources.resources} if resources else {}
        )
        self._prompts = prompts.prompts if prompts else {}

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The method `completion/complete`."""
        return {
            "completion/complete": FeatureMethod(
                CompleteRequestParams, partial(self._answer, server)
            )
        }

    async def _answer(
        self, server: ServerContext, context: Context, params: CompleteRequestParams
    ) -> dict[str, Any]:
        source = self._source(server, context, params)
        arguments = (params.context.arguments if params.context else None) or {}
        values = await _source_values(server, context, source, arguments)
        completion = complete_prefix(values, params.argument.value)
        return {"resultType": "complete", "completion": completion}

    def _source(
        self, server: ServerContext, context: Context, params: CompleteRequestParams
    ) -> ValueSource | None:
        """The source of values for the argument of a request, None without a source. Raises
        `MCPError` for an unknown prompt, template or argument."""
        name = params.argument.name
        if isinstance(params.ref, PromptReference):
            prompt = self._prompts.get(params.ref.name)
            if prompt is None:
                raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.ref.name[:128]}")
            arguments = {argument.name: argument for argument in prompt.arguments}
            if name not in arguments:
                raise _no_argument(name, arguments)
            argument = arguments[name]
            return argument.complete or (StaticValues(argument.values) if argument.values else None)
        template = self._templates.get(params.ref.uri)
        if template is None or not is_visible(server, caller_in(context), template):
            raise MCPError(INVALID_PARAMS, f"Unknown resource template: {params.ref.uri[:2000]}")
        if name not in template.template.names:
            raise _no_argument(name, dict.fromkeys(template.template.names))
        return template.complete.get(name)


def _no_argument(name: str, names: Mapping[str, object]) -> MCPError:
    listed_names = ", ".join(names) or "none"
    return MCPError(INVALID_PARAMS, f"`{name[:128]}` is no argument of it; it has {listed_names}")


async def _source_values(
    server: ServerContext,
    context: Context,
    source: ValueSource | None,
    arguments: Mapping[str, str],
) -> list[str]:
    """All values of a source; empty if an argument that the source needs is not filled in yet."""
    if source is None:
        return []
    if isinstance(source, StaticValues):
        return list(source.values)
    caller = caller_in(context)
    tool = server.find_tool(caller, source.tool)
    needed = {argument: arguments.get(name, "") for argument, name in source.arguments.items()}
    if tool is None or not all(needed.values()):
        return []
    result = await server.call(caller, tool.name, convert_arguments(tool, needed))
    if result.failed:
        raise read_error(context, "", result)
    return listed_values(result, source.value)
