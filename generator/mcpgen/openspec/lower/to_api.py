"""Requirements with their companion as one `ApiDescription`: every declared tool is an operation of it.

So all that `mcpgen.toml` can say of an API holds for requirements too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.ir.api import ApiDescription, Extension, Operation
from mcpgen.ir.source import Dialect
from mcpgen.lower.hints import tool_hints
from mcpgen.lower.selectors import closest_match
from mcpgen.openspec.lower.extraction import FactKind, Facts
from mcpgen.openspec.lower.merge_apis import MergedApis, merge_apis
from mcpgen.openspec.model.companion import Companion, DeclaredTool, UpstreamOperation
from mcpgen.openspec.model.requirements import Requirements

VERSION = "0.1.0"
"""The version of a server whose requirements have none."""

_SUFFIX = re.compile(r"\s+spec(ification)?$", re.IGNORECASE)


def requirements_to_api(
    requirements: Requirements,
    companion: Companion | None,
    apis: Mapping[str, ApiDescription],
    facts: Facts,
    diagnostics: Diagnostics,
) -> ApiDescription | None:
    """The tools that requirements declare, as the operations of one API; None if there are none.

    `apis` are the descriptions by the document that tools name. Without a companion the tools are
    those of the text's exact list. Adds MG770, MG771, MG776, MG777 and MG781.
    """
    tools = companion.tools if companion else _listed(requirements, facts, diagnostics)
    if not tools:
        _tell_nothing(requirements, companion, facts, diagnostics)
        return None
    together = merge_apis(tuple(apis.values()))
    known = dict(zip(apis, together.apis, strict=True))
    operations = [_operation(tool, known, diagnostics) for tool in tools]
    if not _calls_missing(tools, apis):
        # What is wrong with operations that no tool calls concerns nobody.
        diagnostics.soften(parse_codes.PER_OPERATION)
    return _api(requirements, companion, together, tuple(filter(None, operations)))


def _api(
    requirements: Requirements,
    companion: Companion | None,
    together: MergedApis,
    operations: tuple[Operation, ...],
) -> ApiDescription:
    title = companion.title if companion else ""
    return ApiDescription(
        title=title or _SUFFIX.sub("", requirements.title) or requirements.capability,
        version=VERSION,
        description=requirements.purpose,
        dialect=Dialect.OPENSPEC,
        servers=together.apis[0].servers if together.apis else (),
        operations=operations,
        definitions=together.definitions,
        security_schemes=together.security_schemes,
        at=requirements.at,
        tags=tuple(tag for api in together.apis[:1] for tag in api.tags),
        capability=requirements.capability,
        instructions=companion.instructions if companion else "",
        prompts=next((api.prompts for api in together.apis if api.prompts), None),
    )


def _listed(
    requirements: Requirements, facts: Facts, diagnostics: Diagnostics
) -> tuple[DeclaredTool, ...]:
    """The tools of the exact list, without arguments."""
    named = {name: fact.at for fact in facts.of(FactKind.EXACT_TOOLS) for name in fact.names}
    if named:
        told = ", ".join(f"`{name}`" for name in named)
        path = requirements.at.file
        diagnostics.add(codes.NO_COMPANION, requirements.at, tools=told, path=path)
    return tuple(DeclaredTool(name, "", "", {}, (), None, None, at) for name, at in named.items())


def _tell_nothing(
    requirements: Requirements,
    companion: Companion | None,
    facts: Facts,
    diagnostics: Diagnostics,
) -> None:
    why = "the text has no exact list of tools, and no `mcp.yaml` stands beside it"
    if companion:
        why = "`tools` of the companion declares none"
    at = companion.at if companion else requirements.at
    diagnostics.add(codes.NO_DECLARED_TOOL, at, why=why, path=requirements.at.file)


def _operation(
    tool: DeclaredTool, apis: Mapping[str, ApiDescription], diagnostics: Diagnostics
) -> Operation | None:
    """The operation that a declared tool stands for; None, with an error told, if there is none."""
    if tool.upstream is None:
        return Operation(
            id=tool.name,
            method="",
            path="",
            parameters=(),
            body=None,
            responses=(),
            security=(),
            servers=(),
            at=tool.at,
            extension=_extension(tool, Extension()),
            declared=tool,
        )
    api = apis.get(tool.upstream.document)
    if api is None:
        return None
    called = tool.upstream.operation
    found = next((each for each in api.operations if called in (each.id, each.key)), None)
    if found is None:
        _tell_unfound(tool, tool.upstream, api, diagnostics)
        return None
    if tool.inputs is not None and found.extension.arguments:
        _tell_unused(tool, found, diagnostics)
    said = replace(found.extension, destructive=_destructive(tool, found))
    words: dict[str, Any] = {"summary": "", "description": ""} if tool.description else {}
    return replace(
        found,
        id=tool.name,
        servers=found.servers or api.servers,
        at=tool.at,
        extension=_extension(tool, said),
        declared=tool,
        **words,
    )


def _tell_unused(tool: DeclaredTool, found: Operation, diagnostics: Diagnostics) -> None:
    names = ", ".join(f"`{name}`" for name in found.extension.arguments)
    at = tool.upstream.at if tool.upstream else tool.at
    facts: dict[str, Any] = {
        "operation": found.id or found.key,
        "tool": tool.name,
        "arguments": names,
    }
    diagnostics.add(codes.UNUSED_WISH, at, **facts)


def _destructive(tool: DeclaredTool, found: Operation) -> bool | None:
    """Whether an operation destroys something, as its own words say, which the declaration's replace."""
    if tool.annotations.get("readOnlyHint"):
        return found.extension.destructive
    return tool_hints(found, False, Diagnostics()).destructive


def _extension(tool: DeclaredTool, said: Extension) -> Extension:
    """What the declaration says of a tool, over what the description does; where it lists the
    arguments, these are all there is to say of them."""
    told = tool.annotations
    return replace(
        said,
        name=tool.name,
        title=tool.title or said.title,
        description=tool.description or said.description,
        hidden=False,
        arguments=said.arguments if tool.inputs is None else {},
        read_only=told.get("readOnlyHint", said.read_only),
        destructive=told.get("destructiveHint", said.destructive),
        idempotent=told.get("idempotentHint", said.idempotent),
        open_world=told.get("openWorldHint", said.open_world),
    )


def _tell_unfound(
    tool: DeclaredTool, upstream: UpstreamOperation, api: ApiDescription, diagnostics: Diagnostics
) -> None:
    facts: dict[str, Any] = {
        "name": tool.name,
        "document": upstream.document,
        "operation": upstream.operation,
    }
    for missing in api.missing:
        if upstream.operation in (missing.id, missing.operation):
            reason = missing.reason
            diagnostics.add(codes.UNREAD_UPSTREAM_OPERATION, upstream.at, reason=reason, **facts)
            return
    names = [name for each in api.operations for name in (each.id, each.key)]
    hint = closest_match(upstream.operation, names) or "see the operations of the document"
    diagnostics.add(codes.UNKNOWN_UPSTREAM_OPERATION, upstream.at, nearest=hint, **facts)


def _calls_missing(tools: tuple[DeclaredTool, ...], apis: Mapping[str, ApiDescription]) -> bool:
    """Whether a tool calls an operation that could not be read."""
    missed = set(_missed(apis))
    return any(
        tool.upstream and (tool.upstream.document, tool.upstream.operation) in missed
        for tool in tools
    )


def _missed(apis: Mapping[str, ApiDescription]) -> Iterator[tuple[str, str | None]]:
    for document, api in apis.items():
        for missing in api.missing:
            yield document, missing.id
            yield document, missing.operation
