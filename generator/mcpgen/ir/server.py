"""What `lower` returns: an MCP server, ready to be written down.

It knows nothing of OpenAPI's shape or of templates. `ToolSpec.arguments` is flat, and the announced
schema is derived from it, so the two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from mcpgen.diagnostics import Location
from mcpgen.ir.api import ApiSecurityScheme, Place, Style
from mcpgen.ir.api import MissingTool as MissingTool
from mcpgen.ir.bound_scenarios import BoundScenarios
from mcpgen.ir.builtin_tools import ConfirmationSpec, DocsSpec, ScriptSpec
from mcpgen.ir.credentials import Outward
from mcpgen.ir.declared_answer import AnswerStep
from mcpgen.ir.policy import LimitsSpec, ObservabilitySpec, Policy, RegistrySpec
from mcpgen.ir.resources_prompts import PromptSpec, ResourceSpec, ServerFeatures
from mcpgen.ir.source import Json

MIRROR = "x-mcp-header"
"""The keyword of an argument's schema that names the header which repeats its value, behind
`Mcp-Param-`."""


class TextForm(StrEnum):
    """What a string argument holds when it is not the value itself."""

    JSON = "json"
    BASE64 = "base64"


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One flat argument of a tool and where its value goes.

    `schema` is flat (one explicit type, a description, no combinators) and is announced as it
    stands. `target` is the path inside the place: the wire name of a parameter, then the keys
    below it; for a body the keys from its root, `()` for the body itself; for the head of a part its
    property, then `filename`, `type`, or `headers` and the name of one. `style`, `explode`,
    `allow_reserved`, `rows` (the style of arrays inside the array) and `content` belong to the parameter `target[0]` and are the same on all of
    its arguments. `text` tells that the string (of an array, each of its strings) holds JSON or
    base64, to be decoded before it is placed. `check` is the schema the placed value must meet where the flat one says less, with
    references into `Server.definitions`. `nulls` is set only on the argument `null_fields`: the
    announced names it may list, each with its target in the body; likewise `empties` on
    `empty_fields`, whose names become empty objects. `spread` tells that the members of the value
    are put beside the named properties of the object at `target`. `also` lists JSON types that a call may give in
    place of the announced `string` (of an array: in place of its strings). `hidden` tells that it is not announced, so that
    no call can give it a value.
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
    def fills(self) -> Mapping[str, tuple[str, ...]]:
        """The names it may list instead of having a value of its own."""
        return self.nulls or self.empties


@dataclass(frozen=True, slots=True)
class ConstantSpec:
    """A value the server fills in, whenever the object around it is sent: a required `const` or
    single-value enum; or `{}` for a required object, unless arguments have made it."""

    place: Place
    target: tuple[str, ...]
    value: Json
    style: Style | None = None
    explode: bool = False


class XmlNode(StrEnum):
    """What a value is in XML; https://spec.openapis.org/oas/v3.2.0.html#xml-object."""

    ELEMENT = "element"
    ATTRIBUTE = "attribute"
    TEXT = "text"
    CDATA = "cdata"


@dataclass(frozen=True, slots=True)
class ElementSpec:
    """How a value is written in XML. `name` is `""` for that of its property, and may have a prefix,
    which `namespace` is bound to.

    `fields` are the members of an object, `other` those that its schema does not name; `each` is an
    item of an array, inside an element of its own if it is `wrapped`. `like` names the shape that
    has these instead, so that a recursive schema is finite.
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
    """How one property of a form or multipart body is written, beside its style. `media_type` is a
    range (`image/*`) where each call has to name one. `base64` tells that a string inside JSON text
    stands for bytes; `needs` are the headers that are required. `xml` is set for a part of XML."""

    media_type: str = ""
    base64: bool = False
    needs: tuple[str, ...] = ()
    xml: ElementSpec | None = None


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """How the body is sent. `check` is the schema the assembled body must meet before anything
    is sent, or None where the flat arguments already say everything.

    `parts` are the properties of a form or multipart body that are not written as their values
    alone would be; of one whose parts have no names, they stand by position, with `""` for all that
    follow. `xml` are the shapes of a body of XML by name, `""` for its root; empty where the XML
    itself is the argument.
    """

    media_type: str
    required: bool
    check: Json = None
    parts: Mapping[str, PartSpec] = field(default_factory=dict)
    xml: Mapping[str, ElementSpec] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """The request a tool makes. `base_url` overrides the server's where the operation has its own,
    or only the path of the server's where it begins with `/`; `trusted` tells that the user has named
    the host of `base_url` as one that gets credentials;
    `security` is alternatives of scheme ids, as in `ir.api.Security`."""

    method: str
    path: str
    security: tuple[tuple[str, ...], ...]
    accept: str = "application/json"
    base_url: str = ""
    body: BodyPlan | None = None
    trusted: bool = False

    @property
    def base_path(self) -> str | None:
        """The path of `base_url` without a slash at its end, with which the targets of scenarios begin;
        None where requests begin with the path of the server's base URL."""
        path = urlsplit(self.base_url).path
        return path.rstrip("/") if path else None


