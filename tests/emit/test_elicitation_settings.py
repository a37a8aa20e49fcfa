"""Emitted settings of elicitation."""

from __future__ import annotations

from emit_servers import GET_PET, server, tool

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.ir.builtin_tools import ConfirmationSpec
from mcpgen.ir.server import Server


def texts(server: Server) -> dict[str, str]:
    """Returns the files of a project."""
    return {file.path: file.text for file in emit(server, Config(), Diagnostics()).files}


def test_project_that_asks_nobody_has_nothing_of_it() -> None:
    files = texts(server(GET_PET))

    assert not {
        f"pets_mcp/{name}.py"
        for name in (
            "elicit",
            "_runtime/elicitation/elicit_tool",
            "_runtime/server/sessions",
            "_runtime/elicitation/confirm",
        )
    }.intersection(files)
    assert "STATE_KEY" not in files["README.md"]


def test_project_that_keeps_sessions_has_their_settings() -> None:
    files = texts(server(GET_PET, sessions=True))

    assert "sessions=Sessions(settings)" in files["pets_mcp/server.py"]
    assert "class Settings(SessionSettings, ServerSettings):" in files["pets_mcp/settings.py"]
    assert "PETS_SESSIONS_AT_ONCE" in files["README.md"]
    assert files["README.md"].count("PETS_STATE_KEY") == 1


def test_project_that_confirms_says_of_which_calls() -> None:
    files = texts(
        server(GET_PET, confirmation=ConfirmationSpec(("get_pet",), allows_unconfirmed=True))
    )

    assert 'Confirmation(settings, ("get_pet",), open=True)' in files["pets_mcp/policy.py"]
    assert "PETS_CONFIRM_CALLS" in files["README.md"]


def test_tool_that_asks_is_listed_behind_those_of_the_api() -> None:
    files = texts(server(GET_PET, elicit=tool("elicit")))

    assert "offers=(ELICIT,)" in files["pets_mcp/server.py"]
    assert "| `elicit` | Elicit |" in files["README.md"]
    assert "tools of its own" not in texts(server(GET_PET))["README.md"]
    assert ": 1 tool over Streamable HTTP" in files["README.md"]
    assert ": 2 tools over" in texts(server(GET_PET, tool("drop_shop")))["README.md"]
    names = files["tests/test_contract.py"]
    assert names.index('"get_pet"') < names.index('"elicit"')
