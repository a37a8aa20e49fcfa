"""Which modules of the runtime a project gets."""

from __future__ import annotations

from mcpgen.emit.runtime import imported, reached

MODULES = {
    "app": "from .edge import Edge\n",
    "edge": "def lazily():\n    from . import guard\n",
    "guard": "",
    "limits": "from .app import App\n",
}


def test_a_module_brings_what_it_imports_and_nothing_else() -> None:
    assert reached({"app"}, MODULES) == {"app", "edge", "guard"}


def test_a_module_that_is_not_there_brings_nothing() -> None:
    assert reached({"elsewhere"}, MODULES) == frozenset()


def test_generated_code_names_the_modules_it_needs() -> None:
    text = "from a_mcp.runtime.app import App\nfrom a_mcp.tools import TOOLS\n"

    assert imported(text) == {"app"}
