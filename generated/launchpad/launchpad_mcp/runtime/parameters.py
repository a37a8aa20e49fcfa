"""The parameters of a request outside its body, and how each place writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from . import encode, styles
from .request import Refused
from .tool import Argument, Constant, Json

Pairs = Iterable[tuple[str, str]]
"""Encoded names and values."""

WHOLE = "?"
"""Stands for the name of a parameter that is the whole query; no encoded name has a `?`."""


@dataclass(frozen=True)
class Parameter:
    """One parameter as the API knows it; `blame` is the argument that a fault is reported for, and
    `is_fixed` tells that no call gives its value."""

    wire: str
    blame: str
    style: str
    explode: bool
    reserved: bool = False
    content: str = ""
    required: bool = False
    rows: str = ""
    is_fixed: bool = False


def parameters(place: str, parts: Iterable[Argument | Constant]) -> tuple[Parameter, ...]:
    """The parameters of one place in order of appearance, each once."""
    found: dict[str, Parameter] = {}
    for part in parts:
        if part.place != place:
            continue
        if isinstance(part, Constant):
            name = part.to[0]
            found.setdefault(name, Parameter(name, "", part.style, part.explode, is_fixed=True))
        elif part.target:
            found.setdefault(
                part.target[0],
                Parameter(
                    part.target[0],
                    part.name,
                    part.style,
                    part.explode,
                    part.reserved,
                    part.content,
                    part.required and len(part.target) == 1,
                    part.rows,
                    part.hidden,
                ),
            )
    return tuple(found.values())


def _in_path(parameter: Parameter, value: Json) -> Pairs:
    write: styles.Encode = encode.for_reserved_path if parameter.reserved else encode.for_path
    if parameter.content:
        yield parameter.wire, write(styles.content_text(parameter.content, value))
        return
    if styles.is_hollow(value):
        raise Refused("must not be empty")
    style, explode = parameter.style, parameter.explode
    if parameter.rows:
        value = styles.rows(value, styles.DELIMITERS.get(parameter.rows, ","), write)
        write = str
    yield parameter.wire, styles.path_text(parameter.wire, value, style, explode, write)


def _in_query(parameter: Parameter, value: Json) -> Pairs:
    write: styles.Encode = encode.for_reserved_query if parameter.reserved else encode.for_query
    if parameter.style == "querystring":
        return [(WHOLE, write(styles.content_text(parameter.content, value)))]
    if parameter.content:
        return [
            (encode.for_query(parameter.wire), write(styles.content_text(parameter.content, value)))
        ]
    style = parameter.style or "form"
    if parameter.rows:
        value = styles.rows(value, styles.DELIMITERS.get(parameter.rows, ","), write)
        write = str
    return styles.query_pairs(parameter.wire, value, style, parameter.explode, write)


def _in_header(parameter: Parameter, value: Json) -> Pairs:
    text = styles.content_text(parameter.content, value) if parameter.content else value
    name = encode.header_name(parameter.wire, is_fixed=parameter.is_fixed)
    if styles.is_hollow(text):
        return
    delimiter = styles.PLAIN_DELIMITERS.get(parameter.style, ",")
    write: styles.Encode = encode.for_header
    if parameter.rows:
        text = styles.rows(text, styles.PLAIN_DELIMITERS.get(parameter.rows, ","), write)
    if isinstance(text, list | dict):
        write = styles.separable(write, delimiter)
    yield name, styles.flat(text, write, delimiter, parameter.explode)


def _in_cookie(parameter: Parameter, value: Json) -> Pairs:
    text = styles.content_text(parameter.content, value) if parameter.content else value
    name = encode.cookie_name(parameter.wire)
    if styles.is_hollow(text):
        return
    write = encode.for_plain_cookie if parameter.style == "cookie" else encode.for_cookie
    yield from styles.cookie_pairs(name, text, parameter.explode, write)


_WRITERS: dict[str, Callable[[Parameter, Json], Pairs]] = {
    "path": _in_path,
    "query": _in_query,
    "header": _in_header,
    "cookie": _in_cookie,
}


def _something(pairs: Pairs) -> Pairs:
    """The pairs of a parameter that the API cannot do without. Raises `Refused` if there are none:
    outside of paths, no style writes an array or object that is empty."""
    found = list(pairs)
    if not found:
        raise Refused("must not be empty, since nothing would be sent then")
    return found


def written(
    place: str, known: Iterable[Parameter], values: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    """The values of one place as encoded pairs. Raises `Refused`, with the argument's name, for a
    value that may not stand there."""
    for parameter in known:
        if parameter.wire not in values:
            continue
        try:
            pairs = _WRITERS[place](parameter, values[parameter.wire])
            yield from _something(pairs) if parameter.required else pairs
        except Refused as refused:
            raise Refused(*(f"{parameter.blame}: {why}" for why in refused.problems)) from None
