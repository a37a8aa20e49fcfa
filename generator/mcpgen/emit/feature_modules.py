"""The features of a server besides the tools of the API, one generated module each."""

from __future__ import annotations

import json
from collections.abc import Callable

from mcpgen.emit.code import SourceText, docstring, identifier, literal
from mcpgen.emit.declaration import builtin_tool_call
from mcpgen.emit.feature_declaration import ASKING, FeatureModule, PolicyVariable
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.package_files import api_name
from mcpgen.emit.resources_prompts import changes, completion, log_levels, prompts, resources
from mcpgen.emit.views import BuiltinToolView, DiscoveryView, DocsView, ElicitView, ScriptView
from mcpgen.ir.server import DiscoverySpec, Server, ToolSpec

MAX_CHARACTERS = 1_000
"""The most characters of a call as JSON. A longer example costs more to read than the example
explains."""

_EXAMPLES = "EXAMPLES: dict[str, dict[str, Json]] = "


def examples(server: Server) -> SourceText:
    """The arguments of an example call by tool, for every tool with a short example: the document's
    example, or else only the required arguments."""
    calls = {
        tool.name: arguments for tool in server.tools if (arguments := _example_arguments(tool))
    }
    return literal(calls, before=len(_EXAMPLES))


def _example_arguments(tool: ToolSpec) -> dict[str, Value]:
    """The best example of a tool; `{}` if a call needs no arguments or every example is too long."""
    scenarios = {scenario.name: dict(scenario.arguments) for scenario in tool.scenarios}
    examples = (scenarios.get(name, {}) for name in ("example", "required_only"))
    return next(
        (example for example in examples if example and len(json.dumps(example)) <= MAX_CHARACTERS),
        {},
    )


_GROUPS = "GROUPS: dict[str, tuple[str, ...]] = "

BYTES = PolicyVariable("docs_bytes", "size of an answer of documentation", "8000")


def docs(server: Server) -> FeatureModule | None:
    """The module of the documentation tool, or None if the server has no such tool."""
    spec = server.docs
    if spec is None:
        return None
    view = DocsView(
        package=identifier(server.package),
        summary=docstring(f"Documentation of the {api_name(server)} on request"),
        tool=builtin_tool_call(spec.tool, before=len("DOCS = ")),
        groups=literal(dict(spec.groups), before=len(_GROUPS)),
        examples=examples(server),
    )
    return FeatureModule(
        "docs",
        "docs",
        view,
        asks_settings=True,
        settings=("scripts.documentation", "DocsSettings"),
        variables=(BYTES,),
    )


_MODULES = "MODULES: dict[str, dict[str, str]] = "

_DENO = "deno>=2.9.8,<3"
"""The distribution with Deno, the program that runs scripts."""

_VARIABLES = (
    PolicyVariable("script_deno", "path of Deno", "Deno of the package deno"),
    PolicyVariable("script_warm", "processes that wait for a script", "1"),
    PolicyVariable("scripts_at_once", "concurrent scripts of a process", "4"),
    PolicyVariable("script_seconds", "time of a script", "30"),
    PolicyVariable("script_cpu_seconds", "processor time of a script", "10"),
    PolicyVariable("script_megabytes", "memory of a script, in MB", "128"),
    PolicyVariable("script_calls", "calls of a script", "100"),
    PolicyVariable("script_calls_at_once", "concurrent calls of a script", "8"),
    PolicyVariable("script_bytes", "size of the text of a script", "65536"),
    PolicyVariable("script_result_bytes", "size of the value of a script", "100000"),
    PolicyVariable(
        "script_log_characters", "characters of the log of a script that are shown", "10000"
    ),
    BYTES,
)


def script(server: Server) -> FeatureModule | None:
    """The module of the script tool, or None if the server has no such tool."""
    spec = server.script
    if spec is None:
        return None
    modules = {module: dict(methods) for module, methods in spec.modules.items()}
    view = ScriptView(
        package=identifier(server.package),
        summary=docstring(f"Scripts against the {api_name(server)}"),
        tool=builtin_tool_call(spec.tool, before=len("SCRIPT = ")),
        root=literal(spec.root),
        modules=literal(modules, before=len(_MODULES)),
        examples=examples(server),
    )
    return FeatureModule(
        "script",
        "scripts",
        view,
        asks_settings=True,
        settings=("scripts.sandbox", "ScriptSettings"),
        requires=(_DENO,),
        variables=_VARIABLES,
    )


def elicit(server: Server) -> FeatureModule | None:
    """The module of the elicitation tool, or None if the server has no such tool."""
    if server.elicit is None:
        return None
    view = ElicitView(
        package=identifier(server.package),
        summary=docstring(f"Tool by which a model that uses the {api_name(server)} asks the user"),
        tool=builtin_tool_call(server.elicit, before=len("TOOL = ")),
    )
    return FeatureModule("elicit", "ELICIT", view, variables=ASKING)


OFFERS: tuple[Callable[[Server], FeatureModule | None], ...] = (
    script,
    docs,
    elicit,
    resources,
    prompts,
    completion,
    changes,
    log_levels,
)
"""The functions that render each feature module, or return None for a server without the feature;
in the order in which built-in tools are listed."""


def feature_modules(server: Server) -> tuple[FeatureModule, ...]:
    """The offers of a server, in order."""
    return tuple(offered for make in OFFERS if (offered := make(server)))


_TAG_DESCRIPTIONS = "TAG_DESCRIPTIONS = "


def discovery_view(server: Server, spec: DiscoverySpec) -> DiscoveryView:
    """`package/discovery.py` of a server in discovery mode."""
    roles = (
        ("search", spec.search),
        ("describe", spec.describe),
        ("reading", spec.reading),
        ("writing", spec.writing),
    )
    declared = [(role, tool) for role, tool in roles if tool]
    keywords = [(role, NameExpr(role.upper())) for role, _ in declared]
    tags = [("tag_descriptions", NameExpr("TAG_DESCRIPTIONS"))] if spec.tag_descriptions else []
    pinned = [("pinned", spec.pinned)] if spec.pinned else []
    call = CallExpr(
        "Discovery", (NameExpr("TOOLS"), NameExpr("GROUPS")), (*keywords, *tags, *pinned)
    )
    return DiscoveryView(
        package=identifier(server.package),
        summary=docstring(
            f"Tools that search, describe and call the tools of the {api_name(server)}"
        ),
        tools=tuple(_declared(role.upper(), tool) for role, tool in declared),
        groups=literal(dict(spec.groups), before=len(_GROUPS)),
        has_tag_descriptions=bool(spec.tag_descriptions),
        tag_descriptions=literal(dict(spec.tag_descriptions), before=len(_TAG_DESCRIPTIONS)),
        discovery=literal(call, before=len("DISCOVERY = ")),
    )


def _declared(constant: str, tool: ToolSpec) -> BuiltinToolView:
    return BuiltinToolView(identifier(constant), builtin_tool_call(tool, before=len(constant) + 3))
