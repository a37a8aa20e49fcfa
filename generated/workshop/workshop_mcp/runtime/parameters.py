"""The parameters of a request outside its body, and how each place writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from . import parameter_styles, value_text
from .request import InvalidArguments
from .tool import Argument, Constant, Json

Pairs = Iterable[tuple[str, str]]
"""Encoded names and values."""

WHOLE = "?"
"""Stands for the name of a parameter that is the whole query; no encoded name has a `?`."""


@dataclass(frozen=True)
class UpstreamParameter:
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


def group_parameters(
    place: str, parts: Iterable[Argument | Constant]
) -> tuple[UpstreamParameter, ...]:
    """The parameters of one place in order of appearance, each once."""
    found: dict[str, UpstreamParameter] = {}
    for part in parts:
        if part.place != place:
            continue
        if isinstance(part, Constant):
            name = part.to[0]
            found.setdefault(
                name, UpstreamParameter(name, "", part.style, part.explode, is_fixed=True)
            )
        elif part.target:
            found.setdefault(
                part.target[0],
                UpstreamParameter(
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


def _in_path(parameter: UpstreamParameter, value: Json) -> Pairs:
    write: parameter_styles.Encode = (
        value_text.for_reserved_path if parameter.reserved else value_text.for_path
    )
    if parameter.content:
        yield parameter.wire, write(parameter_styles.content_text(parameter.content, value))
        return
    if parameter_styles.is_hollow(value):
        raise InvalidArguments("must not be empty")
    style, explode = parameter.style, parameter.explode
    if parameter.rows:
        value = parameter_styles.rows(
            value, parameter_styles.DELIMITERS.get(parameter.rows, ","), write
        )
        write = str
    yield parameter.wire, parameter_styles.path_text(parameter.wire, value, style, explode, write)


def _in_query(parameter: UpstreamParameter, value: Json) -> Pairs:
    write: parameter_styles.Encode = (
        value_text.for_reserved_query if parameter.reserved else value_text.for_query
    )
    if parameter.style == "querystring":
        return [(WHOLE, write(parameter_styles.content_text(parameter.content, value)))]
    if parameter.content:
        return [
            (
                value_text.for_query(parameter.wire),
                write(parameter_styles.content_text(parameter.content, value)),
            )
        ]
    style = parameter.style or "form"
    if parameter.rows:
        value = parameter_styles.rows(
            value, parameter_styles.DELIMITERS.get(parameter.rows, ","), write
        )
        write = str
    return parameter_styles.encode_query_pairs(
        parameter.wire, value, style, parameter.explode, write
    )


def _in_header(parameter: UpstreamParameter, value: Json) -> Pairs:
    text = parameter_styles.content_text(parameter.content, value) if parameter.content else value
    name = value_text.header_name(parameter.wire, is_fixed=parameter.is_fixed)
    if parameter_styles.is_hollow(text):
        return
    delimiter = parameter_styles.PLAIN_DELIMITERS.get(parameter.style, ",")
    write: parameter_styles.Encode = value_text.for_header
    if parameter.rows:
        text = parameter_styles.rows(
            text, parameter_styles.PLAIN_DELIMITERS.get(parameter.rows, ","), write
        )
    if isinstance(text, list | dict):
        write = parameter_styles.separable(write, delimiter)
    yield name, parameter_styles.encode_simple(text, write, delimiter, parameter.explode)


def _in_cookie(parameter: UpstreamParameter, value: Json) -> Pairs:
    text = parameter_styles.content_text(parameter.content, value) if parameter.content else value
    name = value_text.cookie_name(parameter.wire)
    if parameter_styles.is_hollow(text):
        return
    write = value_text.for_plain_cookie if parameter.style == "cookie" else value_text.for_cookie
    yield from parameter_styles.cookie_pairs(name, text, parameter.explode, write)


_WRITERS: dict[str, Callable[[UpstreamParameter, Json], Pairs]] = {
    "path": _in_path,
    "query": _in_query,
    "header": _in_header,
    "cookie": _in_cookie,
}


def _something(pairs: Pairs) -> Pairs:
    """The pairs of a parameter that the API cannot do without. Raises `InvalidArguments` if there are none:
    outside of paths, no style writes an array or object that is empty."""
    found = list(pairs)
    if not found:
        raise InvalidArguments("must not be empty, since nothing would be sent then")
    return found


def encode_parameters(
    place: str, known: Iterable[UpstreamParameter], values: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    """The values of one place as encoded pairs. Raises `InvalidArguments`, with the argument's name, for a
    value that may not stand there."""
    for parameter in known:
        if parameter.wire not in values:
            continue
        try:
            pairs = _WRITERS[place](parameter, values[parameter.wire])
            yield from _something(pairs) if parameter.required else pairs
        except InvalidArguments as refused:
            raise InvalidArguments(
                *(f"{parameter.blame}: {why}" for why in refused.problems)
            ) from None
