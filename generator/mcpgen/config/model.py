"""The user's configuration as a frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from mcpgen.config.key_spec import keys_of
from mcpgen.config.tables.access import AuthenticationConfig, AuthorizationConfig
from mcpgen.config.tables.builtin_tools import DiscoveryConfig, DocsConfig, ScriptConfig
from mcpgen.config.tables.connector import FetchConfig, SearchConfig
from mcpgen.config.tables.credentials import CredentialsConfig
from mcpgen.config.tables.deployment import DeploymentConfig
from mcpgen.config.tables.elicitation import ConfirmConfig, ElicitConfig
from mcpgen.config.tables.limits import LimitsConfig
from mcpgen.config.tables.project import BudgetsConfig, RuntimeMode
from mcpgen.config.tables.prompts import FILES, PromptConfig
from mcpgen.config.tables.resources import ResourceConfig
from mcpgen.config.tables.selection import Selection
from mcpgen.config.tables.server import (
    EndpointConfig,
    NotificationsConfig,
    ObservabilityConfig,
    RegistryConfig,
)
from mcpgen.config.tables.tool_schemas import (
    ApiModels,
    DescriptionsConfig,
    FlatteningConfig,
    OutputMode,
    PaginationConfig,
)
from mcpgen.config.tables.tools import ToolConfig
from mcpgen.config.tables.toolsets import ToolsetConfig
from mcpgen.diagnostics import Location


@dataclass(frozen=True, slots=True)
class Config:
    """Every configured value, or the default.

    `spec` is the path of the specification relative to the project's folder, POSIX separators, or
    `""`; `source` is the URL of the fetched specification, or `""`; `root` is the folder that
    references may not leave, `""` for the specification's own; `openapi` is the path of the API
    behind requirements; `capability` and `change` choose the
    requirements of an OpenSpec folder; `overlays` are the paths of overlays on the specification.
    `allow_remote` are the hosts that references may be fetched from.

    `names` maps an operation (its id or `GET /pets/{id}`) to the name of the tool, `fields` to the
    dotted paths kept of results, `tools` to the other choices about the tool. `toolsets` are sets
    of tools by name, and `toolset` the set at `/mcp`, `""` for all tools. `search` and `fetch` are
    the operations of the connector's tools. `bodies` maps an operation, or `*`, to the media type
    of the request body.

    `tool_names` are the names promised by the lock, by operation; only `names` overrides them.
    `operation_ids` are the former operationIds of these operations. `resources` and `prompts` are
    features by name, and `files` the content of the files of both, by path. `has_schema`: the file
    names the JSON Schema in the project. `full_answers`: a mock answers with optional members, too.
    `locations` holds the positions of keys, selectors and names, by path from the root of the file,
    for diagnostics.
    """

    spec: str = ""
    source: str = ""
    capability: str = ""
    change: str = ""
    openapi: str = ""
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
    tools: Mapping[str, ToolConfig] = field(default_factory=dict)
    toolset: str = ""
    toolsets: Mapping[str, ToolsetConfig] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)
    tool_names: Mapping[str, str] = field(default_factory=dict)
    operation_ids: Mapping[str, str] = field(default_factory=dict)
    flattening: FlatteningConfig = field(default_factory=FlatteningConfig)
    output_schemas: OutputMode = OutputMode.OFF
    descriptions: DescriptionsConfig = field(default_factory=DescriptionsConfig)
    budgets: BudgetsConfig = field(default_factory=BudgetsConfig)
    results: PaginationConfig = field(default_factory=PaginationConfig)
    search: SearchConfig | None = None
    fetch: FetchConfig | None = None
    finding: DiscoveryConfig = field(default_factory=DiscoveryConfig)
    resources: Mapping[str, ResourceConfig] = field(default_factory=dict)
    prompts: Mapping[str, PromptConfig] = field(default_factory=dict)
    notices: NotificationsConfig = field(default_factory=NotificationsConfig)
    files: Mapping[str, bytes] = field(default_factory=dict)
    scripting: ScriptConfig = field(default_factory=ScriptConfig)
    documenting: DocsConfig = field(default_factory=DocsConfig)
    eliciting: ElicitConfig = field(default_factory=ElicitConfig)
    confirming: ConfirmConfig = field(default_factory=ConfirmConfig)
    runtime: RuntimeMode = RuntimeMode.VENDORED
    fast_path: bool = False
    in_process: bool = False
    keep_going: bool = False
    endpoint: EndpointConfig = field(default_factory=EndpointConfig)
    authentication: AuthenticationConfig = field(default_factory=AuthenticationConfig)
    authorization: AuthorizationConfig = field(default_factory=AuthorizationConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    observability: ObservabilityConfig = field(default_factory=ObservabilityConfig)
    credentials: CredentialsConfig = field(default_factory=CredentialsConfig)
    registry: RegistryConfig = field(default_factory=RegistryConfig)
    deployment: DeploymentConfig = field(default_factory=DeploymentConfig)
    api_models: ApiModels = field(default_factory=ApiModels)
    has_schema: bool = False
    full_answers: bool = False
    locations: Mapping[tuple[str, ...], Location] = field(default_factory=dict, compare=False)

    def at(self, *path: str) -> Location | None:
        """The position of `path` (`"select", "include", "0"`) in the file, None for an absent path."""
        return self.locations.get(path)

    @property
    def attachments(self) -> dict[str, tuple[str, ...]]:
        """The paths of the files of resources and prompts, mapped to the first key with the path."""
        places: dict[str, tuple[str, ...]] = {}
        for name, resource in self.resources.items():
            if resource.file:
                places.setdefault(resource.file, ("resources", name, "file"))
        for name, prompt in self.prompts.items():
            for index, message in enumerate(prompt.messages):
                for source in FILES:
                    if path := getattr(message, source):
                        places.setdefault(path, ("prompts", name, "messages", str(index), source))
        return places


CONFIG_TABLES: dict[str, Any] = {
    name: table
    for name, table in ((item.name, item.default_factory) for item in fields(Config))
    if isinstance(table, type) and is_dataclass(table) and keys_of(table)
}
"""The classes of the tables of `mcpgen.toml`, by field of `Config`."""
