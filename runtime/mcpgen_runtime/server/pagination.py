"""Splits long results into pages; the cursor of a page repeats the call and names the next item.

The server stores nothing: a cursor holds the position and a digest of the call, so any worker can
continue.
"""

from __future__ import annotations

import base64
import binascii
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
class _Taken:
    """A range of items; `left_out` is the size of the item at `start` if larger than a page."""

    start: int
    end: int
    of: int
    left_out: int = 0


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
    lines = list(_bounded(text, page.bytes))
    if start.path or (start.index and start.index >= len(lines)):
        raise StalePage
    taken = _fitting_range([_json_size(line) for line in lines], page, page.bytes, start.index)
    if (taken.start, taken.end) == (0, len(lines)):
        return result
    shown = "".join(lines[taken.start : taken.end]).removesuffix("\n")
    structured = result.structured
    if structured == {"result": text}:
        structured = {"result": shown}
    return _with_page(result, shown, structured, _page_note(taken, "Lines", page, start, handle))


def _page_of_items(
    result: Result, value: Json, tool: Tool, page: Page, start: PageStart, handle: Handle
) -> Result:
    """A page of JSON: items of the largest list, or members of the largest object."""
    listed = result.structured is not None
    # A result within the size limit is cut only if a list has too many items.
    only_lists = listed or _fits_page(value, page)
    path = _heaviest(value, only_lists) if start == START else start.path
    held = _value_at(value, path)
    if not isinstance(held, list) and start == START and _fits_page(value, page):
        return result
    if not isinstance(held, list) and (listed or not isinstance(held, dict)):
        if start != START:
            raise StalePage
        return _whole(result, value, page)
    if start.index and start.index >= len(held):
        raise StalePage
    pieces = [compact_json(each) for each in held]
    if isinstance(held, dict):
        pieces = [f"{compact_json(name)}:{compact_json(each)}" for name, each in held.items()]
    empty = _replace_at(value, path, type(held)())
    room = (page.bytes - _json_size(compact_json(empty))) if page.bytes else 0
    if page.bytes and room <= 0:
        return _whole(result, value, page)
    # The item limit applies to lists only; objects are limited by size.
    counted = page if isinstance(held, list) else replace(page, items=0)
    taken = _fitting_range([_json_size(piece) + 1 for piece in pieces], counted, room, start.index)
    if (taken.start, taken.end) == (0, len(held)):
        return result
    kept = held[taken.start : taken.end] if isinstance(held, list) else _page_members(held, taken)
    shown = _replace_at(value, path, kept)
    structured = {"result": shown} if tool.wrapped else shown
    where = f" of `{'.'.join(path)}`" if path else ""
    said = _page_note(taken, "Items", page, replace(start, path=path), handle, where)
    return _with_page(result, compact_json(shown), structured if listed else None, said)


def _fitting_range(sizes: Sequence[int], page: Page, room: int, start: int) -> _Taken:
    """The range of items that fit, empty if the first item is too large."""
    end, used = start, 0
    while end < len(sizes) and (not page.items or end - start < page.items):
        used += sizes[end]
        if page.bytes and used > room:
            break
        end += 1
    left_out = sizes[start] if end == start and start < len(sizes) else 0
    return _Taken(start, end, len(sizes), left_out)


def _page_note(
    taken: _Taken, what: str, page: Page, start: PageStart, handle: Handle, where: str = ""
) -> str:
    """The note about the shown range and the next page."""
    said = f"{what} {taken.start + 1} to {taken.end} of {taken.of}{where}."
    if taken.left_out:
        said = (
            f"{what[:-1]} {taken.start + 1} of {taken.of}{where} is left out: it has"
            f" {taken.left_out} bytes, more than a page may have."
        )
    after = taken.end + bool(taken.left_out)
    if after >= taken.of:
        return said
    if not page.cursor:
        return f"{said} The rest is left out, and calling again would do it all again."
    begin = handle(PageStart(after, start.path))
    return f'{said} To go on, call again with the same arguments and {page.cursor}="{begin}".'


def _with_page(result: Result, text: str, structured: Json, said: str) -> Result:
    """The result with a page in place of the text, and the note."""
    shown = [text_block(text)] if text else []
    content = (*shown, text_block(said), *result.content[1:])
    return replace(result, content=content, structured=structured)


