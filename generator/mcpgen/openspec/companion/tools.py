"""Reads `tools` of a companion: inputs, upstream operation, answer and conditions of each tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import jsonschema_rs

from mcpgen.config.validators import ValueRule
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import Json
from mcpgen.openspec.companion.answers import play_of
from mcpgen.openspec.companion.keys import (
    ANY,
    ARGUMENT_NAME,
    BOUND,
    COUNTED,
    DOCUMENT,
    FLAG,
    HEADER_NAME,
    LIST,
    MAPPING,
    MULTIPLE,
    OPERATION,
    PATTERN,
    REASON,
    TOOL_NAME,
    Keys,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts, read_text
from mcpgen.openspec.model.companion import DeclaredTool, Input, UpstreamOperation
from mcpgen.parse.node import Node

_SCALARS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
TYPES: Mapping[str, tuple[type, ...]] = {**_SCALARS, "array": (list,), "object": (dict,)}

_TYPE = (ValueRule(enum=tuple(TYPES)), "one of " + ", ".join(f"`{name}`" for name in TYPES))

SCALAR: Keys = {
    "type": texts_key(_TYPE),
    "description": text_key(),
    "title": text_key(),
    "enum": LIST,
    "const": ANY,
    "default": ANY,
    "examples": LIST,
    "format": text_key(),
    "pattern": text_key(PATTERN),
    "minLength": number_key(COUNTED),
    "maxLength": number_key(COUNTED),
    "minimum": BOUND,
    "maximum": BOUND,
    "exclusiveMinimum": BOUND,
    "exclusiveMaximum": BOUND,
    "multipleOf": MULTIPLE,
}
ARGUMENT: Keys = {
    **SCALAR,
    "items": MAPPING,
    "minItems": number_key(COUNTED),
    "maxItems": number_key(COUNTED),
    "uniqueItems": FLAG,
    "required": FLAG.about("Whether a call needs the argument."),
    "from": text_key().about("The operation's argument, if the names differ."),
    "header": text_key(HEADER_NAME).about("The header that repeats the value."),
}
OWN = ("required", "from", "header")
"""Keys that are not part of the schema."""

NESTING = {
    "properties": "it has properties",
    "additionalProperties": "it describes properties",
    "patternProperties": "it describes properties",
    "prefixItems": "its elements differ",
    "anyOf": "it is a choice of schemas",
    "oneOf": "it is a choice of schemas",
    "allOf": "it is made of several schemas",
    "$ref": "it refers to another schema",
}
"""Keywords a flat schema cannot express, with the reason."""


def input_of(reader: CompanionReader, name: str, node: Node, upstream: bool) -> Input | None:
    """Reads an argument of a tool; None with a diagnostic for an unusable schema."""
    nested = next((keyword for keyword in NESTING if node.has(keyword)), None)
    if nested:
        problem = NESTING[nested]
        reader.tell(codes.NESTED_INPUT, node.child(nested), name=name, what=problem)
        return None
    members = reader.members(node, f"the argument `{name}`", ARGUMENT)
    source = read_text(members, "from")
    if source and not upstream:
        at = members["from"]
        reader.tell(codes.SOURCE_WITHOUT_UPSTREAM, at, name=name, source=source)
    if not {"type", "enum", "const", "from"} & members.keys() and type(node.value) is dict:
        if not node.has("type"):
            owner = f"the argument `{name}`"
            reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key="type")
        return None
    if not _flat_elements(reader, name, members):
        return None
    _tell_strange_values(reader, members)
    schema = {key: member.value for key, member in members.items() if key not in OWN}
    required = "required" in members and bool(members["required"].value)
    return Input(name, schema, required, node.at, source, read_text(members, "header"))


def _flat_elements(reader: CompanionReader, name: str, members: Mapping[str, Node]) -> bool:
    """Returns whether the elements of a list argument are scalars; true for other types."""
    if "items" not in members:
        return True
    items = members["items"]
    keys = {**SCALAR, **dict.fromkeys(NESTING, ANY), "items": ANY}
    elements = reader.members(items, f"`items` of the argument `{name}`", keys)
    types = as_texts(elements.get("type"))
    nested = next((key for key in (*NESTING, "items") if key in elements), None)
    if nested or {"array", "object"} & set(types):
        at = items.child(nested or "type")
        problem = "its elements are not texts, numbers or flags"
        reader.tell(codes.NESTED_INPUT, at, name=name, what=problem)
        return False
    return True


def _tell_strange_values(reader: CompanionReader, members: Mapping[str, Node]) -> None:
    """Reports values the argument's own type does not allow."""
    types = as_texts(members.get("type"))
    if not types:
        return
    values = [members[key] for key in ("default", "const") if key in members]
    for key in ("enum", "examples"):
        values += members[key].elements() if key in members else ()
    for node in values:
        if not any(_is(node.value, kind) for kind in types):
            reader.wrong_type(node, node.path[-1], f"of the type {' or '.join(types)}")


def _is(value: Json, name: str) -> bool:
    is_integer = name == "integer" and isinstance(value, float) and value.is_integer()
    return is_integer or type(value) in TYPES[name]


