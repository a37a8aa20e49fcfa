"""Built-in tools, which the server answers itself: scripts, documentation, questions to the
user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpgen.config import Config, DiscoveryMode, DocsMode, ElicitMode, ScriptMode
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import config as codes
from mcpgen.ir.api import Place
from mcpgen.ir.builtin_tools import DocsSpec, ScriptSpec
from mcpgen.ir.server import ArgumentSpec, HintsSpec, ToolSpec
from mcpgen.ir.source import Json


def builtin_tool(
    name: str,
    title: str,
    description: str,
    hints: HintsSpec,
    arguments: tuple[ArgumentSpec, ...],
    at: Location,
) -> ToolSpec:
    """A tool without a route and without an operation of the API."""
    return ToolSpec(
        name=name,
        module=name,
        title=title,
        description=description,
        arguments=arguments,
        constants=(),
        route=None,
        hints=hints,
        operation="",
        at=at,
    )


def builtin_argument(
    name: str, schema: Mapping[str, Json], at: Location, *, required: bool = True
) -> ArgumentSpec:
    """Returns an argument without a place in a request; the built-in tool reads the value."""
    return ArgumentSpec(name, schema, required, Place.HANDLER, (name,), at)


SEARCH, DESCRIBE = "search_tools", "describe_tool"
READING, WRITING = "call_read_tool", "call_write_tool"
DISCOVERY_NAMES = (SEARCH, DESCRIBE, READING, WRITING)
"""Names reserved in discovery mode."""

MAX_MESSAGE = 8000
"""Characters of the longest message to a user."""

_MAX_MODULE_NAMES = 600
"""Characters for module names in the description of the script tool."""


def reserved_names(config: Config) -> dict[str, str]:
    """Returns the owner of each name reserved for built-in tools, in words, by name."""
    owners = listed_builtin_names(config)
    if config.finding.mode is DiscoveryMode.ON:
        owners |= dict.fromkeys(DISCOVERY_NAMES, "discovery mode")
    return owners


def listed_builtin_names(config: Config) -> dict[str, str]:
    """Returns the description of each built-in tool listed beside API tools, by name."""
    owners: dict[str, str] = {}
    if config.scripting.mode is ScriptMode.ON:
        owners[config.scripting.name] = "the tool for scripts"
    if config.documenting.mode is DocsMode.ON:
        owners[config.documenting.name] = "the tool for documentation"
    if config.eliciting.mode is ElicitMode.ON:
        owners[config.eliciting.name] = "the tool that asks the user"
    return owners


def report_duplicate_tools(config: Config, diagnostics: Diagnostics, at: Location) -> None:
    """Adds TWO_OWN_TOOLS for built-in tools with equal names."""
    names = set(DISCOVERY_NAMES) if config.finding.mode is DiscoveryMode.ON else set()
    builtin = (
        ("script", config.scripting.name, config.scripting.mode is ScriptMode.ON),
        ("docs", config.documenting.name, config.documenting.mode is DocsMode.ON),
        ("elicitation", config.eliciting.name, config.eliciting.mode is ElicitMode.ON),
    )
    for table, name, is_on in builtin:
        if is_on and name in names:
            place = config.at(table, "name") or config.at(table, "mode") or at
            diagnostics.add(codes.TWO_OWN_TOOLS, place, table=table, name=name)
        names |= {name} if is_on else set()


def script_tool(
    modules: Mapping[str, Mapping[str, str]],
    tools: Sequence[ToolSpec],
    unlisted: frozenset[str],
    config: Config,
    at: Location,
) -> ScriptSpec | None:
    """Returns the tool that runs scripts, None if off.

    Modules whose tools are all unlisted are not named in the description.
    """
    scripting = config.scripting
    if scripting.mode is not ScriptMode.ON:
        return None
    root = scripting.root
    named = [
        module for module, methods in modules.items() if not unlisted.issuperset(methods.values())
    ]
    description = (
        f"Runs a TypeScript script, in which `{root}` is the API: "
        f"`await {root}.<module>.<method>({{ … }})`. The value of its last expression, or what it "
        "returns, comes back as JSON, so one call can do what many would. "
        f"The script `{root}.md` gives documentation, `{root}.<module>.md` that of a module, "
        f"`{root}.<module>.d.ts` its types.{_list_modules(named)}"
    )
    text = {"type": "string", "description": "The script, in TypeScript."}
    hints = [tool.hints for tool in tools]
    combined = HintsSpec(
        read_only=all(hint.read_only for hint in hints),
        destructive=any(hint.destructive for hint in hints),
        idempotent=all(hint.idempotent for hint in hints),
        open_world=any(hint.open_world for hint in hints),
        additive=any(hint.additive for hint in hints)
        and not any(hint.changes_existing_data for hint in hints),
    )
    argument = builtin_argument("script", text, at)
    tool = builtin_tool(scripting.name, "Run a script", description, combined, (argument,), at)
    return ScriptSpec(tool, root, modules)


def docs_tool(
    modules: Mapping[str, Mapping[str, str]], config: Config, at: Location
) -> DocsSpec | None:
    """Returns the documentation tool, None if off."""
    if config.documenting.mode is not DocsMode.ON:
        return None
    description = (
        "Documentation of the tools: without `about` an index; with the name of a group or of a tool "
        "its tools, with arguments, results and examples. Long answers have pages."
    )
    text = {
        "type": "string",
        "description": "A group or a tool of the index, with ` 2` behind it for its second page.",
    }
    hints = HintsSpec(read_only=True, destructive=False, idempotent=True, open_world=False)
    argument = builtin_argument("about", text, at, required=False)
    tool = builtin_tool(
        config.documenting.name, "Documentation", description, hints, (argument,), at
    )
    return DocsSpec(tool, {module: tuple(methods.values()) for module, methods in modules.items()})


def elicit_tool(config: Config, at: Location) -> ToolSpec | None:
    """Returns the tool that asks the user (MCP elicitation), None if off."""
    if config.eliciting.mode is not ElicitMode.ON:
        return None
    description = (
        "Asks the user with a short form, and gives what the user filled in, or that the user declined "
        "or cancelled. Never ask for passwords or other secrets."
    )
    message: dict[str, Json] = {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_MESSAGE,
        "description": "What the user is asked.",
    }
    schema = {
        "type": "object",
        "description": "The form: a JSON Schema of one object whose properties are strings, numbers, "
        "integers, booleans, or choices (`enum`, or an array of them).",
    }
    kind: dict[str, Json] = {
        "type": "string",
        "enum": ["slack", "discord", "teams", "web"],
        "description": "Where the form is best shown: slack, discord, teams or web.",
    }
    hints = HintsSpec(read_only=True, destructive=False, idempotent=False, open_world=False)
    arguments = (
        builtin_argument("message", message, at),
        builtin_argument("schema", schema, at),
        builtin_argument("uiType", kind, at, required=False),
    )
    return builtin_tool(config.eliciting.name, "Ask the user", description, hints, arguments, at)


def _list_modules(names: Sequence[str]) -> str:
    """The modules, as far as there is room."""
    listed: list[str] = []
    room = _MAX_MODULE_NAMES
    for name in names:
        room -= len(name) + 4
        if room < 0:
            break
        listed.append(f"`{name}`")
    omitted = len(names) - len(listed)
    more = f", and {omitted} more" if omitted else ""
    return f" Modules: {', '.join(listed)}{more}." if listed else ""