def _whole(result: Result, value: Json, page: Page) -> Result:
    """The error for a result that cannot be cut."""
    done = "" if page.cursor else " The call itself was done."
    size = _json_size(compact_json(value))
    said = f"The result has {size} bytes, more than the {page.bytes} of a page, and cannot be cut."
    return Result((text_block(said + done), *result.content[1:]), failed=True)


def _heaviest(value: Json, only_lists: bool) -> tuple[str, ...]:
    """The path to the list with most of the value's bytes; or to the object, unless
    `only_lists`."""
    path: tuple[str, ...] = ()
    while isinstance(value, dict) and value:
        sizes = {name: _weight(each, only_lists) for name, each in value.items()}
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
        return max(_weight(each, only_lists) for each in value.values())
    return _json_size(compact_json(value))


def _value_at(value: Json, path: tuple[str, ...]) -> Json:
    """The value at a path. Raises `StalePage` if missing."""
    for step in path:
        if not isinstance(value, dict) or step not in value:
            raise StalePage
        value = value[step]
    return value


def _replace_at(value: Json, path: tuple[str, ...], held: Json) -> Json:
    """The value with `held` in place at a path."""
    if not path:
        return held
    return {**value, path[0]: _replace_at(value[path[0]], path[1:], held)}


def _page_members(held: dict[str, Json], taken: _Taken) -> dict[str, Json]:
    return dict(list(held.items())[taken.start : taken.end])


def _fits_page(value: Json, page: Page) -> bool:
    return not page.bytes or _json_size(compact_json(value)) <= page.bytes


def _bounded(text: str, most: int) -> Iterator[str]:
    """The lines of a text; long lines of prose are split to fit into a page."""
    for line in text.splitlines(keepends=True):
        if not most or _json_size(line) <= most or line[:1] in "{[":
            yield line
            continue
        # A character has at most four bytes.
        width = most // 4
        yield from (line[at : at + width] for at in range(0, len(line), width))


def _json_size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


_DIGEST = 16


class ResultPager(Middleware):
    """Cuts the results of tools that have a page size."""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The page of the result named by the cursor, the first page without a cursor."""
        tool, given = invocation.tool, invocation.arguments
        page = tool.page
        handle = given.get(page.cursor) if page and page.cursor else None
        if page is None or (invocation.whole and handle is None):
            return await finish()
        asked = {name: value for name, value in given.items() if name != page.cursor}
        start = START
        if isinstance(handle, str):
            opened = _opened(handle, tool, asked)
            if opened is None:
                return _foreign(tool, page.cursor)
            start = opened
            # The cursor is not sent to the API.
            invocation.arguments = {**asked, page.cursor: None} if tool.strict else asked
        try:
            result = await finish()
        finally:
            invocation.arguments = given
        try:
            return cut_page(result, tool, start, lambda begin: _handle(begin, tool, asked))
        except StalePage:
            return Result.error(
                "The result is no longer what it was when this page was announced; call again"
                f" without `{page.cursor}`."
            )


def _handle(start: PageStart, tool: Tool, asked: Mapping[str, Json]) -> str:
    """The cursor of a position in the result of a call."""
    place = json.dumps([start.index, *start.path], separators=(",", ":")).encode()
    coded = base64.urlsafe_b64encode(place).decode().rstrip("=")
    return f"{coded}.{_digest(coded, tool, asked)}"


def _opened(handle: str, tool: Tool, asked: Mapping[str, Json]) -> PageStart | None:
    """The position in a cursor, None if the cursor belongs to a different call."""
    coded, _, digest = handle.partition(".")
    if digest != _digest(coded, tool, asked):
        return None
    try:
        index, *path = json.loads(base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)))
    except (ValueError, TypeError, binascii.Error):
        return None
    if type(index) is not int or index < 0 or not all(isinstance(step, str) for step in path):
        return None
    return PageStart(index, tuple(path))


def _digest(coded: str, tool: Tool, asked: Mapping[str, Json]) -> str:
    """A digest of tool, arguments and position, which binds a cursor to a call."""
    said = {name: value for name, value in asked.items() if value is not None}
    whole = json.dumps([coded, tool.name, said], sort_keys=True)
    return sha256(whole.encode()).hexdigest()[:_DIGEST]


def _foreign(tool: Tool, cursor: str) -> Result:
    head = f"`{tool.name}` was not called, and nothing was sent:"
    why = "is not from a result of this call; give the arguments of the call that returned it"
    return Result.error(bullet_list(head, [f"{cursor}: {why}, or leave it out"]))
