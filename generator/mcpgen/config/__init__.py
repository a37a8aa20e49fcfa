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
from mcpgen.config.tables.connector import FetchChoice, SearchChoice
from mcpgen.config.tables.credentials import CredentialMode, CredentialsConfig
from mcpgen.config.tables.deployment import DeploymentConfig
from mcpgen.config.tables.elicitation import (
    CannotAskPolicy,
    ConfirmConfig,
    ElicitConfig,
    ElicitMode,
)
from mcpgen.config.tables.project import BudgetsConfig
from mcpgen.config.tables.prompts import MessageChoice, PromptArgumentChoice, PromptChoice
from mcpgen.config.tables.resources import CompleteChoice, ResourceChoice
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
from mcpgen.config.tables.tools import ArgumentChoice, ToolChoice
from mcpgen.config.tables.toolsets import ToolsetChoice
from mcpgen.config.toml_positions import toml_position

__all__ = [
    "KEYS",
    "NAME",
    "SCHEMA",
    "SCHEMA_LINE",
    "ArgumentChoice",
    "BudgetsConfig",
    "CannotAskPolicy",
    "CompleteChoice",
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
    "FetchChoice",
    "FlattenMode",
    "FlatteningConfig",
    "KeySpec",
    "MessageChoice",
    "MethodOverride",
    "NotificationsConfig",
    "OutputMode",
    "PaginationConfig",
    "PromptArgumentChoice",
    "PromptChoice",
    "ResourceChoice",
    "ScriptConfig",
    "ScriptMode",
    "SearchChoice",
    "Selection",
    "Selector",
    "ToolChoice",
    "ToolsetChoice",
    "config_schema",
    "load",
    "read_prompts_extension",
    "read_resource_extension",
    "render_config",
    "toml_position",
]
