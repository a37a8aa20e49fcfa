"""Documentation of tools on request, as Markdown: an index first, then what is asked for, a page at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from .tool import Argument, Json, Tool
from .typescript_types import needed_by, result_type, typescript_type
from .value_text import compact_json

_SAMPLES: Mapping[str, Json] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
    "null": None,
}

_NOTE = 200
"""The bytes of a page that are kept for what it says of the others."""

_FENCES = 100
"""The bytes of a page that are kept for the fence of a block of code that goes on in the next."""

_FENCE = re.compile("(`{3,40})[a-z]{0,9}")


def page_of_parts(parts: Sequence[str], most: int, page: int, request: str) -> str:
    """One page of parts, at most so many bytes, which says so if there are others. `request` is what
    asks for the first; a part that is larger than a page goes on on the next."""
    pages: list[str] = []
    room = room_of(most)
    for piece in (piece for part in parts for piece in _pieces(part, room)):
        if pages and _size(pages[-1]) + _size(piece) + 2 <= room:
            pages[-1] = f"{pages[-1]}\n\n{piece}"
        else:
            pages.append(piece)
    if not pages or not 1 <= page <= len(pages):
        return f"There is no page {page} of `{request or 'the index'}`; it has {len(pages)}."
    if len(pages) == 1:
        return pages[0]
    more = f"; the next is `{f'{request} {page + 1}'.strip()}`" if page < len(pages) else ""
    return f"{pages[page - 1]}\n\n_Page {page} of {len(pages)}{more}._"


def room_of(most: int) -> int:
    """The bytes that the parts on a page have together, of so many."""
    return most - _NOTE


Examples = Mapping[str, Mapping[str, Json]]
"""Arguments of a call that is known to be a good one, by the name of the tool."""


def describe_tool(
    name: str,
    tool: Tool,
    example: Callable[[Mapping[str, Json]], str],
    known: Examples = MappingProxyType({}),
) -> str:
    """A tool under the name that it is called by; `example` writes a call of it, a known one if there
    is one."""
    about = tool.description or tool.title
    does = "It only reads." if tool.hints.read_only else "It changes something."
    lines = [f"## {name}", "", *([about, ""] if about else []), does, ""]
    arguments = tuple(_arguments(tool))
    lines += ["Arguments:", "", *arguments, ""] if arguments else ["It takes no arguments.", ""]
    if tool.output is not None:
        lines += [f"Result: `{result_type(tool)}`", ""]
    lines += ["Example:", "", example(known.get(tool.name) or sample_arguments(tool))]
    return "\n".join(lines)


def sample_arguments(tool: Tool) -> dict[str, Json]:
    """The arguments of a call as it may look, where none is known: those that are needed."""
    needed = needed_by(tool)
    return {one.name: _sample(one) for one in tool.arguments if one.name in needed}


def _arguments(tool: Tool) -> Iterator[str]:
    """A line of each argument, those that are needed first."""
    shown = [one for one in tool.arguments if not one.hidden]
    for one in sorted(shown, key=lambda one: not one.required):
        yield _argument(one, tool)


def _argument(one: Argument, tool: Tool) -> str:
    kind = typescript_type(one.schema, tool.shared)
    about = " ".join(str(one.schema.get("description", "")).split())
    given = one.schema.get("default")
    is_said = given is None or "Default:" in about
    said = "" if is_said else f" Default: `{compact_json(given)}`."
    need = "needed" if one.required else "optional"
    return f"- `{one.name}` (`{kind}`, {need}): {about}{said}".rstrip(": ")


def _sample(one: Argument) -> Json:
    """A value that an argument may have; its name in angle brackets, where only some texts will do and
    none is known."""
    schema = one.schema
    for word in ("const", "example", "default"):
        if word in schema:
            return schema[word]
    for word in ("examples", "enum"):
        if isinstance(schema.get(word), list) and schema[word]:
            return schema[word][0]
    kinds = schema.get("type")
    kind = kinds[0] if isinstance(kinds, list) and kinds else kinds
    if kind in ("integer", "number") and isinstance(schema.get("minimum"), int | float):
        return schema["minimum"]
    if kind == "string" and schema.keys() & {"pattern", "format"}:
        return f"<{one.name}>"
    return _SAMPLES.get(str(kind), "text")


def _pieces(part: str, room: int) -> Iterator[str]:
    """A part in pieces of at most so many bytes, between its lines. A block of code that goes on in
    the next is closed, and opened anew there."""
    if _size(part) <= room:
        yield part
        return
    kept, fence = "", ""
    whole = part.split("\n")
    for line in chain.from_iterable(_chunks(each, room - 2 * _FENCES) for each in whole):
        if kept and _size(kept) + _size(line) + _FENCES > room:
            yield f"{kept}\n{_ticks(fence)}" if fence else kept
            kept = fence
        kept = f"{kept}\n{line}" if kept else line
        if fence:
            fence = "" if line == _ticks(fence) else fence
        elif _ticks(line):
            fence = line
    yield kept


def _chunks(line: str, most: int) -> Iterator[str]:
    """A line in pieces of at most so many bytes."""
    text = line.encode("utf-8", "replace")
    while len(text) > most:
        chunk = text[:most].decode("utf-8", "ignore")
        yield chunk
        text = text[len(chunk.encode()) :]
    yield text.decode("utf-8")


def _ticks(line: str) -> str:
    """What fences the block of code that a line begins or ends, `""` if it does neither."""
    found = _FENCE.fullmatch(line)
    return found[1] if found else ""


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def fence_code(language: str, text: str) -> str:
    """A block of code, which no text inside it can end."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def call_as_json(arguments: Mapping[str, Json]) -> str:
    """A call of a tool as a block: its arguments."""
    return fence_code("json", json.dumps(arguments, ensure_ascii=False))
