"""Resources: what the API holds, and files of the project, read by URI.

https://modelcontextprotocol.io/specification/2025-11-25/server/resources
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mcp_types import PaginatedRequestParams, ReadResourceRequestParams

from .bundled_files import bundled_files
from .caller import Caller
from .client_channel import Context
from .feature import Feature, FeatureMethod, ServerContext, refuse_pages
from .multi_round import caller_in
from .resource import Resource, convert_arguments
from .resource_contents import no_such_resource, of_file, of_result, read_error

FILE_LASTS_MS = 300_000
"""How long clients may keep a file; it is the same until the next release."""


class Resources(Feature):
    """Resources in the order of the list. `withheld` are the tools that only they call."""

    def __init__(self, resources: Sequence[Resource], withheld: Sequence[str] = ()) -> None:
        self.resources = tuple(resources)
        self.withheld = withheld
        self._plain = {each.uri: each for each in resources if not each.template.names}
        self._templates = [each for each in resources if each.template.names]

    def methods(self, inside: ServerContext) -> Mapping[str, FeatureMethod]:
        """What lists and reads them."""
        plain, templates = tuple(self._plain.values()), tuple(self._templates)
        lists = {
            "resources/list": ("resources", plain),
            "resources/templates/list": ("resourceTemplates", templates),
        }
        return {
            **{
                method: FeatureMethod(PaginatedRequestParams, partial(_list, inside, member, every))
                for method, (member, every) in lists.items()
            },
            "resources/read": FeatureMethod(ReadResourceRequestParams, partial(self._read, inside)),
        }

    def found(self, uri: str) -> tuple[Resource, dict[str, str]] | None:
        """The resource of a URI with the values that stand in it, None if there is none. A plain
        one goes before a template."""
        if uri in self._plain:
            return self._plain[uri], {}
        for each in self._templates:
            values = each.template.values(uri)
            if values is not None:
                return each, values
        return None

    async def contents(
        self, context: Context, inside: ServerContext, uri: str
    ) -> list[dict[str, Any]]:
        """The contents of a resource, for whoever sent the message. Raises `MCPError`."""
        resource, values = self._named(context, uri)
        return await self._told(context, inside, uri, resource, values)

    async def _told(
        self,
        context: Context,
        inside: ServerContext,
        uri: str,
        resource: Resource,
        values: Mapping[str, str],
    ) -> list[dict[str, Any]]:
        """The contents of a resource that was found."""
        caller = caller_in(context)
        if not resource.tool:
            return of_file(uri, resource.mime_type, bundled_files()[resource.file])
        tool = inside.found(caller, resource.tool)
        if tool is None:
            raise no_such_resource(context, uri)
        result = await inside.call(caller, tool.name, convert_arguments(tool, values))
        if result.failed:
            raise read_error(context, uri, result)
        return of_result(uri, resource.mime_type, result)

    async def _read(
        self, inside: ServerContext, context: Context, params: ReadResourceRequestParams
    ) -> dict[str, Any]:
        uri = str(params.uri)
        resource, values = self._named(context, uri)
        return {
            "resultType": "complete",
            "contents": await self._told(context, inside, uri, resource, values),
            "ttlMs": FILE_LASTS_MS if resource.file else 0,
            "cacheScope": "private",
        }

    def _named(self, context: Context, uri: str) -> tuple[Resource, dict[str, str]]:
        """The resource of a URI with the values in it. Raises `MCPError` if there is none."""
        match = self.found(uri)
        if match is None:
            raise no_such_resource(context, uri)
        return match


async def _list(
    inside: ServerContext,
    member: str,
    every: Sequence[Resource],
    context: Context,
    params: PaginatedRequestParams,
) -> dict[str, Any]:
    refuse_pages(params)
    caller = caller_in(context)
    shown = [each.announced for each in every if shows(inside, caller, each)]
    return {"resultType": "complete", member: shown}


def shows(inside: ServerContext, caller: Caller, resource: Resource) -> bool:
    """Whether a caller finds a resource: as it finds the tool behind it."""
    return not resource.tool or inside.found(caller, resource.tool) is not None
