"""Fields that results are reduced to, from `[fields]` or `x-mcp`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpgen.config import Config, ToolChoice
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Operation
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.response_schemas import successful_responses
from mcpgen.lower.sanitize_text import strip_invisible, truncate

Chosen = dict[str, "Chosen"]
"""Tree of kept names; an empty dict keeps everything below."""

_MOST_SCHEMAS = 500


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
                _place(operation, config, configured, index),
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
    for asked in config.fields:
        is_told = config.tools.get(asked, ToolChoice()).fields is not None  # With UNMATCHED_TOOL.
        if asked not in names and not is_told:
            hint = closest_match(asked, names) or "see the operations of the document"
            place = config.at("fields", asked) or at
            diagnostics.add(codes.UNMATCHED_FIELDS, place, operation=asked, nearest=hint)


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


def _place(operation: Operation, config: Config, entry: str, index: int) -> Location:
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
            if count > _MOST_SCHEMAS:
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
