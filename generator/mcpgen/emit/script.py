"""`package/script.py`: the tool that runs scripts, and the modules of methods for scripts."""

from __future__ import annotations

from mcpgen.emit.code import docstring, identifier, literal
from mcpgen.emit.declaration import builtin_tool_call
from mcpgen.emit.docs import BYTES
from mcpgen.emit.examples import examples
from mcpgen.emit.feature_module import FeatureModule
from mcpgen.emit.package_files import api_name
from mcpgen.emit.policy.rule_declaration import PolicyVariable
from mcpgen.emit.views import ScriptView
from mcpgen.ir.server import Server

_MODULES = "MODULES: dict[str, dict[str, str]] = "

_DENO = "deno>=2.9.8,<3"
"""The distribution with Deno, the program that runs scripts."""

_VARIABLES = (
    PolicyVariable("script_deno", "path of Deno", "that of the package deno"),
    PolicyVariable("script_warm", "how many processes wait for a script", "1"),
    PolicyVariable(
        "scripts_at_once", "how many scripts a process of the server runs at a time", "4"
    ),
    PolicyVariable("script_seconds", "how long a script may take", "30"),
    PolicyVariable("script_cpu_seconds", "how long it may occupy a processor", "10"),
    PolicyVariable("script_megabytes", "how much memory it may take", "128"),
    PolicyVariable("script_calls", "how many calls it may make", "100"),
    PolicyVariable("script_calls_at_once", "how many of them at a time", "8"),
    PolicyVariable("script_bytes", "how long its text may be", "65536"),
    PolicyVariable("script_result_bytes", "how large its value may be", "100000"),
    PolicyVariable("script_log_characters", "how much of what it logs is shown", "10000"),
    BYTES,
)


def script(server: Server) -> FeatureModule | None:
    """The module of the script tool, or None if the server has no such tool."""
    found = server.script
    if found is None:
        return None
    modules = {module: dict(methods) for module, methods in found.modules.items()}
    view = ScriptView(
        package=identifier(server.package),
        summary=docstring(f"Scripts against the {api_name(server)}"),
        tool=builtin_tool_call(found.tool, before=len("SCRIPT = ")),
        root=literal(found.root),
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
