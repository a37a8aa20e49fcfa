"""The tools that the companion declares."""

from __future__ import annotations

from mcpgen.openspec.companion.answers import play_of
from mcpgen.openspec.companion.conditions import conditions_of
from mcpgen.openspec.companion.inputs import input_of
from mcpgen.openspec.companion.keys import (
    ARGUMENT_NAME,
    DOCUMENT,
    FLAG,
    LIST,
    MAPPING,
    OPERATION,
    REASON,
    TOOL_NAME,
    text_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, read_text
from mcpgen.openspec.model.companion import DeclaredTool, Input, UpstreamOperation
from mcpgen.parse.node import Node

KEYS = {
    "description": text_key(REASON, needed=True),
    "title": text_key(REASON),
    "annotations": MAPPING,
    "input": MAPPING,
    "output": MAPPING,
    "upstream": MAPPING,
    "answer": LIST,
    "conditions": MAPPING,
    "guessed": FLAG,
}
ANNOTATIONS = {
    "readOnlyHint": FLAG,
    "destructiveHint": FLAG,
    "idempotentHint": FLAG,
    "openWorldHint": FLAG,
}
UPSTREAM = {
    "openapi": text_key(DOCUMENT, needed=True),
    "operation": text_key(OPERATION, needed=True),
}


def tools_of(reader: CompanionReader, node: Node | None) -> tuple[DeclaredTool, ...]:
    """The tools under `tools`, in the order written."""
    named = reader.named(node, "tools", TOOL_NAME)
    return tuple(_tool(reader, name, member) for name, member in named)


def _tool(reader: CompanionReader, name: str, node: Node) -> DeclaredTool:
    owner = f"the tool `{name}`"
    found = reader.members(node, owner, KEYS)
    reader.only_one(node, owner, ("upstream", "answer"))
    upstream = _upstream(reader, found.get("upstream"))
    inputs = _inputs(reader, found.get("input"), node.has("upstream"))
    hints = (
        reader.members(found["annotations"], f"`annotations` of {owner}", ANNOTATIONS)
        if ("annotations" in found)
        else {}
    )
    output = found.get("output")
    if output and output.get("type") != "object":
        reader.illegal(output, "output", "a schema with `type: object`")
        output = None
    return DeclaredTool(
        name=name,
        title=read_text(found, "title"),
        description=read_text(found, "description"),
        annotations={hint: bool(given.value) for hint, given in hints.items()},
        inputs=inputs,
        output=output.value if output else None,
        upstream=upstream,
        at=node.at,
        guessed="guessed" in found and bool(found["guessed"].value),
        answer=play_of(reader, found.get("answer"), inputs or ()),
        conditions=conditions_of(reader, found.get("conditions"), node.has("upstream")),
    )


def _inputs(reader: CompanionReader, node: Node | None, upstream: bool) -> tuple[Input, ...] | None:
    """The arguments; None where those of the operation are taken."""
    if node is None:
        return None if upstream else ()
    named = reader.named(node, "input", ARGUMENT_NAME)
    inputs = [input_of(reader, name, member, upstream) for name, member in named]
    return tuple(one for one in inputs if one is not None)


def _upstream(reader: CompanionReader, node: Node | None) -> UpstreamOperation | None:
    found = reader.members(node, "`upstream`", UPSTREAM) if node else {}
    if node is None or len(found) < len(UPSTREAM):
        return None
    return UpstreamOperation(read_text(found, "openapi"), read_text(found, "operation"), node.at)
