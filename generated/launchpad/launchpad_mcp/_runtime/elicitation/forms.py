# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Questions to the user: form schemas and answers.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from mcp_types import (
    ClientCapabilities,
    CreateMessageRequest,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitationCapability,
    ElicitRequest,
    ElicitResult,
    ListRootsRequest,
    ListRootsResult,
)
from pydantic import BaseModel

from ..tool import Json
from ..upstream.value_text import compact_json

__all__ = ["Question"]  # The part of the public API of `hooks.py`

MAX_FIELDS = 50
"""Maximum number of fields of a form."""

MAX_CHOICES = 100
"""Maximum number of choices of a field."""

MAX_FORM_LENGTH = 64_000
"""Maximum characters of a form as JSON."""

MAX_NUMBER = 2**53
"""Maximum bound of a number; integers up to 2^53 are exact in every JSON parser."""

MAX_NAME_LENGTH = 100
"""Maximum characters of a field name."""

TRICKS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters not shown to a user: terminal controls, text direction marks, surrogates."""

_RESERVED_NAMES = frozenset(("__proto__", "constructor", "prototype"))
"""Property names with a special meaning in JavaScript clients."""

_DIALECT = re.compile(r"https?://json-schema\.org/[\w./#-]*")

_COMMON_KEYWORDS = frozenset(("type", "title", "description", "default"))
_FIELDS: Mapping[str, frozenset[str]] = {
    "string": _COMMON_KEYWORDS | {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": _COMMON_KEYWORDS | {"minimum", "maximum"},
    "integer": _COMMON_KEYWORDS | {"minimum", "maximum"},
    "boolean": _COMMON_KEYWORDS,
    "array": _COMMON_KEYWORDS | {"items", "minItems", "maxItems"},
}
"""Allowed keywords of a field, by type."""

_NUMBERS: Mapping[str, frozenset[str]] = {
    kind: known & {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"}
    for kind, known in _FIELDS.items()
}
"""Numeric keywords of a field, by type."""

_DEFAULTS: Mapping[str, Callable[[Json], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: _is_number(value),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list) and all(isinstance(v, str) for v in value),
}
"""Tests of a field's default value, by type."""

_FORMATS = frozenset(("email", "uri", "date", "date-time"))
_ROOT = frozenset(("$schema", "type", "properties", "required", "title", "description"))
_CHOICE = frozenset(("const", "title", "description"))


def flaws(schema: Json) -> list[str]:
    """The reasons why a schema cannot be a form, at most 10; empty if valid."""
    return list(_flaws(schema))[:10]


def _flaws(schema: Json) -> Iterator[str]:
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        yield "it must be an object schema (`type: object`)"
        return
    try:
        size = len(compact_json(schema))
    except ValueError:
        yield "it holds a number that JSON cannot write"
        return
    if size > MAX_FORM_LENGTH:
        yield f"it has more than {MAX_FORM_LENGTH} characters"
        return
    if any(map(TRICKS.search, _texts(schema))):
        yield "it holds control characters, or such as turn text around"
        return
    yield from _root_problems(schema)
    for keyword in sorted(map(str, schema.keys() - _ROOT - {"additionalProperties"})):
        yield f"`{keyword[:40]}` cannot be asked"
    if schema.get("additionalProperties", False) is not False:
        yield "`additionalProperties` can only be false"
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        yield "it must have `properties`"
        return
    if len(properties) > MAX_FIELDS:
        yield f"it has more than {MAX_FIELDS} fields"
        return
    for name, shape in properties.items():
        if (
            not 0 < len(name) <= MAX_NAME_LENGTH
            or not name.isprintable()
            or name in _RESERVED_NAMES
        ):
            yield f"`{name[:60]}` cannot be the name of a field"
        yield from (f"`{name[:60]}`: {flaw}" for flaw in _field_problems(shape))
    required = schema.get("required", [])
    if not _are_texts(required) or not properties.keys() >= set(required):
        yield "`required` must list some of the fields"
    elif len(set(required)) < len(required):
        yield "`required` must list each field once"


def _texts(value: Json) -> Iterator[str]:
    """All strings in a value, including member names."""
    open: list[Json] = [value]
    while open:
        match open.pop():
            case str(text):
                yield text
            case dict(members):
                open += [*members, *members.values()]
            case list(elements):
                open += elements


