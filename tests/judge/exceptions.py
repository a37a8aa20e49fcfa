"""Where the jury is wrong: verdicts that the specification does not bear out, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.judge.jury import Fault
from tests.judge.recorder import Recorded

FORMS = ("multipart/", "application/x-www-form-urlencoded")


@dataclass(frozen=True)
class Excuse:
    """A kind of verdict that does not count, the reason, and the clause it rests on."""

    name: str
    reason: str
    clause: str
    covers: Callable[[Fault, Recorded], bool]


def _every(fault: Fault, pattern: str) -> bool:
    return all(re.search(pattern, message) for message in fault.messages)


def _media_type(request: Recorded) -> str:
    return next((value for name, value in request.headers if name == "Content-Type"), "")


def _is_form(request: Recorded) -> bool:
    return _media_type(request).startswith(FORMS)


EXCUSES = (
    Excuse(
        "format",
        "openapi-core asserts `format`. The keyword is an annotation unless a dialect says otherwise, "
        "and many APIs take more than the format they name; it is announced to the model, not "
        "enforced.",
        "JSON Schema 2020-12 Validation, 7.2.1; OpenAPI 3.1.1, 4.4.2 Data Type Format; for 3.0 JSON "
        "Schema Wright 00 Validation, 7.1",
        lambda fault, _: _every(fault, r"^[^:]*: format: "),
    ),
    Excuse(
        "empty-value",
        "openapi-core refuses an empty string in the query unless `allowEmptyValue` is true. That "
        "field is about a parameter that would otherwise be left out; an empty string that the "
        "schema allows is written as `name=`.",
        "OpenAPI 3.1.1, 4.8.12.2.1 `allowEmptyValue`, and 4.8.12.5 Style Examples, column `empty`",
        lambda fault, _: fault.cause == "EmptyQueryParameterValue",
    ),
    Excuse(
        "empty-body",
        "openapi-core takes a body of no bytes for no body. Text and binary content may be empty, "
        "and a content type and a length are sent with it.",
        "RFC 9110, 6.4 Content, and 8.6 Content-Length",
        lambda fault, request: fault.kind == "MissingRequiredRequestBody"
        and _media_type(request) != ""
        and ("Content-Length", "0") in request.headers,
    ),
    Excuse(
        "binary-part",
        "openapi-core hands the bytes of a part to the schema, for which bytes are no string.",
        "OpenAPI 3.1.1, 4.8.14.5.1 Binary content, and 4.4.4 Working with Binary Data",
        lambda fault, request: _is_form(request)
        and _every(fault, r"^[\w/-]+: type: b['\"].* is not of type 'string'$"),
    ),
    Excuse(
        "empty-matrix",
        "openapi-core asks for `;name=`; the style `matrix` writes `;name` for an empty value.",
        "RFC 6570, 3.2.7; OpenAPI 3.1.1, 4.8.12.5 Style Examples",
        lambda fault, request: fault.place == "path" and f";{fault.name}" in request.target,
    ),
    Excuse(
        "nullable",
        "The document is of 3.1 and says `nullable: true`, a keyword of 3.0 that 3.1 does not have. "
        "mcpgen reads it as it is meant; openapi-core passes over it.",
        "OpenAPI 3.0.3, 4.7.24.1 `nullable`; in 3.1 an unknown keyword, JSON Schema 2020-12 Core, 6.5",
        lambda fault, _: _every(fault, r"^[^:]*: (nullable|format): "),
    ),
    Excuse(
        "read-only-item",
        "openapi-core refuses the items of an array whose schema is `readOnly`. The keyword says "
        "something about a property of an object, not about an item.",
        "OpenAPI 3.0.3, 4.7.24.2 `readOnly`: relevant only for Schema `properties` definitions",
        lambda fault, _: _every(fault, r"^([^:]*/)?\d+: readOnly: "),
    ),
    Excuse(
        "equals-sign",
        "openapi-core splits `name=value` at every equals sign, and one may stand in the value.",
        "OpenAPI 3.1.1, 4.8.12.5 Style Examples, `simple` with `explode`; RFC 6570, 3.2.2",
        lambda fault, request: fault.place == "header"
        and fault.cause == "ValueError"
        and any(value.count("=") > 1 for name, value in request.headers if name == fault.name),
    ),
    Excuse(
        "type-list",
        "openapi-core breaks on a parameter whose `type` is a list, which 3.1 allows.",
        "OpenAPI 3.1.1, 4.8.24 Schema Object; JSON Schema 2020-12 Validation, 6.1.1 `type`",
        lambda fault, _: fault.crashed
        and _every(fault, r"^Expected a string value, got <class 'list'>$"),
    ),
    Excuse(
        "exploded-object",
        "openapi-core looks for an object by its own name; with `explode` its members travel in the "
        "query under theirs.",
        "OpenAPI 3.1.1, 4.8.12.5 Style Examples, `form` with `explode`: `R=100&G=200&B=150`",
        lambda fault, _: fault.shape == "form True object"
        and fault.kind == "MissingRequiredParameter",
    ),
    Excuse(
        "accept-encoding",
        "The document gives `Accept-Encoding` values of its own. The header negotiates compression; "
        "the server sets it for itself and undoes what it asked for, and an API that does not "
        "know the coding answers without.",
        "RFC 9110, 12.5.3 Accept-Encoding",
        lambda fault, _: (fault.place, fault.name.lower()) == ("header", "accept-encoding"),
    ),
    Excuse(
        "deep-object-list",
        "openapi-core breaks on a parameter or a property of a form that has the style `deepObject` "
        "and is no object, whether it is sent or not. The style has no meaning for it; the document "
        "uses it.",
        "OpenAPI 3.1.1, 4.8.12.5 Style Examples, `deepObject`: not applicable to arrays",
        lambda fault, request: fault.messages == ("not available",)
        and (_is_form(request) or fault.shape.startswith("deepObject ")),
    ),
    Excuse(
        "discriminator",
        "openapi-core looks for a branch by the `discriminator` alone and finds none where branches "
        "are written in place or the value has no mapping; JSON Schema alone finds one.",
        "OpenAPI 3.1.1, 4.8.25 Discriminator Object: it MUST NOT change the validation outcome",
        lambda fault, _: _every(fault, r"^[^:]*: (discriminator|format): "),
    ),
    Excuse(
        "object-in-form",
        "openapi-core reads an object in a form as `k,v`; a property that the document gives no "
        "style is JSON.",
        "OpenAPI 3.1.1, 4.8.15 Encoding Object: the default `contentType` of an object is "
        "application/json; 3.0.4 says the same",
        lambda fault, request: _media_type(request) == "application/x-www-form-urlencoded"
        and fault.cause == "ValueError"
        and fault.messages[0].startswith("dictionary update sequence")
        and b"=%7B%22" in request.body,
    ),
    Excuse(
        "empty-enum",
        "The document holds an `enum` without values, which no value meets and no author means; "
        "mcpgen passes over it.",
        "JSON Schema 2020-12 Validation, 6.1.2: the array SHOULD have at least one element",
        lambda fault, _: _every(fault, r": enum: .* is not one of \[\]$"),
    ),
    Excuse(
        "text-part",
        "openapi-core compares the text of a part with a type of numbers or booleans. A part has "
        "nothing but text for them.",
        "OpenAPI 3.0.3, 4.7.14.4 Special Considerations for multipart Content: the default content "
        "type of a primitive property is text/plain",
        lambda fault, request: _media_type(request).startswith("multipart/")
        and _every(fault, r"^[\w/-]+: type: '.*' is not of type '(boolean|integer|number)'$"),
    ),
    Excuse(
        "union-of-parts",
        "openapi-core looks for the branch of a `oneOf` while the parts are still bytes, finds none, "
        "and validates a body without them.",
        "OpenAPI 3.1.1, 4.8.15 Encoding Object: parts are interpreted by their content type first",
        lambda fault, request: _is_form(request)
        and any(": oneOf: {} " in message for message in fault.messages),
    ),
    Excuse(
        "styled-parts",
        "openapi-core gives the bytes of a part to a reader of styles that expects text, and breaks.",
        "OpenAPI 3.1.1, 4.8.15.1.2 Fixed Fields for RFC6570-style Serialization",
        lambda fault, request: _media_type(request).startswith("multipart/")
        and fault.cause in ("TypeError", "ValueError"),
    ),
    Excuse(
        "one-path-many-operations",
        "The document tells operations of one path apart by what it writes behind `#`; nothing of "
        "that travels, and openapi-core takes the first.",
        "RFC 9110, 7.1: a fragment is no part of the request target",
        lambda fault, request: request.by_fragment,
    ),
)


def excuse(fault: Fault, request: Recorded) -> Excuse | None:
    """Why a fault does not count, or None."""
    return next((each for each in EXCUSES if each.covers(fault, request)), None)


def excused(faults: Sequence[Fault], request: Recorded) -> tuple[Excuse, ...] | None:
    """The excuses for all faults of a request, or None if one of them counts."""
    found = [excuse(fault, request) for fault in faults]
    return None if None in found else tuple(each for each in found if each)
