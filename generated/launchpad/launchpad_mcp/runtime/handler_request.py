"""A request that a handler writes itself, held to what holds for every request of a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from .request import InvalidArguments, UpstreamRequest
from .tool import Json
from .value_text import climbs, compact_json, for_header, for_path, for_query, header_name

_LITERAL = "/:@!$&'()*+,;=-._~%"
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_METHOD = re.compile(r"[A-Z]{1,20}")


def outgoing(
    method: str,
    path: str,
    values: Mapping[str, Json],
    query: Mapping[str, Json],
    json: Json,
    body: bytes | None,
    headers: Mapping[str, str],
) -> UpstreamRequest:
    """The request on the wire, below the base URL of the API; see `Call.request` for what is given.

    Raises `InvalidArguments` for what would reach another place than it says, or what HTTP cannot carry.
    """
    if not _METHOD.fullmatch(method) or method == "CONNECT":
        raise InvalidArguments(f"`{method[:20]}` is not a method of HTTP in capital letters")
    if json is not None and body is not None:
        raise ValueError("a request has `json` or `body`, not both")
    try:
        return _request(method, path, values, query, json, body, headers)
    except UnicodeEncodeError:
        raise InvalidArguments("a text holds half of a surrogate pair") from None


def _request(
    method: str,
    path: str,
    values: Mapping[str, Json],
    query: Mapping[str, Json],
    json: Json,
    body: bytes | None,
    headers: Mapping[str, str],
) -> UpstreamRequest:
    named = {name.lower(): value for name, value in headers.items()}
    sent = [("Accept", for_header(named.pop("accept", "application/json")))]
    kind = named.pop("content-type", "application/json" if json is not None else "")
    if kind:
        sent.append(("Content-Type", for_header(kind)))
    sent += [(header_name(name), for_header(value)) for name, value in named.items()]
    return UpstreamRequest(
        method,
        _path(path, values),
        "&".join(_pairs(query)),
        tuple(sent),
        body=compact_json(json).encode() if json is not None else body,
        template=path,
    )


def _path(template: str, values: Mapping[str, Json]) -> str:
    """The path with a value in the place of each `{name}`."""
    if not template.startswith("/") or any(mark in template for mark in "?#\\"):
        raise InvalidArguments(
            "a path begins with `/` and has no `?`, `#` or backslash; see `query`"
        )
    pieces = _VARIABLE.split(template)
    pieces[::2] = [quote(literal, safe=_LITERAL) for literal in pieces[::2]]
    for index in range(1, len(pieces), 2):
        name = pieces[index]
        if values.get(name) in (None, ""):
            raise InvalidArguments(f"the path has no value for `{name}`")
        pieces[index] = for_path(values[name])
    path = "".join(pieces)
    if climbs(path):
        raise InvalidArguments("a path must not have a segment `.` or `..`")
    if "//" in path:
        raise InvalidArguments("a path must not have an empty segment")
    return path


def _pairs(query: Mapping[str, Json]) -> Iterator[str]:
    """The encoded pairs; None is left out, and a list has a pair for each of its values."""
    for name, value in query.items():
        for each in value if isinstance(value, list | tuple) else (value,):
            if each is not None:
                yield f"{for_query(name)}={for_query(each)}"
