"""Long results in pages: each says what it shows and carries the handle of the next.

A handle holds where the next page begins and what was asked for, so any worker can go on: the call
is made again, and shown from there.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from hashlib import sha256

from .json_paging import START, PageStart, StalePage, cut_page
from .middleware import Finish, Invocation, Middleware
from .result import Result, bullet_list
from .tool import Json, Tool

_DIGEST = 16


class ResultPager(Middleware):
    """Cuts the results of tools that have a page."""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The page of the result that the handle stands for, the first one without a handle."""
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
            # The API never hears of the handle.
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
    """The handle of the page that begins at a place in the result of a call."""
    place = json.dumps([start.index, *start.path], separators=(",", ":")).encode()
    coded = base64.urlsafe_b64encode(place).decode().rstrip("=")
    return f"{coded}.{_digest(coded, tool, asked)}"


def _opened(handle: str, tool: Tool, asked: Mapping[str, Json]) -> PageStart | None:
    """Where a page begins, None for a handle that is not from a result of this very call."""
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
    """What ties a handle to a call: its tool, its arguments and the place."""
    said = {name: value for name, value in asked.items() if value is not None}
    whole = json.dumps([coded, tool.name, said], sort_keys=True)
    return sha256(whole.encode()).hexdigest()[:_DIGEST]


def _foreign(tool: Tool, cursor: str) -> Result:
    head = f"`{tool.name}` was not called, and nothing was sent:"
    why = "is not from a result of this call; give the arguments of the call that returned it"
    return Result.error(bullet_list(head, [f"{cursor}: {why}, or leave it out"]))
