"""The user's choices: `mcpgen.toml` and flags, as one frozen value."""

from mcpgen.config.key import Key
from mcpgen.config.keys import KEYS
from mcpgen.config.load import NAME, load
from mcpgen.config.places import place
from mcpgen.config.said import said_prompts, said_resource
from mcpgen.config.tables.announcement import Descriptions, Detail, OutputMode
from mcpgen.config.tables.budgets import Budgets
from mcpgen.config.tables.connector import FetchChoice, SearchChoice
from mcpgen.config.tables.credentials import CredentialMode, Credentials
from mcpgen.config.tables.deployment import Deployment
from mcpgen.config.tables.discovery import DiscoveryMode, Finding
from mcpgen.config.tables.docs import DocsMode, Documenting
from mcpgen.config.tables.elicitation import Confirming, Eliciting, ElicitMode, Unable
from mcpgen.config.tables.flattening import Deprecated, Flattening, FlattenMode, MethodOverride
from mcpgen.config.tables.notices import Noticed
from mcpgen.config.tables.prompts import MessageChoice, PromptArgumentChoice, PromptChoice
from mcpgen.config.tables.resources import CompleteChoice, ResourceChoice
from mcpgen.config.tables.results import Results
from mcpgen.config.tables.script import Scripting, ScriptMode
from mcpgen.config.tables.selection import Selection, Selector
from mcpgen.config.tables.tools import ArgumentChoice, ToolChoice
from mcpgen.config.tables.toolsets import ToolsetChoice
from mcpgen.config.template import template
from mcpgen.config.values import Config

__all__ = [
    "KEYS",
    "NAME",
    "ArgumentChoice",
    "Budgets",
    "CompleteChoice",
    "Config",
    "Confirming",
    "CredentialMode",
    "Credentials",
    "Deployment",
    "Deprecated",
    "Descriptions",
    "Detail",
    "DiscoveryMode",
    "DocsMode",
    "Documenting",
    "ElicitMode",
    "Eliciting",
    "FetchChoice",
    "Finding",
    "FlattenMode",
    "Flattening",
    "Key",
    "MessageChoice",
    "MethodOverride",
    "Noticed",
    "OutputMode",
    "PromptArgumentChoice",
    "PromptChoice",
    "ResourceChoice",
    "Results",
    "ScriptMode",
    "Scripting",
    "SearchChoice",
    "Selection",
    "Selector",
    "ToolChoice",
    "ToolsetChoice",
    "Unable",
    "load",
    "place",
    "said_prompts",
    "said_resource",
    "template",
]