KEYWORDS = (
    "$schema",
    "$defs",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "minProperties",
    "maxProperties",
)
"""Keywords allowed under `conditions`."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERRING = ("$ref", "$dynamicRef", "$id")


def conditions_of(reader: CompanionReader, node: Node | None, upstream: bool) -> Mapping[str, Json]:
    """Reads the keywords under `conditions`; empty with diagnostics if any keyword is unusable."""
    if node is None:
        return {}
    if upstream:
        reader.illegal(node, "conditions", "that of a tool without `upstream`")
        return {}
    wrong = [
        (keyword, member, _keyword_problem(keyword, member)) for keyword, member in node.members()
    ]
    problems = [problem for problem in wrong if problem[2]]
    if not problems and (reason := _unresolved(node.value)):
        problems = [("$ref", node, reason)]
    for keyword, member, reason in problems:
        reader.tell(codes.UNFIT_CONDITION, member, keyword=keyword, reason=reason)
    return {} if problems else dict(node.value)


def _keyword_problem(keyword: str, node: Node) -> str:
    """Returns the reason a keyword cannot be used, or `""`."""
    if keyword not in KEYWORDS:
        return "it is none of " + ", ".join(f"`{allowed}`" for allowed in KEYWORDS)
    if keyword == "$schema":
        return "" if node.value == _DIALECT else f"the only supported value is {_DIALECT}"
    if any(not target.startswith("#") for target in _schema_references(node.value)):
        return "its `$ref` leads out of `conditions`"
    try:
        jsonschema_rs.meta.validate({"$schema": _DIALECT, keyword: node.value})
    except jsonschema_rs.ValidationError as error:
        return error.message[:200]
    return ""


def _unresolved(conditions: Json) -> str:
    """Returns the reason valid keywords do not form a schema together, or `""`."""
    try:
        jsonschema_rs.Draft202012Validator(conditions)
    except (jsonschema_rs.ValidationError, ValueError) as error:
        return str(error).splitlines()[0][:200]
    return ""


def _schema_references(value: Json) -> Iterator[str]:
    """Yields the references of a schema."""
    if isinstance(value, dict):
        yield from (str(value[word]) for word in _REFERRING if word in value)
        for member in value.values():
            yield from _schema_references(member)
    elif isinstance(value, list):
        for element in value:
            yield from _schema_references(element)


KEYS = {
    "description": text_key(REASON, needed=True).about("The text by which models choose the tool."),
    "title": text_key(REASON).about("The tool's name for people."),
    "annotations": MAPPING.about("Hints about the effects of a call."),
    "input": MAPPING.about(
        "The arguments by name; without it the arguments of the operation, or none."
    ),
    "output": MAPPING.about("The schema of the structured content, with `type: object`."),
    "upstream": MAPPING.about(
        "The operation behind the tool; without it `answer` or a handler in `hooks.py` answers."
    ),
    "answer": LIST.about("The answer, described as steps in order."),
    "conditions": MAPPING.about("JSON Schema keywords of the input schema beside the arguments."),
    "guessed": FLAG.about("True if `mcpgen bind` wrote the tool; delete the line after review."),
}
ANNOTATIONS = {
    "readOnlyHint": FLAG.about("The tool changes nothing."),
    "destructiveHint": FLAG.about("The tool may change or remove existing data."),
    "idempotentHint": FLAG.about("A repetition of the same call changes nothing more."),
    "openWorldHint": FLAG.about("The tool reaches systems outside of the server."),
}
UPSTREAM = {
    "openapi": text_key(DOCUMENT, needed=True).about("Path of the OpenAPI document."),
    "operation": text_key(OPERATION, needed=True).about("An `operationId` or `GET /records`."),
}


def tools_of(reader: CompanionReader, node: Node | None) -> tuple[DeclaredTool, ...]:
    """Reads the tools under `tools`, in document order."""
    members = reader.named(node, "tools", TOOL_NAME)
    return tuple(_read_declared_tool(reader, name, member) for name, member in members)


def _read_declared_tool(reader: CompanionReader, name: str, node: Node) -> DeclaredTool:
    owner = f"the tool `{name}`"
    members = reader.members(node, owner, KEYS)
    reader.only_one(node, owner, ("upstream", "answer"))
    upstream = _upstream(reader, members.get("upstream"))
    inputs = _inputs(reader, members.get("input"), node.has("upstream"))
    hints = (
        reader.members(members["annotations"], f"`annotations` of {owner}", ANNOTATIONS)
        if ("annotations" in members)
        else {}
    )
    output = members.get("output")
    if output and output.get("type") != "object":
        reader.illegal(output, "output", "a schema with `type: object`")
        output = None
    return DeclaredTool(
        name=name,
        title=read_text(members, "title"),
        description=read_text(members, "description"),
        annotations={hint: bool(value.value) for hint, value in hints.items()},
        inputs=inputs,
        output=output.value if output else None,
        upstream=upstream,
        at=node.at,
        guessed="guessed" in members and bool(members["guessed"].value),
        answer=play_of(reader, members.get("answer"), inputs or ()),
        conditions=conditions_of(reader, members.get("conditions"), node.has("upstream")),
    )


def _inputs(reader: CompanionReader, node: Node | None, upstream: bool) -> tuple[Input, ...] | None:
    """Reads the arguments; None if the tool takes the arguments of its operation."""
    if node is None:
        return None if upstream else ()
    members = reader.named(node, "input", ARGUMENT_NAME)
    inputs = [input_of(reader, name, member, upstream) for name, member in members]
    return tuple(argument for argument in inputs if argument is not None)


def _upstream(reader: CompanionReader, node: Node | None) -> UpstreamOperation | None:
    members = reader.members(node, "`upstream`", UPSTREAM) if node else {}
    if node is None or len(members) < len(UPSTREAM):
        return None
    return UpstreamOperation(
        read_text(members, "openapi"), read_text(members, "operation"), node.at
    )
