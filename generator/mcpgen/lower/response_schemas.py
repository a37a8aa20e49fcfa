"""Successful responses of an operation: status, media type, schemas, `Accept` header and selected fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpgen.config import Config, ToolConfig
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.media import Media, media_kind
from mcpgen.lower.sanitize_text import strip_invisible, truncate

_ANY = "*/*"


def success_response(operation: Operation) -> tuple[int, Response] | None:
    """Returns status and response of a successful call: 200, else the lowest 2xx, `2XX`,
    `default`; None without any."""
    by_status = {response.status.upper(): response for response in operation.responses}
    exact = sorted(status for status in by_status if status.isdigit() and status[0] == "2")
    for status in ["200", *exact]:
        if status in by_status:
            return int(status), by_status[status]
    for status in ("2XX", "DEFAULT"):
        if status in by_status:
            return 200, by_status[status]
    return None


def preferred_response_media(response: Response) -> MediaType | None:
    """The representation a tool asks for: JSON if there is any, else the document's first; None
    without a legal media type."""
    legal = [media for media in response.media if media_kind(media.name) is not Media.ILLEGAL]
    for kind in (Media.JSON, Media.JSON_SUFFIX):
        for media in legal:
            if media_kind(media.name) is kind:
                return media
    return legal[0] if legal else None


def accept_value(operation: Operation) -> str:
    """The value of the `Accept` header: the representation of the success answer, or anything."""
    successful = success_response(operation)
    media = preferred_response_media(successful[1]) if successful else None
    if media is None:
        return _ANY
    return media.name.partition(";")[0].strip() or _ANY


EVENTS = "text/event-stream"
STREAMS = frozenset(
    {
        EVENTS,
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/jsonlines",
        "application/json-seq",
    }
)
"""Media types of item-by-item responses."""

_ANY_EVENT = {"type": "object", "properties": {"data": {}, "event": {}, "id": {}, "retry": {}}}
_EMPTY = ("204", "205")


@dataclass(frozen=True, slots=True)
class ResponseSchemas:
    """Schemas of all successful responses without duplicates, True for an undescribed response.

    `items`: schemas of stream items. `empty`: a response may have no content. `others`: a response
    may be something besides JSON and streams of JSON.
    """

    schemas: tuple[Json, ...] = ()
    items: bool = False
    empty: bool = False
    others: bool = False


def successful_responses(schemas: SchemaViews, operation: Operation) -> ResponseSchemas:
    """Returns the schemas of the 2xx responses, or of `default` without 2xx."""
    distinct: list[Json] = []
    items = empty = has_others = False
    for response in _successes(operation):
        media = preferred_response_media(response)
        if media is None or response.status in _EMPTY or operation.method == "HEAD":
            empty = True
            continue
        schema = True if media.schema is None else media.schema.json
        if is_stream_type(media.name):
            schema, items = item_schema(schemas, media), True
        elif media_kind(media.name) not in (Media.JSON, Media.JSON_SUFFIX):
            has_others = True
            continue
        if schema not in distinct:
            distinct.append(schema)
    return ResponseSchemas(tuple(distinct), items, empty, has_others)


def is_stream_type(name: str) -> bool:
    """True for a media type of item-by-item responses, such as `text/event-stream`."""
    essence = name.partition(";")[0].strip().lower()
    return essence in STREAMS or essence.endswith("+json-seq")


def item_schema(schemas: SchemaViews, media: MediaType) -> Json:
    """Returns the schema of one stream item as results show the item, True without a schema.

    An event is an object; JSON in its `data` is parsed, with the schema in `contentSchema`.
    """
    schema = True if media.item_schema is None else media.item_schema.json
    if media.name.partition(";")[0].strip().lower() != EVENTS:
        return schema
    return _ANY_EVENT if schema is True else _event(schemas, schema)


def _event(schemas: SchemaViews, schema: Json, depth: int = 0) -> Json:
    view = schemas.view(schema)
    event: dict[str, Json] = {"type": "object"}
    properties = dict(view.get("properties", {}))
    if "data" in properties:
        properties["data"] = schemas.view(properties["data"]).get("contentSchema", True)
    if properties:
        event["properties"] = properties
    if "required" in view.keywords:
        event["required"] = view.get("required")
    if view.branches and depth < 4:
        event["anyOf"] = [_event(schemas, branch, depth + 1) for branch in view.branches]
    return event


def _successes(operation: Operation) -> list[Response]:
    by_status = {response.status.upper(): response for response in operation.responses}
    named = [response for status, response in by_status.items() if status[:1] == "2"]
    return named or [by_status["DEFAULT"]] if "DEFAULT" in by_status else named


Chosen = dict[str, "Chosen"]
"""Tree of kept names; an empty dict keeps everything below."""

_MAX_SCHEMAS = 500


def kept_fields(
    schemas: SchemaViews, operation: Operation, config: Config, diagnostics: Diagnostics
) -> tuple[str, ...]:
    """Returns the dotted paths kept in the results of an operation; `()` for all. Configuration
    before `x-mcp`.

    Adds UNKNOWN_FIELD for a path absent from every result.
    """
    configured = next((key for key in (operation.key, operation.id) if key in config.fields), "")
    paths = config.fields[configured] if configured else operation.extension.fields or ()
    unique_paths = tuple(dict.fromkeys(paths))
    for index, path in enumerate(paths):
        hint = path_error(schemas, operation, path)
        if hint is not None:
            diagnostics.add(
                codes.UNKNOWN_FIELD,
                _fields_place(operation, config, configured, index),
                field=truncate(strip_invisible(path), 80),
                operation=operation.key,
                nearest=hint,
            )
    return unique_paths


def report_unmatched_fields(
    operations: Sequence[Operation], config: Config, diagnostics: Diagnostics, at: Location
) -> None:
    """Adds UNMATCHED_FIELDS for entries of `[fields]` without an operation."""
    names = [name for operation in operations for name in (operation.id, operation.key) if name]
    for key in config.fields:
        is_told = config.tools.get(key, ToolConfig()).fields is not None  # With UNMATCHED_TOOL.
        if key not in names and not is_told:
            hint = closest_match(key, names) or "name a selected operation, or delete the entry"
            place = config.at("fields", key) or at
            diagnostics.add(codes.UNMATCHED_FIELDS, place, operation=key, nearest=hint)


def field_tree(paths: Sequence[str]) -> Chosen:
    """Returns the tree of dotted paths; `["a", "a.b"]` gives `{"a": {}}`."""
    root: Chosen = {}
    for path in sorted(paths, key=len):
        _add_path(root, path.split("."))
    return root


def _add_path(node: Chosen, steps: list[str]) -> None:
    for step in steps[:-1]:
        if node.get(step) == {}:
            return
        node = node.setdefault(step, {})
    node.setdefault(steps[-1], {})


def _fields_place(operation: Operation, config: Config, entry: str, index: int) -> Location:
    if not entry:
        return operation.at / "x-mcp" / "fields" / index
    return config.at("fields", entry, str(index)) or config.at("fields", entry) or operation.at


def path_error(schemas: SchemaViews, operation: Operation, path: str) -> str | None:
    """Returns a hint for a path that no result has, None for a possible path."""
    level: list[Json] = list(successful_responses(schemas, operation).schemas)
    before = ""
    for step in path.split("."):
        members = _Members()
        for schema in level:
            members.add(schemas, schema)
        if step in members.named:
            level = members.named[step]
            before += f"{step}."
        elif members.open:
            return None
        else:
            paths = [before + name for name in members.named]
            return closest_match(before + step, paths) or _list_paths(paths)
    return None


def _list_paths(paths: list[str]) -> str:
    names = ", ".join(f"`{name}`" for name in paths[:10])
    return f"there are {names}" if names else "its results are not JSON objects"


@dataclass
class _Members:
    """Members of the described objects, through arrays and unions; `open` allows further
    members."""

    named: dict[str, list[Json]] = field(default_factory=dict)
    open: bool = False

    def add(self, schemas: SchemaViews, schema: Json) -> None:
        waiting, count = [schema], 0
        while waiting:
            view = schemas.view(waiting.pop(0))
            count += 1
            if count > _MAX_SCHEMAS:
                self.open = True
                return
            for name, part in view.get("properties", {}).items():
                if not schemas.view(part).get("writeOnly"):
                    self.named.setdefault(name, []).append(part)
            inner = [*_elements(view.get("items")), *view.get("prefixItems", ()), *view.branches]
            waiting += inner
            additional = view.get("additionalProperties")
            described = inner or view.get("properties") or additional is False
            anything = not described and view.get("type", "object") in ("object", "array")
            if anything or additional or view.get("patternProperties"):
                self.open = True


def _elements(items: Json) -> Iterator[Json]:
    if isinstance(items, dict):
        yield items