def _root_problems(schema: Mapping[str, Json]) -> Iterator[str]:
    """Problems with the keywords of the root schema."""
    for keyword in ("title", "description"):
        if not isinstance(schema.get(keyword, ""), str):
            yield f"`{keyword}` must be text"
    dialect = schema.get("$schema", "https://json-schema.org/")
    if not isinstance(dialect, str) or not _DIALECT.fullmatch(dialect):
        yield "`$schema` must be one of json-schema.org"


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(element, str) for element in value)


def _field_problems(shape: Json) -> Iterator[str]:
    kind = shape.get("type") if isinstance(shape, Mapping) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        yield "must be a string, a number, an integer, a boolean, or an array of choices"
        return
    for keyword in sorted(map(str, shape.keys() - _FIELDS[kind])):
        yield f"`{keyword[:40]}` cannot be asked of a field of type {kind}"
    for text in ("title", "description"):
        if not isinstance(shape.get(text, ""), str):
            yield f"`{text}` must be text"
    for keyword in sorted(_NUMBERS[kind] & shape.keys()):
        number = shape[keyword]
        is_size = kind in ("string", "array")
        if not _is_number(number) or (is_size and not isinstance(number, int)):
            yield f"`{keyword}` must be a number"
        elif abs(number) > MAX_NUMBER:
            yield f"`{keyword}` must not be larger than {MAX_NUMBER}"
        elif is_size and number < 0:
            yield f"`{keyword}` must be a number that is not negative"
    for minimum, maximum in (
        ("minLength", "maxLength"),
        ("minimum", "maximum"),
        ("minItems", "maxItems"),
    ):
        if (
            _is_number(shape.get(minimum))
            and _is_number(shape.get(maximum))
            and shape[minimum] > shape[maximum]
        ):
            yield f"`{minimum}` is larger than `{maximum}`"
    if "default" in shape and not _DEFAULTS[kind](shape["default"]):
        yield f"`default` is no value of type {kind}"
    if str(shape.get("format", "date")) not in _FORMATS:
        yield f"`format` must be one of {', '.join(sorted(_FORMATS))}"
    if kind == "string":
        yield from _choice_problems(shape, "oneOf")
    elif kind == "array":
        items = shape.get("items")
        if not isinstance(items, Mapping) or not items.keys() & {"enum", "anyOf"}:
            yield "the items of an array must be choices (`enum` or `anyOf`)"
        elif items.keys() - {"type", "enum", "anyOf"} or items.get("type", "string") != "string":
            yield "the items of an array must be nothing but choices of text"
        else:
            yield from _choice_problems(items, "anyOf")


def _choice_problems(shape: Mapping[str, Json], titled: str) -> Iterator[str]:
    """Problems with the choices of a field; `titled` is the keyword for choices with titles."""
    names, choices = shape.get("enum", [""]), shape.get(titled, [{"const": ""}])
    labels = shape.get("enumNames", names)
    if not names or not _are_texts(names):
        yield "`enum` must list texts"
    elif not isinstance(choices, list) or not choices or not all(map(_is_choice, choices)):
        yield f"`{titled}` must list choices, each a `const` and a `title`"
    elif max(len(names), len(choices)) > MAX_CHOICES:
        yield f"it has more than {MAX_CHOICES} choices"
    elif shape.keys() >= {"enum", titled}:
        yield f"`enum` and `{titled}` exclude each other"
    elif not _are_texts(labels) or len(labels) != len(names):
        yield "`enumNames` must list a text for each of `enum`"
    elif max(map(_max_count, (names, [choice["const"] for choice in choices]))) > 1:
        yield "it has a choice twice"


def _max_count(texts: list[str]) -> int:
    """The count of the most frequent text."""
    return max(Counter(texts).values())


def _is_choice(choice: Json) -> bool:
    return (
        isinstance(choice, Mapping)
        and choice.keys() <= _CHOICE
        and all(isinstance(member, str) for member in choice.values())
        and "const" in choice
    )


MAX_MESSAGE_LENGTH = 8000
"""Maximum characters of a message to a user."""

_REQUESTS: Mapping[str, type[BaseModel]] = {
    "elicitation/create": ElicitRequest,
    "sampling/createMessage": CreateMessageRequest,
    "roots/list": ListRootsRequest,
}
"""The SDK's request models by method."""


