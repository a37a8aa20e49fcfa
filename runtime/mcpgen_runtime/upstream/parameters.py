"""Serializes parameters in path, query, header and cookie, by style.

The styles are those of https://spec.openapis.org/oas/v3.1.1.html#style-values, which does not define
nested values of `deepObject`. Nested values are written as Rails, PHP and qs read them: `a[]=1` for each
scalar of an array, `a[0][k]=1` for objects in an array, `a[k][l]=1` for an object in an object.
`tabDelimited`, and delimited arrays in paths and headers, are the collection formats of
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
from .media_encoding import UnencodableValue, content, media_essence, sequence_writer
from .value_text import for_path, for_query, scalar_value

Encode = Callable[[Json], str]
"""Encodes a value as text for a place."""

Pairs = Iterable[tuple[str, str]]
"""Encoded names and values."""

DELIMITERS = {"spaceDelimited": "%20", "tabDelimited": "%09", "pipeDelimited": "%7C"}
"""Percent-encoded delimiters of arrays that are not exploded, by style; `,` for other styles."""

PLAIN_DELIMITERS = {"spaceDelimited": " ", "tabDelimited": "\t", "pipeDelimited": "|"}
"""Delimiters without percent-encoding, by style, for headers."""

WHOLE_QUERY = "?"
"""The name in the pair of a parameter that is the whole query string (style `querystring`). No other
pair has this name, because an encoded name cannot contain `?`."""

RESERVED = ":/?@!$'()*,"
"""Reserved characters that `allowReserved` leaves unencoded in a query. The other reserved characters
are encoded: `#`, `[` and `]` are not allowed in a query, `&` and `=` separate pairs and names, `+` is
read as a space, and at `;` some servers drop the pair (Go) or split the pair."""

RESERVED_IN_PATH = ":@!$&'()*+,"
"""Reserved characters left unencoded in a path; `/`, `?` and `#` would end the segment, `;` and `=`
would start segment parameters."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

_COOKIE_VALUE = re.compile(r"[!#-+\--:<-\[\]-~]*")
"""The characters of a cookie's value: https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1."""

_ENCODED_IN_COOKIE = re.compile(r"[^!#-$&-+\--:<-\[\]-~]")
"""All other characters, and `%`, which begins a percent-encoded character."""


def for_reserved_path(value: Json) -> str:
    """A value of a path parameter with `allowReserved`. Raises `InvalidArguments` like
    `for_path`."""
    return for_path(value, RESERVED_IN_PATH)


def for_reserved_query(value: Json) -> str:
    """A value of a query parameter with `allowReserved`."""
    return quote(scalar_value(value), safe=RESERVED)


def for_cookie(value: Json) -> str:
    """A value of a cookie. Characters that cookies do not allow, and `%`, are percent-encoded as
    UTF-8, so different values give different cookies;
    https://www.rfc-editor.org/rfc/rfc6570#section-3.2.8.

    Raises `InvalidArguments` for control characters.
    """
    text = scalar_value(value)
    if _CONTROL.search(text):
        raise InvalidArguments("must not hold control characters")
    return _ENCODED_IN_COOKIE.sub(lambda match: quote(match[0], safe=""), text)


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


def member_encoder(encode: Encode, delimiter: str) -> Encode:
    """An encoder for members that are joined by `delimiter`. The encoder raises `InvalidArguments` for
    a member whose encoded text contains the delimiter, because the API would read two members."""

    def encode_member(value: Json) -> str:
        text = encode(value)
        if delimiter in text:
            character = unquote(delimiter)
            raise InvalidArguments(f"must not hold `{character}`, which stands between the values")
        return text

    return encode_member


def encode_simple(value: Json, encode: Encode, delimiter: str = ",", explode: bool = False) -> str:
    """A value as one text, with the members joined by `delimiter`: `a,b` for an array, and `k,v,l,w`
    or, exploded, `k=v,l=w` for an object. Members that are null are left out."""
    if isinstance(value, list):
        return delimiter.join(encode(_scalar_member(item)) for item in value if item is not None)
    if isinstance(value, dict):
        after_key = "=" if explode else delimiter
        return delimiter.join(
            f"{encode(key)}{after_key}{encode(_scalar_member(item))}"
            for key, item in value.items()
            if item is not None
        )
    return encode(value)


def encode_rows(value: Json, delimiter: str, encode: Encode) -> list[str]:
    """The inner arrays of an array, each as one encoded text with the members joined by `delimiter`.

    Raises `InvalidArguments` for a member that contains the delimiter, and for an empty inner array.
    """
    if any(has_no_members(row) for row in value):
        raise InvalidArguments("must not hold an empty array, since nothing would be sent for it")
    return [encode_simple(row, member_encoder(encode, delimiter), delimiter) for row in value]


