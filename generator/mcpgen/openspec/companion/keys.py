"""Types of companion keys: the rows of the key tables, and the JSON Schema of the values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations
from keyword import iskeyword

from mcpgen.config.key_spec import JsonSchema
from mcpgen.config.validators import ValueRule
from mcpgen.ir.result_path import path_steps
from mcpgen.ir.source import Json
from mcpgen.openspec.model.companion import HEADER_VALUE_PATTERN
from mcpgen.openspec.model.step_pattern import is_step_pattern


class CompanionType(StrEnum):
    """Type of a value, as named in messages."""

    TEXT = "a text"
    NUMBER = "a whole number"
    FLAG = "true or false"
    MAPPING = "a mapping"
    LIST = "a list"
    TEXTS = "a text or a list of texts"
    ANY = "a value"


@dataclass(frozen=True, slots=True)
class CompanionKey:
    """A key: type, `needed`, and a rule for the value beyond its type.

    `fits` checks a text, a number, or every text of a list; `must` is the rule in words,
    `meaning` the description for editors, and `form` the schema of a value whose rule has more than
    the keywords of a `ValueRule`.
    """

    kind: CompanionType
    needed: bool = False
    fits: Callable[[Json], bool] | None = None
    must: str = ""
    meaning: str = ""
    form: JsonSchema = field(default_factory=dict)

    def about(self, meaning: str) -> CompanionKey:
        """Returns the key with a description."""
        return replace(self, meaning=meaning)

    @property
    def schema(self) -> JsonSchema:
        """The schema of a value. A rule without keywords of JSON Schema is left out."""
        rule = self.fits.keywords if isinstance(self.fits, ValueRule) else {}
        schema = self.form or _SCHEMAS[self.kind](rule)
        return {"description": self.meaning, **schema} if self.meaning else schema


def _texts_schema(rule: JsonSchema) -> JsonSchema:
    text = {"type": "string", **rule}
    return {"anyOf": [text, {"type": "array", "minItems": 1, "items": text}]}


_SCHEMAS: Mapping[CompanionType, Callable[[JsonSchema], JsonSchema]] = {
    CompanionType.TEXT: lambda rule: {"type": "string", **rule},
    CompanionType.NUMBER: lambda rule: {"type": "integer", **rule},
    CompanionType.FLAG: lambda rule: {"type": "boolean", **rule},
    CompanionType.MAPPING: lambda rule: {"type": "object"},
    CompanionType.LIST: lambda rule: {"type": "array", **rule},
    CompanionType.TEXTS: _texts_schema,
    CompanionType.ANY: lambda rule: dict(rule),
}


Keys = Mapping[str, CompanionKey]
"""Keys of a mapping, in the order of the documentation."""

Rule = tuple[Callable[[Json], bool], str]
"""A predicate of legal values, and the rule in words."""


def mapping_schema(
    keys: Keys, inner: Mapping[str, JsonSchema] | None = None, rivals: Sequence[str] = ()
) -> JsonSchema:
    """The schema of a mapping with known keys, of which `rivals` exclude each other; `inner` are
    the schemas of members with members of their own."""
    inner = inner or {}
    members = {name: key.schema | inner.get(name, {}) for name, key in keys.items()}
    schema: JsonSchema = {"type": "object", "properties": members, "additionalProperties": False}
    if needed := [name for name, key in keys.items() if key.needed]:
        schema["required"] = needed
    if rivals:
        pairs = combinations(rivals, 2)
        schema["not"] = {"anyOf": [{"required": list(pair)} for pair in pairs]}
    return schema


def named_schema(names: Rule | None, value: JsonSchema) -> JsonSchema:
    """The schema of a mapping with keys chosen by the author."""
    rule = names[0] if names else None
    keywords = rule.keywords if isinstance(rule, ValueRule) else {}
    name_rule = {"propertyNames": keywords} if keywords else {}
    return {"type": "object", **name_rule, "additionalProperties": value}


def pairs_schema(names: Rule, values: Rule) -> JsonSchema:
    """The schema of a mapping of texts with keys chosen by the author."""
    return named_schema(names, text_key(values).schema)


def _like(pattern: str) -> ValueRule:
    return ValueRule(pattern=pattern)


def is_regex(text: str) -> bool:
    """Returns whether a text is a Python regular expression.

    Example: `is_regex("(")` gives `False`.
    """
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


NAME = (_like(r"[A-Za-z_][A-Za-z0-9_-]{0,63}"), "a name of letters, digits, `_` and `-`")
TOOL_NAME = (
    _like(r"[A-Za-z][A-Za-z0-9_.-]{0,63}"),
    "a letter, then up to 63 letters, digits, `_`, `-` and `.`",
)
ARGUMENT_NAME = (
    _like(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}"),
    "a letter or `_`, then letters and digits",
)
FUNCTION = (
    ValueRule(pattern=r"[a-z][a-z0-9_]*", also=lambda name: not iskeyword(name)),
    "the name of a function in `tests/fixtures.py`",
)
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
MODULE = (
    ValueRule(also=lambda name: _MODULE.fullmatch(name) is not None),
    "the dotted name of a module",
)
_STEERING = re.compile(r"(?:PYTHON|LD_|DYLD_|GLIBC_).*|PATH|BROWSER|PERL5OPT|PAGER|EDITOR", re.I)
VARIABLE = (
    ValueRule(pattern=r"[A-Za-z_][A-Za-z0-9_]*", also=lambda name: not _STEERING.fullmatch(name)),
    "the name of an environment variable, and none that says which programs run",
)
HEADER_NAME = (_like(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"), "the name of a header")
HEADER_VALUE = (
    _like(HEADER_VALUE_PATTERN),
    "a value that a header can carry",
)
VARIABLE_VALUE = (lambda text: "\0" not in text, "a text without a NUL character")
QUERY_NAME = (lambda text: text != "", "the name of a query parameter")
METHOD = (_like(r"[A-Z]{1,20}"), "an HTTP method in capital letters")
ROUTE = (_like(r"/[^\s?#]*"), "a path that begins with `/`, without a query")
TARGET = (_like(r"/[^\s#]*"), "a path that begins with `/`")
FILE = (
    _like(r"(?!/)(?![A-Za-z]:)(?!.*(?:^|/)\.\.(?:/|$))[^\\\x00-\x1f\x7f]+"),
    "the path of a file inside the project",
)
DOCUMENT = (
    _like(r"(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)[^\\\x00-\x1f\x7f]+"),
    "the path of an OpenAPI document, from the folder of this file",
)
MEDIA_TYPE = (
    _like(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(?:\s*;\s*[\w.-]+=[^\s;]+)*"),
    "a media type such as `text/plain`",
)
URI = (_like(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]+"), "an absolute URI")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
LEVEL = (ValueRule(enum=LEVELS), "one of " + ", ".join(f"`{name}`" for name in LEVELS))
JSON_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
JSON_TYPE = (ValueRule(enum=JSON_TYPES), "one of " + ", ".join(f"`{name}`" for name in JSON_TYPES))
MAX_WAIT = (ValueRule(minimum=1, maximum=60_000), "from 1 to 60000, in milliseconds")
OPERATION = (
    ValueRule(min_length=1, also=lambda text: text.strip() != ""),
    "an `operationId` or `GET /path`",
)
REVISION = (_like(r"\d{4}-\d{2}-\d{2}"), 'a revision of MCP such as "2025-11-25"')
SHA256 = (_like(r"[0-9a-f]{64}"), "64 hexadecimal digits")
DIGEST = (_like(r"[0-9a-f]{12}"), "12 hexadecimal digits")
HTTP_STATUS = (ValueRule(minimum=100, maximum=599), "an HTTP status")
POSITIVE = (ValueRule(minimum=1), "more than 0")
COUNTED = (ValueRule(minimum=0), "0 or more")
REASON = (ValueRule(min_length=1, also=lambda text: text.strip() != ""), "a reason in words")
PATH = (lambda text: path_steps(text) is not None, 'a path such as `content[0].text` or `a["b c"]`')
STEP_PATTERN = (
    is_step_pattern,
    "words of a step, with other words between its `*` and `{name}`, and each name once",
)
PATTERN = (is_regex, "a regular expression of Python")
PLACEHOLDER = (_like(r"[A-Za-z_][A-Za-z0-9_]*"), "a name of letters, digits and `_`")


def text_key(rule: Rule | None = None, *, needed: bool = False) -> CompanionKey:
    """Returns a key for a text."""
    return CompanionKey(CompanionType.TEXT, needed, *(rule or ()))


def texts_key(rule: Rule | None = None, *, needed: bool = False) -> CompanionKey:
    """Returns a key for a text or a list of texts."""
    return CompanionKey(CompanionType.TEXTS, needed, *(rule or ()))


def number_key(rule: Rule | None = None, *, needed: bool = False) -> CompanionKey:
    """Returns a key for a whole number."""
    return CompanionKey(CompanionType.NUMBER, needed, *(rule or ()))


BOUND = CompanionKey(
    CompanionType.ANY,
    fits=lambda found: type(found) in (int, float),
    must="a number",
    form={"type": "number"},
)
MULTIPLE = CompanionKey(
    CompanionType.ANY,
    fits=lambda found: type(found) in (int, float) and found > 0,
    must="more than 0",
    form={"type": "number", "exclusiveMinimum": 0},
)
TRUE = CompanionKey(
    CompanionType.FLAG,
    fits=lambda found: found is True,
    must="true, or left out",
    form={"const": True},
)
MAPPING = CompanionKey(CompanionType.MAPPING)
LIST = CompanionKey(CompanionType.LIST)
FLAG = CompanionKey(CompanionType.FLAG)
ANY = CompanionKey(CompanionType.ANY)
