"""Choice of one representation per body: by configuration, else the preferred one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import MediaType, Operation
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.multipart import is_file
from mcpgen.lower.media import preferred_media
from mcpgen.lower.selectors import closest_match

EVERY = "*"
"""Key in `bodies` for all operations that offer the media type."""


def choose_media_type(operation: Operation, config: Config, context: FlattenContext) -> Operation:
    """Returns the operation with one representation of its body. Adds OTHER_MEDIA_TYPES."""
    body = operation.body
    if body is None or len(body.media) == 1:
        return operation
    chosen = _chosen(operation, body.media, config)
    if chosen is None:
        with_files = any(_has_files(context, media) for media in body.media)
        chosen = preferred_media(body.media, with_files=with_files)
    others = [f"`{one.name[:80]}`" for one in body.media if one is not chosen]
    if others:
        context.diagnostics.add(
            codes.OTHER_MEDIA_TYPES,
            body.at,
            operation=context.operation,
            chosen=chosen.name,
            others=", ".join(others),
        )
    return replace(operation, body=replace(body, media=(chosen,)))


def report_unknown_bodies(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> None:
    """Adds UNMATCHED_BODY for unknown operations in `bodies`, UNOFFERED_MEDIA_TYPE for media
    types without an operation."""
    by_name = {name: one for one in operations for name in (one.id, one.key) if name}
    for asked, wanted in config.bodies.items():
        place = config.at("bodies", asked) or at
        if asked != EVERY and asked not in by_name:
            hint = closest_match(asked, list(by_name)) or "see the operations of the document"
            diagnostics.add(codes.UNMATCHED_BODY, place, operation=asked, nearest=hint)
            continue
        some = operations if asked == EVERY else [by_name[asked]]
        offered = [media.name for one in some if one.body for media in one.body.media]
        if not any(_same(name, wanted) for name in offered):
            diagnostics.add(
                codes.UNOFFERED_MEDIA_TYPE,
                place,
                operation="no operation" if asked == EVERY else f"`{asked}`",
                verb="takes" if asked == EVERY else "does not take",
                wanted=wanted,
                nearest=_offered(wanted, offered),
            )


def _chosen(operation: Operation, media: Sequence[MediaType], config: Config) -> MediaType | None:
    for asked in (operation.key, operation.id, EVERY):
        wanted = config.bodies.get(asked)
        if wanted is None:
            continue
        for one in media:
            if _same(one.name, wanted):
                return one
    return None


def _same(name: str, wanted: str) -> bool:
    """True if two media types are equal, parameters aside if `wanted` has none."""
    offered, asked = name.strip().lower(), wanted.strip().lower()
    return asked in (offered, offered.partition(";")[0].strip())


def _offered(wanted: str, offered: list[str]) -> str:
    distinct = list(dict.fromkeys(offered))
    if hint := closest_match(wanted, distinct):
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
