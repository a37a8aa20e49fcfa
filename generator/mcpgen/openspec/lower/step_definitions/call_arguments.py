"""Reads the arguments of a call or a request: `with query="ants" and limit set to 3`."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.calls import arguments_of
from mcpgen.openspec.lower.step_definitions.step_definition import ToolArguments

ARGUMENT = (
    r"(?:`[A-Za-z_][A-Za-z0-9_]{0,60}(?:=|: ?)[^`]{1,200}`"
    r"|`?[A-Za-z_][A-Za-z0-9_]{0,60}`?(?: set to | equal to |: | = |=)"
    r"(?:`[^`]{1,200}`|\"[^\"]{0,200}\"|-?[0-9]{1,15}(?:\.[0-9]{1,9})?|true|false|null)"
    r"|`?[A-Za-z_][A-Za-z0-9_]{0,60}`? \"[^\"]{1,200}\""
    r"|(?:an? |the )?(?:valid |existing |known )?`[A-Za-z_][A-Za-z0-9_]{0,60}`)"
)
ARGUMENTS = rf"{ARGUMENT}(?:(?:, (?:and )?| and ){ARGUMENT}){{0,20}}"
"""Names with values; a value of several words stands in quotation marks or back-ticks.

A name in back-ticks may have no value, which a fixture has then.
"""

OBJECT = r"`\{[^`]{0,500}\}`"
"""A JSON object in back-ticks."""

_ONE = re.compile(
    r"`?([A-Za-z_][A-Za-z0-9_]{0,60})`?(?: set to | equal to |: ?| = |=| (?=\"))"
    r"(`[^`]{1,200}`|\"[^\"]{0,200}\"|[^`,\s]{1,200}(?:`|(?=,|\s|$)))"
)
_BARE = re.compile(r"(?:an? |the )?(?:valid |existing |known )?`([A-Za-z_][A-Za-z0-9_]{0,60})`")
"""An argument without a value: `a valid thread_id`."""

_PLACEHOLDER = re.compile(
    r"\.\.\.|…|<[^>]*>|\{[A-Za-z_][\w-]*\}|\[[a-z_ ]+\]|^x{3,}$", re.IGNORECASE
)
"""A value that stands for other values, such as `<id>`, `{id}` and `...`."""


def is_placeholder(text: str) -> bool:
    """Returns whether a text stands for a value instead of being one.

    Example: `is_placeholder("<id>")` gives `True`.
    """
    return bool(_PLACEHOLDER.search(text))


def has_placeholder(value: Json) -> bool:
    """Returns whether a value has a text that stands for a value, at any depth."""
    if isinstance(value, dict | list):
        return any(map(has_placeholder, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and is_placeholder(value)


def read_arguments(
    text: str, tool: ToolArguments, values: Mapping[str, Json]
) -> dict[str, Json] | None:
    """Returns the arguments of a list of names with values, None if any value is unclear.

    Values have the type of the tool's schema: `5` is the text `"5"` for a text argument. `values` are
    the values of names without a value.
    """
    arguments: dict[str, Json] = {}
    at = 0
    for match in _ONE.finditer(text):
        between = _BARE.split(text[at : match.start()])
        value = typed_value(match[2].strip("`"), match[1], tool)
        names = [*between[1::2], match[1]]
        if not _are_joints(between[::2]) or value is None or arguments.keys() & {*names}:
            return None
        if not values.keys() >= {*names[:-1]}:
            return None
        arguments |= {name: values[name] for name in names[:-1]}
        arguments[match[1]] = value
        at = match.end()
    last = _BARE.split(text[at:])
    if not _are_joints(last[::2]) or not values.keys() >= {*last[1::2]}:
        return None
    return {**arguments, **{name: values[name] for name in last[1::2]}} or None


def _are_joints(texts: Sequence[str]) -> bool:
    """Returns whether the texts between arguments only join the arguments."""
    return all(text.strip(" `,") in ("", "and") for text in texts)


def read_values(text: str, tool: ToolArguments) -> list[tuple[str, Json]]:
    """Returns every name with a clear value in a text, for a proposal."""
    pairs = [(match[1], match[2].strip("`")) for match in _ONE.finditer(text)]
    values = [(name, typed_value(value, name, tool)) for name, value in pairs]
    return [(name, value) for name, value in values if value is not None]


def typed_value(text: str, name: str, tool: ToolArguments) -> Json:
    """Returns the value of an argument in the type of its schema, None for an unclear value."""
    if is_placeholder(text):
        return None
    try:
        value: Json = json.loads(text)
    except ValueError:
        bare = re.fullmatch(r"[\w./@:+-]{1,200}", text)
        return text if bare and not text.startswith(("[", "{")) else None
    is_text = tool.types.get(name) == "string" and not (value is None and name in tool.nullable)
    return text if is_text and not isinstance(value, str) else value


def read_object(text: str) -> Mapping[str, Json] | None:
    """Returns the members of a JSON object, None for other text or a placeholder in the text."""
    bare = text.strip("`")
    if re.search(r"\.\.\.|…|<[^>\"]*>", bare):
        return None
    return arguments_of(bare)


_UNKNOWN_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,60}(?: (?:[Ii][Dd]|name))?"
UNKNOWN = (
    r"(?:an? |the )?(?:non-?existent|non-?existing|unknown|nonexistent)"
    rf" `?(?P<unknown>{_UNKNOWN_NAME})`?(?: (?:value|parameter|argument))?"
    rf"|an? `?(?P<absent>{_UNKNOWN_NAME})`? (?:that|which) (?:does not|doesn't) exist"
)
"""An argument whose value names nothing that exists."""

EMPTY = r"an empty (?:string as )?`(?P<empty>[A-Za-z_][A-Za-z0-9_]{0,60})`"
"""A text argument without characters."""

NO_SUCH_TEXT = "no-such-mcpgen-value"
NO_SUCH_UUID = "00000000-0000-4000-8000-00000000dead"
_RESTRICTIONS = {
    "enum",
    "const",
    "pattern",
    "maxLength",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
}
NO_SUCH_NUMBER = 2_147_483_646
"""The largest 32-bit number but one: a valid identifier that no sample data has."""


def argument_named(text: str, tool: ToolArguments) -> str:
    """Returns the argument that a text names: `track id` is `track_id` or `trackId`; `""` without one."""
    folded = re.sub(r"[\s_]", "", text).lower()
    matches = [name for name in sorted(tool.takes) if name.replace("_", "").lower() == folded]
    return text if text in tool.takes else matches[0] if len(matches) == 1 else ""


def example_of(schema: Json) -> Json:
    """Returns a value that a schema of an argument allows; None if keywords ask for more than a type."""
    rule: Mapping[str, Json] = schema if isinstance(schema, dict) else {}
    examples = rule.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    for offered in (rule.get("const"), rule.get("default"), rule.get("example"), first):
        if offered is not None:
            return offered
    if isinstance(rule.get("enum"), list) and rule["enum"]:
        return rule["enum"][0]
    bounds = {"format", "minLength", "minItems", "minimum", "exclusiveMinimum", *_RESTRICTIONS}
    if bounds & rule.keys():
        return None
    kind = rule.get("type")
    return EXAMPLES.get(kind, None) if isinstance(kind, str) else None


def complete_values(
    values: Mapping[str, Json],
    left_out: Collection[str],
    tool: ToolArguments,
    available: Mapping[str, Json],
) -> dict[str, Json] | None:
    """Returns the arguments of a call, None for unknown or missing arguments.

    Missing required arguments get their value in `available`. If a required argument is left out, other
    required arguments get example values: the scenario has to expect a refusal (`kind` checks), which
    holds for any values.
    """
    lacking = tool.needs - values.keys() - set(left_out)
    values = {**values, **{name: available[name] for name in sorted(lacking) if name in available}}
    lacking -= available.keys()
    if not values.keys() | set(left_out) <= tool.takes or values.keys() & set(left_out):
        return None
    if lacking and not tool.needs & set(left_out):
        return None
    examples = {name: example_of(tool.schemas.get(name)) for name in sorted(lacking)}
    return None if None in examples.values() else {**values, **examples}


EXAMPLES: Mapping[str, Json] = {
    "string": "example",
    "integer": 1,
    "number": 1,
    "boolean": True,
    "array": [],
    "object": {},
}
"""Values of required arguments without a value in the text, by type."""


def is_unknown(value: Json) -> bool:
    """Returns whether a value is one of `unknown_value`."""
    return value in (NO_SUCH_TEXT, NO_SUCH_NUMBER, str(NO_SUCH_NUMBER), NO_SUCH_UUID)


def unknown_value(name: str, tool: ToolArguments) -> Json:
    """Returns a value without a referent: an unknown id, a valid text or number.

    None for other types than text and number, and for a schema that restricts the values: an invalid
    value gets another error than an unknown one.
    """
    kind = tool.types.get(name, "string")
    schema = tool.schemas.get(name)
    rule: Mapping[str, Json] = schema if isinstance(schema, dict) else {}
    if rule.get("format") == "uuid" and "pattern" not in rule:
        return NO_SUCH_UUID
    is_known = rule.get("format") in (None, "int32", "int64", "double", "float")
    if not is_known or _RESTRICTIONS & rule.keys():
        return None
    return {"string": NO_SUCH_TEXT, "integer": NO_SUCH_NUMBER, "number": NO_SUCH_NUMBER}.get(kind)
