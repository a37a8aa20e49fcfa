"""What a resource is: a declaration, and what clients are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .completion_values import Suggestions
from .tool import Json, Tool
from .uri_template import UriTemplate


@dataclass(frozen=True)
class Resource:
    """One resource, or the template of many: what a tool of the API reads, its arguments the
    variables of the URI; or a file that the project brings along.

    `annotations` are those of the specification; `complete` are the values of variables that
    clients may suggest.
    """

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    tool: str = ""
    file: str = ""
    size: int | None = None
    annotations: Mapping[str, Json] = field(default_factory=dict)
    complete: Mapping[str, Suggestions] = field(default_factory=dict)

    @cached_property
    def template(self) -> UriTemplate:
        """Its URI, by which requests are told apart."""
        return UriTemplate(self.uri)

    @property
    def announced(self) -> dict[str, Any]:
        """The resource as MCP lists it; what is not said is left out.

        https://modelcontextprotocol.io/specification/2025-11-25/schema#resource
        """
        told = {
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": dict(self.annotations),
        }
        address = "uriTemplate" if self.template.names else "uri"
        kept = {name: value for name, value in told.items() if value not in ("", None, {})}
        return {address: self.uri, "name": self.name, **kept}


_INTEGER = ("-", "0123456789")


def convert_arguments(tool: Tool, values: Mapping[str, str]) -> dict[str, Json]:
    """The texts of a URI or a prompt as arguments of a tool, each of the type that is announced.

    A text that is none of its type stays one, so that the tool's own validation tells of it. Where every
    argument is announced as required, null stands for the others.
    """
    properties = tool.input_schema["properties"]
    others: dict[str, Json] = dict.fromkeys(properties) if tool.strict else {}
    return others | {
        name: convert_text(text, properties.get(name, {})) for name, text in values.items()
    }


def convert_text(text: str, schema: Mapping[str, Json]) -> Json:
    """A text as a value of the type that a schema announces, the text itself if it is none."""
    kinds = schema.get("type")
    if kinds in ("integer", ["integer", "null"]):
        return int(text) if _is_integer(text) else text
    if kinds in ("number", ["number", "null"]):
        return _number(text)
    if kinds in ("boolean", ["boolean", "null"]):
        return {"true": True, "false": False}.get(text, text)
    return text


def _is_integer(text: str) -> bool:
    """Whether a text is an integer as JSON writes it; a longer one than 40 digits is none."""
    sign, digits = _INTEGER
    bare = text.removeprefix(sign)
    return 0 < len(bare) <= 40 and not bare.strip(digits) and (bare == "0" or bare[0] != "0")


def _number(text: str) -> Json:
    if _is_integer(text):
        return int(text)
    whole, dot, rest = text.partition(".")
    if dot and _is_integer(whole) and 0 < len(rest) <= 40 and not rest.strip(_INTEGER[1]):
        return float(text)
    return text
