"""Wrong objections of Prism, each with the clause of the specification."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from tests.oracle.prism import Objection
from tests.oracle.recorder import RecordedRequest


@dataclass(frozen=True)
class PrismExcuse:
    """A kind of objection that does not count, the reason, and the clause."""

    name: str
    reason: str
    clause: str
    covers: Callable[[Objection, RecordedRequest], bool]


def _missing(objection: Objection) -> str:
    match = re.search(r"must have required property '(.*)'", objection.message)
    return match[1] if match and objection.code == "required" else ""


def _is_sent_empty(objection: Objection, request: RecordedRequest) -> bool:
    """True if the parameter that Prism misses has an empty text in the request."""
    name = _missing(objection)
    pairs = {
        "query": parse_qsl(urlsplit(request.target).query, keep_blank_values=True),
        "header": list(request.headers),
        "body": parse_qsl(request.body.decode("latin-1"), keep_blank_values=True),
    }.get(objection.place[0] if objection.place else "", [])
    return bool(name) and any((key.lower(), text) == (name.lower(), "") for key, text in pairs)


BOUNDS = {
    str(sign * 2**bits - offset) for bits in (31, 53, 63) for sign, offset in ((1, 1), (-1, 0))
}
BOUNDS |= {str(1 - 2**53), "9223372036854776000", "-9223372036854776000"}
"""The ends of the formats `int32` and `int64`, as Prism adds them to a schema and rounds them."""

BASE64 = r'"^[\w\d+\/=]*$"'
"""The pattern that Prism adds for the format `byte`."""


def _is_of_format(objection: Objection, _: RecordedRequest) -> bool:
    last = objection.message.rpartition(" ")[2].removesuffix("]")
    return (
        objection.code == "format"
        or (objection.code in ("minimum", "maximum") and last in BOUNDS)
        or (objection.code == "pattern" and objection.message.endswith(BASE64))
    )


PRISM_EXCUSES = (
    PrismExcuse(
        "empty-value",
        "Prism drops a parameter whose text is empty, and then misses it. The request has it: "
        "`name=`, or a header without content.",
        "OpenAPI 3.1.1, [Style Examples](https://spec.openapis.org/oas/v3.1.1.html#style-examples), "
        "column `empty`; RFC 9110, 5.5: a field value may be empty",
        _is_sent_empty,
    ),
    PrismExcuse(
        "format",
        "Prism asserts `format`, and adds the bounds of `int32` and `int64` and a pattern for `byte` "
        "to the schema. The keyword is announced to the model, not enforced.",
        "OpenAPI 2.0, [Data Types](https://swagger.io/specification/v2/#data-types): an open-valued "
        "property; 3.1.1, [Data Type Format](https://spec.openapis.org/oas/v3.1.1.html#data-type-format):"
        " a non-validating annotation by default",
        _is_of_format,
    ),
    PrismExcuse(
        "empty-body",
        "Prism takes a body of no bytes, and the JSON texts `null`, `false` and `0`, for no body.",
        "RFC 9110, 8.6 Content-Length: `Content-Length: 0` is sent for a body without content; "
        "RFC 8259, 3: `null`, `false` and `0` are JSON texts",
        lambda objection, request: objection.message == "Body parameter is required"
        and request.body in (b"", b"null", b"false", b"0", b'""')
        and any(name == "Content-Type" for name, _ in request.headers),
    ),
)


def find_prism_excuses(
    objections: Sequence[Objection], request: RecordedRequest
) -> tuple[PrismExcuse, ...] | None:
    """The excuses for all objections to a request; None if an objection has no excuse."""
    prism_excuses = []
    for objection in objections:
        fitting = [
            prism_excuse
            for prism_excuse in PRISM_EXCUSES
            if prism_excuse.covers(objection, request)
        ]
        if not fitting:
            return None
        prism_excuses.append(fitting[0])
    return tuple(prism_excuses)
