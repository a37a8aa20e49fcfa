"""Turns declared tools into an `ApiDescription`; merges OpenAPI documents."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import PurePath
from typing import Any

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.diagnostics.codes import parse as parse_codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, ApiSecurityScheme, Extension, Operation, Schema, SchemeUse
from mcpgen.ir.source import Dialect, Json
from mcpgen.lower.hints import tool_hints
from mcpgen.openspec.model.companion import Capability, DeclaredTool, UpstreamOperation

_DEFS = "#/$defs/"


@dataclass(frozen=True, slots=True)
class MergedApis:
    """API descriptions merged without name collisions.

    `apis` are the given descriptions, with colliding names of schemas and security schemes
    replaced.
    """

    apis: tuple[ApiDescription, ...]
    definitions: Mapping[str, Schema] = field(default_factory=dict)
    security_schemes: Mapping[str, ApiSecurityScheme] = field(default_factory=dict)


def merge_apis(apis: Sequence[ApiDescription]) -> MergedApis:
    """Merges descriptions without name collisions.

    Names of the first description stay; names of later descriptions stay if free or equal in
    meaning.
    """
    merged: list[ApiDescription] = []
    definitions: dict[str, Schema] = {}
    schemes: dict[str, ApiSecurityScheme] = {}
    for api in apis:
        own_schemas = {name: definition.json for name, definition in api.definitions.items()}
        merged_schemas = {name: definition.json for name, definition in definitions.items()}
        names = _MergeNames(
            _fresh(own_schemas, merged_schemas),
            _fresh(_without_places(api.security_schemes), _without_places(schemes)),
        )
        renamed: ApiDescription = names.renamed(api)
        definitions |= {names.definitions.get(n, n): s for n, s in renamed.definitions.items()}
        for id, scheme in renamed.security_schemes.items():
            merged_id = names.schemes.get(id, id)
            schemes.setdefault(merged_id, replace(scheme, id=merged_id))
        merged.append(renamed)
    return MergedApis(tuple(merged), definitions, schemes)


def _without_places(schemes: Mapping[str, ApiSecurityScheme]) -> dict[str, ApiSecurityScheme]:
    """Returns the schemes without id and position, for comparison."""
    nowhere = Location("")
    return {id: replace(scheme, id="", at=nowhere) for id, scheme in schemes.items()}


def _fresh(own: Mapping[str, object], merged: Mapping[str, object]) -> dict[str, str]:
    """Returns new names for colliding definitions, empty without a collision.

    After any collision all definitions are renamed, because equal schemas may refer to different
    schemas.
    """
    if all(merged.get(name, schema) == schema for name, schema in own.items()):
        return {}
    renamings: dict[str, str] = {}
    used = {*own, *merged}
    for name in own:
        number = 2
        while f"{name}_{number}" in used:
            number += 1
        renamings[name] = f"{name}_{number}"
        used.add(renamings[name])
    return renamings


@dataclass(frozen=True, slots=True)
class _MergeNames:
    """New names of definitions and security schemes, by old name."""

    definitions: Mapping[str, str]
    schemes: Mapping[str, str]

    def renamed(self, value: Any) -> Any:
        """Returns a value of `ir.api` with all references renamed."""
        if not self.definitions and not self.schemes:
            return value
        if isinstance(value, Schema):
            return replace(value, json=self._schema(value.json))
        if isinstance(value, SchemeUse):
            return replace(value, scheme=self.schemes.get(value.scheme, value.scheme))
        if isinstance(value, tuple):
            return tuple(self.renamed(member) for member in value)
        if isinstance(value, Mapping):
            return {key: self.renamed(member) for key, member in value.items()}
        if isinstance(value, Location) or not is_dataclass(value) or isinstance(value, type):
            return value
        return replace(
            value,
            **{field.name: self.renamed(getattr(value, field.name)) for field in fields(value)},
        )

    def _schema(self, schema: Json) -> Json:
        if isinstance(schema, list):
            return [self._schema(member) for member in schema]
        if not isinstance(schema, dict):
            return schema
        members = {key: self._schema(member) for key, member in schema.items()}
        for key in ("$ref", "defaultMapping"):
            if isinstance(members.get(key), str):
                members[key] = self._reference(members[key])
        if isinstance(members.get("mapping"), dict) and "propertyName" in members:
            mapping = members["mapping"].items()
            members["mapping"] = {
                value: self._reference(to) if isinstance(to, str) else to for value, to in mapping
            }
        return members

    def _reference(self, reference: str) -> str:
        name = reference.removeprefix(_DEFS)
        if name == reference or name not in self.definitions:
            return reference
        return f"{_DEFS}{self.definitions[name]}"


VERSION = "0.1.0"
"""Version of a server whose requirements have no version."""

_SUFFIX = re.compile(r"\s+spec(ification)?$", re.IGNORECASE)


def requirements_to_api(
    capabilities: Sequence[Capability],
    tools: Sequence[DeclaredTool],
    apis: Mapping[str, ApiDescription],
    diagnostics: Diagnostics,
) -> ApiDescription:
    """Returns an API whose operations are the declared tools.

    `apis` are the OpenAPI descriptions by path. Adds MG770, MG771 and MG781.
    """
    together = merge_apis(tuple(apis.values()))
    by_path = dict(zip(apis, together.apis, strict=True))
    operations = [_operation(tool, by_path, diagnostics) for tool in tools]
    if not _calls_missing(tools, apis):
        # Errors in operations not called by any tool do not fail the build.
        diagnostics.soften(parse_codes.PER_OPERATION)
    return _api(capabilities, together, tuple(filter(None, operations)))


def upstream_path(tool: DeclaredTool) -> str:
    """Returns the path of the document with a tool's operation, from the current folder."""
    document = tool.upstream.document if tool.upstream else ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(tool.at.file), document))


