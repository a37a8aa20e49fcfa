"""The specification of a key of `mcpgen.toml`: path, type and permitted values; and the JSON Schema
of the values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from mcpgen.config.validators import ValueRule

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


class KeyType(StrEnum):
    """The type of a key's value, in the words of a message."""

    STRING = "a string"
    INTEGER = "a whole number"
    BOOLEAN = "true or false"
    SELECTORS = "a list of selectors"
    NAMES = "a table of strings"
    FIELDS = "a table of lists of strings"
    TEXTS = "a list of strings"
    CHOICES = "a table of strings, which may repeat"
    TABLE = "a table"
    TABLES = "a table of tables"
    VALUE = "a string, a number, true, false, a list or a table"


Read = Callable[["ConfigReader", "KeySpec", Any, tuple[str, ...]], Any]
"""Reads the value of a key at a path, and reports errors in the value."""

JsonSchema = dict[str, Any]
"""A schema of JSON Schema 2020-12."""

ANYTHING = ValueRule()
"""The rule that every value fits."""

SELECTORS: JsonSchema = {"type": "array", "items": {"$ref": "#/$defs/selector"}}
"""The schema of a list of selectors; the document's schema defines `selector`."""


@dataclass(frozen=True, slots=True)
class KeySpec:
    """A key. `path` is dotted from the document's root; `must` describes the values that `fits`
    accepts, for the message about other values; `meaning` is the first sentence of the
    documentation, and `example` a line of a table of the user's own keys. `variable` is the server's
    setting that replaces the value where the server runs. `read` reads a value of more structure
    than a `KeyType`, and `form` is the schema of the value. `convert` turns a legal value into the
    value of the configuration."""

    path: str
    kind: KeyType
    default: Any
    meaning: str
    must: str = ""
    fits: Callable[[Any], bool] = ANYTHING
    example: str = ""
    read: Read | None = None
    variable: str = ""
    form: JsonSchema = field(default_factory=dict)
    convert: Callable[[Any], Any] | None = None

    def value(self, raw: Any) -> Any:
        """The value of the configuration for a legal value of the file."""
        return self.convert(raw) if self.convert else raw

    @property
    def schema(self) -> JsonSchema:
        """The schema of a value, with the documentation as description. A rule without keywords of
        JSON Schema stands in the description alone."""
        rule = self.fits.keywords if isinstance(self.fits, ValueRule) else {}
        schema = self.form or _SCHEMAS[self.kind](rule)
        default = list(self.default) if isinstance(self.default, tuple) else self.default
        details = [f"Type: {self.kind}, {self.must}." if self.must else ""]
        details.append("" if default is None else f"Default: `{json.dumps(default)}`.")
        details.append(f"Environment: `<NAME>_{self.variable.upper()}`." if self.variable else "")
        description = "\n".join(filter(None, (self.meaning, " ".join(filter(None, details)))))
        described: JsonSchema = {"description": description} if description else {}
        return {**described, **schema, **({} if default is None else {"default": default})}


_SCHEMAS: Mapping[KeyType, Callable[[JsonSchema], JsonSchema]] = {
    KeyType.STRING: lambda rule: {"type": "string", **rule},
    KeyType.INTEGER: lambda rule: {"type": "integer", **rule},
    KeyType.BOOLEAN: lambda rule: {"type": "boolean"},
    KeyType.SELECTORS: lambda rule: SELECTORS,
    KeyType.NAMES: lambda rule: tables({"type": "string", **rule}),
    KeyType.CHOICES: lambda rule: tables({"type": "string", **rule}),
    KeyType.FIELDS: lambda rule: tables(
        {"type": "array", "minItems": 1, "items": {"type": "string", **rule}}
    ),
    KeyType.TEXTS: lambda rule: {"type": "array", "items": {"type": "string", **rule}},
    KeyType.VALUE: lambda rule: {"type": ["string", "number", "boolean", "array", "object"]},
}


def table(
    keys: Sequence[KeySpec],
    needed: Sequence[str] = (),
    one_of: Sequence[str] = (),
    at_most_one_of: Sequence[str] = (),
) -> JsonSchema:
    """The schema of a table with known keys: all of `needed`, and one of `one_of`."""
    schema: JsonSchema = {
        "type": "object",
        "properties": {key.path: key.schema for key in keys},
        "additionalProperties": False,
    }
    if needed:
        schema["required"] = list(needed)
    if one_of:
        schema["oneOf"] = [{"required": [name]} for name in one_of]
    if at_most_one_of:
        pairs = combinations(at_most_one_of, 2)
        schema["not"] = {"anyOf": [{"required": list(pair)} for pair in pairs]}
    return schema


