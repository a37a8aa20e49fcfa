"""How parameters are written: style by style, as OpenAPI's table of style values says.

Source: https://spec.openapis.org/oas/v3.1.1.html#style-values. Where the table leaves a
combination open, `deepObject` goes on as the servers do that read it (Rails, PHP, qs): `a[]=1` for
each scalar of an array, `a[0][k]=1` where an array holds objects, `a[k][l]=1` for an object in one.
`tabDelimited`, and delimited arrays in paths and headers, are the collection formats of
https://swagger.io/specification/v2/#parameter-object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import unquote

from .json_lines import sequence_writer
from .media_encoding import content, media_essence
from .request import InvalidArguments
from .tool import Json
from .value_text import for_query, request_json

Encode = Callable[[Json], str]
"""How one value becomes text in the place at hand."""


def separable(encode: Encode, delimiter: str) -> Encode:
    """How a member becomes text where nothing tells it from the delimiter it may hold.

    Raises `InvalidArguments` for such a member.
    """

    def member(value: Json) -> str:
        written = encode(value)
        if delimiter in written:
            shown = unquote(delimiter)
            raise InvalidArguments(f"must not hold `{shown}`, which stands between the values")
        return written

    return member


def encode_simple(value: Json, encode: Encode, delimiter: str = ",", explode: bool = False) -> str:
    """A value in one piece of text: `a,b`, `k,v` or, exploded, `k=v`."""
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
    """The arrays inside an array, each written in one piece.

    Raises `InvalidArguments` for a member that holds the delimiter, and for an array without members.
    """
    if any(is_hollow(row) for row in value):
        raise InvalidArguments("must not hold an empty array, since nothing would be sent for it")
    return [encode_simple(row, separable(encode, delimiter), delimiter) for row in value]


def is_hollow(value: Json) -> bool:
    """Whether an array or object has no member to write: that is no value at all, and an empty text
    would be read as a member; https://www.rfc-editor.org/rfc/rfc6570#section-2.3."""
    if not isinstance(value, list | dict):
        return False
    members = value.values() if isinstance(value, dict) else value
    return all(member is None for member in members)


def _leaf(value: Json) -> Json:
    """A member as a scalar; styles write no deeper structure, so JSON stands for it."""
    return request_json(value) if isinstance(value, (list, dict)) else value


def path_text(name: str, value: Json, style: str, explode: bool, encode: Encode) -> str:
    """What takes the place of `{name}` in a path."""
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
        kept = ((key, item) for key, item in value.items() if item is not None)
        return "".join(f";{encode(key)}={encode(_leaf(item))}" for key, item in kept)
    several = isinstance(value, (list, dict))
    text = encode_simple(value, separable(encode, ",") if several else encode)
    return f";{name}={text}" if text else f";{name}"


DELIMITERS = {"spaceDelimited": "%20", "tabDelimited": "%09", "pipeDelimited": "%7C"}
"""What stands between the items of an array that is not exploded, in styles without commas."""

PLAIN_DELIMITERS = {"spaceDelimited": " ", "tabDelimited": "\t", "pipeDelimited": "|"}
"""The same where nothing is percent-encoded: in headers and in the parts of multipart bodies."""


def encode_query_pairs(
    name: str, value: Json, style: str, explode: bool, encode: Encode
) -> Iterator[tuple[str, str]]:
    """The encoded `name=value` pairs of a parameter of the query, or of a field of a form."""
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
    """`name[key]=value` pairs, to any depth; https://github.com/OAI/OpenAPI-Specification/issues/1706."""
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
    """The names and values of a parameter in the cookie header."""
    if explode and isinstance(value, list):
        yield from ((name, encode(_leaf(item))) for item in value if item is not None)
    elif explode and isinstance(value, dict):
        kept = ((key, item) for key, item in value.items() if item is not None)
        yield from ((encode(key), encode(_leaf(item))) for key, item in kept)
    else:
        yield name, encode_simple(value, encode)


def content_text(media_type: str, value: Json) -> str:
    """A parameter that has a media type instead of a style, as that type writes it."""
    write = sequence_writer(media_essence(media_type)) if isinstance(value, list) else None
    return (write(value) if write else content(media_type, value)).decode()
