# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Documents tools in Markdown with TypeScript types, in pages of limited size.

`Docs` is the tool that answers with documentation; `script_docs` documents the tools for scripts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
"""Maximum nesting of a type; a deeper type is `any`. References can be recursive."""

_MAX_UNION_VALUES = 20
"""Maximum number of enum values in a type; a longer enum has the type of the values."""

_SCALAR_TYPES: Mapping[str, str] = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
"""The TypeScript type of each scalar JSON Schema type."""

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")

Schemas = Mapping[str, Json]
"""Schemas by name, as in `$defs`."""


def method_signature(method: str, tool: Tool) -> str:
    """The TypeScript signature of a tool as a method, below a comment."""
    summary = " ".join((tool.title or tool.description or tool.name).split())
    comment = f"/** {summary[:200].replace('*/', '* /')} */"
    return (
        f"{comment}\n{_property_name(method)}({_parameter(tool)}): Promise<{_result_type(tool)}>;"
    )


def _parameter(tool: Tool) -> str:
    """The parameter of a method: one object of arguments; `""` for a tool without arguments."""
    schema = tool.input_schema
    if not schema["properties"]:
        return ""
    required = _required_names(tool)
    members = (
        _member(name, member, name in required, tool.shared)
        for name, member in schema["properties"].items()
    )
    return f"{'arguments' if required else 'arguments?'}: {{ {'; '.join(members)} }}"


def _required_names(tool: Tool) -> frozenset[str]:
    """The names of the visible required arguments."""
    return frozenset(
        argument.name for argument in tool.arguments if argument.required and not argument.hidden
    )


def _result_type(tool: Tool) -> str:
    """The type of a tool's result in scripts; `any` without an output schema."""
    if tool.output is None:
        return "any"
    shared = tool.output.get("$defs", {})
    schema = tool.output.get("properties", {}).get("result") if tool.wrapped else tool.output
    return typescript_type(schema, shared)


