"""The optional modules of the runtime that a server installs.

`is_flat` and `is_json_tool` must agree with the functions of the same names in `validation.validate` and
`upstream.operation` of the runtime: the runtime raises NotInstalled for a schema or a tool that needs a
module which is not installed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping

from mcpgen.emit.declaration import SCALARS
from mcpgen.ir.server import ArgumentSpec, Server, ToolSpec
from mcpgen.ir.source import Json

QUESTIONS = ("elicitation.rounds", "open_questions")
"""The runtime module and the function that let calls ask their clients."""

_JSON = re.compile(r"(application|text)/(.*\+)?json")
_FORM = "application/x-www-form-urlencoded"
_STREAMS = ("text/event-stream", "ndjson", "jsonl", "json-seq", "jsonlines")
_STYLES = {"path": ("simple",), "query": ("form",), "header": ("simple",)}

_MAX_LIST_BYTES = 512 * 1024
"""Maximum bytes of all announced tools, as ASCII JSON, of a server without pages. Less than `PAGE_BYTES`
of the runtime (768 KiB), so each server whose list has several pages has the module."""
_MAX_SCHEMAS = 200
"""Subschemas of a flat schema, as in `validation.validate` of the runtime. The 3,386 flat input schemas
of 12 public descriptions have at most 76."""
_FLAT = frozenset(
    [
        "type",
        "format",
        "enum",
        "const",
        "default",
        "examples",
        "title",
        "description",
        "deprecated",
        "readOnly",
        "writeOnly",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "required",
    ]
)


def extensions(server: Server) -> tuple[tuple[str, str], ...]:
    """Returns the pairs of runtime module and function that the server installs, sorted by function."""
    needed = (extension for extension, needs in _RULES.items() if needs(server))
    return tuple(sorted(needed, key=lambda extension: extension[1]))


def asks_clients(server: Server) -> bool:
    """True if calls of the server may ask their clients."""
    return (
        server.asks_in_hooks
        or server.sessions
        or server.elicit is not None
        or server.confirmation is not None
        or any(argument.ask for prompt in server.prompts for argument in prompt.arguments)
        or any(act.questions for tool in server.tools for act in tool.answer)
        or _has_handlers(server)
    )


def is_flat(schema: Json) -> bool:
    """True for a schema without references, combinations and patterns, of at most `_MAX_SCHEMAS`
    subschemas."""
    count, waiting = 0, [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, bool):
            continue
        count += 1
        if not isinstance(part, dict) or count > _MAX_SCHEMAS:
            return False
        for keyword, inner in part.items():
            if keyword == "properties":
                waiting += inner.values()
            elif keyword in ("items", "additionalProperties"):
                waiting.append(inner)
            elif keyword not in _FLAT and not keyword.startswith("x-"):
                return False
    return True


def is_json_tool(tool: ToolSpec) -> bool:
    """True for a tool with scalar parameters and a JSON body, sent as given."""
    body = tool.route.body if tool.route else None
    if body and (body.media_type != "application/json" or body.check is not None):
        return False
    return not (tool.bound or tool.constants or tool.fields) and all(
        map(_is_sent_unchanged, tool.arguments)
    )


def _is_sent_unchanged(argument: ArgumentSpec) -> bool:
    """True if the value is sent as given, at one place."""
    if argument.text or argument.check is not None or argument.named_targets or argument.spread:
        return False
    if argument.place in ("body", "handler"):
        return True
    kind = argument.schema.get("type")
    styles = _STYLES.get(argument.place, ())
    return (
        (argument.style is None or argument.style in styles)
        and bool(styles)
        and len(argument.target) == 1
        and isinstance(kind, str)
        and {kind, *argument.also} <= SCALARS
        and not (argument.allow_reserved or argument.content or argument.rows)
    )


def _every_tool(server: Server) -> Iterator[ToolSpec]:
    """The tools of the API, of features and of discovery."""
    yield from (*server.tools, *server.builtin_tools)
    if server.discovery:
        yield from server.discovery.tools


def _has_handlers(server: Server) -> bool:
    """True if the user's handlers answer some tools."""
    return any(tool.route is None and not tool.answer for tool in server.tools)


def _needs_bounded_validation(server: Server) -> bool:
    """True if the validation of some value needs a bound of its cost: if a schema of some tool is not
    flat, or if calls may ask their clients, since the form of a question may have `oneOf` or `anyOf`.
    """
    return asks_clients(server) or not all(
        is_flat(tool.announced["inputSchema"])
        and is_flat(tool.output or {})
        and all(map(is_flat, _checks(tool)))
        for tool in _every_tool(server)
    )


def _checks(tool: ToolSpec) -> Iterator[Json]:
    """The schemas of values after decoding, and of the assembled body."""
    if tool.route and tool.route.body and tool.route.body.check is not None:
        yield tool.route.body.check
    for argument in (*tool.arguments, *tool.bound):
        yield argument.schema if argument.check is None else argument.check


def _has_general_requests(server: Server) -> bool:
    """True if some tool is no `is_json_tool`."""
    return not all(map(is_json_tool, _every_tool(server)))


def has_streams(server: Server) -> bool:
    """True if a response may be a stream, and for every server with handlers, whose requests are not
    known."""
    accepted = (tool.route.accept.lower() for tool in server.tools if tool.route)
    return _has_handlers(server) or any(kind in text for text in accepted for kind in _STREAMS)


def _has_other_results(server: Server) -> bool:
    """True if some tool accepts other responses than JSON, or selects fields of a response."""
    routes = (tool.route for tool in _every_tool(server) if tool.route)
    accepted = (kind for route in routes for kind in route.accept.split(","))
    others = any(not _JSON.fullmatch(kind.partition(";")[0].strip().lower()) for kind in accepted)
    return others or any(tool.fields for tool in _every_tool(server))


def _has_body(server: Server, fits: Callable[[str], bool]) -> bool:
    bodies = (tool.route.body for tool in server.tools if tool.route and tool.route.body)
    return any(fits(body.media_type.partition(";")[0].strip().lower()) for body in bodies)


def _is_long(server: Server) -> bool:
    """True if the tool list may need pages."""
    return sum(len(json.dumps(tool.announced)) for tool in _every_tool(server)) > _MAX_LIST_BYTES


_RULES: Mapping[tuple[str, str], Callable[[Server], bool]] = {
    ("server.list_pages", "paged_lists"): _is_long,
    ("validation.cost", "bounded_validation"): _needs_bounded_validation,
    ("validation.definitions", "shared_schemas"): lambda server: any(
        tool.definitions for tool in server.tools
    ),
    ("validation.output", "validated_output"): lambda server: any(
        tool.output for tool in _every_tool(server)
    ),
    ("upstream.general_operation", "general_operations"): _has_general_requests,
    ("upstream.other_result", "other_results"): _has_other_results,
    ("upstream.stream_response", "streamed_responses"): has_streams,
    ("upstream.forms", "form_bodies"): lambda server: _has_body(
        server, lambda kind: kind.startswith(("multipart/", _FORM))
    ),
    ("upstream.xml", "xml_bodies"): lambda server: _has_body(
        server, lambda kind: kind.endswith(("/xml", "+xml"))
    ),
}
"""By runtime module and function: the condition under which a server installs the function."""
