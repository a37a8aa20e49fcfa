"""The user's configuration: `mcpgen.toml` and flags, as a single frozen value."""

from mcpgen.config.extension_config import read_prompts_extension, read_resource_extension
from mcpgen.config.key_spec import KeySpec
from mcpgen.config.load import NAME, SCHEMA, SCHEMA_LINE, load, render_config
from mcpgen.config.model import Config
from mcpgen.config.schema import KEYS, config_schema
from mcpgen.config.tables.builtin_tools import (
    DiscoveryConfig,
    DiscoveryMode,
    DocsConfig,
    DocsMode,
    ScriptConfig,
    ScriptMode,
)
from mcpgen.config.tables.connector import FetchConfig, SearchConfig
from mcpgen.config.tables.credentials import CredentialMode, CredentialsConfig
from mcpgen.config.tables.deployment import DeploymentConfig
from mcpgen.config.tables.elicitation import (
    CannotAskPolicy,
    ConfirmConfig,
    ElicitConfig,
    ElicitMode,
)
from mcpgen.config.tables.project import BudgetsConfig
from mcpgen.config.tables.prompts import PromptArgumentConfig, PromptConfig, PromptMessageConfig
from mcpgen.config.tables.resources import CompletionConfig, ResourceConfig
from mcpgen.config.tables.selection import Selection, Selector
from mcpgen.config.tables.server import NotificationsConfig
from mcpgen.config.tables.tool_schemas import (
    DeprecatedArguments,
    DescriptionsConfig,
    DestructiveScope,
    Detail,
    FlatteningConfig,
    FlattenMode,
    MethodOverride,
    OutputMode,
    PaginationConfig,
)
from mcpgen.config.tables.tools import ArgumentConfig, ToolConfig
from mcpgen.config.tables.toolsets import ToolsetConfig
from mcpgen.config.toml_positions import toml_position

__all__ = [
    "KEYS",
    "NAME",
    "SCHEMA",
    "SCHEMA_LINE",
    "ArgumentConfig",
    "BudgetsConfig",
    "CannotAskPolicy",
    "CompletionConfig",
    "Config",
    "ConfirmConfig",
    "CredentialMode",
    "CredentialsConfig",
    "DeploymentConfig",
    "DeprecatedArguments",
    "DescriptionsConfig",
    "DestructiveScope",
    "Detail",
    "DiscoveryConfig",
    "DiscoveryMode",
    "DocsConfig",
    "DocsMode",
    "ElicitConfig",
    "ElicitMode",
    "FetchConfig",
    "FlattenMode",
    "FlatteningConfig",
    "KeySpec",
    "MethodOverride",
    "NotificationsConfig",
    "OutputMode",
    "PaginationConfig",
    "PromptArgumentConfig",
    "PromptConfig",
    "PromptMessageConfig",
    "ResourceConfig",
    "ScriptConfig",
    "ScriptMode",
    "SearchConfig",
    "Selection",
    "Selector",
    "ToolConfig",
    "ToolsetConfig",
    "config_schema",
    "load",
    "read_prompts_extension",
    "read_resource_extension",
    "render_config",
    "toml_position",
]