def typescript_type(schema: Json, shared: Schemas, depth: int = 1) -> str:
    """A JSON Schema as a TypeScript type. `shared` are the schemas of `$defs`, and `depth` is
    the nesting level, from 1."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return "any"
    if "$ref" in schema:
        target = shared.get(str(schema["$ref"]).removeprefix("#/$defs/"))
        return typescript_type(target, shared, depth + 1)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list) and 0 < len(values) <= _MAX_UNION_VALUES:
        return " | ".join(dict.fromkeys(json.dumps(value) for value in values))
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            return _union(
                typescript_type(alternative, shared, depth + 1) for alternative in schema[keyword]
            )
    types = schema.get("type")
    if isinstance(types, list):
        return _union(_typescript_of_type(str(name), schema, shared, depth) for name in types)
    return _typescript_of_type(str(types), schema, shared, depth)


def _typescript_of_type(name: str, schema: Mapping[str, Json], shared: Schemas, depth: int) -> str:
    """The TypeScript type of a schema with the JSON Schema type `name`; `any` for an unknown
    name."""
    if name == "array":
        inner = typescript_type(schema.get("items"), shared, depth + 1)
        return f"({inner})[]" if " " in inner and not inner.startswith("{") else f"{inner}[]"
    if name == "object":
        return _typescript_object(schema, shared, depth)
    return _SCALAR_TYPES.get(name, "any")


def _typescript_object(schema: Mapping[str, Json], shared: Schemas, depth: int) -> str:
    """The TypeScript type of an object: the members, or a record if no members are known."""
    members = schema.get("properties")
    if not isinstance(members, Mapping) or not members:
        return f"Record<string, {typescript_type(schema.get('additionalProperties'), shared, depth + 1)}>"
    required = schema.get("required", ())
    texts = (
        _member(name, member, name in required, shared, depth + 1)
        for name, member in members.items()
    )
    return f"{{ {'; '.join(texts)} }}"


def _member(name: str, schema: Json, is_required: bool, shared: Schemas, depth: int = 1) -> str:
    """A member of an object type."""
    optional = "" if is_required else "?"
    return f"{_property_name(name)}{optional}: {typescript_type(schema, shared, depth)}"


def _union(types: Iterable[str]) -> str:
    """The union of distinct types; `any` if one of the types is `any`."""
    alternatives = dict.fromkeys(types)
    return "any" if "any" in alternatives else " | ".join(alternatives)


def _property_name(name: str) -> str:
    """The name of a property, in quotes if not an identifier."""
    return name if _IDENTIFIER.fullmatch(name) else json.dumps(name)


_SAMPLE_VALUES: Mapping[str, Json] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
    "null": None,
}
"""A sample value of each JSON Schema type."""

_NOTE_BYTES = 200
"""Bytes of a page reserved for the note about the next page."""

_FENCE_BYTES = 100
"""Bytes of a page reserved for the fence of a split code block: at most 40 backticks and a
language."""

_FENCE = re.compile("(`{3,40})[a-z]{0,9}")


def page_of_parts(parts: Sequence[str], max_bytes: int, page: int, request: str) -> str:
    """A page of at most `max_bytes` bytes with as many parts as fit, and a note about the next
    page.

    `page` counts from 1. `request` is the text that requests the first page: the note shows the
    request of the next page, which is `request` and a number. A part larger than a page is split.
    """
    pages: list[str] = []
    room = usable_bytes(max_bytes)
    separator = "\n\n"
    for piece in (piece for part in parts for piece in _split_part(part, room)):
        if pages and _byte_count(pages[-1]) + len(separator) + _byte_count(piece) <= room:
            pages[-1] = f"{pages[-1]}{separator}{piece}"
        else:
            pages.append(piece)
    if not pages or not 1 <= page <= len(pages):
        return f"There is no page {page} of `{request or 'the index'}`; it has {len(pages)}."
    if len(pages) == 1:
        return pages[0]
    more = f"; the next is `{f'{request} {page + 1}'.strip()}`" if page < len(pages) else ""
    return f"{pages[page - 1]}\n\n_Page {page} of {len(pages)}{more}._"


def usable_bytes(max_bytes: int) -> int:
    """The bytes of a page without the note about the next page."""
    return max_bytes - _NOTE_BYTES


Examples = Mapping[str, Mapping[str, Json]]
"""Arguments of known valid calls, by tool name."""


def describe_tool(
    name: str,
    tool: Tool,
    format_call: Callable[[Mapping[str, Json]], str],
    examples: Examples = MappingProxyType({}),
) -> str:
    """Documents a tool under the name used in calls: effect, arguments, result and an example.

    `format_call` formats the example from arguments: the arguments in `examples`, or else samples.
    """
    description = tool.description or tool.title
    effect = "It only reads." if tool.hints.read_only else "It changes something."
    lines = [f"## {name}", "", *([description, ""] if description else []), effect, ""]
    arguments = tuple(_argument_lines(tool))
    lines += ["Arguments:", "", *arguments, ""] if arguments else ["It takes no arguments.", ""]
    if tool.output is not None:
        lines += [f"Result: `{_result_type(tool)}`", ""]
    lines += ["Example:", "", format_call(examples.get(tool.name) or _sample_arguments(tool))]
    return "\n".join(lines)


def _sample_arguments(tool: Tool) -> dict[str, Json]:
    """Sample values for the required arguments."""
    required = _required_names(tool)
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
    """Name, type, necessity, description and default of an argument."""
    type_text = typescript_type(argument.schema, tool.shared)
    description = " ".join(str(argument.schema.get("description", "")).split())
    default = argument.schema.get("default")
    # The generator may have written the default into the description, as in `Default: 20.`.
    needs_default = default is not None and "Default:" not in description
    default_note = f" Default: `{compact_json(default)}`." if needs_default else ""
    necessity = "needed" if argument.required else "optional"
    head = f"- `{argument.name}` (`{type_text}`, {necessity})"
    # Without description and default, nothing follows the colon.
    return f"{head}: {description}{default_note}".rstrip(": ")


def _sample_value(argument: Argument) -> Json:
    """A sample value: a value that the schema names, else the minimum, else a value of the type.
    A text with a pattern or format is the name of the argument in angle brackets, because a sample
    text would hardly match."""
    schema = argument.schema
    for keyword in ("const", "example", "default"):
        if keyword in schema:
            return schema[keyword]
    for keyword in ("examples", "enum"):
        if isinstance(schema.get(keyword), list) and schema[keyword]:
            return schema[keyword][0]
    types = schema.get("type")
    type_name = types[0] if isinstance(types, list) and types else types
    if type_name in ("integer", "number") and isinstance(schema.get("minimum"), int | float):
        return schema["minimum"]
    if type_name == "string" and schema.keys() & {"pattern", "format"}:
        return f"<{argument.name}>"
    return _SAMPLE_VALUES.get(str(type_name), "text")


def _split_part(part: str, room: int) -> Iterator[str]:
    """Splits a part into pieces of at most `room` bytes, between lines if possible. A code block
    that is split ends in the first piece and begins again in the next."""
    if _byte_count(part) <= room:
        yield part
        return
    piece, fence = "", ""
    # A piece holds at least one line, between an opening and a closing fence.
    max_line_bytes = room - 2 * _FENCE_BYTES
    for line in chain.from_iterable(_split_line(text, max_line_bytes) for text in part.split("\n")):
        if piece and _byte_count(piece) + _byte_count(line) + _FENCE_BYTES > room:
            yield f"{piece}\n{_fence_ticks(fence)}" if fence else piece
            piece = fence
        piece = f"{piece}\n{line}" if piece else line
        if fence:
            fence = "" if line == _fence_ticks(fence) else fence
        elif _fence_ticks(line):
            fence = line
    yield piece


def _split_line(line: str, max_bytes: int) -> Iterator[str]:
    """Splits a line into pieces of at most `max_bytes` bytes, between characters."""
    text = line.encode("utf-8", "replace")
    while len(text) > max_bytes:
        chunk = text[:max_bytes].decode("utf-8", "ignore")
        yield chunk
        text = text[len(chunk.encode()) :]
    yield text.decode("utf-8")


def _fence_ticks(line: str) -> str:
    """The backticks of a line that opens or closes a code block, `""` for other lines."""
    match = _FENCE.fullmatch(line)
    return match[1] if match else ""


def _byte_count(text: str) -> int:
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


_PAGE_NUMBER = re.compile(r"(?:^|\s)([0-9]{1,4})$")
"""A page number at the end of a request."""


class Docs(Feature):
    """Documents tools with the tool `tool`. `groups` are names of tools by group; `examples` are
    shown with the tools."""

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
            index = _index(groups, call.tool.name)
            return Result.text(page_of_parts(index, self._max_bytes, page, ""))
        topics = [*groups, *tools]
        name = next((name for name in topics if name.lower() == topic.lower()), "")
        if not name:
            return Result.error(_unknown_topic_message(topic, topics))
        head = [f"# {name}"] if name in groups else []
        texts = [
            describe_tool(tool_name, tools[tool_name], call_as_json, self._examples)
            for tool_name in groups.get(name, (name,))
        ]
        return Result.text(page_of_parts([*head, *texts], self._max_bytes, page, name))


def _unknown_topic_message(topic: str, topics: Sequence[str]) -> str:
    """The message for an unknown group or tool, with similar names."""
    similar = get_close_matches(topic[:80], topics, 3)
    names = " or ".join(f"`{name}`" for name in similar)
    hint = f"; did you mean {names}?" if similar else "."
    return f"There is no group or tool `{topic[:80]}`{hint}"


def _split_request(text: str) -> tuple[str, int]:
    """Splits a request into name and page number; a number alone is a page of the index."""
    text = text.strip()
    match = _PAGE_NUMBER.search(text)
    return (text[: match.start()], int(match[1])) if match else (text, 1)


def _visible_groups(
    groups: Mapping[str, Sequence[str]], tools: Mapping[str, Tool]
) -> dict[str, list[str]]:
    """The groups reduced to visible tools; empty groups are left out."""
    visible = {group: [name for name in names if name in tools] for group, names in groups.items()}
    return {group: names for group, names in visible.items() if names}


def _index(groups: Mapping[str, Sequence[str]], docs_tool: str) -> list[str]:
    """The index of the groups, in parts: an introduction, and a line per group."""
    head = (
        f"# Tools\n\n`{docs_tool}` with the name of a group or of a tool as `about` tells its arguments, "
        "its result and an example.\n\n## Groups"
    )
    rows = [
        f"- {group}: {', '.join(f'`{name}`' for name in names)}" for group, names in groups.items()
    ]
    return [head, *rows]
