"""Media types of request bodies, and fields of results."""

from __future__ import annotations

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType

FIELDS_RULE = "a list of names, with a `.` between those of nested objects"
"""The rule for the fields of a result, as worded in messages."""

KEYS = (
    KeySpec(
        "fields",
        KeyType.FIELDS,
        {},
        "Fields of results that are shown, by operation; all of them where none are chosen.",
        FIELDS_RULE,
        validators.is_field,
    ),
    KeySpec(
        "bodies",
        KeyType.CHOICES,
        {},
        "Media types that bodies are sent in, by operation: its operationId, `POST /pets`, or `*`.",
        "a media type such as `application/xml`",
        validators.is_media_type,
    ),
)