@dataclass(frozen=True)
class Question:
    """A request from the server to the client. `schema` validates the content of an accepted form.
    `key` names the question within a call; by default the questions are numbered. With `early`, an
    answer sent before the question was asked is used, for clients that know the question."""

    method: Literal["elicitation/create", "sampling/createMessage", "roots/list"]
    params: Mapping[str, Json]
    needs: Mapping[str, Json]
    schema: Mapping[str, Json] | None = None
    key: str = ""
    early: bool = False

    @classmethod
    def form(
        cls,
        message: str,
        schema: Mapping[str, Json],
        *,
        key: str = "",
        early: bool = False,
        meta: Mapping[str, Json] | None = None,
    ) -> Question:
        """A form with flat fields; `meta` is the `_meta` of the request. Raises `ValueError` for a
        schema that MCP forms do not allow, or a message that is too long."""
        if problems := flaws(schema):
            raise ValueError("a form cannot be made of this schema: " + "; ".join(problems))
        params = {"mode": "form", "message": _bounded(message), "requestedSchema": dict(schema)}
        params |= {"_meta": dict(meta)} if meta else {}
        return cls("elicitation/create", params, {"elicitation": {"form": {}}}, schema, key, early)

    @classmethod
    def visit(cls, message: str, url: str, id: str, *, key: str = "") -> Question:
        """Asks the user to open a URL; `id` is the elicitation id. Raises `ValueError` unless the
        URL is `https` or on a loopback host."""
        parts = urlsplit(url)
        local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if not parts.hostname or not (
            parts.scheme == "https" or (local and parts.scheme == "http")
        ):
            raise ValueError("users are only sent to URLs that begin with https://")
        params = {"mode": "url", "message": _bounded(message), "url": url, "elicitationId": id}
        return cls("elicitation/create", params, {"elicitation": {"url": {}}}, None, key)

    @classmethod
    def sampling(
        cls, messages: Sequence[Mapping[str, Json]], max_tokens: int, *, key: str = "", **more: Json
    ) -> Question:
        """Asks the client's model to continue messages; `more` are request members by MCP name.
        Optional for clients since 2026-07-28."""
        params = {
            "messages": [dict(message) for message in messages],
            "maxTokens": max_tokens,
            **more,
        }
        needs: dict[str, Json] = {"tools": {}} if params.get("tools") else {}
        return cls("sampling/createMessage", params, {"sampling": needs}, None, key)

    @classmethod
    def roots(cls, *, key: str = "") -> Question:
        """Asks for the client's root folders. Optional for clients since 2026-07-28."""
        return cls("roots/list", {}, {"roots": {}}, None, key)

    @property
    def request(self) -> BaseModel:
        """The SDK's model of the request."""
        params = {"params": dict(self.params)} if self.params else {}
        return _REQUESTS[self.method].model_validate({"method": self.method, **params})

    @property
    def wire(self) -> dict[str, Any]:
        """The request as part of a result of revision 2026-07-28, which has no elicitation ids."""
        wire = self.request.model_dump(by_alias=True, mode="json", exclude_none=True)
        wire.get("params", {}).pop("elicitationId", None)
        return wire

    @property
    def answer(self) -> type[BaseModel]:
        """The SDK's model of the answer."""
        if self.method == "elicitation/create":
            return ElicitResult
        if self.method == "roots/list":
            return ListRootsResult
        return CreateMessageResultWithTools if self.params.get("tools") else CreateMessageResult

    @property
    def digest(self) -> str:
        """A digest that identifies the question."""
        text = json.dumps([self.method, self.params], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def fits(self, capabilities: ClientCapabilities | None) -> bool:
        """True if the client has declared the capability for the question."""
        if capabilities is None:
            return False
        if self.method == "elicitation/create":
            return _elicits(capabilities.elicitation, str(self.params["mode"]))
        if self.method == "roots/list":
            return capabilities.roots is not None
        sampling = capabilities.sampling
        return sampling is not None and (sampling.tools is not None or not self.params.get("tools"))


def _elicits(declared: ElicitationCapability | None, mode: str) -> bool:
    """True if the client supports a mode; a client that declares no mode supports forms."""
    if declared is None:
        return False
    if mode == "url":
        return declared.url is not None
    return declared.form is not None or declared.url is None


def _bounded(message: Any) -> str:
    """The message without unsafe characters. Raises `ValueError` if empty or too long."""
    if not isinstance(message, str) or not message.strip():
        raise ValueError("a question needs a message")
    if len(message) > MAX_MESSAGE_LENGTH:
        raise ValueError(f"a message to a user has at most {MAX_MESSAGE_LENGTH} characters")
    return TRICKS.sub("\ufffd", message)
