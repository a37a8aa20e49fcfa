"""Tools without a request: declared, called and documented like all tools."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from emit_servers import GET_PET, argument, server, tool
from test_emit import emit_texts, run, write_project
from tests.black_check import BLACK

from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.ir.api import Place

ASK = tool(
    "ask_the_vet",
    argument("question", {"type": "string"}, Place.HANDLER, required=True),
    argument("most", {"type": "integer", "minimum": 1}, Place.HANDLER),
    route=None,
    operation="openspec:ask_the_vet",
    sample={"question": "x"},
)
REST = tool("rest", route=None, operation="openspec:rest")

ANSWERED = """
from pets_mcp.runtime.hooks import Call, Hooks, Result


async def ask_the_vet(call: Call) -> Result:
    return Result.of({"asked": call.arguments["question"]})


HOOKS = Hooks(tools={"ask_the_vet": ask_the_vet})
"""


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize("spec", [server(ASK, GET_PET), server(ASK, REST)], ids=["mixed", "alone"])
def test_a_project_with_tools_that_handlers_answer_is_clean_and_its_tests_pass(
    tmp_path: Path, spec: object
) -> None:
    write_project(tmp_path, spec)  # type: ignore[arg-type]

    for command in (BLACK, ("mypy",), ("pytest", "-q", "-rs")):
        result = run(tmp_path, *command)
        assert result.returncode == 0, result.stdout + result.stderr
        assert "skipped" not in result.stdout
    ruff = run(tmp_path, "ruff", "check", "--exclude", "_runtime")
    assert ruff.returncode == 0, ruff.stdout


def test_its_tests_pass_as_well_once_the_handler_is_written(tmp_path: Path) -> None:
    write_project(tmp_path, server(ASK, GET_PET))
    (tmp_path / "pets_mcp" / "hooks.py").write_text(f'"""Ours."""\n{ANSWERED}')

    result = run(tmp_path, "pytest", "-q")

    assert result.returncode == 0, result.stdout


def test_its_declaration_says_where_it_is_answered() -> None:
    text = emit_texts(server(ASK, GET_PET))["pets_mcp/tools/ask_the_vet.py"]

    assert text.splitlines()[1] == '"""Ask the vet: answered in `hooks.py`."""'
    assert "    route=None,\n" in text
    assert 'Argument("question", "handler", {"type": "string"}, required=True)' in text
    assert "Route" not in text


def test_hooks_begin_with_an_example_of_the_tool_that_waits_for_a_handler() -> None:
    hooks_text = emit_texts(server(GET_PET, ASK))["pets_mcp/hooks.py"]

    assert 'HOOKS = Hooks(tools={"ask_the_vet": ask_the_vet})' in hooks_text
    assert "Result.of(" in hooks_text
    assert "call.upstream()" in emit_texts(server(GET_PET))["pets_mcp/hooks.py"]


def test_readme_asks_for_an_address_only_where_a_tool_sends() -> None:
    readme = emit_texts(server(ASK, upstream=""))["README.md"]

    assert "base URL of the API | none: requests of handlers answer with an error |" in readme
    assert "| `ask_the_vet` | Ask the vet | `hooks.py` | yes |" in readme
    assert (
        "base URL of the API | required |" in emit_texts(server(GET_PET, upstream=""))["README.md"]
    )


def test_no_test_is_made_of_a_request_that_is_never_made() -> None:
    assert not [path for path in emit_texts(server(ASK)) if path.startswith("tests/tools/")]


def test_example_in_the_hooks_sends_null_where_a_call_gives_it() -> None:
    nullable = {"type": ["string", "null"]}
    note = replace(GET_PET.arguments[0], name="note", required=False, schema=nullable)
    project = emit(server(replace(GET_PET, arguments=(note,))), Config(), Diagnostics())
    texts = {file.path: file.text for file in project.files}
    names: dict[str, Any] = {}
    exec(texts["pets_mcp/models.py"], names)
    match = re.search(r"changed = (.*)", texts["pets_mcp/hooks.py"])
    assert match

    bodies = [
        eval(match[1], {"arguments": names["GetPetArguments"].model_validate(arguments)})
        for arguments in ({"note": None}, {})
    ]

    assert bodies == [{"note": None}, {}]
