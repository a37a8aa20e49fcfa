"""What a server offers beside its tools: resources, prompts, and notices about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcpgen.ir.source import Json

VARIABLE = re.compile(r"\{(\w+)\}", re.ASCII)
"""A variable of a URI; https://www.rfc-editor.org/rfc/rfc6570#section-1.2 (level 1)."""

PLACEHOLDER = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_-]*) *\}\}")
"""Where the text of a prompt takes the value of an argument."""


@dataclass(frozen=True, slots=True)
class CompletionSource:
    """The values that clients may suggest: those given, or those that a tool lists, at the dotted path
    `value` in its result. `arguments` maps arguments of that tool to those that are filled already.
    """

    values: tuple[str, ...] = ()
    tool: str = ""
    value: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResourceSpec:
    """One resource, or the template of many: what `tool` reads, its arguments the variables of the
    URI; or a file, the name of one of `ServerFeatures.files`, with its `size` in bytes."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    tool: str = ""
    file: str = ""
    size: int | None = None
    annotations: Mapping[str, Json] = field(default_factory=dict)
    complete: Mapping[str, CompletionSource] = field(default_factory=dict)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of its URI in order, none of a plain one."""
        return tuple(VARIABLE.findall(self.uri))

    @property
    def announced(self) -> dict[str, Json]:
        """The resource as the generated server lists it: under `uriTemplate` if it has variables,
        else under `uri`."""
        told: dict[str, Json] = {
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": dict(self.annotations),
        }
        address = "uriTemplate" if self.variables else "uri"
        kept = {name: value for name, value in told.items() if value not in ("", None, {})}
        return {address: self.uri, "name": self.name, **kept}


@dataclass(frozen=True, slots=True)
class PromptArgumentSpec:
    """One argument of a prompt. `type` is what its text must be written as; `values` are those it may
    be, any if there are none. Where the client gives no value, the user is asked with the words of
    `ask`, if there are some."""

    name: str
    title: str = ""
    description: str = ""
    required: bool = False
    type: str = "string"
    values: tuple[str, ...] = ()
    complete: CompletionSource | None = None
    ask: str = ""

    @property
    def announced(self) -> dict[str, Json]:
        """The argument as the generated server lists it."""
        told = {"title": self.title, "description": self.description}
        kept: dict[str, Json] = {name: value for name, value in told.items() if value}
        return {"name": self.name, **kept, "required": self.required and not self.ask}


@dataclass(frozen=True, slots=True)
class PromptMessageSpec:
    """One message of a prompt: a text; one of `ServerFeatures.files`, as image or audio or embedded under a
    `uri`; or the resource that a `uri` alone names. Texts and URIs may have placeholders."""

    role: str = "user"
    text: str = ""
    file: str = ""
    mime_type: str = ""
    uri: str = ""


@dataclass(frozen=True, slots=True)
class PromptSpec:
    """One prompt, with its messages in order."""

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgumentSpec, ...] = ()
    messages: tuple[PromptMessageSpec, ...] = ()

    @property
    def announced(self) -> dict[str, Json]:
        """The prompt as the generated server lists it."""
        told: dict[str, Json] = {
            "title": self.title,
            "description": self.description,
            "arguments": [argument.announced for argument in self.arguments],
        }
        return {"name": self.name, **{name: value for name, value in told.items() if value}}


@dataclass(frozen=True, slots=True)
class ResourceInvalidation:
    """The resources of a URI that a writing tool changes, where each of these variables has the value
    of the argument."""

    uri: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notifications:
    """What clients are told of by themselves: `changes` of resources, by the `writers` whose calls
    change them, and what is logged for them (`log`)."""

    changes: bool = False
    log: bool = False
    writers: Mapping[str, tuple[ResourceInvalidation, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServerFeatures:
    """All that a server offers beside its tools, in the order of the lists. `files` are what resources
    and prompts bring along, by name."""

    resources: tuple[ResourceSpec, ...] = ()
    prompts: tuple[PromptSpec, ...] = ()
    notices: Notifications = field(default_factory=Notifications)
    files: Mapping[str, bytes] = field(default_factory=dict)
