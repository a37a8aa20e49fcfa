"""Wrong verdicts of openapi-core, each with the clause of the specification."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle.oracle_process import Fault
from tests.oracle.recorder import RecordedRequest


@dataclass(frozen=True)
class Excuse:
    """A kind of verdict that does not count, the reason, and the clause. `told` marks a deviation of
    mcpgen from the document that a finding names, without a clause."""

    name: str
    reason: str
    clause: str
    covers: Callable[[Fault, RecordedRequest], bool]
    reported_as: str = ""


@dataclass(frozen=True)
class Reading:
    """A part of requests that `independent/decode_request.py` reads for openapi-core, with reason and
    clause."""

    name: str
    reason: str
    clause: str


STYLES = "OpenAPI 3.1.1, [Style Examples](https://spec.openapis.org/oas/v3.1.1.html#style-examples)"
ENCODING = (
    "OpenAPI 3.1.1, [Encoding Object](https://spec.openapis.org/oas/v3.1.1.html#encoding-object)"
)

READINGS = (
    Reading(
        "empty text",
        "openapi-core refuses an empty text in the query unless `allowEmptyValue` is true. It is a "
        "value, written `name=`, and goes to the schema like any other; not so in Swagger 2.0, where "
        "`allowEmptyValue` alone gives the ability.",
        f"{STYLES}, column `empty`: unrelated to the `allowEmptyValue` field",
    ),
    Reading(
        "empty body",
        "openapi-core takes a body of no bytes for no body. A content type and `Content-Length: 0` say "
        "that there is one.",
        "RFC 9110, 8.3 Content-Type and 8.6 Content-Length",
    ),
    Reading(
        "type list",
        "openapi-core breaks on a parameter whose `type` is a list.",
        "OpenAPI 3.1.1, [Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object): a "
        "superset of JSON Schema 2020-12; its Validation, 6.1.1 `type`",
    ),
    Reading(
        "exploded object",
        "openapi-core looks for an object by its own name. With `explode` its members stand under "
        "theirs, and an equals sign may be part of a value.",
        f"{STYLES}: `form` with `explode` `R=100&G=200&B=150`, `simple` `R=100,G=200,B=150`",
    ),
    Reading(
        "deep object",
        "openapi-core breaks on `deepObject` below the first level and where the schema is no object, "
        "whether the parameter is sent or not. The specification leaves both open; `a[]=1`, `a[0][k]=1` "
        "and `a[k][l]=1` are read as Rails, PHP and qs read them.",
        "OpenAPI 3.1.1, [Style Values](https://spec.openapis.org/oas/v3.1.1.html#style-values): the "
        "representation of array or object properties is not defined",
    ),
    Reading(
        "empty matrix",
        "openapi-core asks for `;name=`; the style `matrix` writes `;name` for an empty value.",
        f"{STYLES}; RFC 6570, 3.2.7",
    ),
    Reading(
        "parts",
        "openapi-core hands the bytes of parts to schemas of strings and numbers, to readers of styles "
        "and to the choice of a branch. A part is read by its content type first: text, JSON or bytes.",
        "OpenAPI 3.1.1, [Special Considerations for `multipart` Content]"
        "(https://spec.openapis.org/oas/v3.1.1.html#special-considerations-for-multipart-content)",
    ),
    Reading(
        "XML",
        "openapi-core parses XML and asks the schema about the parsed tree. It is read by the `xml` "
        "objects of the schema: names, namespaces, attributes, wrapped arrays. The name of a root "
        "without one of its own is not asked for.",
        "OpenAPI 3.1.1, [XML Object](https://spec.openapis.org/oas/v3.1.1.html#xml-object)",
    ),
    Reading(
        "lines",
        "openapi-core does not know sequences of JSON texts. Each line is an item of an array.",
        "RFC 7464; https://jsonlines.org; OpenAPI 3.2.0, [Sequential Media Types]"
        "(https://spec.openapis.org/oas/v3.2.0.html#sequential-media-types)",
    ),
    Reading(
        "media type ranges",
        "openapi-core does not read a body that the document describes for a range such as `*/*`. "
        "It is read as JSON, unless its schema is a string.",
        "OpenAPI 3.1.1, [Request Body Object]"
        "(https://spec.openapis.org/oas/v3.1.1.html#request-body-object), `content`: a media type or "
        "a media type range",
    ),
    Reading(
        "a form as text",
        "openapi-core makes an object of a form whose schema is a string. It is compared as it "
        "stands.",
        "OpenAPI 3.1.1, [Media Type Object]"
        "(https://spec.openapis.org/oas/v3.1.1.html#media-type-object), `schema`: defines the content",
    ),
    Reading(
        "objects in forms",
        "openapi-core reads an object in a form as `k,v`. Without `style`, `explode` and "
        "`allowReserved` its `contentType` counts, which is JSON for an object.",
        f"{ENCODING}, Fixed Fields for RFC6570-style Serialization",
    ),
)


def _matches_all(fault: Fault, pattern: str) -> bool:
    return all(re.search(pattern, message) for message in fault.messages)


def _not_drawn(fault: Fault, request: RecordedRequest) -> bool:
    """Covers no fault: no request to a document of the table has the deviation."""
    return False


EXCUSES = (
    Excuse(
        "format",
        "openapi-core asserts `format`. The keyword is an annotation unless a dialect says otherwise, "
        "and many APIs take more than the format they name (hexadecimal or base64url for `byte`); it is "
        "announced to the model, not enforced.",
        "OpenAPI 3.1.1, [Data Type Format](https://spec.openapis.org/oas/v3.1.1.html#data-type-format): "
        "a non-validating annotation by default; 3.0.4, [Data Types]"
        "(https://spec.openapis.org/oas/v3.0.4.html#data-types): tools may treat it as if it were "
        "not specified; 2.0, [Data Types](https://swagger.io/specification/v2/#data-types): "
        "open-valued",
        lambda fault, _: _matches_all(fault, r"^[^:]*: format: "),
    ),
    Excuse(
        "nullable",
        "The document is of 3.1 and says `nullable: true`, a keyword of 3.0 that 3.1 does not have. "
        "mcpgen reads it as it is meant; openapi-core passes over it.",
        "OpenAPI 3.0.4, [Schema Object](https://spec.openapis.org/oas/v3.0.4.html#schema-object), "
        "`nullable`; in 3.1 an unknown keyword, an annotation by JSON Schema 2020-12 Core, 6.5",
        lambda fault, _: _matches_all(fault, r"^[^:]*: (nullable|format): "),
        reported_as="MG237",
    ),
    Excuse(
        "read-only-item",
        "openapi-core refuses the items of an array whose schema is `readOnly`. The keyword says "
        "something about a property of an object, not about an item.",
        "OpenAPI 3.0.4, [Schema Object](https://spec.openapis.org/oas/v3.0.4.html#schema-object), "
        "`readOnly`: relevant only for Schema Object `properties` definitions",
        lambda fault, _: _matches_all(fault, r"^([^:]*/)?\d+: readOnly: .*[Tt]ried to write"),
    ),
    Excuse(
        "read-only-required",
        "The document is of 3.1 or later and requires properties that are `readOnly`. 3.0 says that "
        "only an answer must have them, and that a request should not; 3.1 leaves both keywords to "
        "JSON Schema, where one is an annotation. mcpgen leaves them out, as the author means.",
        "OpenAPI 3.0.4, [Schema Object](https://spec.openapis.org/oas/v3.0.4.html#schema-object), "
        "`readOnly`; JSON Schema 2020-12 Validation, 9.4: the owner is expected to ignore or refuse it",
        lambda fault, _: _matches_all(fault, r"^[^:]*: (readOnly|format): "),
        reported_as="here only",
    ),
    Excuse(
        "accept-encoding",
        "The document gives `Accept-Encoding` values of its own. The header negotiates compression; "
        "the server sets it for itself and undoes what it asked for, and an API that does not "
        "know the coding answers without.",
        "RFC 9110, 12.5.3 Accept-Encoding",
        lambda fault, _: (fault.place, fault.name.lower()) == ("header", "accept-encoding"),
        reported_as="MG312",
    ),
    Excuse(
        "large-pattern",
        "The document repeats a part of a pattern tens of thousands of times. Generated servers match "
        "in linear time and do not compile that; the pattern is left to the API.",
        "JSON Schema 2020-12 Validation, 6.3.3 `pattern`",
        lambda fault, _: _matches_all(fault, r"^[^:]*: (largePattern|format): "),
        reported_as="MG232",
    ),
    Excuse(
        "discriminator",
        "openapi-core looks for a branch by the `discriminator` alone and finds none where branches "
        "are written in place or the value has no mapping; JSON Schema alone finds one.",
        "OpenAPI 3.1.1, [Discriminator Object]"
        "(https://spec.openapis.org/oas/v3.1.1.html#discriminator-object): it MUST NOT change the "
        "validation outcome of the schema",
        lambda fault, _: _matches_all(fault, r"^[^:]*: (discriminator|format): "),
    ),
    Excuse(
        "empty-enum",
        "The document holds an `enum` without values, which no value meets and no author means; "
        "mcpgen passes over it.",
        "JSON Schema 2020-12 Validation, 6.1.2: the array SHOULD have at least one element",
        lambda fault, _: _matches_all(fault, r": enum: .* is not one of \[\]$"),
        reported_as="MG230",
    ),
    Excuse(
        "contradictory-schema",
        "The document says two things of a value that exclude each other, so by the letter no request "
        "is valid: an `enum` beside a `type`, a `pattern` or bounds that none of its values meets, or a "
        "property beside `additionalProperties` of another type in a part of an `allOf`. The values of "
        "the `enum` and the declared property are meant. No document of the table has one.",
        "JSON Schema 2020-12 Core, 10.2.1.1 `allOf` and 10.3.2.3 `additionalProperties`; Validation, "
        "6.1.2 `enum`",
        _not_drawn,
        reported_as="MG248",
    ),
    Excuse(
        "illegal-header-name",
        "The document declares a header whose name HTTP cannot carry, with a space for example. The "
        "parameter is left out; where it is required, the operation becomes no tool. No document of the "
        "table has one.",
        "RFC 9110, 5.1: a field name is a token",
        _not_drawn,
        reported_as="MG249",
    ),
    Excuse(
        "closed-part",
        "A part of an `allOf` says `additionalProperties: false`, which forbids what the other parts "
        "describe. mcpgen opens the part to their properties and sends them, as the author means.",
        "JSON Schema 2020-12 Core, 10.3.2.3 `additionalProperties`: it sees the `properties` and "
        "`patternProperties` beside it alone",
        _not_drawn,
        reported_as="MG247",
    ),
    Excuse(
        "forbidden-null",
        "The document is of 3.0 and says `nullable: true` beside an `enum` without null, or beside an "
        "`allOf` without `type`. mcpgen sends null, as the author means.",
        "OpenAPI 3.0.4, [Schema Object](https://spec.openapis.org/oas/v3.0.4.html#schema-object), "
        "`nullable`: only takes effect if `type` is explicitly defined within the same Schema Object",
        _not_drawn,
        reported_as="MG265",
    ),
    Excuse(
        "named-subtype",
        "A `discriminator` without `oneOf` names a schema that inherits. mcpgen refuses a value that "
        "does not meet the schema it names, although the schema it is described by allows the value.",
        "OpenAPI 3.1.1, [Discriminator Object]"
        "(https://spec.openapis.org/oas/v3.1.1.html#discriminator-object): it MUST NOT change the "
        "validation outcome of the schema; 2.0, [Schema Object]"
        "(https://swagger.io/specification/v2/#schema-object), `discriminator`: the value MUST be the "
        "name of this schema or of one that inherits it",
        _not_drawn,
        reported_as="here only",
    ),
    Excuse(
        "borrowed-xml-name",
        "A property refers to a schema with an `xml.name`. mcpgen follows the letter and Swagger UI: the "
        "property has that name. Many servers use the name for roots alone; mcpgen tells it.",
        "OpenAPI 3.0.4, [XML Object](https://spec.openapis.org/oas/v3.0.4.html#xml-object), `name`: "
        "replaces the name of the element used for the described schema property",
        _not_drawn,
        reported_as="MG379",
    ),
    Excuse(
        "one-path-many-operations",
        "The document tells operations of one path apart by what it writes behind `#`; nothing of "
        "that travels, and openapi-core takes the first.",
        "RFC 9110, 7.1: a fragment is no part of the request target",
        lambda fault, request: request.by_fragment,
    ),
)


def excuse(fault: Fault, request: RecordedRequest) -> Excuse | None:
    """The reason why a fault does not count, or None."""
    return next(
        (excuse_rule for excuse_rule in EXCUSES if excuse_rule.covers(fault, request)), None
    )


def find_excuses(faults: Sequence[Fault], request: RecordedRequest) -> tuple[Excuse, ...] | None:
    """The excuses for all faults of a request; None if a fault has no excuse."""
    excuses = [excuse(fault, request) for fault in faults]
    return None if None in excuses else tuple(excuse_rule for excuse_rule in excuses if excuse_rule)


UNLIKE = re.compile(r"[\x1c-\x1f\x85]|(?=[^\x00-\x7f])[\d\w]")
"""Characters that `\\s`, `\\d` and `\\w` match in Python's expressions and not in ECMA-262's, which
JSON Schema 2020-12 Core, 6.4 asks for; openapi-core matches patterns with Python's."""


def is_misread(message: str, arguments: Mapping[str, Any]) -> bool:
    """True if only Python's regular expressions accept the refused value."""
    lines = re.findall(r"^- ([^:]*): (.*)$", message, re.MULTILINE)
    return bool(lines) and all(
        reason.startswith("must match") and UNLIKE.search(str(arguments.get(name.split("[")[0])))
        for name, reason in lines
    )
