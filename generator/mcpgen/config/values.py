"""The user's choices as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from mcpgen.config.tables.announcement import Descriptions, OutputMode
from mcpgen.config.tables.authentication import Authentication
from mcpgen.config.tables.authorisation import Authorisation
from mcpgen.config.tables.budgets import Budgets
from mcpgen.config.tables.connector import FetchChoice, SearchChoice
from mcpgen.config.tables.credentials import Credentials
from mcpgen.config.tables.deployment import Deployment
from mcpgen.config.tables.discovery import Finding
from mcpgen.config.tables.docs import Documenting
from mcpgen.config.tables.elicitation import Confirming, Eliciting
from mcpgen.config.tables.endpoint import Endpoint
from mcpgen.config.tables.flattening import Flattening
from mcpgen.config.tables.knowledge import Knowledge
from mcpgen.config.tables.limits import Limits
from mcpgen.config.tables.models import ApiModels
from mcpgen.config.tables.notices import Noticed
from mcpgen.config.tables.prompts import FILES, PromptChoice
from mcpgen.config.tables.registry import Registry
from mcpgen.config.tables.resources import ResourceChoice
from mcpgen.config.tables.results import Results
from mcpgen.config.tables.script import Scripting
from mcpgen.config.tables.selection import Selection
from mcpgen.config.tables.tools import ToolChoice
from mcpgen.config.tables.toolsets import ToolsetChoice
from mcpgen.diagnostics import Location
from mcpgen.frozen import frozen


@frozen
class Config:
    """Every choice, with its default.

    `spec` is the path of the specification relative to the project's folder, POSIX separators, or
    `""`; `source` is the URL that it was fetched from, or `""`; `root`, likewise, the folder its references may not leave, `""` for the specification's
    own; of an OpenSpec folder, `capability` and `change` say which requirements it is; `overlays`, likewise, what repairs it. `allow_remote` are the hosts that references may be
    fetched from. `names` maps an operation (its id or `GET /pets/{id}`) to the tool name it shall
    have, `fields` likewise to the dotted paths its results are reduced to.
    `tools` maps an operation to what is wanted of its tool beside these.
    `toolsets` are sets of tools by name, and `toolset` the one that `/mcp` serves, `""` for all.
    `search` and `fetch` are the operations behind the tools of that name.
    `bodies` maps an operation, or `*`, to the media type its body shall be sent in.
    `tool_names` are those the lock has promised, by operation; they win over every rule but
    `names`. `operation_ids` are the operationIds that these operations had. `resources` and `prompts` are what clients find beside the tools, by name, and `files` the
    content of those they name, by path. `places` holds where keys, selectors and names stand, for findings about them.
    """

    spec: str = ""
    source: str = ""
    capability: str = ""
    change: str = ""
    root: str = ""
    overlays: tuple[str, ...] = ()
    allow_remote: tuple[str, ...] = ()
    name: str = ""
    package: str = ""
    title: str = ""
    upstream: str = ""
    selection: Selection = field(default_factory=Selection)
    names: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tools: Mapping[str, ToolChoice] = field(default_factory=dict)
    toolset: str = ""
    toolsets: Mapping[str, ToolsetChoice] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)
    tool_names: Mapping[str, str] = field(default_factory=dict)
    operation_ids: Mapping[str, str] = field(default_factory=dict)
    flattening: Flattening = field(default_factory=Flattening)
    output_schemas: OutputMode = OutputMode.OFF
    descriptions: Descriptions = field(default_factory=Descriptions)
    budgets: Budgets = field(default_factory=Budgets)
    results: Results = field(default_factory=Results)
    search: SearchChoice | None = None
    fetch: FetchChoice | None = None
    finding: Finding = field(default_factory=Finding)
    resources: Mapping[str, ResourceChoice] = field(default_factory=dict)
    prompts: Mapping[str, PromptChoice] = field(default_factory=dict)
    notices: Noticed = field(default_factory=Noticed)
    files: Mapping[str, bytes] = field(default_factory=dict)
    scripting: Scripting = field(default_factory=Scripting)
    documenting: Documenting = field(default_factory=Documenting)
    eliciting: Eliciting = field(default_factory=Eliciting)
    confirming: Confirming = field(default_factory=Confirming)
    keep_going: bool = False
    endpoint: Endpoint = field(default_factory=Endpoint)
    authentication: Authentication = field(default_factory=Authentication)
    authorisation: Authorisation = field(default_factory=Authorisation)
    limits: Limits = field(default_factory=Limits)
    knowledge: Knowledge = field(default_factory=Knowledge)
    credentials: Credentials = field(default_factory=Credentials)
    registry: Registry = field(default_factory=Registry)
    deployment: Deployment = field(default_factory=Deployment)
    api_models: ApiModels = field(default_factory=ApiModels)
    places: Mapping[tuple[str, ...], Location] = field(default_factory=dict, compare=False)

    def at(self, *path: str) -> Location | None:
        """Where the file says what stands at `path` (`"select", "include", "0"`), if it does."""
        return self.places.get(path)

    @property
    def attachments(self) -> dict[str, tuple[str, ...]]:
        """The paths of the files that resources and prompts name, each with the first place that does."""
        found: dict[str, tuple[str, ...]] = {}
        for name, resource in self.resources.items():
            if resource.file:
                found.setdefault(resource.file, ("resources", name, "file"))
        for name, prompt in self.prompts.items():
            for index, message in enumerate(prompt.messages):
                for source in FILES:
                    if path := getattr(message, source):
                        found.setdefault(path, ("prompts", name, "messages", str(index), source))
        return found
