"""What connectors bring into the archive: their streams, and what each field can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

IDENTITY = (
    "id",
    "record_id",
    "stream",
    "connection_id",
    "connector_key",
    "grant_id",
    "display_name",
)
"""What every record tells of itself, whatever fields are asked for; a connection need not have a
display name."""


@dataclass(frozen=True)
class Field:
    """A field of a stream. `type` is one of JSON Schema, `date-time` for a text that is a time.
    `flags` say what it can be used for: `f`ilter, `s`ort, `g`roup, `a`ggregate, `t`ext search."""

    name: str
    type: str
    flags: str = "fs"
    description: str = ""

    @property
    def schema(self) -> dict[str, str]:
        """The JSON Schema of the field."""
        kind = {"type": self.type}
        if self.type == "date-time":
            kind = {"type": "string", "format": "date-time"}
        return {**kind, "description": self.description} if self.description else kind


@dataclass(frozen=True)
class Stream:
    """One kind of record. `title`, `author` and `time` name the fields with these roles, `""` where
    there is none. `relations` are streams of the same connection that point back to a record, by the
    name to expand them with: the stream, and its field that holds the record's id."""

    name: str
    fields: tuple[Field, ...]
    title: str = ""
    author: str = ""
    time: str = ""
    relations: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def roles(self) -> dict[str, str]:
        """The fields with roles, by role."""
        named = {"title": self.title, "author": self.author, "time": self.time}
        return {role: name for role, name in named.items() if name}

    def field(self, name: str) -> Field | None:
        """The field of a name."""
        return next((one for one in self.fields if one.name == name), None)

    def flagged(self, flag: str) -> list[str]:
        """The names of the fields that can be used for something."""
        return [one.name for one in self.fields if flag in one.flags]


MAIL = Stream(
    "messages",
    (
        Field("subject", "string", "fst"),
        Field("sender", "string", "fsg"),
        Field("recipient", "string", "fg"),
        Field("body", "string", "t"),
        Field("sent_at", "date-time", "fsa", "When its author sent it."),
        Field("size", "integer", "fsa", "Bytes of the message."),
        Field("unread", "boolean", "fg"),
    ),
    title="subject",
    author="sender",
    time="sent_at",
    relations={"attachments": ("attachments", "message_id")},
)
ATTACHMENTS = Stream(
    "attachments",
    (
        Field("message_id", "string", "f", "The record of the stream `messages` it came with."),
        Field("filename", "string", "fst"),
        Field("media_type", "string", "fg"),
        Field("size", "integer", "fsa", "Bytes of the file."),
    ),
    title="filename",
)
CHAT = Stream(
    "messages",
    (
        Field("sender", "string", "fsg"),
        Field("room", "string", "fg"),
        Field("body", "string", "t"),
        Field("sent_at", "date-time", "fsa", "When its author sent it."),
        Field("reactions", "integer", "fsa"),
    ),
    author="sender",
    time="sent_at",
)
ROOMS = Stream(
    "rooms",
    (
        Field("name", "string", "fst"),
        Field("topic", "string", "t"),
        Field("members", "integer", "fsa"),
    ),
    title="name",
)
EVENTS = Stream(
    "events",
    (
        Field("title", "string", "fst"),
        Field("place", "string", "fgt"),
        Field("starts_at", "date-time", "fsa"),
        Field("minutes", "integer", "fsa"),
    ),
    title="title",
    time="starts_at",
)
PURCHASES = Stream(
    "purchases",
    (
        Field("shop", "string", "fsgt"),
        Field("article", "string", "fst"),
        Field("amount", "number", "fsa"),
        Field("currency", "string", "fg"),
        Field("paid_at", "date-time", "fsa"),
    ),
    author="shop",
    time="paid_at",
)
WALKS = Stream(
    "walks",
    (
        Field("started_at", "date-time", "fsa"),
        Field("metres", "integer", "fsa"),
        Field("mood", "string", "fgt"),
    ),
    time="started_at",
)

CONNECTORS: Mapping[str, tuple[Stream, ...]] = {
    "footpath": (WALKS,),
    "pantry": (PURCHASES,),
    "paperplane": (MAIL, ATTACHMENTS),
    "sundial": (EVENTS,),
    "tin_can": (CHAT, ROOMS),
}
"""The streams of each connector, by its key."""


def stream_of(connector_key: str, name: str) -> Stream | None:
    """The stream of a connector with a name."""
    return next((one for one in CONNECTORS.get(connector_key, ()) if one.name == name), None)
