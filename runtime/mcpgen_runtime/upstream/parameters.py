"""Serializes parameters in path, query, header and cookie, by style.

Source: https://spec.openapis.org/oas/v3.1.1.html#style-values. Combinations that the table leaves
open follow the servers that parse `deepObject` (Rails, PHP, qs): `a[]=1` for each scalar of an
array, `a[0][k]=1` for objects in an array, `a[k][l]=1` for an object in an object. `tabDelimited`,
and delimited arrays in paths and headers, are the collection formats of
https://swagger.io/specification/v2/#parameter-object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from ..tool import Argument, Json
from ..tool_parts import Constant
from . import value_text
from .exchange import InvalidArguments
from .media_encoding import content, media_essence, sequence_writer
from .value_text import for_path, for_query, request_json, scalar_value

RESERVED = ":/?@!$'()*,"
"""Reserved characters that `allowReserved` leaves unencoded. `#`, `[` and `]` are not allowed in a
query; `&`, `=`, `+` and `;` have a meaning there: Go servers drop a pair with `;`, and older
servers split the pair."""

RESERVED_IN_PATH = ":@!$&'()*+,"
"""Reserved characters left unencoded in a path; `/`, `?` and `#` would end the segment, `;` and `=`
would start segment parameters."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_COOKIE_UNSAFE = re.compile(r"[^!#-$&-+\--:<-\[\]-~]")
_COOKIE_VALUE = re.compile(r"[!#-+\--:<-\[\]-~]*")


def for_reserved_path(value: Json) -> str:
    """A value of a path parameter with `allowReserved`. Raises `InvalidArguments` like
    `for_path`."""
    return for_path(value, RESERVED_IN_PATH)


def for_reserved_query(value: Json) -> str:
    """A value of a query parameter with `allowReserved`."""
    return quote(scalar_value(value), safe=RESERVED)


def for_cookie(value: Json) -> str:
    """A value of a cookie. Disallowed characters and `%` are percent-encoded as UTF-8, so different
    values give different cookies; https://www.rfc-editor.org/rfc/rfc6570#section-3.2.8.

    Raises `InvalidArguments` for control characters.
    """
    text = scalar_value(value)
    if _CONTROL.search(text):
        raise InvalidArguments("must not hold control characters")
    return _COOKIE_UNSAFE.sub(lambda match: quote(match[0], safe=""), text)


def for_plain_cookie(value: Json) -> str:
    """A value of a cookie in style `cookie`, without escaping.

    Raises `InvalidArguments` for characters not allowed in cookies;
    https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1.
    """
    text = scalar_value(value)
    if not _COOKIE_VALUE.fullmatch(text):
        raise InvalidArguments(
            "must not hold spaces, quotes, commas, semicolons or what is not ASCII"
        )
    return text


Encode = Callable[[Json], str]
"""Encodes a value as text for a place."""


def separable(encode: Encode, delimiter: str) -> Encode:
    """An encoder for members that are joined by `delimiter`.

    Raises `InvalidArguments` for a member that contains the delimiter.
    """

    def member(value: Json) -> str:
        text = encode(value)
        if delimiter in text:
            character = unquote(delimiter)
            raise InvalidArguments(f"must not hold `{character}`, which stands between the values")
        return text

    return member


def encode_simple(value: Json, encode: Encode, delimiter: str = ",", explode: bool = False) -> str:
    """A value as one text: `a,b`, `k,v` or, exploded, `k=v`."""
    if isinstance(value, list):
        return delimiter.join(encode(_leaf(item)) for item in value if item is not None)
    if isinstance(value, dict):
        joint = "=" if explode else delimiter
        return delimiter.join(
            f"{encode(key)}{joint}{encode(_leaf(item))}"
            for key, item in value.items()
            if item is not None
        )
    return encode(value)


def rows(value: Json, delimiter: str, encode: Encode) -> list[str]:
    """Nested arrays, each as one text.

    Raises `InvalidArguments` for a member that contains the delimiter, and for an empty array.
    """
    if any(is_hollow(row) for row in value):
        raise InvalidArguments("must not hold an empty array, since nothing would be sent for it")
    return [encode_simple(row, separable(encode, delimiter), delimiter) for row in value]


def is_hollow(value: Json) -> bool:
    """True for an array or object without members: such a value is undefined, and an empty text
    would be read as a member; https://www.rfc-editor.org/rfc/rfc6570#section-2.3."""
    if not isinstance(value, list | dict):
        return False
    members = value.values() if isinstance(value, dict) else value
    return all(member is None for member in members)


def _leaf(value: Json) -> Json:
    """A member as a scalar; deeper structures become JSON, since styles do not define nesting."""
    return request_json(value) if isinstance(value, (list, dict)) else value


def path_text(name: str, value: Json, style: str, explode: bool, encode: Encode) -> str:
    """The text that replaces `{name}` in a path."""
    several = isinstance(value, (list, dict))
    if style == "label":
        if several and explode:
            return "." + encode_simple(value, separable(encode, "."), ".", True)
        return "." + encode_simple(value, separable(encode, ",") if several else encode)
    if style == "matrix":
        return _matrix(encode(name), value, explode, encode)
    delimiter = DELIMITERS.get(style, ",")
    if several:
        encode = separable(encode, delimiter)
    return encode_simple(value, encode, delimiter, explode)


def _matrix(name: str, value: Json, explode: bool, encode: Encode) -> str:
    if explode and isinstance(value, list):
        return "".join(f";{name}={encode(_leaf(item))}" for item in value if item is not None)
    if explode and isinstance(value, dict):
        members = ((key, item) for key, item in value.items() if item is not None)
        return "".join(f";{encode(key)}={encode(_leaf(item))}" for key, item in members)
    several = isinstance(value, (list, dict))
    text = encode_simple(value, separable(encode, ",") if several else encode)
    return f";{name}={text}" if text else f";{name}"


DELIMITERS = {"spaceDelimited": "%20", "tabDelimited": "%09", "pipeDelimited": "%7C"}
"""Percent-encoded delimiters of arrays that are not exploded."""

PLAIN_DELIMITERS = {"spaceDelimited": " ", "tabDelimited": "\t", "pipeDelimited": "|"}
"""Delimiters without percent-encoding, for headers and multipart parts."""


def encode_query_pairs(
    name: str, value: Json, style: str, explode: bool, encode: Encode
) -> Iterator[tuple[str, str]]:
    """The encoded `name=value` pairs of a query parameter or form field."""
    if value is None:
        return
    if not isinstance(value, (list, dict)):
        yield for_query(name), encode(value)
    elif style == "deepObject":
        yield from _deep(for_query(name), value, encode)
    elif not explode:
        if not is_hollow(value):
            delimiter = DELIMITERS.get(style, ",")
            yield for_query(name), encode_simple(value, separable(encode, delimiter), delimiter)
    elif isinstance(value, list):
        yield from ((for_query(name), encode(_leaf(item))) for item in value if item is not None)
    else:
        for key, item in value.items():
            if isinstance(item, list):
                yield from encode_query_pairs(key, item, "form", True, encode)
            elif item is not None:
                yield for_query(key), encode(_leaf(item))


def _deep(name: str, value: Json, encode: Encode) -> Iterator[tuple[str, str]]:
    """`name[key]=value` pairs of any depth;
    https://github.com/OAI/OpenAPI-Specification/issues/1706."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not key:
                raise InvalidArguments(
                    "must not hold an empty key, since `[]` marks the items of an array"
                )
            yield from _deep(f"{name}%5B{for_query(key)}%5D", item, encode)
    elif isinstance(value, list):
        nested = any(isinstance(item, (list, dict)) for item in value)
        for index, item in enumerate(value):
            place = index if nested else ""
            yield from _deep(f"{name}%5B{place}%5D", item, encode)
    elif value is not None:
        yield name, encode(value)


def cookie_pairs(
    name: str, value: Json, explode: bool, encode: Encode
) -> Iterator[tuple[str, str]]:
    """The name-value pairs of a cookie parameter."""
    if explode and isinstance(value, list):
        yield from ((name, encode(_leaf(item))) for item in value if item is not None)
    elif explode and isinstance(value, dict):
        members = ((key, item) for key, item in value.items() if item is not None)
        yield from ((encode(key), encode(_leaf(item))) for key, item in members)
    else:
        yield name, encode_simple(value, encode)


def content_text(media_type: str, value: Json) -> str:
    """The text of a parameter with a media type instead of a style."""
    write = sequence_writer(media_essence(media_type)) if isinstance(value, list) else None
    return (write(value) if write else content(media_type, value)).decode()


Pairs = Iterable[tuple[str, str]]
"""Encoded names and values."""

WHOLE = "?"
"""The name of a parameter that is the whole query string; an encoded name cannot contain `?`."""


@dataclass(frozen=True)
class UpstreamParameter:
    """One parameter of the API; `blame` is the argument named in error messages, and `is_fixed` is
    true for a constant."""

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
    """The distinct parameters of a place, in order of appearance."""
    parameters: dict[str, UpstreamParameter] = {}
    for part in parts:
        if part.place != place:
            continue
        if isinstance(part, Constant):
            name = part.to[0]
            parameters.setdefault(
                name, UpstreamParameter(name, "", part.style, part.explode, is_fixed=True)
            )
        elif part.target:
            parameters.setdefault(
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
    return tuple(parameters.values())


def _in_path(parameter: UpstreamParameter, value: Json) -> Pairs:
    write: Encode = for_reserved_path if parameter.reserved else value_text.for_path
    if parameter.content:
        yield parameter.wire, write(content_text(parameter.content, value))
        return
    if is_hollow(value):
        raise InvalidArguments("must not be empty")
    style, explode = parameter.style, parameter.explode
    if parameter.rows:
        value = rows(value, DELIMITERS.get(parameter.rows, ","), write)
        write = str
    yield parameter.wire, path_text(parameter.wire, value, style, explode, write)


def _in_query(parameter: UpstreamParameter, value: Json) -> Pairs:
    write: Encode = for_reserved_query if parameter.reserved else value_text.for_query
    if parameter.style == "querystring":
        return [(WHOLE, write(content_text(parameter.content, value)))]
    if parameter.content:
        return [
            (
                value_text.for_query(parameter.wire),
                write(content_text(parameter.content, value)),
            )
        ]
    style = parameter.style or "form"
    if parameter.rows:
        value = rows(value, DELIMITERS.get(parameter.rows, ","), write)
        write = str
    return encode_query_pairs(parameter.wire, value, style, parameter.explode, write)


def _in_header(parameter: UpstreamParameter, value: Json) -> Pairs:
    text = content_text(parameter.content, value) if parameter.content else value
    name = value_text.header_name(parameter.wire, is_fixed=parameter.is_fixed)
    if is_hollow(text):
        return
    delimiter = PLAIN_DELIMITERS.get(parameter.style, ",")
    write: Encode = value_text.for_header
    if parameter.rows:
        text = rows(text, PLAIN_DELIMITERS.get(parameter.rows, ","), write)
    if isinstance(text, list | dict):
        write = separable(write, delimiter)
    yield name, encode_simple(text, write, delimiter, parameter.explode)


def _in_cookie(parameter: UpstreamParameter, value: Json) -> Pairs:
    text = content_text(parameter.content, value) if parameter.content else value
    name = value_text.cookie_name(parameter.wire)
    if is_hollow(text):
        return
    write = for_plain_cookie if parameter.style == "cookie" else for_cookie
    yield from cookie_pairs(name, text, parameter.explode, write)


_WRITERS: dict[str, Callable[[UpstreamParameter, Json], Pairs]] = {
    "path": _in_path,
    "query": _in_query,
    "header": _in_header,
    "cookie": _in_cookie,
}


def _require_pairs(pairs: Pairs) -> Pairs:
    """The pairs of a required parameter. Raises `InvalidArguments` if empty: outside of paths, no
    style can encode an empty array or object."""
    entries = list(pairs)
    if not entries:
        raise InvalidArguments("must not be empty, since nothing would be sent then")
    return entries


def encode_parameters(
    place: str, parameters: Iterable[UpstreamParameter], values: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    """The encoded pairs of all parameters of a place. Raises `InvalidArguments`, with the
    argument's name, for an invalid value."""
    for parameter in parameters:
        if parameter.wire not in values:
            continue
        try:
            pairs = _WRITERS[place](parameter, values[parameter.wire])
            yield from _require_pairs(pairs) if parameter.required else pairs
        except InvalidArguments as refused:
            raise InvalidArguments(
                *(f"{parameter.blame}: {why}" for why in refused.problems)
            ) from None
