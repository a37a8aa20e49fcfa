"""What a server offers beside its tools, made of what the configuration and the document say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.api import Operation
from mcpgen.ir.offers import Notices, Offers
from mcpgen.ir.server import Tool
from mcpgen.lower.flatten.view import Schemas
from mcpgen.lower.offers.announced import with_announced
from mcpgen.lower.offers.prompts import prompts
from mcpgen.lower.offers.resources import resources
from mcpgen.lower.offers.sources import Sources
from mcpgen.lower.offers.touched import writers


def offers(
    tools: Sequence[Tool],
    operations: Sequence[Operation],
    schemas: Schemas,
    config: Config,
    diagnostics: Diagnostics,
    at: Location,
) -> tuple[Offers, tuple[Tool, ...]]:
    """The offers of a server, and its tools, of which those that are wanted as resources alone are
    withheld.

    Adds UNMATCHED_OFFER, UNFIT_RESOURCE, SAME_URI, UNFIT_COMPLETION, UNFIT_PROMPT and
    UNUSED_ARGUMENT.
    """
    sources = Sources(tools, operations, schemas, config, diagnostics, at)
    found = resources(sources)
    asked = prompts(sources, found)
    changes = config.notices.changes and bool(found)
    told = Notices(changes, config.notices.log, writers(found, tools) if changes else {})
    used = {each.file for each in found}
    used |= {message.file for prompt in asked for message in prompt.messages}
    files = {name: content for name, content in config.files.items() if name in used}
    hidden = {
        tool.name
        for name, choice in config.resources.items()
        if choice.operation and not choice.tool and (tool := sources.known(choice.operation))
    }
    kept = tuple(replace(tool, withheld=True) if tool.name in hidden else tool for tool in tools)
    return Offers(found, asked, told, files), kept


__all__ = ["offers", "with_announced"]
