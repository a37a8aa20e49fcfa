"""Result of `parse`: one `ApiDescription` for every dialect.

Every schema is JSON Schema 2020-12 with references of the form `#/$defs/NAME` into
`ApiDescription.definitions` only: `nullable`, boolean exclusive bounds, `example`, vendor
extensions and file references are resolved. Extensions known to mcpgen are fields.

Three keywords of OpenAPI stay in schemas for later stages: `discriminator` (`propertyName`,
`mapping` from values to `#/$defs/NAME`, `defaultMapping`), `xml`, and `x-mcp-name` (a string) on a
property. `format: binary` and `format: byte` stay as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Dialect, Json
from mcpgen.openspec.model.companion import DeclaredTool


class Place(StrEnum):
    """Location of a value in an HTTP request."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"
    PART = "part"
    """Head of one multipart part: file name, content type and headers."""
    HANDLER = "handler"
    """No place: input of a handler that sends no request by itself."""


class Style(StrEnum):
    """Serialization style of a parameter; https://spec.openapis.org/oas/v3.1.1.html#style-values.

    `TAB` is the `tsv` of Swagger 2.0, where TAB, SPACE and PIPE also occur in paths and headers.
    """

    SIMPLE = "simple"
    FORM = "form"
    LABEL = "label"
    MATRIX = "matrix"
    SPACE = "spaceDelimited"
    PIPE = "pipeDelimited"
    TAB = "tabDelimited"
    DEEP_OBJECT = "deepObject"
    COOKIE = "cookie"
    """Of cookies since OpenAPI 3.2: `; ` between pairs, and nothing is escaped."""
    WHOLE = "querystring"
    """A parameter that is the whole query string in its media type; OpenAPI 3.2 `in:
    querystring`."""


class SchemeKind(StrEnum):
    """Credential type of a security scheme."""

    API_KEY = "apiKey"
    BEARER = "bearer"
    BASIC = "basic"
    OAUTH2 = "oauth2"
    OPENID = "openIdConnect"
    MUTUAL_TLS = "mutualTLS"


@dataclass(frozen=True, slots=True)
class Schema:
    """A JSON Schema 2020-12 value (object or boolean) with its place."""

    json: Json
    at: Location


@dataclass(frozen=True, slots=True)
class ApiServer:
    """A base URL with defaults in place of `{variables}`; may be relative. `name`: OpenAPI 3.2,
    or `""`."""

    url: str
    at: Location
    name: str = ""


@dataclass(frozen=True, slots=True)
class ApiSecurityScheme:
    """A security scheme.

    `place` and `name`: of an API key. `token_url`: OAuth 2 client credentials flow; `password_url`:
    password flow; both absolute, or relative to the API's base URL. `scopes`: declared scopes.
    """

    id: str
    kind: SchemeKind
    at: Location
    place: Place | None = None
    name: str = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    description: str = ""
    password_url: str = ""

    @property
    def issuers(self) -> tuple[str, ...]:
        """Absolute token URLs in document order, without duplicates."""
        urls = (self.token_url, self.password_url)
        return tuple(dict.fromkeys(url for url in urls if url.startswith(("http:", "https:"))))


@dataclass(frozen=True, slots=True)
class SchemeUse:
    """A security scheme with the scopes that one operation requires."""

    scheme: str
    scopes: tuple[str, ...] = ()


Security = tuple[tuple[SchemeUse, ...], ...]
"""Alternatives (OR), each a tuple of schemes used together (AND).

`((),)` needs no credential; `()` means that the document declares no security.
"""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter outside the body. `content`: media type instead of a style. `rows`: style of
    inner arrays, or None."""

    name: str
    place: Place
    schema: Schema
    required: bool
    at: Location
    description: str = ""
    deprecated: bool = False
    style: Style = Style.FORM
    explode: bool = True
    allow_reserved: bool = False
    content: str = ""
    rows: Style | None = None
    examples: tuple[Json, ...] = ()
    announced: str = ""
    """The name the author chose for the tool's argument (`x-mcp-name`), or `""`."""


@dataclass(frozen=True, slots=True)
class PropertyEncoding:
    """Encoding of one property of a form or multipart body (OpenAPI Encoding Object).

    `name` is `""` for a part known by position.
    """

    name: str
    content_type: str
    style: Style | None
    explode: bool | None
    allow_reserved: bool
    at: Location
    headers: tuple[Parameter, ...] = ()
    """Header parameters at the head of a part."""


