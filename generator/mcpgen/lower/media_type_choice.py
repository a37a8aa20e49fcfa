"""Choice of one representation per body: by configuration, else the preferred one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import MediaType, Operation
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.multipart import is_file
from mcpgen.lower.media import preferred_media

EVERY = "*"
"""Key in `bodies` for all operations that offer the media type."""


def choose_media_type(operation: Operation, config: Config, context: FlattenContext) -> Operation:
    """Returns the operation with one representation of its body. Adds OTHER_MEDIA_TYPES."""
    body = operation.body
    if body is None or len(body.media) == 1:
        return operation
    media_type = _configured_media_type(operation, body.media, config)
    if media_type is None:
        with_files = any(_has_files(context, media) for media in body.media)
        media_type = preferred_media(body.media, with_files=with_files)
    other_names = [f"`{media.name[:80]}`" for media in body.media if media is not media_type]
    if other_names:
        context.diagnostics.add(
            codes.OTHER_MEDIA_TYPES,
            body.at,
            operation=context.operation,
            chosen=media_type.name,
            others=", ".join(other_names),
        )
    return replace(operation, body=replace(body, media=(media_type,)))


def report_unknown_bodies(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> None:
    """Adds UNMATCHED_BODY for unknown operations in `bodies`, UNOFFERED_MEDIA_TYPE for media
    types without an operation."""
    by_name = {
        name: operation
        for operation in operations
        for name in (operation.id, operation.key)
        if name
    }
    for key, media_name in config.bodies.items():
        place = config.at("bodies", key) or at
        if key != EVERY and key not in by_name:
            hint = closest_match(key, list(by_name)) or "see the operations of the document"
            diagnostics.add(codes.UNMATCHED_BODY, place, operation=key, nearest=hint)
            continue
        selected = operations if key == EVERY else [by_name[key]]
        offered = [
            media.name for operation in selected if operation.body for media in operation.body.media
        ]
        if not any(_is_same_type(name, media_name) for name in offered):
            diagnostics.add(
                codes.UNOFFERED_MEDIA_TYPE,
                place,
                operation="no operation" if key == EVERY else f"`{key}`",
                verb="takes" if key == EVERY else "does not take",
                wanted=media_name,
                nearest=_nearest_hint(media_name, offered),
            )


def _configured_media_type(
    operation: Operation, media: Sequence[MediaType], config: Config
) -> MediaType | None:
    for name in (operation.key, operation.id, EVERY):
        media_name = config.bodies.get(name)
        if media_name is None:
            continue
        for media_type in media:
            if _is_same_type(media_type.name, media_name):
                return media_type
    return None


def _is_same_type(name: str, wanted: str) -> bool:
    """True if two media types are equal, parameters aside if `wanted` has none."""
    offered, expected = name.strip().lower(), wanted.strip().lower()
    return expected in (offered, offered.partition(";")[0].strip())


def _nearest_hint(media_name: str, offered: list[str]) -> str:
    distinct = list(dict.fromkeys(offered))
    if hint := closest_match(media_name, distinct):
        return hint
    listed = ", ".join(f"`{name}`" for name in distinct[:5])
    return f"choose from {listed}" if listed else "remove it: there is no body"


def _has_files(context: FlattenContext, media: MediaType) -> bool:
    if media.schema is None:
        return False
    properties = context.objects.properties(context.schemas.view(media.schema.json))
    return properties is not None and any(
        is_file(context, context.schemas.view(part.schema)) for part in properties.all
    )
