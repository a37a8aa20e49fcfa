"""The catalogue of connectors: the streams of each connector, and the uses of each field."""

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
"""Keys of every record, whatever fields were requested; a connection need not have a display
name."""


@dataclass(frozen=True)
class Field:
    """A field of a stream. `type` is a type of JSON Schema, or `date-time` for a time as text.
    `flags` are the uses of the field: `f`ilter, `s`ort, `g`roup, `a`ggregate, `t`ext search."""

    name: str
    type: str
    flags: str = "fs"
    description: str = ""

    @property
    def schema(self) -> dict[str, str]:
        """The JSON Schema of the field."""
        schema = {"type": self.type}
        if self.type == "date-time":
            schema = {"type": "string", "format": "date-time"}
        return {**schema, "description": self.description} if self.description else schema


@dataclass(frozen=True)
class Stream:
    """A kind of record. `title`, `author` and `time` are the names of the fields with these roles,
    or `""`. `relations` has, by the name for `expand`, another stream of the connection, and the
    field of that stream with the id of the record."""

    name: str
    fields: tuple[Field, ...]
    title: str = ""
    author: str = ""
    time: str = ""
    relations: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def roles(self) -> dict[str, str]:
        """The names of the fields with roles, by role."""
        names = {"title": self.title, "author": self.author, "time": self.time}
        return {role: name for role, name in names.items() if name}

    def field(self, name: str) -> Field | None:
        """Returns the field with a name, or None."""
        return next((known for known in self.fields if known.name == name), None)

    def names_with_flag(self, flag: str) -> list[str]:
        """Returns the names of the fields with a flag."""
        return [known.name for known in self.fields if flag in known.flags]


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
"""The streams of each connector, by key of the connector."""


def find_stream(connector_key: str, name: str) -> Stream | None:
    """Returns the stream of a connector with a name, or None."""
    return next(
        (stream for stream in CONNECTORS.get(connector_key, ()) if stream.name == name), None
    )
