"""The tool that documents other tools in Markdown with TypeScript types, in pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from ..hooks import Call
from ..result import Result
from ..server.feature import Feature, ServerContext
from ..settings import ServerSettings
from ..tool import Argument, Json, Tool
from ..upstream.value_text import compact_json


class DocsSettings(ServerSettings):
    """The page size of the documentation."""

    docs_bytes: Annotated[int, Field(ge=1000)] = 8000
    """Maximum bytes of a page."""


_DEEPEST = 4
"""Maximum depth of nested objects in a type."""

_VALUES = 20
"""Maximum number of values in a union."""

_NAMES: Mapping[str, str] = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")

Schemas = Mapping[str, Json]


def method_signature(method: str, tool: Tool) -> str:
    """A method signature with a comment."""
    about = " ".join((tool.title or tool.description or tool.name).split())
    comment = f"/** {about[:200]} */".replace("*/", "* /", about[:200].count("*/"))
    return f"{comment}\n{_property(method)}({_parameter(tool)}): Promise<{result_type(tool)}>;"


def _parameter(tool: Tool) -> str:
    """The parameter of a method; empty for a tool without arguments."""
    schema = tool.input_schema
    if not schema["properties"]:
        return ""
    needed = needed_by(tool)
    members = (
        f"{_property(name)}{'' if name in needed else '?'}: {_typescript_type(each, tool.shared, 1)}"
        for name, each in schema["properties"].items()
    )
    return f"{'arguments' if needed else 'arguments?'}: {{ {'; '.join(members)} }}"


def needed_by(tool: Tool) -> frozenset[str]:
    """The names of the visible required arguments."""
    return frozenset(one.name for one in tool.arguments if one.required and not one.hidden)


def result_type(tool: Tool) -> str:
    """The result type in scripts; `any` without an output schema."""
    if tool.output is None:
        return "any"
    shared = tool.output.get("$defs", {})
    schema = tool.output.get("properties", {}).get("result") if tool.wrapped else tool.output
    return _typescript_type(schema, shared, 1)


def typescript_type(schema: Json, shared: Schemas) -> str:
    """A JSON Schema as a TypeScript type."""
    return _typescript_type(schema, shared, 1)


def _typescript_type(schema: Json, shared: Schemas, depth: int) -> str:
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return "any"
    if "$ref" in schema:
        target = shared.get(str(schema["$ref"]).removeprefix("#/$defs/"))
        return _typescript_type(target, shared, depth + 1)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list) and 0 < len(values) <= _VALUES:
        return " | ".join(dict.fromkeys(json.dumps(value) for value in values))
    for word in ("anyOf", "oneOf"):
        if isinstance(schema.get(word), list):
            return _union(_typescript_type(each, shared, depth + 1) for each in schema[word])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return _union(_typescript_of_kind(str(kind), schema, shared, depth) for kind in kinds)
    return _typescript_of_kind(str(kinds), schema, shared, depth)


def _typescript_of_kind(kind: str, schema: Schemas, shared: Schemas, depth: int) -> str:
    """The TypeScript type of a JSON Schema type."""
    if kind == "array":
        inner = _typescript_type(schema.get("items"), shared, depth + 1)
        return f"({inner})[]" if " " in inner and not inner.startswith("{") else f"{inner}[]"
    if kind == "object":
        return _typescript_object(schema, shared, depth)
    return _NAMES.get(kind, "any")


def _typescript_object(schema: Schemas, shared: Schemas, depth: int) -> str:
    members = schema.get("properties")
    if not isinstance(members, Mapping) or not members:
        return f"Record<string, {_typescript_type(schema.get('additionalProperties'), shared, depth + 1)}>"
    needed = schema.get("required", ())
    texts = (
        f"{_property(name)}{'' if name in needed else '?'}: {_typescript_type(each, shared, depth + 1)}"
        for name, each in members.items()
    )
    return f"{{ {'; '.join(texts)} }}"


def _union(types: object) -> str:
    found = dict.fromkeys(types)  # type: ignore[call-overload]
    return "any" if "any" in found else " | ".join(found)


def _property(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else json.dumps(name)


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
"""Bytes of a page reserved for the note about other pages."""

_FENCES = 100
"""Bytes of a page reserved for code fences split across pages."""

_FENCE = re.compile("(`{3,40})[a-z]{0,9}")


def page_of_parts(parts: Sequence[str], most: int, page: int, request: str) -> str:
    """One page of parts, at most `most` bytes, with a note about further pages. `request` is the
    text that asks for the first page; a part larger than a page is split."""
    pages: list[str] = []
    room = room_of(most)
    for piece in (piece for part in parts for piece in _pieces(part, room)):
        if pages and _text_bytes(pages[-1]) + _text_bytes(piece) + 2 <= room:
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
    """The bytes of a page without the reserved note."""
    return most - _NOTE


Examples = Mapping[str, Mapping[str, Json]]
"""Arguments of known valid calls, by tool name."""


def describe_tool(
    name: str,
    tool: Tool,
    example: Callable[[Mapping[str, Json]], str],
    known: Examples = MappingProxyType({}),
) -> str:
    """Documents a tool under the name used in calls. `example` formats a call, with known arguments
    if available."""
    about = tool.description or tool.title
    does = "It only reads." if tool.hints.read_only else "It changes something."
    lines = [f"## {name}", "", *([about, ""] if about else []), does, ""]
    arguments = tuple(_argument_lines(tool))
    lines += ["Arguments:", "", *arguments, ""] if arguments else ["It takes no arguments.", ""]
    if tool.output is not None:
        lines += [f"Result: `{result_type(tool)}`", ""]
    lines += ["Example:", "", example(known.get(tool.name) or sample_arguments(tool))]
    return "\n".join(lines)


def sample_arguments(tool: Tool) -> dict[str, Json]:
    """Sample values for the required arguments."""
    needed = needed_by(tool)
    return {one.name: _sample(one) for one in tool.arguments if one.name in needed}


def _argument_lines(tool: Tool) -> Iterator[str]:
    """A line per argument, required arguments first."""
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
    """A sample value; the name in angle brackets if the schema has a pattern or format without an
    example."""
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
    """Splits a part into pieces of at most `room` bytes, between lines. Code fences are closed and
    reopened at the split."""
    if _text_bytes(part) <= room:
        yield part
        return
    kept, fence = "", ""
    whole = part.split("\n")
    for line in chain.from_iterable(_line_pieces(each, room - 2 * _FENCES) for each in whole):
        if kept and _text_bytes(kept) + _text_bytes(line) + _FENCES > room:
            yield f"{kept}\n{_ticks(fence)}" if fence else kept
            kept = fence
        kept = f"{kept}\n{line}" if kept else line
        if fence:
            fence = "" if line == _ticks(fence) else fence
        elif _ticks(line):
            fence = line
    yield kept


def _line_pieces(line: str, most: int) -> Iterator[str]:
    """Splits a line into pieces of at most `most` bytes."""
    text = line.encode("utf-8", "replace")
    while len(text) > most:
        chunk = text[:most].decode("utf-8", "ignore")
        yield chunk
        text = text[len(chunk.encode()) :]
    yield text.decode("utf-8")


def _ticks(line: str) -> str:
    """The backticks of a code fence, `""` for other lines."""
    found = _FENCE.fullmatch(line)
    return found[1] if found else ""


def _text_bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def fence_code(language: str, text: str) -> str:
    """A code block with a fence longer than any fence in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def call_as_json(arguments: Mapping[str, Json]) -> str:
    """The arguments of a call as a JSON code block."""
    return fence_code("json", json.dumps(arguments, ensure_ascii=False))