@dataclass(frozen=True, slots=True)
class MediaType:
    """One representation of a body; `schema` is None without a schema in the document.

    `item_schema`: schema of each value of a sequence (`itemSchema` of OpenAPI 3.2), such as JSON
    lines or `multipart/mixed` parts; `schema` is then an array of such values by default.
    `prefix_encodings`: encodings of the first unnamed multipart parts. `item_encoding`: encoding of
    all later parts.
    """

    name: str
    schema: Schema | None
    at: Location
    encodings: tuple[PropertyEncoding, ...] = ()
    examples: tuple[Json, ...] = ()
    item_schema: Schema | None = None
    """Schema of each stream item (`itemSchema` of OpenAPI 3.2)."""
    prefix_encodings: tuple[PropertyEncoding, ...] = ()
    item_encoding: PropertyEncoding | None = None


@dataclass(frozen=True, slots=True)
class RequestBody:
    """A request body; `media` in document order, never empty."""

    required: bool
    media: tuple[MediaType, ...]
    at: Location
    description: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """A response; `status` is a code, a range such as `4XX`, or `default`."""

    status: str
    description: str
    media: tuple[MediaType, ...]
    at: Location


@dataclass(frozen=True, slots=True)
class ArgumentExtension:
    """Overrides of one argument with their place; None for unset.

    At most one of `fixed` (sent with every call), `default` (sent unless a call gives a value) and
    `setting` (name of the server setting sent) is set. `hidden`: not announced. `header`: HTTP
    header that repeats the value for proxies. `everywhere`: applies to every tool with the
    argument.
    """

    at: Location
    description: str | None = None
    fixed: Json = None
    default: Json = None
    setting: str | None = None
    hidden: bool = False
    header: str | None = None
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Announcement:
    """An author's table of resources or prompts in the syntax of `mcpgen.toml`, unvalidated,
    with its place."""

    told: Mapping[str, Json]
    at: Location


@dataclass(frozen=True, slots=True)
class Extension:
    """Content of `x-mcp` (an object) or `x-mcp-name` on an operation; None for unset.

    `scopes`: scopes a caller needs. `fields`: dotted paths (`owner.name`) kept of a result.
    `arguments`: overrides by announced name. `resource`: the resource read by the operation.
    """

    name: str | None = None
    title: str | None = None
    description: str | None = None
    hidden: bool = False
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    scopes: tuple[str, ...] | None = None
    fields: tuple[str, ...] | None = None
    """Dotted paths kept of results; arrays are transparent."""
    arguments: Mapping[str, ArgumentExtension] = field(default_factory=dict)
    resource: Announcement | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation, with parameters, servers and security of path item and document merged in.

    `id`: operationId or `""`. `method`: upper case. `declared`: tool declared by requirements;
    without an upstream method and path are empty and a handler answers.
    """

    id: str
    method: str
    path: str
    parameters: tuple[Parameter, ...]
    body: RequestBody | None
    responses: tuple[Response, ...]
    security: Security
    servers: tuple[ApiServer, ...]
    at: Location
    summary: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    extension: Extension = field(default_factory=Extension)
    variant: str = ""
    """Suffix that separates operations of one path: a fragment (`#refresh`) or a query
    (`?beta=true`, whose values are constant parameters)."""
    declared: DeclaredTool | None = None

    @property
    def handled(self) -> bool:
        """True if a handler answers and no request is sent."""
        return self.declared is not None and self.declared.upstream is None

    @property
    def key(self) -> str:
        """Identity independent of operationIds: `GET /pets/{id}`, or `openspec:list_pets` for a
        declared tool."""
        if self.declared:
            return f"openspec:{self.declared.name}"
        return f"{self.method} {self.path}{self.variant}"


@dataclass(frozen=True, slots=True)
class MissingTool:
    """An operation that cannot become a tool, with the reason.

    `operation`: key (`GET /pets/{id}`), or the path alone for unknown methods. `id` and `tags`:
    None if unreadable. `hidden`: the author excludes the operation.
    """

    operation: str
    reason: str
    at: Location
    id: str | None = None
    tags: tuple[str, ...] | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of operations. `parent`: parent tag or `""`. `summary` and `kind` (`nav`, `badge`,
    `audience` …): the document's, or `""`."""

    name: str
    at: Location
    summary: str = ""
    description: str = ""
    kind: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class ApiDescription:
    """An API description with operations in document order.

    `definitions`: every reachable named schema; names match `^[A-Za-z0-9_.-]+$`. `missing`:
    unreadable operations, each with an error in the diagnostics. `tags`: declared tags in order,
    free of parent cycles. `capability`: set if requirements declare the tools. `instructions` and
    `prompts`: written by the author of the requirements. `servers_at`: the first entry of `servers`,
    usable or not; None without an entry.
    """

    title: str
    version: str
    description: str
    dialect: Dialect
    servers: tuple[ApiServer, ...]
    operations: tuple[Operation, ...]
    definitions: Mapping[str, Schema]
    security_schemes: Mapping[str, ApiSecurityScheme]
    at: Location
    missing: tuple[MissingTool, ...] = ()
    tags: tuple[Tag, ...] = ()
    capability: str = ""
    instructions: str = ""
    prompts: Announcement | None = None
    servers_at: Location | None = None