def tables(value: JsonSchema, names: Callable[[Any], bool] = ANYTHING) -> JsonSchema:
    """The schema of a table with the user's own keys, of which every key fits `names`."""
    keywords = names.keywords if isinstance(names, ValueRule) else {}
    named = {"propertyNames": keywords} if keywords else {}
    return {"type": "object", **named, "additionalProperties": value}


def within(low: int, high: int) -> ValueRule:
    """The rule for a number in the range, both ends included."""
    return ValueRule(minimum=low, maximum=high)


def one_of(words: Sequence[str]) -> tuple[str, ValueRule]:
    """The rule for a word of a list, in words and as a predicate."""
    listed = ", ".join(f"`{word}`" for word in words)
    return f"one of {listed}", ValueRule(enum=tuple(words))


def text(
    path: str,
    meaning: str,
    must: str,
    fits: Callable[[str], bool],
    variable: str = "",
    convert: Callable[[str], str] | None = None,
) -> KeySpec:
    """A key for a string that may be left empty."""
    rule = fits if isinstance(fits, ValueRule) else ValueRule(also=fits)
    rule = replace(rule, unset="")
    return KeySpec(
        path, KeyType.STRING, "", meaning, must, rule, variable=variable, convert=convert
    )


def choice(path: str, meaning: str, choices: type[StrEnum], variable: str = "") -> KeySpec:
    """A key for a word of an enumeration, the first word by default."""
    words = [str(word) for word in choices]
    return KeySpec(
        path,
        KeyType.STRING,
        words[0],
        meaning,
        *one_of(words),
        variable=variable,
        convert=choices,
    )


def switch(path: str, meaning: str) -> KeySpec:
    """A key for true or false, by default false."""
    return KeySpec(path, KeyType.BOOLEAN, False, meaning)


Table = TypeVar("Table")
"""A frozen dataclass with the values of a table of `mcpgen.toml`; its fields are declared by `key`."""


def key(
    path: str,
    default: Any,
    meaning: str,
    must: str = "",
    fits: Callable[[Any], bool] = ANYTHING,
    variable: str = "",
    *,
    kind: KeyType | None = None,
    example: str = "",
    convert: Callable[[Any], Any] | None = None,
) -> Any:
    """The field of a `Table` for a key; parameters as in `KeySpec`. The type follows from the
    default: an enumeration as `default` stands for one of its words, by default the first; a key
    with the default `""` may be left empty."""
    if isinstance(default, type):
        spec = choice(path, meaning, default, variable)
    elif default == "":
        spec = text(path, meaning, must, fits, variable, convert)
    else:
        chosen = kind or _KINDS[type(default)]
        spec = KeySpec(
            path,
            chosen,
            default,
            meaning,
            must,
            fits,
            example,
            variable=variable,
            convert=convert,
        )
    return field(default_factory=partial(spec.value, spec.default), metadata={"key": spec})


_KINDS: Mapping[type, KeyType] = {
    bool: KeyType.BOOLEAN,
    int: KeyType.INTEGER,
    str: KeyType.STRING,
    tuple: KeyType.TEXTS,
}


def strip_slash(url: str) -> str:
    """The URL without `/` at the end, so that paths can be appended.

    Example: `strip_slash("https://api.example/v1/")` gives `'https://api.example/v1'`.
    """
    return url.rstrip("/")


def keys_of(table: type[Table]) -> tuple[KeySpec, ...]:
    """The keys of a `Table`, in the order of its fields."""
    return tuple(_keys_by_field(table).values())


def spec_of(table: type[Table], field_name: str) -> KeySpec:
    """The key of a field of a `Table`."""
    return _keys_by_field(table)[field_name]


def read_table(table: type[Table], values: Mapping[str, Any]) -> Table:
    """The `Table` with the values of its keys, by path."""
    specs = _keys_by_field(table)
    return table(**{name: spec.value(values[spec.path]) for name, spec in specs.items()})


def _keys_by_field(table: type[Any]) -> dict[str, KeySpec]:
    return {item.name: item.metadata["key"] for item in fields(table) if "key" in item.metadata}
