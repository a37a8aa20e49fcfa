"""Splits long results into pages; the cursor of a page repeats the call and names the next item.

The server stores nothing: a cursor holds the position and a digest of the call, so any worker can
continue.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from ..result import Result, bullet_list, text_block
from ..tool import Json, Tool
from ..tool_parts import Page
from ..upstream.value_text import compact_json, loads
from .invocation import Finish, Invocation
from .middleware import Middleware


@dataclass(frozen=True)
class PageStart:
    """The start of a page: the item index, and the path of the list or object in the result."""

    index: int
    path: tuple[str, ...] = ()


START = PageStart(0)
"""The start of a result."""

Handle = Callable[[PageStart], str]
"""Makes the cursor of the page at a position."""


class StalePage(Exception):
    """The position no longer exists in the result."""


@dataclass(frozen=True)
class _ItemRange:
    """A range of items; `omitted_bytes` is the size of the item at `start` if larger than a
    page."""

    start: int
    end: int
    total: int
    omitted_bytes: int = 0


def cut_page(result: Result, tool: Tool, start: PageStart, handle: Handle) -> Result:
    """The page of a result at `start`; the result itself if short enough.

    Raises `StalePage` if the position does not exist.
    """
    page = tool.page
    if page is None or not result.content or result.content[0].get("type") != "text":
        return result
    text: str = result.content[0]["text"]
    if start == START and not page.items and _json_size(text) <= page.bytes:
        return result
    try:
        value = loads(text).value
    except (ValueError, RecursionError):
        return _page_of_lines(result, text, page, start, handle)
    return _page_of_items(result, value, tool, page, start, handle)


def _page_of_lines(
    result: Result, text: str, page: Page, start: PageStart, handle: Handle
) -> Result:
    """A page of a result that is not JSON, cut into lines."""
    lines = list(_bounded_lines(text, page.bytes))
    if start.path or (start.index and start.index >= len(lines)):
        raise StalePage
    item_range = _fitting_range([_json_size(line) for line in lines], page, page.bytes, start.index)
    if (item_range.start, item_range.end) == (0, len(lines)):
        return result
    page_text = "".join(lines[item_range.start : item_range.end]).removesuffix("\n")
    structured = result.structured
    if structured == {"result": text}:
        structured = {"result": page_text}
    return _with_page(
        result, page_text, structured, _page_note(item_range, "Lines", page, start, handle)
    )


def _page_of_items(
    result: Result, value: Json, tool: Tool, page: Page, start: PageStart, handle: Handle
) -> Result:
    """A page of JSON: items of the largest list, or members of the largest object."""
    is_structured = result.structured is not None
    # A result within the size limit is cut only if a list has too many items.
    only_lists = is_structured or _fits_page(value, page)
    path = _heaviest_path(value, only_lists) if start == START else start.path
    container = _value_at(value, path)
    if not isinstance(container, list) and start == START and _fits_page(value, page):
        return result
    if not isinstance(container, list) and (is_structured or not isinstance(container, dict)):
        if start != START:
            raise StalePage
        return _uncuttable_error(result, value, page)
    if start.index and start.index >= len(container):
        raise StalePage
    pieces = [compact_json(item) for item in container]
    if isinstance(container, dict):
        pieces = [f"{compact_json(name)}:{compact_json(item)}" for name, item in container.items()]
    empty = _replace_at(value, path, type(container)())
    room = (page.bytes - _json_size(compact_json(empty))) if page.bytes else 0
    if page.bytes and room <= 0:
        return _uncuttable_error(result, value, page)
    # The item limit applies to lists only; objects are limited by size.
    limits = page if isinstance(container, list) else replace(page, items=0)
    item_range = _fitting_range(
        [_json_size(piece) + 1 for piece in pieces], limits, room, start.index
    )
    if (item_range.start, item_range.end) == (0, len(container)):
        return result
    page_items = (
        container[item_range.start : item_range.end]
        if isinstance(container, list)
        else _page_members(container, item_range)
    )
    page_value = _replace_at(value, path, page_items)
    structured = {"result": page_value} if tool.wrapped else page_value
    location = f" of `{'.'.join(path)}`" if path else ""
    note = _page_note(item_range, "Items", page, replace(start, path=path), handle, location)
    return _with_page(result, compact_json(page_value), structured if is_structured else None, note)


def _fitting_range(sizes: Sequence[int], page: Page, room: int, start: int) -> _ItemRange:
    """The range of items that fit, empty if the first item is too large."""
    end, used = start, 0
    while end < len(sizes) and (not page.items or end - start < page.items):
        used += sizes[end]
        if page.bytes and used > room:
            break
        end += 1
    omitted_bytes = sizes[start] if end == start and start < len(sizes) else 0
    return _ItemRange(start, end, len(sizes), omitted_bytes)


def _page_note(
    item_range: _ItemRange,
    unit: str,
    page: Page,
    start: PageStart,
    handle: Handle,
    location: str = "",
) -> str:
    """The note about the shown range and the next page."""
    note = f"{unit} {item_range.start + 1} to {item_range.end} of {item_range.total}{location}."
    if item_range.omitted_bytes:
        note = (
            f"{unit[:-1]} {item_range.start + 1} of {item_range.total}{location} is left out: it"
            f" has {item_range.omitted_bytes} bytes, more than a page may have."
        )
    after = item_range.end + bool(item_range.omitted_bytes)
    if after >= item_range.total:
        return note
    if not page.cursor:
        return f"{note} The rest is left out, and calling again would do it all again."
    begin = handle(PageStart(after, start.path))
    return f'{note} To go on, call again with the same arguments and {page.cursor}="{begin}".'


def _with_page(result: Result, text: str, structured: Json, note: str) -> Result:
    """The result with a page in place of the text, and the note."""
    blocks = [text_block(text)] if text else []
    content = (*blocks, text_block(note), *result.content[1:])
    return replace(result, content=content, structured=structured)


def _uncuttable_error(result: Result, value: Json, page: Page) -> Result:
    """The error for a result that cannot be cut."""
    remark = "" if page.cursor else " The call itself was done."
    size = _json_size(compact_json(value))
    message = (
        f"The result has {size} bytes, more than the {page.bytes} of a page, and cannot be cut."
    )
    return Result((text_block(message + remark), *result.content[1:]), failed=True)


def _heaviest_path(value: Json, only_lists: bool) -> tuple[str, ...]:
    """The path to the list with most of the value's bytes; or to the object, unless
    `only_lists`."""
    path: tuple[str, ...] = ()
    while isinstance(value, dict) and value:
        sizes = {name: _weight(member, only_lists) for name, member in value.items()}
        name = max(sizes, key=lambda name: sizes[name])
        if not sizes[name] or (
            not only_lists and sizes[name] * 2 < _json_size(compact_json(value))
        ):
            break
        value, path = value[name], (*path, name)
    return path


def _weight(value: Json, only_lists: bool) -> int:
    """The size of a list or object, 0 for a value that cannot be cut."""
    if isinstance(value, list):
        return _json_size(compact_json(value))
    if not isinstance(value, dict) or not value:
        return 0
    if only_lists:
        return max(_weight(member, only_lists) for member in value.values())
    return _json_size(compact_json(value))


def _value_at(value: Json, path: tuple[str, ...]) -> Json:
    """The value at a path. Raises `StalePage` if missing."""
    for step in path:
        if not isinstance(value, dict) or step not in value:
            raise StalePage
        value = value[step]
    return value


def _replace_at(value: Json, path: tuple[str, ...], replacement: Json) -> Json:
    """The value with `replacement` in place at a path."""
    if not path:
        return replacement
    return {**value, path[0]: _replace_at(value[path[0]], path[1:], replacement)}


def _page_members(members: dict[str, Json], item_range: _ItemRange) -> dict[str, Json]:
    return dict(list(members.items())[item_range.start : item_range.end])


def _fits_page(value: Json, page: Page) -> bool:
    return not page.bytes or _json_size(compact_json(value)) <= page.bytes


def _bounded_lines(text: str, max_bytes: int) -> Iterator[str]:
    """The lines of a text; long lines of prose are split to fit into a page."""
    for line in text.splitlines(keepends=True):
        if not max_bytes or _json_size(line) <= max_bytes or line[:1] in "{[":
            yield line
            continue
        # A character has at most four bytes.
        width = max_bytes // 4
        yield from (line[start : start + width] for start in range(0, len(line), width))


def _json_size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


_DIGEST_LENGTH = 16


class ResultPager(Middleware):
    """Cuts the results of tools that have a page size."""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The page of the result named by the cursor, the first page without a cursor."""
        tool, arguments = invocation.tool, invocation.arguments
        page = tool.page
        handle = arguments.get(page.cursor) if page and page.cursor else None
        if page is None or (invocation.unpaginated and handle is None):
            return await finish()
        own_arguments = {name: value for name, value in arguments.items() if name != page.cursor}
        start = START
        if isinstance(handle, str):
            position = _read_handle(handle, tool, own_arguments)
            if position is None:
                return _foreign_cursor_error(tool, page.cursor)
            start = position
            # The cursor is not sent to the API.
            invocation.arguments = (
                {**own_arguments, page.cursor: None} if tool.strict else own_arguments
            )
        try:
            result = await finish()
        finally:
            invocation.arguments = arguments
        try:
            return cut_page(
                result, tool, start, lambda begin: _create_handle(begin, tool, own_arguments)
            )
        except StalePage:
            return Result.error(
                "The result is no longer what it was when this page was announced; call again"
                f" without `{page.cursor}`."
            )


