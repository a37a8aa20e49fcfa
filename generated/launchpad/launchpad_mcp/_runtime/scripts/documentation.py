# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
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


_MAX_DEPTH = 4
"""Maximum depth of nested objects in a type."""

_MAX_UNION_VALUES = 20
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
    required = required_names(tool)
    members = (
        _member(name, member, name in required, tool.shared, 1)
        for name, member in schema["properties"].items()
    )
    return f"{'arguments' if required else 'arguments?'}: {{ {'; '.join(members)} }}"


def required_names(tool: Tool) -> frozenset[str]:
    """The names of the visible required arguments."""
    return frozenset(
        argument.name for argument in tool.arguments if argument.required and not argument.hidden
    )


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
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return "any"
    if "$ref" in schema:
        target = shared.get(str(schema["$ref"]).removeprefix("#/$defs/"))
        return _typescript_type(target, shared, depth + 1)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list) and 0 < len(values) <= _MAX_UNION_VALUES:
        return " | ".join(dict.fromkeys(json.dumps(value) for value in values))
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            return _union(
                _typescript_type(alternative, shared, depth + 1) for alternative in schema[keyword]
            )
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
    required = schema.get("required", ())
    texts = (
        _member(name, member, name in required, shared, depth + 1)
        for name, member in members.items()
    )
    return f"{{ {'; '.join(texts)} }}"


def _member(name: str, schema: Json, is_required: bool, shared: Schemas, depth: int) -> str:
    """A member of an object type."""
    optional = "" if is_required else "?"
    return f"{_property(name)}{optional}: {_typescript_type(schema, shared, depth)}"


def _union(types: object) -> str:
    alternatives = dict.fromkeys(types)  # type: ignore[call-overload]
    return "any" if "any" in alternatives else " | ".join(alternatives)


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


def page_of_parts(parts: Sequence[str], max_bytes: int, page: int, request: str) -> str:
    """One page of parts, at most `max_bytes` bytes, with a note about further pages. `request` is
    the text that asks for the first page; a part larger than a page is split."""
    pages: list[str] = []
    room = usable_bytes(max_bytes)
    for piece in (piece for part in parts for piece in _split_part(part, room)):
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


def usable_bytes(max_bytes: int) -> int:
    """The bytes of a page without the reserved note."""
    return max_bytes - _NOTE


Examples = Mapping[str, Mapping[str, Json]]
"""Arguments of known valid calls, by tool name."""


def describe_tool(
    name: str,
    tool: Tool,
    example: Callable[[Mapping[str, Json]], str],
    examples: Examples = MappingProxyType({}),
) -> str:
    """Documents a tool under the name used in calls. `example` formats a call, with known arguments
    if available."""
    description = tool.description or tool.title
    effect = "It only reads." if tool.hints.read_only else "It changes something."
    lines = [f"## {name}", "", *([description, ""] if description else []), effect, ""]
    arguments = tuple(_argument_lines(tool))
    lines += ["Arguments:", "", *arguments, ""] if arguments else ["It takes no arguments.", ""]
    if tool.output is not None:
        lines += [f"Result: `{result_type(tool)}`", ""]
    lines += ["Example:", "", example(examples.get(tool.name) or sample_arguments(tool))]
    return "\n".join(lines)


def sample_arguments(tool: Tool) -> dict[str, Json]:
    """Sample values for the required arguments."""
    required = required_names(tool)
    return {
        argument.name: _sample_value(argument)
        for argument in tool.arguments
        if argument.name in required
    }


def _argument_lines(tool: Tool) -> Iterator[str]:
    """A line per argument, required arguments first."""
    visible = [argument for argument in tool.arguments if not argument.hidden]
    for argument in sorted(visible, key=lambda argument: not argument.required):
        yield _argument_line(argument, tool)


def _argument_line(argument: Argument, tool: Tool) -> str:
    kind = typescript_type(argument.schema, tool.shared)
    description = " ".join(str(argument.schema.get("description", "")).split())
    default = argument.schema.get("default")
    is_described = default is None or "Default:" in description
    default_note = "" if is_described else f" Default: `{compact_json(default)}`."
    necessity = "needed" if argument.required else "optional"
    return f"- `{argument.name}` (`{kind}`, {necessity}): {description}{default_note}".rstrip(": ")


