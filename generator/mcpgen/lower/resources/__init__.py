"""What a server offers beside its tools, made of what the configuration and the document say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import Operation
from mcpgen.ir.resources_prompts import Notifications, ServerFeatures
from mcpgen.ir.server import ToolSpec
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.resources.completions import CompletionSources
from mcpgen.lower.resources.from_extension import add_announced_resources
from mcpgen.lower.resources.invalidation import writers
from mcpgen.lower.resources.prompts import lower_prompts
from mcpgen.lower.resources.resources import lower_resources


def lower_features(
    tools: Sequence[ToolSpec],
    operations: Sequence[Operation],
    schemas: SchemaViews,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> tuple[ServerFeatures, tuple[ToolSpec, ...]]:
    """The offers of a server, and its tools, of which those that are wanted as resources alone are
    withheld.

    Adds UNMATCHED_OFFER, UNFIT_RESOURCE, SAME_URI, UNFIT_COMPLETION, UNFIT_PROMPT and
    UNUSED_ARGUMENT.
    """
    sources = CompletionSources(tools, operations, schemas, config, diagnostics, at)
    found = lower_resources(sources)
    asked = lower_prompts(sources, found)
    changes = config.notices.changes and bool(found)
    told = Notifications(changes, config.notices.log, writers(found, tools) if changes else {})
    used = {each.file for each in found}
    used |= {message.file for prompt in asked for message in prompt.messages}
    files = {name: content for name, content in config.files.items() if name in used}
    hidden = {
        tool.name
        for name, choice in config.resources.items()
        if choice.operation and not choice.tool and (tool := sources.known(choice.operation))
    }
    kept = tuple(replace(tool, withheld=True) if tool.name in hidden else tool for tool in tools)
    return ServerFeatures(found, asked, told, files), kept


__all__ = ["add_announced_resources", "lower_features"]
