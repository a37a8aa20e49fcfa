"""Tools with declared answers: module text, and only the necessary runtime modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from emit_servers import AT, GET_PET, argument, server, tool
from test_emit import emit_texts, run, write_project
from tests.black_check import BLACK

from mcpgen.ir.api import Place
from mcpgen.ir.server import HEADER_KEYWORD, ToolSpec
from mcpgen.openspec.model.declared_answer import (
    AnswerAct,
    AnswerActKind,
    AnswerQuestion,
    QuestionKind,
)

FORM = {"type": "object", "properties": {"city": {"type": "string"}}}


def make_tool(name: str, *acts: AnswerAct) -> ToolSpec:
    """Returns a tool with a declared answer and an argument mirrored in a header."""
    region = argument(
        "region", {"type": "string", HEADER_KEYWORD: "Region"}, Place.HANDLER, required=True
    )
    return tool(
        name,
        region,
        route=None,
        answer=acts,
        conditions={"minProperties": 1},
        operation=f"openspec:{name}",
        sample={"region": "north"},
    )


SAID = make_tool(
    "say",
    AnswerAct(AnswerActKind.TEXT, "In ${region}", AT),
    AnswerAct(AnswerActKind.STRUCTURED, {"a": 1}, AT),
)
ASKED = make_tool(
    "ask",
    AnswerAct(
        AnswerActKind.ASK,
        None,
        AT,
        (AnswerQuestion("where", QuestionKind.FORM, FORM, AT, "Where?", optional=True),),
    ),
    AnswerAct(
        AnswerActKind.ASK,
        None,
        AT,
        (AnswerQuestion("word", QuestionKind.SAMPLE, "Say.", AT, most_tokens=9),),
    ),
    AnswerAct(AnswerActKind.PROGRESS, {"done": 1, "total": 2}, AT),
    AnswerAct(AnswerActKind.CLOSE, True, AT),
    AnswerAct(AnswerActKind.FAIL, "No.", AT),
)


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_a_project_with_declared_answers_is_clean_and_its_tests_pass(tmp_path: Path) -> None:
    write_project(tmp_path, server(SAID, ASKED, GET_PET))

    for command in (BLACK, ("mypy",), ("pytest", "-q", "-rs")):
        result = run(tmp_path, *command)
        assert result.returncode == 0, result.stdout + result.stderr
        assert "skipped" not in result.stdout


def test_its_declaration_holds_the_answer() -> None:
    text = emit_texts(server(SAID))["pets_mcp/tools/say.py"]

    assert (
        "from pets_mcp._runtime.server.declared_answer import DeclaredAnswer, Structured, Text\n"
        in text
    )
    assert 'conditions={"minProperties": 1},' in text
    assert 'answer=DeclaredAnswer((Text("In ${region}"), Structured({"a": 1}))),' in text


def test_acts_that_speak_with_the_client_come_from_a_module_of_their_own() -> None:
    text = emit_texts(server(ASKED))["pets_mcp/tools/ask.py"]

    assert (
        "from pets_mcp._runtime.elicitation.interactive_steps import (\n"
        "    Ask,\n    Close,\n    FormQuestion,\n    Progress,\n    Sample,\n)\n" in text
    )
    assert "FormQuestion(" in text
    assert "optional=True" in text
    assert 'Sample("Say.", 9)' in text
    assert "Progress(done=1, total=2)" in text


def test_only_what_an_answer_needs_is_copied() -> None:
    names = [
        {path.rpartition("/")[2] for path in emit_texts(server(item)) if "/_runtime/" in path}
        for item in (GET_PET, SAID, ASKED)
    ]

    assert [{"declared_answer.py", "interactive_steps.py"} & name for name in names] == [
        set(),
        {"declared_answer.py"},
        {"declared_answer.py", "interactive_steps.py"},
    ]


def test_readme_names_the_file_that_answers() -> None:
    assert "| `say` | Say | `tools/say.py` | yes |" in emit_texts(server(SAID))["README.md"]
