"""Forms: `name=value` pairs, as in a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from . import content, encode, styles
from .parameters import Parameter
from .request import Refused, Unsendable
from .tool import Json, Part

Fields = Mapping[str, Parameter]
"""The fields of a body that have a style of their own, by name."""

_PLAIN = Part()
_WRITTEN = re.compile(r"(?:[!$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*")


def form(value: Json, parts: Mapping[str, Part], fields: Fields) -> bytes:
    """The pairs of an object, or a text that is one already. Raises `Unsendable` for anything else."""
    if isinstance(value, str):
        return ready(value)
    if not isinstance(value, dict):
        raise Unsendable((), "must be an object, whose members are the fields of the form")
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
        write = encode.for_reserved_query if styled.reserved else encode.for_query
        yield from styled_pairs(name, value, styled, write)
        return
    write = encode.for_reserved_query if styled and styled.reserved else encode.for_query
    media_type = parts.get(name, _PLAIN).media_type
    for item in value if isinstance(value, list) else [value]:
        if item is not None:
            yield encode.for_query(name), write(content.content(media_type, item).decode())


def styled_pairs(
    name: str, value: Json, styled: Parameter, write: styles.Encode
) -> list[tuple[str, str]]:
    """The pairs of a field with a style. Raises `Unsendable` for a value that it cannot write."""
    try:
        return list(styles.query_pairs(name, value, styled.style, styled.explode, write))
    except Refused as refused:
        raise Unsendable((name,), "; ".join(refused.problems)) from None


def ready(text: str) -> bytes:
    """A text that is a form as it stands. Raises `Unsendable` for one that is none."""
    if not _WRITTEN.fullmatch(text):
        raise Unsendable((), "must be a form such as `a=1&b=2`, with everything else %-encoded")
    return text.encode()
