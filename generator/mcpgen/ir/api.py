"""What `parse` returns for an API description: one `ApiDescription`, whatever dialect it was written in.

Every schema is JSON Schema 2020-12 whose only references are `#/$defs/NAME` into
`ApiDescription.definitions`: `nullable`, boolean exclusive bounds, `example`, vendor extensions and the
references between files are gone. Extensions that mcpgen knows are fields.

Three keywords of OpenAPI stay in a schema because later stages need them: `discriminator`
(`propertyName`, `mapping` from values to `#/$defs/NAME`, `defaultMapping`), `xml`, and `x-mcp-name` on a property,
a string. `format: binary` and `format: byte` stay as they were written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Dialect, Json
from mcpgen.openspec.model.companion import DeclaredTool


class Place(StrEnum):
    """Where in an HTTP request a value travels."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"
    PART = "part"
    """The head of one part of a multipart body: its file name, content type and headers."""
    HANDLER = "handler"
    """Nowhere: it is for the handler of a tool that sends nothing by itself."""


class Style(StrEnum):
    """How a parameter's value is written; https://spec.openapis.org/oas/v3.1.1.html#style-values.

    `TAB` is the `tsv` of Swagger 2.0, where it, `SPACE` and `PIPE` also stand in paths and headers.
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
    """Of a parameter that is the whole query, in its media type and without a name; OpenAPI 3.2."""


class SchemeKind(StrEnum):
    """What a security scheme asks for."""

    API_KEY = "apiKey"
    BEARER = "bearer"
    BASIC = "basic"
    OAUTH2 = "oauth2"
    OPENID = "openIdConnect"
    MUTUAL_TLS = "mutualTLS"


@dataclass(frozen=True, slots=True)
class Schema:
    """A JSON Schema 2020-12 value (an object or a boolean) and where it was written."""

    json: Json
    at: Location


@dataclass(frozen=True, slots=True)
class ApiServer:
    """A base URL; its `{variables}` already carry their defaults. May be relative. `name` is what
    the document calls it (since OpenAPI 3.2), or `""`."""

    url: str
    at: Location
    name: str = ""


@dataclass(frozen=True, slots=True)
class ApiSecurityScheme:
    """A way to authenticate.

    `place` and `name` are set for an API key. `token_url` is set when the scheme offers the OAuth 2
    client credentials flow, `password_url` when it offers the password flow; both are absolute, or
    relative to the base URL of the API. `scopes` are those the scheme declares.
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
        """The absolute URLs that tokens are fetched from, each once."""
        urls = (self.token_url, self.password_url)
        return tuple(dict.fromkeys(url for url in urls if url.startswith(("http:", "https:"))))


@dataclass(frozen=True, slots=True)
class SchemeUse:
    """A security scheme as one operation requires it."""

    scheme: str
    scopes: tuple[str, ...] = ()


Security = tuple[tuple[SchemeUse, ...], ...]
"""Alternatives (OR), each a tuple of schemes that go together (AND); an empty alternative means
that no credential is needed, and `()` that the document asks for none."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter outside the body. `content` is its media type where it has one instead of a style;
    `rows` is how the arrays inside an array are written, None if it holds none."""

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
    """How one property of a form or multipart body is written (OpenAPI's Encoding Object).

    `name` is `""` for a part that is known by its position alone.
    """

    name: str
    content_type: str
    style: Style | None
    explode: bool | None
    allow_reserved: bool
    at: Location
    headers: tuple[Parameter, ...] = ()
    """What may stand at the head of a part; each is a parameter in a header."""


