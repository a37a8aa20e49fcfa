"""Result of `lower`: an MCP server, independent of OpenAPI and of templates.

`ToolSpec.arguments` is flat, and the announced schema is derived from the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from mcpgen.config.tables.limits import LimitsConfig
from mcpgen.config.tables.server import ObservabilityConfig, RegistryConfig
from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiSecurityScheme, Place, Style
from mcpgen.ir.api import MissingTool as MissingTool  # Re-exported.
from mcpgen.ir.builtin_tools import ConfirmationSpec, DocsSpec, ScriptSpec
from mcpgen.ir.policy import ForwardedCredential, Policy
from mcpgen.ir.resources_prompts import PromptSpec, ResourceSpec, ServerFeatures
from mcpgen.ir.source import Json
from mcpgen.openspec.model.bound_scenarios import BoundScenarios
from mcpgen.openspec.model.declared_answer import AnswerAct

HEADER_KEYWORD = "x-mcp-header"
"""Schema keyword naming the header, after `Mcp-Param-`, that repeats an argument."""


class TextForm(StrEnum):
    """Encoding of a string argument."""

    JSON = "json"
    BASE64 = "base64"


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One flat argument of a tool and its target in the request.

    `schema`: announced as is: one explicit type, a description, no combinators. `target`: path
    inside the place: the wire name of a parameter and keys below; keys from the root of a body,
    `()` for the body itself; for a header of a multipart part the name of the part's property, then
    `filename`, `type`, or `headers` and a header name.

    `style`, `explode`, `allow_reserved`, `rows` (style of inner arrays) and `content` belong to the
    parameter `target[0]` and are equal on all its arguments. `text`: the string, or each string of
    an array, is decoded as JSON or base64 before placement. `check`: schema of the placed value
    where the flat schema says less; refers to `Server.definitions`.

    `nulls`: only on `null_fields`: announced names with their targets in the body. `empties`: the
    same on `empty_fields`, for empty objects. `spread`: members join the named properties of the
    object at `target`. `also`: JSON types accepted beside the announced `string`. `hidden`: not
    announced.
    """

    name: str
    schema: Mapping[str, Json]
    required: bool
    place: Place
    target: tuple[str, ...]
    at: Location
    style: Style | None = None
    explode: bool = False
    allow_reserved: bool = False
    rows: Style | None = None
    content: str = ""
    text: TextForm | None = None
    check: Json = None
    nulls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    empties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spread: bool = False
    also: tuple[str, ...] = ()
    hidden: bool = False

    @property
    def named_targets(self) -> Mapping[str, tuple[str, ...]]:
        """Names listed by `null_fields` or `empty_fields` with their targets; empty for ordinary
        arguments."""
        return self.nulls or self.empties


@dataclass(frozen=True, slots=True)
class ConstantSpec:
    """A value filled in by the server whenever the surrounding object is sent.

    A required `const` or single-value enum, or `{}` for a required object without arguments in the
    call.
    """

    place: Place
    target: tuple[str, ...]
    value: Json
    style: Style | None = None
    explode: bool = False


class XmlNode(StrEnum):
    """XML node type of a value; https://spec.openapis.org/oas/v3.2.0.html#xml-object."""

    ELEMENT = "element"
    ATTRIBUTE = "attribute"
    TEXT = "text"
    CDATA = "cdata"


@dataclass(frozen=True, slots=True)
class ElementSpec:
    """XML shape of a value. `name`: `""` for the name of the property; a prefix is bound to
    `namespace`.

    `fields`: members of an object. `other`: shape of additional members. `each`: shape of array
    items, inside an element of their own if `wrapped`. `like`: name of a shape in `BodyPlan.xml`
    that is used instead, for recursive schemas. Fields as in the runtime's `Element`.
    """

    name: str = ""
    node: XmlNode = XmlNode.ELEMENT
    namespace: str = ""
    fields: Mapping[str, ElementSpec] = field(default_factory=dict)
    other: ElementSpec | None = None
    each: ElementSpec | None = None
    wrapped: bool = False
    like: str = ""


