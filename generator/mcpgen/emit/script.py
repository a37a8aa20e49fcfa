"""`package/script.py`: the tool that runs scripts, and the modules of methods that they find."""

from __future__ import annotations

from mcpgen.emit.assembly import api_name
from mcpgen.emit.code import docstring, identifier, literal
from mcpgen.emit.declaration import own_tool
from mcpgen.emit.docs import BYTES
from mcpgen.emit.examples import examples
from mcpgen.emit.offered import Offered
from mcpgen.emit.policy.declared import Variable
from mcpgen.emit.views import ScriptView
from mcpgen.ir.server import Server

_MODULES = "MODULES: dict[str, dict[str, str]] = "

_DENO = "deno>=2.9.8,<3"
"""What brings the program that runs scripts."""

_VARIABLES = (
    Variable("script_deno", "path of Deno", "that of the package deno"),
    Variable("script_warm", "how many processes wait for a script", "1"),
    Variable("scripts_at_once", "how many scripts a process of the server runs at a time", "4"),
    Variable("script_seconds", "how long a script may take", "30"),
    Variable("script_cpu_seconds", "how long it may occupy a processor", "10"),
    Variable("script_megabytes", "how much memory it may take", "128"),
    Variable("script_calls", "how many calls it may make", "100"),
    Variable("script_calls_at_once", "how many of them at a time", "8"),
    Variable("script_bytes", "how long its text may be", "65536"),
    Variable("script_result_bytes", "how large its value may be", "100000"),
    Variable("script_log_characters", "how much of what it logs is shown", "10000"),
    BYTES,
)


def script(server: Server) -> Offered | None:
    """What runs scripts, if anything does."""
    found = server.script
    if found is None:
        return None
    modules = {module: dict(methods) for module, methods in found.modules.items()}
    view = ScriptView(
        package=identifier(server.package),
        summary=docstring(f"Scripts against the {api_name(server)}"),
        tool=own_tool(found.tool, before=len("SCRIPT = ")),
        root=literal(found.root),
        modules=literal(modules, before=len(_MODULES)),
        examples=examples(server),
    )
    return Offered(
        "script",
        "scripts",
        view,
        asks_settings=True,
        settings=("script_settings", "ScriptSettings"),
        requires=(_DENO,),
        variables=_VARIABLES,
    )