def _sample_value(argument: Argument) -> Json:
    """A sample value; the name in angle brackets if the schema has a pattern or format without an
    example."""
    schema = argument.schema
    for keyword in ("const", "example", "default"):
        if keyword in schema:
            return schema[keyword]
    for keyword in ("examples", "enum"):
        if isinstance(schema.get(keyword), list) and schema[keyword]:
            return schema[keyword][0]
    kinds = schema.get("type")
    kind = kinds[0] if isinstance(kinds, list) and kinds else kinds
    if kind in ("integer", "number") and isinstance(schema.get("minimum"), int | float):
        return schema["minimum"]
    if kind == "string" and schema.keys() & {"pattern", "format"}:
        return f"<{argument.name}>"
    return _SAMPLES.get(str(kind), "text")


def _split_part(part: str, room: int) -> Iterator[str]:
    """Splits a part into pieces of at most `room` bytes, between lines. Code fences are closed and
    reopened at the split."""
    if _text_bytes(part) <= room:
        yield part
        return
    piece, fence = "", ""
    lines = part.split("\n")
    for line in chain.from_iterable(_split_line(text, room - 2 * _FENCES) for text in lines):
        if piece and _text_bytes(piece) + _text_bytes(line) + _FENCES > room:
            yield f"{piece}\n{_fence_ticks(fence)}" if fence else piece
            piece = fence
        piece = f"{piece}\n{line}" if piece else line
        if fence:
            fence = "" if line == _fence_ticks(fence) else fence
        elif _fence_ticks(line):
            fence = line
    yield piece


def _split_line(line: str, max_bytes: int) -> Iterator[str]:
    """Splits a line into pieces of at most `max_bytes` bytes."""
    text = line.encode("utf-8", "replace")
    while len(text) > max_bytes:
        chunk = text[:max_bytes].decode("utf-8", "ignore")
        yield chunk
        text = text[len(chunk.encode()) :]
    yield text.decode("utf-8")


def _fence_ticks(line: str) -> str:
    """The backticks of a code fence, `""` for other lines."""
    match = _FENCE.fullmatch(line)
    return match[1] if match else ""


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
        self._max_bytes = settings.docs_bytes

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """A page of the index, of a group, or of a tool."""
        tools = {tool.name: tool for tool in server.visible_tools(call.caller)}
        groups = _visible_groups(self._groups, tools)
        topic, page = _split_request(call.arguments.get("about", ""))
        if not topic:
            return Result.text(
                page_of_parts(_index(groups, call.tool.name), self._max_bytes, page, "")
            )
        name = next(
            (candidate for candidate in (*groups, *tools) if candidate.lower() == topic.lower()), ""
        )
        if not name:
            suggestions = get_close_matches(topic[:80], [*groups, *tools], 3)
            hint = (
                f"; did you mean {' or '.join(f'`{candidate}`' for candidate in suggestions)}?"
                if suggestions
                else "."
            )
            return Result.error(f"There is no group or tool `{topic[:80]}`{hint}")
        names = groups.get(name, (name,))
        head = [f"# {name}"] if name in groups else []
        texts = [
            describe_tool(candidate, tools[candidate], call_as_json, self._examples)
            for candidate in names
        ]
        return Result.text(page_of_parts([*head, *texts], self._max_bytes, page, name))


def _split_request(text: str) -> tuple[str, int]:
    """Splits a request into name and page number; a number alone is a page of the index."""
    text = text.strip()
    match = _PAGE.search(text)
    return (text[: match.start()], int(match[1])) if match else (text, 1)


def _visible_groups(
    groups: Mapping[str, Sequence[str]], tools: Mapping[str, Tool]
) -> dict[str, list[str]]:
    """The groups reduced to visible tools."""
    visible = {group: [name for name in names if name in tools] for group, names in groups.items()}
    return {group: names for group, names in visible.items() if names}


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
