"""The schemas of types written in a text: `list[str]`, `number | null`, `'brief' | 'full'`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpgen.ir.source import Json

TYPES: Mapping[str, str] = {
    "string": "string",
    "str": "string",
    "text": "string",
    "uuid": "string",
    "integer": "integer",
    "int": "integer",
    "number": "number",
    "float": "number",
    "boolean": "boolean",
    "bool": "boolean",
    "object": "object",
    "dict": "object",
    "array": "array",
    "list": "array",
}
"""JSON types by the words of texts, in lower case."""

SCALARS = ("string", "integer", "number", "boolean")
"""JSON types of the elements that an argument's list may have."""


def type_schema(text: str) -> dict[str, Json]:
    """Returns the schema of a Python or TypeScript type, `{}` if ambiguous.

    Example: `type_schema("list[str]")` gives `{'type': 'array', 'items': {'type': 'string'}}`.
    """
    parts = [part.strip() for part in text.split("|")]
    kinds = [part for part in parts if part not in ("None", "null", "undefined")]
    if kinds and all(re.fullmatch(r"'[^']*'|\"[^\"]*\"", part) for part in kinds):
        values = [part[1:-1] for part in kinds]
        # One value stands in example calls: `add(mode: "append")`.
        return {"type": "string", "enum": values} if len(values) > 1 else {"type": "string"}
    if len(kinds) != 1:
        return {}
    literal = re.fullmatch(r"Literal\[(.+)\]", kinds[0])
    if literal:
        quoted = re.findall(r"'([^']*)'|\"([^\"]*)\"", literal[1])
        return {"type": "string", "enum": [first or second for first, second in quoted]}
    element = re.fullmatch(r"(?:list|List|Sequence|array|Array)[\[<](\w+)[\]>]|(\w+)\[\]", kinds[0])
    if element:
        inner = TYPES.get((element[1] or element[2]).lower(), "")
        return {"type": "array", "items": {"type": inner}} if inner in SCALARS else {}
    optional = re.fullmatch(r"Optional\[(\w+)\]", kinds[0])
    kind = TYPES.get((optional[1] if optional else kinds[0]).lower())
    return {"type": kind} if kind else {}