@dataclass(frozen=True, slots=True)
class PartSpec:
    """Encoding of one form or multipart property, beside its style.

    `media_type`: a range (`image/*`) if each call names the type. `base64`: strings inside JSON
    text are bytes. `needs`: required headers. `xml`: shape of an XML part.
    """

    media_type: str = ""
    base64: bool = False
    needs: tuple[str, ...] = ()
    xml: ElementSpec | None = None


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """How the body is sent.

    `check`: schema of the assembled body, None if the flat arguments say everything. `parts`:
    properties of a form or multipart body with a special encoding; unnamed parts by position, `""`
    for all further ones. `xml`: XML shapes by name, `""` for the root; empty if the argument is XML
    text.
    """

    media_type: str
    required: bool
    check: Json = None
    parts: Mapping[str, PartSpec] = field(default_factory=dict)
    xml: Mapping[str, ElementSpec] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """The HTTP request of a tool.

    `base_url`: the operation's own URL, or a path on the server's host. `trusted`: the user allows
    credentials for the host of `base_url`. `security`: alternatives of scheme ids as in
    `ir.api.Security`.
    """

    method: str
    path: str
    security: tuple[tuple[str, ...], ...]
    accept: str = "application/json"
    base_url: str = ""
    body: BodyPlan | None = None
    trusted: bool = False

    @property
    def base_path(self) -> str | None:
        """Path of `base_url` without a trailing slash; None if requests use the server's base
        URL."""
        path = urlsplit(self.base_url).path
        return path.rstrip("/") if path else None


@dataclass(frozen=True, slots=True)
class HintsSpec:
    """Tool annotations;
    https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations.

    `brief`: `destructiveHint` and `idempotentHint` of a read-only tool, `idempotentHint` false and
    `openWorldHint` true are not announced. `additive`: the tool is announced as destructive
    although the tool only adds data.
    """

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    brief: bool = False
    additive: bool = False

    @property
    def changes_existing_data(self) -> bool:
        """True if a call may change or remove existing data."""
        return self.destructive and not self.additive

    @property
    def announced(self) -> dict[str, bool]:
        """Returns the annotations by name (`readOnlyHint` …), as in `tools/list`."""
        hints = {"readOnlyHint": self.read_only}
        if not (self.brief and self.read_only):
            hints["destructiveHint"] = self.destructive
        if not self.brief or (self.idempotent and not self.read_only):
            hints["idempotentHint"] = self.idempotent
        if not (self.brief and self.open_world):
            hints["openWorldHint"] = self.open_world
        return hints