def _api(
    capabilities: Sequence[Capability], together: MergedApis, operations: tuple[Operation, ...]
) -> ApiDescription:
    first = capabilities[0].requirements
    companions = [capability.companion for capability in capabilities if capability.companion]
    title = next((companion.title for companion in companions if companion.title), "")
    own = _SUFFIX.sub("", first.title) or first.capability
    if len(capabilities) > 1:
        own = together.apis[0].title if together.apis else _folder_title(first.at.file) or own
    return ApiDescription(
        title=title or own,
        version=VERSION,
        description=_description(capabilities),
        dialect=Dialect.OPENSPEC,
        servers=together.apis[0].servers if together.apis else (),
        operations=operations,
        definitions=together.definitions,
        security_schemes=together.security_schemes,
        at=first.at,
        tags=tuple(tag for api in together.apis[:1] for tag in api.tags),
        capability=",".join(capability.name for capability in capabilities),
        instructions=" ".join(
            capability.instructions for capability in companions if capability.instructions
        ),
        prompts=next((api.prompts for api in together.apis if api.prompts), None),
        servers_at=together.apis[0].servers_at if together.apis else None,
    )


def _description(capabilities: Sequence[Capability]) -> str:
    """Returns the first written Purpose; `openspec archive` writes TBD into a new spec."""
    purposes = [capability.requirements.purpose for capability in capabilities]
    final = (purpose for purpose in purposes if not purpose.startswith(("TBD", "TODO")))
    return purposes[0] if len(purposes) == 1 else next(final, "")


def _folder_title(path: str) -> str:
    """Returns the name of the folder that holds the OpenSpec folder of a spec, `""` if unnamed."""
    parts = PurePath(os.path.abspath(path)).parts
    names = parts[: parts.index("openspec")] if "openspec" in parts else ()
    return names[-1] if len(names) > 1 else ""


def _operation(
    tool: DeclaredTool, apis: Mapping[str, ApiDescription], diagnostics: Diagnostics
) -> Operation | None:
    """Returns the operation of a declared tool; None with an error for an unknown operation."""
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
    api = apis.get(upstream_path(tool))
    if api is None:
        return None
    target = tool.upstream.operation
    upstream = next(
        (operation for operation in api.operations if target in (operation.id, operation.key)), None
    )
    if upstream is None:
        _tell_unfound(tool, tool.upstream, api, diagnostics)
        return None
    if tool.inputs is not None and upstream.extension.arguments:
        _tell_unused(tool, upstream, diagnostics)
    extension = replace(upstream.extension, destructive=_destructive(tool, upstream))
    words: dict[str, Any] = {"summary": "", "description": ""} if tool.description else {}
    return replace(
        upstream,
        id=tool.name,
        servers=upstream.servers or api.servers,
        at=tool.at,
        extension=_extension(tool, extension),
        declared=tool,
        **words,
    )


def _tell_unused(tool: DeclaredTool, operation: Operation, diagnostics: Diagnostics) -> None:
    names = ", ".join(f"`{name}`" for name in operation.extension.arguments)
    at = tool.upstream.at if tool.upstream else tool.at
    facts: dict[str, Any] = {
        "operation": operation.id or operation.key,
        "tool": tool.name,
        "arguments": names,
    }
    diagnostics.add(codes.UNUSED_WISH, at, **facts)


def _destructive(tool: DeclaredTool, operation: Operation) -> bool | None:
    """Returns True if the operation's own description makes the tool destructive, None if nothing
    does."""
    if tool.annotations.get("readOnlyHint"):
        return operation.extension.destructive
    return (
        tool_hints(operation, False, Diagnostics()).destructive or operation.extension.destructive
    )


def _extension(tool: DeclaredTool, extension: Extension) -> Extension:
    """Merges the declaration into the operation's extension.

    Declared inputs replace the extension's argument settings.
    """
    annotations = tool.annotations
    return replace(
        extension,
        name=tool.name,
        title=tool.title or extension.title,
        description=tool.description or extension.description,
        hidden=False,
        arguments=extension.arguments if tool.inputs is None else {},
        read_only=annotations.get("readOnlyHint", extension.read_only),
        destructive=annotations.get("destructiveHint", extension.destructive),
        idempotent=annotations.get("idempotentHint", extension.idempotent),
        open_world=annotations.get("openWorldHint", extension.open_world),
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
    names = [name for operation in api.operations for name in (operation.id, operation.key)]
    hint = closest_match(upstream.operation, names) or "see the operations of the document"
    diagnostics.add(codes.UNKNOWN_UPSTREAM_OPERATION, upstream.at, nearest=hint, **facts)


def _calls_missing(tools: Sequence[DeclaredTool], apis: Mapping[str, ApiDescription]) -> bool:
    """Returns whether a tool calls an unreadable operation."""
    missing = set(_missing_operations(apis))
    return any(
        tool.upstream and (upstream_path(tool), tool.upstream.operation) in missing
        for tool in tools
    )


def _missing_operations(apis: Mapping[str, ApiDescription]) -> Iterator[tuple[str, str | None]]:
    for document, api in apis.items():
        for missing in api.missing:
            yield document, missing.id
            yield document, missing.operation