def has_no_members(value: Json) -> bool:
    """True for an array or object without members other than null. The value is not sent: an API
    would read an empty text as a member; https://www.rfc-editor.org/rfc/rfc6570#section-2.3."""
    if not isinstance(value, list | dict):
        return False
    members = value.values() if isinstance(value, dict) else value
    return all(member is None for member in members)


def _scalar_member(value: Json) -> Json:
    """A member as a scalar: an array or object becomes JSON text, since styles do not define
    nesting."""
    return encode_content("application/json", value) if isinstance(value, (list, dict)) else value


def encode_path_value(name: str, value: Json, style: str, explode: bool, encode: Encode) -> str:
    """The text that replaces `{name}` in a path."""
    has_members = isinstance(value, (list, dict))
    if style == "label":
        if has_members and explode:
            return "." + encode_simple(value, member_encoder(encode, "."), ".", True)
        return "." + encode_simple(value, member_encoder(encode, ",") if has_members else encode)
    if style == "matrix":
        return _encode_matrix(encode(name), value, explode, encode)
    delimiter = DELIMITERS.get(style, ",")
    if has_members:
        encode = member_encoder(encode, delimiter)
    return encode_simple(value, encode, delimiter, explode)


def _encode_matrix(name: str, value: Json, explode: bool, encode: Encode) -> str:
    """A value in style `matrix`: `;name=a,b`, or, exploded, `;name=a;name=b` and `;k=v;l=w`."""
    if explode and isinstance(value, list):
        items = (encode(_scalar_member(item)) for item in value if item is not None)
        return "".join(f";{name}={text}" for text in items)
    if explode and isinstance(value, dict):
        members = ((key, item) for key, item in value.items() if item is not None)
        return "".join(f";{encode(key)}={encode(_scalar_member(item))}" for key, item in members)
    has_members = isinstance(value, (list, dict))
    text = encode_simple(value, member_encoder(encode, ",") if has_members else encode)
    return f";{name}={text}" if text else f";{name}"


def encode_query_pairs(
    name: str, value: Json, style: str, explode: bool, encode: Encode
) -> Iterator[tuple[str, str]]:
    """The encoded name-value pairs of a query parameter or form field; no pair for null, and for an
    array or object without members."""
    if value is None:
        return
    if not isinstance(value, (list, dict)):
        yield for_query(name), encode(value)
    elif style == "deepObject":
        yield from _deep_object_pairs(for_query(name), value, encode)
    elif not explode:
        if not has_no_members(value):
            delimiter = DELIMITERS.get(style, ",")
            encode_member = member_encoder(encode, delimiter)
            yield for_query(name), encode_simple(value, encode_member, delimiter)
    elif isinstance(value, list):
        items = (item for item in value if item is not None)
        yield from ((for_query(name), encode(_scalar_member(item))) for item in items)
    else:
        for key, item in value.items():
            if isinstance(item, list):
                # As a parameter of the name `key`: forms repeat the name of a list.
                yield from encode_query_pairs(key, item, "form", True, encode)
            elif item is not None:
                yield for_query(key), encode(_scalar_member(item))


def _deep_object_pairs(name: str, value: Json, encode: Encode) -> Iterator[tuple[str, str]]:
    """The pairs of `name[key]=value` at any depth; `name` is encoded.
    https://github.com/OAI/OpenAPI-Specification/issues/1706"""
    if isinstance(value, dict):
        for key, item in value.items():
            if not key:
                raise InvalidArguments(
                    "must not hold an empty key, since `[]` marks the items of an array"
                )
            yield from _deep_object_pairs(f"{name}%5B{for_query(key)}%5D", item, encode)
    elif isinstance(value, list):
        is_nested = any(isinstance(item, (list, dict)) for item in value)
        for index, item in enumerate(value):
            step = index if is_nested else ""
            yield from _deep_object_pairs(f"{name}%5B{step}%5D", item, encode)
    elif value is not None:
        yield name, encode(value)


def encode_cookie_pairs(
    name: str, value: Json, explode: bool, encode: Encode
) -> Iterator[tuple[str, str]]:
    """The encoded name-value pairs of a cookie parameter."""
    if explode and isinstance(value, list):
        yield from ((name, encode(_scalar_member(item))) for item in value if item is not None)
    elif explode and isinstance(value, dict):
        members = ((key, item) for key, item in value.items() if item is not None)
        encode_name = member_encoder(encode, "=")
        yield from ((encode_name(key), encode(_scalar_member(item))) for key, item in members)
    else:
        yield name, encode_simple(value, encode)


def encode_content(media_type: str, value: Json) -> str:
    """The text of a parameter that has a media type instead of a style."""
    write = sequence_writer(media_essence(media_type)) if isinstance(value, list) else None
    try:
        return (write(value) if write else content(media_type, value)).decode()
    except UnencodableValue as error:
        # The text of the error names `body` as the place.
        raise InvalidArguments(error.why) from None


