"""Resources and prompts of a server, and notifications about changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcpgen.ir.source import Json

VARIABLE = re.compile(r"\{(\w+)\}", re.ASCII)
"""A variable of a URI; https://www.rfc-editor.org/rfc/rfc6570#section-1.2 (level 1)."""

PLACEHOLDER = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_-]*) *\}\}")
"""Placeholder of an argument in a prompt text."""


@dataclass(frozen=True, slots=True)
class CompletionSource:
    """Suggested values: a fixed list, or values listed by a tool at the dotted path `value` of its
    result.

    `arguments`: tool arguments by name of the filled-in variable.
    """

    values: tuple[str, ...] = ()
    tool: str = ""
    value: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResourceSpec:
    """A resource or resource template: read by `tool` with the URI's variables as arguments, or a
    file.

    A file is a key of `ServerFeatures.files`, `size` in bytes.
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
    complete: Mapping[str, CompletionSource] = field(default_factory=dict)

    @property
    def variables(self) -> tuple[str, ...]:
        """Variables of the URI template in order."""
        return tuple(VARIABLE.findall(self.uri))

    @property
    def announced(self) -> dict[str, Json]:
        """Returns the entry of `resources/list`, or of `resources/templates/list` for a template,
        as JSON."""
        members: dict[str, Json] = {
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": dict(self.annotations),
        }
        address = "uriTemplate" if self.variables else "uri"
        entry = {name: value for name, value in members.items() if value not in ("", None, {})}
        return {address: self.uri, "name": self.name, **entry}


@dataclass(frozen=True, slots=True)
class PromptArgumentSpec:
    """One prompt argument.

    `type`: type parsed from its text. `values`: allowed values, any if empty. `ask`: question to
    the user for a missing value, or `""`.
    """

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
        """Returns the argument as in `prompts/list`, as JSON."""
        members = {"title": self.title, "description": self.description}
        entry: dict[str, Json] = {name: value for name, value in members.items() if value}
        return {"name": self.name, **entry, "required": self.required and not self.ask}


@dataclass(frozen=True, slots=True)
class PromptMessageSpec:
    """One prompt message: a text; a file of `ServerFeatures.files`, as image, audio or embedded
    under `uri`; or the resource of `uri`.

    Texts and URIs may contain placeholders.
    """

    role: str = "user"
    text: str = ""
    file: str = ""
    mime_type: str = ""
    uri: str = ""


@dataclass(frozen=True, slots=True)
class PromptSpec:
    """A prompt with its messages in order."""

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgumentSpec, ...] = ()
    messages: tuple[PromptMessageSpec, ...] = ()

    @property
    def announced(self) -> dict[str, Json]:
        """Returns the prompt as in `prompts/list`, as JSON."""
        members: dict[str, Json] = {
            "title": self.title,
            "description": self.description,
            "arguments": [argument.announced for argument in self.arguments],
        }
        return {"name": self.name, **{name: value for name, value in members.items() if value}}


@dataclass(frozen=True, slots=True)
class ResourceInvalidation:
    """Resources changed by a writing tool: those of a URI whose variables equal the tool's
    arguments."""

    uri: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notifications:
    """Notifications to clients: `changes` of resources caused by `writers`, and `log` messages."""

    changes: bool = False
    log: bool = False
    writers: Mapping[str, tuple[ResourceInvalidation, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServerFeatures:
    """Resources, prompts and notifications in order of the lists. `files`: bundled files by
    name."""

    resources: tuple[ResourceSpec, ...] = ()
    prompts: tuple[PromptSpec, ...] = ()
    notices: Notifications = field(default_factory=Notifications)
    files: Mapping[str, bytes] = field(default_factory=dict)