@dataclass(frozen=True, slots=True)
class HintsSpec:
    """Tool annotations; https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations.

    `brief` tells that those are not announced which the specification implies.
    """

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    brief: bool = False

    @property
    def announced(self) -> dict[str, bool]:
        """The annotations as the generated server announces them."""
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
    """The request that a scenario expects on the wire.

    `target` is path and query as in the request line, below the base URL; `headers` and `cookies`
    are those the arguments fill. `body` is what the scenario expects of the body: a JSON value for JSON,
    a tuple of (name, value) pairs for forms, of (name, content type, file name, content) for
    multipart, a list of values for JSON lines, canonical XML, a string for text, None for no body.
    Bytes stand as base64.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    body: Json = None
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class StubResponse:
    """What the upstream answers in a scenario."""

    status: int
    media_type: str
    body: Json


@dataclass(frozen=True, slots=True)
class ToolScenario:
    """One call of a tool, the request it must cause, and the answer it gets.

    `name` is a snake_case word, unique in its tool: `required_only`, `everything`, `example`.
    """

    name: str
    arguments: Mapping[str, Json]
    sent: ExpectedRequest
    answer: StubResponse


@dataclass(frozen=True, slots=True)
class EnvSetting:
    """A value of the environment that a tool sends. `name` is the field of the server's settings,
    `kind` the type of its value in the words of JSON Schema, and `sample` one that is allowed."""

    name: str
    kind: str
    sample: Json


@dataclass(frozen=True, slots=True)
class PageSpec:
    """How much of a result one call shows: bytes of its text and items of its list, 0 for all.
    `cursor` is the argument that asks for what follows, `""` if the call may not be repeated."""

    bytes: int = 0
    items: int = 0
    cursor: str = ""


CURSOR = {
    "type": "string",
    "description": "Handle of the next page, from a result that was cut; the other arguments stay the same.",
}
"""The announced schema of the argument that asks for what follows."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What connectors of ChatGPT expect of the tool `search` or `fetch`, whichever `name` says:
    where its parts stand in the API's answer, as dotted paths, `""` for what has none."""

    name: str
    paths: Mapping[str, str]
    metadata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One MCP tool. `module` is a legal, unique Python module name; `operation` its API identity.
    Without a `route` it sends nothing by itself: its `answer` is performed or, if it has none, the
    user's handler answers its calls; `sample` are arguments that it accepts. `conditions` are the
    keywords that its input schema has beside the arguments.

    `strict` tells that every argument is announced as required and that null stands for one left
    out; `ArgumentSpec.required` says what the request needs. `shared` are the schemas that arguments refer to
    with `#/$defs/…`, by name; flat arguments refer to none.

    `output` is the announced output schema (an object at the root) or None; `wrapped` tells that the
    upstream's value becomes the member `result` of it. `definitions` are the names of
    `Server.definitions` in its checks. `fields` are the dotted paths that results are reduced
    to, `()` for all of a result. `bound` are those that no caller has: the path of the endpoint fills
    them in. `filled` are the values, by argument, of those that a call gives none; `settings` are the
    arguments whose value comes from the environment. `page` bounds what one call shows. A tool with a
    `contract` gives what that says. A `withheld` one is there for resources alone: clients neither
    find nor call it.
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
    contract: Contract | None = None
    answer: tuple[AnswerStep, ...] = ()
    conditions: Mapping[str, Json] = field(default_factory=dict)
    sample: Mapping[str, Json] = field(default_factory=dict)
    withheld: bool = False

    @property
    def accepted(self) -> tuple[ArgumentSpec, ...]:
        """The arguments that a call may have."""
        return tuple(argument for argument in self.arguments if not argument.hidden)

    @property
    def supplied(self) -> dict[str, Json]:
        """The values that are sent where a call gives none, with samples of those of the
        environment."""
        return {
            **self.filled,
            **{name: setting.sample for name, setting in self.settings.items()},
        }

    @property
    def announced(self) -> dict[str, Json]:
        """The tool as the generated server announces it; without a title where it has none."""
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
        """The announced JSON Schema, as the generated server derives it too."""
        needed = [one.name for one in self.accepted if one.required or self.strict]
        shared = {"$defs": dict(self.shared)} if self.shared else {}
        properties = {argument.name: dict(argument.schema) for argument in self.accepted}
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
    """Tools of the server's own that stand for all others: one finds them, one describes them, the
    others call those that only read and those that may change something, None where there are none.

    `groups` are the names of tools by tag, `about` is what the document says of some tags; those
    `pinned` are listed as they are.
    """

    search: ToolSpec
    describe: ToolSpec
    reading: ToolSpec | None
    writing: ToolSpec | None
    groups: Mapping[str, tuple[str, ...]]
    about: Mapping[str, str]
    pinned: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools of the server's own, in the order of the list."""
        every = (self.search, self.describe, self.reading, self.writing)
        return tuple(tool for tool in every if tool)

    def calling(self, tool: ToolSpec) -> ToolSpec | None:
        """The one that calls a tool."""
        return self.reading if tool.hints.read_only else self.writing