@dataclass(frozen=True, slots=True)
class MediaType:
    """One representation of a body. `schema` is None where the document gives none.

    `item_schema` is that of each value of a sequence (`itemSchema` of OpenAPI 3.2), such as the
    lines of JSON lines or the parts of `multipart/mixed`; `schema` is an array of them where the
    document gives nothing else. `prefix_encodings` are those of the first parts of a multipart
    body whose parts have no names, `item_encoding` that of the parts behind them.
    """

    name: str
    schema: Schema | None
    at: Location
    encodings: tuple[PropertyEncoding, ...] = ()
    examples: tuple[Json, ...] = ()
    item_schema: Schema | None = None
    """The schema of each item of a stream (`itemSchema` of OpenAPI 3.2)."""
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
    """One answer; `status` is a code, a range such as `4XX`, or `default`."""

    status: str
    description: str
    media: tuple[MediaType, ...]
    at: Location


@dataclass(frozen=True, slots=True)
class ArgumentExtension:
    """What is wanted of one argument of a tool, and where that is said; None where nothing is.

    `fixed` is sent with every call and `default` where a call does not say otherwise; `setting`
    names the setting of the server whose value is sent. At most one of the three is said. `hidden`
    leaves the argument out of the tool. `header` is the name of the header that repeats its value to
    what stands between client and server. `everywhere` tells that it is said of all tools that have
    the argument.
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
    """What the author wants a server to offer beside its tools: a table as `mcpgen.toml` has it, and where
    the table above it stands. What it says has not been looked at."""

    told: Mapping[str, Json]
    at: Location


@dataclass(frozen=True, slots=True)
class Extension:
    """What the author told mcpgen with `x-mcp` (an object) or `x-mcp-name` on an operation.

    None means not said. `scopes` are what a caller has to hold.
    `fields` are dotted paths (`owner.name`) into a result, the only ones to be kept of it.
    `arguments` are what is wanted of single arguments, by their announced names.
    `resource` is what is wanted of the resource that the operation reads.
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
    """The dotted paths that results are reduced to; arrays are passed through."""
    arguments: Mapping[str, ArgumentExtension] = field(default_factory=dict)
    resource: Announcement | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation; the path item's parameters, servers and the document's security are merged in.

    `id` is the operationId, or `""`. `method` is upper case. `declared` is the tool that requirements
    make of it; one without an upstream has neither method nor path, since a handler answers it.
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
    """What the document writes behind the path to tell operations of one path apart: a fragment
    (`#refresh`), or a query (`?beta=true`, whose fixed values are among the parameters)."""
    declared: DeclaredTool | None = None

    @property
    def handled(self) -> bool:
        """Whether a handler answers it and nothing is sent."""
        return self.declared is not None and self.declared.upstream is None

    @property
    def key(self) -> str:
        """The identity that survives a new operationId: `GET /pets/{id}`, or `openspec:list_pets` of
        a declared tool, as several of these may call one operation."""
        if self.declared:
            return f"openspec:{self.declared.name}"
        return f"{self.method} {self.path}{self.variant}"


@dataclass(frozen=True, slots=True)
class MissingTool:
    """An operation that could not become a tool, and why.

    `operation` is its key (`GET /pets/{id}`), or the path alone where its methods are unknown. `id`
    and `tags` are as in an operation, None where they could not be read; `hidden` tells that the
    author wants no tool of it.
    """

    operation: str
    reason: str
    at: Location
    id: str | None = None
    tags: tuple[str, ...] | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """A name that operations are grouped by. `parent` is the tag it belongs to, or `""`; `summary`
    and `kind` (`nav`, `badge`, `audience` …) are what the document says, or `""`."""

    name: str
    at: Location
    summary: str = ""
    description: str = ""
    kind: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class ApiDescription:
    """An API description. Operations stand in document order.

    `definitions` holds every named schema that an operation can reach, by the name its references
    use; names match `^[A-Za-z0-9_.-]+$`. `missing` are the operations that could not be read; each
    has an error among the diagnostics. `tags` are those the document declares, in its order;
    following their parents ends. `capability` is set where requirements declare the tools;
    `instructions` are those that their author has written for the server, or `""`, and `prompts` the
    author's too.
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