_PAGE = re.compile(r"(?:^|\s)([0-9]{1,4})$")


class Docs(Feature):
    """Documents tools. `groups` maps group names to tool names; `examples` are shown with the
    tools."""

    def __init__(
        self,
        tool: Tool,
        groups: Mapping[str, Sequence[str]],
        settings: DocsSettings,
        examples: Examples = MappingProxyType({}),
    ) -> None:
        self.tools = (tool,)
        self._groups, self._examples = groups, examples
        self._most = settings.docs_bytes

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """A page of the index, of a group, or of a tool."""
        shown = {tool.name: tool for tool in server.visible_tools(call.caller)}
        groups = _visible_groups(self._groups, shown)
        about, page = _name_and_page(call.arguments.get("about", ""))
        if not about:
            return Result.text(page_of_parts(_index(groups, call.tool.name), self._most, page, ""))
        name = next((each for each in (*groups, *shown) if each.lower() == about.lower()), "")
        if not name:
            near = get_close_matches(about[:80], [*groups, *shown], 3)
            hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else "."
            return Result.error(f"There is no group or tool `{about[:80]}`{hint}")
        names = groups.get(name, (name,))
        head = [f"# {name}"] if name in groups else []
        texts = [describe_tool(each, shown[each], call_as_json, self._examples) for each in names]
        return Result.text(page_of_parts([*head, *texts], self._most, page, name))


def _name_and_page(text: str) -> tuple[str, int]:
    """Splits a request into name and page number; a number alone is a page of the index."""
    text = text.strip()
    found = _PAGE.search(text)
    return (text[: found.start()], int(found[1])) if found else (text, 1)


def _visible_groups(
    groups: Mapping[str, Sequence[str]], shown: Mapping[str, Tool]
) -> dict[str, list[str]]:
    """The groups reduced to visible tools."""
    found = {group: [name for name in names if name in shown] for group, names in groups.items()}
    return {group: names for group, names in found.items() if names}


def _index(groups: Mapping[str, Sequence[str]], tool: str) -> list[str]:
    """The index, one line per group."""
    head = (
        f"# Tools\n\n`{tool}` with the name of a group or of a tool as `about` tells its arguments, "
        "its result and an example.\n\n## Groups"
    )
    rows = [
        f"- {group}: {', '.join(f'`{name}`' for name in names)}" for group, names in groups.items()
    ]
    return [head, *rows]
