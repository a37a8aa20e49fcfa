"""Forms: `name=value` pairs, as in a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from . import media_encoding, parameter_styles, value_text
from .parameters import UpstreamParameter
from .request import InvalidArguments, UnencodableValue
from .tool import Json, Part

Fields = Mapping[str, UpstreamParameter]
"""The fields of a body that have a style of their own, by name."""

_PLAIN = Part()
_WRITTEN = re.compile(r"(?:[!$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*")


def encode_form(value: Json, parts: Mapping[str, Part], fields: Fields) -> bytes:
    """The pairs of an object, or a text that is one already. Raises `UnencodableValue` for anything else."""
    if isinstance(value, str):
        return ready(value)
    if not isinstance(value, dict):
        raise UnencodableValue((), "must be an object, whose members are the fields of the form")
    pairs: list[str] = []
    for name, field in value.items():
        pairs += (f"{key}={text}" for key, text in _pairs(name, field, parts, fields))
    return "&".join(pairs).encode()


def _pairs(
    name: str, value: Json, parts: Mapping[str, Part], fields: Fields
) -> Iterator[tuple[str, str]]:
    """The pairs of one field; one without a style repeats its name for each item of an array."""
    styled = fields.get(name)
    if styled is not None and styled.style:
        write = value_text.for_reserved_query if styled.reserved else value_text.for_query
        yield from encode_styled_pairs(name, value, styled, write)
        return
    write = value_text.for_reserved_query if styled and styled.reserved else value_text.for_query
    media_type = parts.get(name, _PLAIN).media_type
    for item in value if isinstance(value, list) else [value]:
        if item is not None:
            yield value_text.for_query(name), write(
                media_encoding.content(media_type, item).decode()
            )


def encode_styled_pairs(
    name: str, value: Json, styled: UpstreamParameter, write: parameter_styles.Encode
) -> list[tuple[str, str]]:
    """The pairs of a field with a style. Raises `UnencodableValue` for a value that it cannot write."""
    try:
        return list(
            parameter_styles.encode_query_pairs(name, value, styled.style, styled.explode, write)
        )
    except InvalidArguments as refused:
        raise UnencodableValue((name,), "; ".join(refused.problems)) from None


def ready(text: str) -> bytes:
    """A text that is a form as it stands. Raises `UnencodableValue` for one that is none."""
    if not _WRITTEN.fullmatch(text):
        raise UnencodableValue(
            (), "must be a form such as `a=1&b=2`, with everything else %-encoded"
        )
    return text.encode()
