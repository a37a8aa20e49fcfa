"""What a tool sends, and how much of an answer it shows."""

from __future__ import annotations

from mcpgen.config import rules
from mcpgen.config.key import Key, Kind

FIELDS_RULE = "a list of names, with a `.` between those of nested objects"
"""What the fields of a result must be."""

KEYS = (
    Key(
        "fields",
        Kind.FIELDS,
        {},
        "Fields of results that are shown, by operation; all of them where none are chosen.",
        FIELDS_RULE,
        rules.is_field,
    ),
    Key(
        "bodies",
        Kind.CHOICES,
        {},
        "Media types that bodies are sent in, by operation: its operationId, `POST /pets`, or `*`.",
        "a media type such as `application/xml`",
        rules.is_media_type,
    ),
)