@dataclass(frozen=True, slots=True)
class ExpectedRequest:
    """The request that a scenario expects.

    `target`: path and query of the request line below the base URL. `headers` and `cookies`: those
    filled by arguments. `body`: a JSON value for JSON; (name, value) pairs for forms; (name,
    content type, file name, content) tuples for multipart; a list for JSON lines; canonical XML; a
    string for text; None without a body. Bytes as base64.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    body: Json = None
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class StubResponse:
    """Upstream response in a scenario."""

    status: int
    media_type: str
    body: Json


@dataclass(frozen=True, slots=True)
class ToolScenario:
    """One call of a tool with the expected request and the stub response.

    `name`: snake_case, unique in its tool: `required_only`, `everything`, `example`.
    """

    name: str
    arguments: Mapping[str, Json]
    expected_request: ExpectedRequest
    stub_response: StubResponse


@dataclass(frozen=True, slots=True)
class EnvSetting:
    """An environment value sent by tools. `name`: field of the settings. `kind`: JSON Schema
    type. `sample`: an allowed value."""

    name: str
    kind: str
    sample: Json


@dataclass(frozen=True, slots=True)
class PageSpec:
    """Part of a result shown by one call: bytes of text and items of a list, 0 for all.

    `cursor`: argument for the next page, `""` for a tool that is not read-only: a call of such a
    tool must not be repeated for another page.
    """

    bytes: int = 0
    items: int = 0
    cursor: str = ""


CURSOR = {
    "type": "string",
    "description": "Handle of the next page, from a result that was cut; the other arguments stay the same.",
}
"""Announced schema of the cursor argument."""


@dataclass(frozen=True, slots=True)
class ChatGptContract:
    """Connector contract of ChatGPT for the tool `name` (`search` or `fetch`): dotted paths of
    its parts in the API's response, `""` for absent parts. `metadata`: dotted paths of the values
    copied into the result's `metadata`."""

    name: str
    paths: Mapping[str, str]
    metadata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One MCP tool.

    `module`: unique Python module name. `operation`: key of the API operation. `route`: None for a
    tool without a request: `answer` is performed, or the user's handler answers; `sample` holds
    valid arguments. `conditions`: keywords of the input schema beside the properties.

    `strict`: all arguments are announced as required, null stands for absent. `shared`: schemas
    that arguments refer to by `#/$defs/…`. `output`: announced output schema (an object) or None;
    `wrapped` puts the upstream's value under `result`. `definitions`: names of `Server.definitions`
    used by checks. `fields`: dotted paths kept of results, `()` for all.

    `bound`: arguments filled in by the endpoint's path. `filled`: default values by argument.
    `settings`: environment settings by argument. `page`: pagination of results. `contract`:
    connector contract. `withheld`: used by resources only, invisible to clients.
    """

    name: str
    module: str
    title: str
    description: str
    arguments: tuple[ArgumentSpec, ...]
    constants: tuple[ConstantSpec, ...]
    route: RouteSpec | None
    hints: HintsSpec
    operation: str
    at: Location
    output: Json = None
    wrapped: bool = False
    scenarios: tuple[ToolScenario, ...] = ()
    definitions: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    strict: bool = False
    shared: Mapping[str, Json] = field(default_factory=dict)
    bound: tuple[ArgumentSpec, ...] = ()
    filled: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, EnvSetting] = field(default_factory=dict)
    page: PageSpec | None = None
    contract: ChatGptContract | None = None
    answer: tuple[AnswerAct, ...] = ()
    conditions: Mapping[str, Json] = field(default_factory=dict)
    sample: Mapping[str, Json] = field(default_factory=dict)
    withheld: bool = False

    @property
    def announced_arguments(self) -> tuple[ArgumentSpec, ...]:
        """Arguments of the announced schema, in order."""
        return tuple(argument for argument in self.arguments if not argument.hidden)

    @property
    def supplied(self) -> dict[str, Json]:
        """Values sent for absent arguments by argument name, with samples for environment
        settings."""
        return {
            **self.filled,
            **{name: setting.sample for name, setting in self.settings.items()},
        }

    @property
    def announced(self) -> dict[str, Json]:
        """Returns the tool as in `tools/list`, as JSON; without a title if empty."""
        title = {"title": self.title} if self.title else {}
        output = {} if self.output is None else {"outputSchema": self.output}
        return {
            "name": self.name,
            **title,
            "description": self.description,
            "inputSchema": self.input_schema,
            **output,
            "annotations": self.hints.announced,
        }

    @property
    def input_schema(self) -> dict[str, Json]:
        """Returns the announced `inputSchema`: a JSON Schema (2020-12) of type `object`."""
        needed = [
            argument.name
            for argument in self.announced_arguments
            if argument.required or self.strict
        ]
        shared = {"$defs": dict(self.shared)} if self.shared else {}
        properties = {argument.name: dict(argument.schema) for argument in self.announced_arguments}
        if self.page and self.page.cursor:
            kind = ["string", "null"] if self.strict else "string"
            properties[self.page.cursor] = {**CURSOR, "type": kind}
            needed += [self.page.cursor] if self.strict else []
        return {
            "type": "object",
            "properties": properties,
            "required": needed,
            "additionalProperties": False,
            **shared,
            **self.conditions,
        }


@dataclass(frozen=True, slots=True)
class DiscoverySpec:
    """Discovery mode's tools. `reading` calls read-only tools and `writing` all others; None if
    there is no such tool.

    `groups`: tool names by tag. `pinned`: tools listed directly.
    """

    search: ToolSpec
    describe: ToolSpec
    reading: ToolSpec | None
    writing: ToolSpec | None
    groups: Mapping[str, tuple[str, ...]]
    tag_descriptions: Mapping[str, str]
    pinned: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """All discovery tools, in order of the list."""
        every = (self.search, self.describe, self.reading, self.writing)
        return tuple(tool for tool in every if tool)

    def caller_for(self, tool: ToolSpec) -> ToolSpec | None:
        """Returns the discovery tool that calls `tool`; None if `tool` changes something and the
        server only reads."""
        return self.reading if tool.hints.read_only else self.writing


@dataclass(frozen=True, slots=True)
class Toolset:
    """Tools with an endpoint of their own, in order of the server; `instructions` are the
    server's if `""`."""

    name: str
    tools: tuple[str, ...]
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server.

    `slug`: project name (`[a-z][a-z0-9-]*`). `package`: import name. `upstream`: absolute base URL,
    `""` if the document names none. `definitions`: schemas of checks. `api_schemas`: schemas of
    `schemas.py` by class name. `flat`: arguments have the shape accepted by every known host.
    `forwarded_credential`: sent to the API for a caller, None for the server's own credential.

    `missing`: operations without a tool. `toolset`: name of the toolset served at the main
    endpoint, `""` for all tools. `discovery`, `script`, `docs`, `elicit`, `confirmation`: built-in
    tools and confirmation, None if off. `sessions`: the server keeps sessions, so that clients of
    older revisions can be asked questions; `resumable`: resumable streams; `asks_in_hooks`: the
    user's handlers ask clients. `capability`: names of the OpenSpec capabilities, joined by commas,
    or `""`; `bound_scenarios`: their scenarios, bound to tools. `offers`: resources and prompts.
    `registry`: registration. `operation_ids`: operationIds by `Operation.key`.
    """

    slug: str
    package: str
    title: str
    version: str
    instructions: str
    upstream: str
    tools: tuple[ToolSpec, ...]
    security_schemes: tuple[ApiSecurityScheme, ...]
    definitions: Mapping[str, Json]
    missing: tuple[MissingTool, ...] = ()
    api_schemas: Mapping[str, Json] = field(default_factory=dict)
    flat: bool = True
    policy: Policy = field(default_factory=Policy)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    observability: ObservabilityConfig = field(default_factory=ObservabilityConfig)
    forwarded_credential: ForwardedCredential | None = None
    discovery: DiscoverySpec | None = None
    script: ScriptSpec | None = None
    docs: DocsSpec | None = None
    elicit: ToolSpec | None = None
    sessions: bool = False
    resumable: bool = False
    asks_in_hooks: bool = False
    confirmation: ConfirmationSpec | None = None
    toolsets: tuple[Toolset, ...] = ()
    toolset: str = ""
    capability: str = ""
    bound_scenarios: BoundScenarios | None = None
    offers: ServerFeatures = field(default_factory=ServerFeatures)
    registry: RegistryConfig = field(default_factory=RegistryConfig)
    operation_ids: Mapping[str, str] = field(default_factory=dict)

    @property
    def resources(self) -> tuple[ResourceSpec, ...]:
        """Resources and templates."""
        return self.offers.resources

    @property
    def prompts(self) -> tuple[PromptSpec, ...]:
        """Prompts of the server, in order of the list."""
        return self.offers.prompts

    def served(self, toolset: str) -> tuple[ToolSpec, ...]:
        """Returns the tools of a toolset's endpoint, `""` for the main endpoint."""
        name = toolset or self.toolset
        visible = tuple(tool for tool in self.tools if not tool.withheld)
        if not name:
            return visible
        # Exactly one toolset has the name; the unpacking fails otherwise.
        (names,) = (
            frozenset(candidate.tools) for candidate in self.toolsets if candidate.name == name
        )
        return tuple(tool for tool in visible if tool.name in names)

    @property
    def settings(self) -> tuple[EnvSetting, ...]:
        """Environment settings of all tools without duplicates, sorted by name."""
        named = {setting.name: setting for tool in self.tools for setting in tool.settings.values()}
        return tuple(named[name] for name in sorted(named))

    @property
    def listed(self) -> tuple[ToolSpec, ...]:
        """Tools in the list of the main endpoint, in order."""
        if self.discovery is None:
            return (*self.served(""), *self.builtin_tools)
        pinned = (tool for tool in self.served("") if tool.name in self.discovery.pinned)
        return (*self.discovery.tools, *pinned, *self.builtin_tools)

    @property
    def builtin_tools(self) -> tuple[ToolSpec, ...]:
        """Built-in tools listed beside API tools."""
        tools = (self.script and self.script.tool, self.docs and self.docs.tool, self.elicit)
        return tuple(tool for tool in tools if tool)
