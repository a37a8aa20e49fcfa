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
