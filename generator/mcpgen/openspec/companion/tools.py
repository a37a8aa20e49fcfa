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
        what = NESTING[nested]
        reader.tell(codes.NESTED_INPUT, node.child(nested), name=name, what=what)
        return None
    found = reader.members(node, f"the argument `{name}`", ARGUMENT)
    source = read_text(found, "from")
    if source and not upstream:
        at = found["from"]
        reader.tell(codes.SOURCE_WITHOUT_UPSTREAM, at, name=name, source=source)
    if not {"type", "enum", "const", "from"} & found.keys() and type(node.value) is dict:
        if not node.has("type"):
            owner = f"the argument `{name}`"
            reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key="type")
        return None
    if not _flat_elements(reader, name, found):
        return None
    _tell_strange_values(reader, found)
    schema = {key: member.value for key, member in found.items() if key not in OWN}
    required = "required" in found and bool(found["required"].value)
    return Input(name, schema, required, node.at, source, read_text(found, "header"))


def _flat_elements(reader: CompanionReader, name: str, found: Mapping[str, Node]) -> bool:
    """Returns whether the elements of a list argument are scalars; true for other types."""
    if "items" not in found:
        return True
    items = found["items"]
    keys = {**SCALAR, **dict.fromkeys(NESTING, ANY), "items": ANY}
    elements = reader.members(items, f"`items` of the argument `{name}`", keys)
    types = as_texts(elements.get("type"))
    nested = next((key for key in (*NESTING, "items") if key in elements), None)
    if nested or {"array", "object"} & set(types):
        at = items.child(nested or "type")
        what = "its elements are not texts, numbers or flags"
        reader.tell(codes.NESTED_INPUT, at, name=name, what=what)
        return False
    return True


def _tell_strange_values(reader: CompanionReader, found: Mapping[str, Node]) -> None:
    """Reports values the argument's own type does not allow."""
    types = as_texts(found.get("type"))
    if not types:
        return
    given = [found[key] for key in ("default", "const") if key in found]
    for key in ("enum", "examples"):
        given += found[key].elements() if key in found else ()
    for node in given:
        if not any(_is(node.value, one) for one in types):
            reader.wrong_type(node, node.path[-1], f"of the type {' or '.join(types)}")


def _is(value: Json, name: str) -> bool:
    whole = name == "integer" and isinstance(value, float) and value.is_integer()
    return whole or type(value) in TYPES[name]


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
    told = [each for each in wrong if each[2]]
    if not told and (reason := _unresolved(node.value)):
        told = [("$ref", node, reason)]
    for keyword, member, reason in told:
        reader.tell(codes.UNFIT_CONDITION, member, keyword=keyword, reason=reason)
    return {} if told else dict(node.value)


def _keyword_problem(keyword: str, node: Node) -> str:
    """Returns the reason a keyword cannot be used, or `""`."""
    if keyword not in KEYWORDS:
        return "it is none of " + ", ".join(f"`{known}`" for known in KEYWORDS)
    if keyword == "$schema":
        return "" if node.value == _DIALECT else f"schemas are those of {_DIALECT}"
    if any(not target.startswith("#") for target in _schema_references(node.value)):
        return "it refers to what stands outside of it"
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
    named = reader.named(node, "tools", TOOL_NAME)
    return tuple(_read_declared_tool(reader, name, member) for name, member in named)


def _read_declared_tool(reader: CompanionReader, name: str, node: Node) -> DeclaredTool:
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
    """Reads the arguments; None if the tool takes the arguments of its operation."""
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