@dataclass(frozen=True)
class UpstreamParameter:
    """One parameter of the API, filled by one or more arguments. `wire_name` is the name in requests,
    and `argument` is the argument that error messages name, `""` for a constant. `reserved` is
    `allowReserved` of the parameter, `content` is the media type of a parameter without a style, and
    `rows` is the style of arrays inside an array. `is_set_by_server`: the value is a constant, or of an
    argument that clients cannot give."""

    wire_name: str
    argument: str
    style: str
    explode: bool
    reserved: bool = False
    content: str = ""
    required: bool = False
    rows: str = ""
    is_set_by_server: bool = False


def group_parameters(
    place: str, parts: Iterable[Argument | Constant]
) -> tuple[UpstreamParameter, ...]:
    """The parameters of a place, in the order in which `parts` first fill them. Several arguments may
    fill one parameter: the first step of each target is the wire name of the parameter."""
    parameters: dict[str, UpstreamParameter] = {}
    for part in parts:
        if part.place != place:
            continue
        if isinstance(part, Constant):
            name = part.to[0]
            parameters.setdefault(
                name, UpstreamParameter(name, "", part.style, part.explode, is_set_by_server=True)
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


def _path_pairs(parameter: UpstreamParameter, value: Json) -> Pairs:
    """One pair: the wire name, which stands in the path in braces, and the text in its place."""
    encode: Encode = for_reserved_path if parameter.reserved else value_text.for_path
    name = parameter.wire_name
    if parameter.content:
        yield name, encode(encode_content(parameter.content, value))
        return
    if has_no_members(value):
        raise InvalidArguments("must not be empty")
    if parameter.rows:
        value = encode_rows(value, DELIMITERS.get(parameter.rows, ","), encode)
        encode = str  # The rows are encoded already.
    yield name, encode_path_value(name, value, parameter.style, parameter.explode, encode)


def _query_pairs(parameter: UpstreamParameter, value: Json) -> Pairs:
    encode: Encode = for_reserved_query if parameter.reserved else value_text.for_query
    if parameter.style == "querystring":
        return [(WHOLE_QUERY, encode(encode_content(parameter.content, value)))]
    if parameter.content:
        text = encode(encode_content(parameter.content, value))
        return [(value_text.for_query(parameter.wire_name), text)]
    style = parameter.style or "form"
    if parameter.rows:
        value = encode_rows(value, DELIMITERS.get(parameter.rows, ","), encode)
        encode = str  # The rows are encoded already.
    return encode_query_pairs(parameter.wire_name, value, style, parameter.explode, encode)


def _header_pairs(parameter: UpstreamParameter, value: Json) -> Pairs:
    value = encode_content(parameter.content, value) if parameter.content else value
    name = value_text.header_name(parameter.wire_name, is_set_by_server=parameter.is_set_by_server)
    if has_no_members(value):
        return
    delimiter = PLAIN_DELIMITERS.get(parameter.style, ",")
    encode: Encode = value_text.for_header
    if parameter.rows:
        value = encode_rows(value, PLAIN_DELIMITERS.get(parameter.rows, ","), encode)
    if isinstance(value, list | dict):
        encode = member_encoder(encode, delimiter)
    yield name, encode_simple(value, encode, delimiter, parameter.explode)


def _cookie_pairs(parameter: UpstreamParameter, value: Json) -> Pairs:
    value = encode_content(parameter.content, value) if parameter.content else value
    name = value_text.cookie_name(parameter.wire_name)
    if has_no_members(value):
        return
    encode = for_plain_cookie if parameter.style == "cookie" else for_cookie
    yield from encode_cookie_pairs(name, value, parameter.explode, encode)


_PAIRS_BY_PLACE: dict[str, Callable[[UpstreamParameter, Json], Pairs]] = {
    "path": _path_pairs,
    "query": _query_pairs,
    "header": _header_pairs,
    "cookie": _cookie_pairs,
}


def _require_pairs(pairs: Pairs) -> Pairs:
    """The pairs of a required parameter. Raises `InvalidArguments` if there are none: no style of
    query, header and cookie can encode an empty array or object."""
    entries = list(pairs)
    if not entries:
        raise InvalidArguments("must not be empty, since nothing would be sent then")
    return entries


def encode_parameters(
    place: str, parameters: Iterable[UpstreamParameter], values: Mapping[str, Json]
) -> Iterator[tuple[str, str]]:
    """The encoded pairs of the parameters of a place that have a value in `values`, by wire name.
    Raises `InvalidArguments`, with the name of the argument, for a value that cannot be sent."""
    for parameter in parameters:
        if parameter.wire_name not in values:
            continue
        try:
            pairs = _PAIRS_BY_PLACE[place](parameter, values[parameter.wire_name])
            yield from _require_pairs(pairs) if parameter.required else pairs
        except InvalidArguments as error:
            raise InvalidArguments(
                *(f"{parameter.argument}: {problem}" for problem in error.problems)
            ) from None