def _create_handle(start: PageStart, tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The cursor of a position in the result of a call."""
    position = json.dumps([start.index, *start.path], separators=(",", ":")).encode()
    encoded = base64.urlsafe_b64encode(position).decode().rstrip("=")
    return f"{encoded}.{_digest(encoded, tool, arguments)}"


def _read_handle(handle: str, tool: Tool, arguments: Mapping[str, Json]) -> PageStart | None:
    """The position in a cursor, None if the cursor belongs to a different call."""
    encoded, _, digest = handle.partition(".")
    if digest != _digest(encoded, tool, arguments):
        return None
    try:
        index, *path = json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    except (ValueError, TypeError, RecursionError):
        return None
    if type(index) is not int or index < 0 or not all(isinstance(step, str) for step in path):
        return None
    return PageStart(index, tuple(path))


def _digest(encoded: str, tool: Tool, arguments: Mapping[str, Json]) -> str:
    """A digest of tool, arguments and position, which binds a cursor to a call."""
    present = {name: value for name, value in arguments.items() if value is not None}
    text = json.dumps([encoded, tool.name, present], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def _foreign_cursor_error(tool: Tool, cursor: str) -> Result:
    head = f"`{tool.name}` was not called, and nothing was sent:"
    reason = "is not from a result of this call; give the arguments of the call that returned it"
    return Result.error(bullet_list(head, [f"{cursor}: {reason}, or leave it out"]))