@dataclass(frozen=True, slots=True)
class Toolset:
    """Tools that have an endpoint of their own, by name in the order of the server; `instructions`
    are those of the server where they are `""`."""

    name: str
    tools: tuple[str, ...]
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server. `upstream` is the absolute base URL, or `""` when the document names none.

    `slug` is the project's name (`[a-z][a-z0-9-]*`), `package` its import name. `definitions` are the
    schemas that checks refer to, by name. `api_schemas` are the schemas of request bodies and
    responses that `schemas.py` has models of, by class name.
    `flat` tells that arguments are announced in the shape that every known host takes. `outward` is
    what becomes of callers' credentials, None where the API gets the server's own. `toolset` is the
    one of `toolsets` that the main endpoint serves, `""` for all tools. `discovery` is set where a
    few tools stand for all in the list, `script`, `docs` and `elicit` where tools of the server's own
    run scripts, give documentation and ask the user. `sessions` tells that they are kept with clients
    that need one to be asked, `resumable` that their streams can be taken up again, and `confirmation`
    is set where users confirm calls. `capability` is set where requirements are what the server is made
    of, and `proofs` are their scenarios. `offers` is what there is beside the tools. `registry` is where it is
    told of. `operation_ids` are those of the operations that have one, by `Operation.key`.
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
    limits: LimitsSpec = field(default_factory=LimitsSpec)
    knowledge: ObservabilitySpec = field(default_factory=ObservabilitySpec)
    outward: Outward | None = None
    discovery: DiscoverySpec | None = None
    script: ScriptSpec | None = None
    docs: DocsSpec | None = None
    elicit: ToolSpec | None = None
    sessions: bool = False
    resumable: bool = False
    confirmation: ConfirmationSpec | None = None
    toolsets: tuple[Toolset, ...] = ()
    toolset: str = ""
    capability: str = ""
    proofs: BoundScenarios | None = None
    offers: ServerFeatures = field(default_factory=ServerFeatures)
    registry: RegistrySpec = field(default_factory=RegistrySpec)
    operation_ids: Mapping[str, str] = field(default_factory=dict)

    @property
    def resources(self) -> tuple[ResourceSpec, ...]:
        """The resources and their templates, each as announced by its `announced`."""
        return self.offers.resources

    @property
    def prompts(self) -> tuple[PromptSpec, ...]:
        """The prompts, each as announced by its `announced`."""
        return self.offers.prompts

    def served(self, toolset: str) -> tuple[ToolSpec, ...]:
        """The tools at the endpoint of a set, `""` for the main one."""
        name = toolset or self.toolset
        found = tuple(tool for tool in self.tools if not tool.withheld)
        if not name:
            return found
        (kept,) = (frozenset(each.tools) for each in self.toolsets if each.name == name)
        return tuple(tool for tool in found if tool.name in kept)

    @property
    def settings(self) -> tuple[EnvSetting, ...]:
        """The values of the environment that its tools send, each once, in order of name."""
        named = {each.name: each for tool in self.tools for each in tool.settings.values()}
        return tuple(named[name] for name in sorted(named))

    @property
    def listed(self) -> tuple[ToolSpec, ...]:
        """The tools that stand in the list of the main endpoint, in its order."""
        if self.discovery is None:
            return (*self.served(""), *self.beside)
        pinned = (tool for tool in self.served("") if tool.name in self.discovery.pinned)
        return (*self.discovery.tools, *pinned, *self.beside)

    @property
    def beside(self) -> tuple[ToolSpec, ...]:
        """The tools of the server's own that stand beside those of the API."""
        found = (self.script and self.script.tool, self.docs and self.docs.tool, self.elicit)
        return tuple(tool for tool in found if tool)
