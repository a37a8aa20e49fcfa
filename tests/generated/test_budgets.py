"""A project keeps its size budgets at build time, in its tests and at run time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.generated.run_module import run

from mcpgen import pipeline
from mcpgen.pipeline import BuildOptions, BuildStatus

TIDES = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"

BOUND = """
async def test_an_answer_is_read_up_to_the_budget(api):
    api.upstream.body = b'["' + b"x" * 3000 + b'"]'
    asked = {"name": "list_harbours", "arguments": {}}
    beyond = await api.request("tools/call", asked)
    api.upstream.body = b'["' + b"x" * 1000 + b'"]'
    within = await api.request("tools/call", asked)

    assert beyond["isError"] and "2000 bytes" in beyond["content"][0]["text"]
    assert not within["isError"]
"""

MORE = """
from dataclasses import replace

TOOLS = (*TOOLS, replace(TOOLS[0], name="one_more"))
"""


def _project(folder: Path, budgets: str) -> Path:
    (folder / "mcpgen.toml").write_text(f"spec = {json.dumps(str(TIDES))}\n[budgets]\n{budgets}")
    return folder


def _build(folder: Path) -> pipeline.BuildResult:
    return pipeline.build("", str(folder), BuildOptions(verify=False))


def test_a_built_project_fails_its_contract_when_a_tool_is_added(tmp_path: Path) -> None:
    folder = _project(tmp_path, "tools = 3\ntools_list_bytes = 2500\ntool_bytes = 900\n")
    build = _build(folder)

    before = run("pytest", "-q", "-p", "no:cacheprovider", folder=folder)
    tools = folder / "tides_mcp" / "tools" / "__init__.py"
    tools.write_text(tools.read_text() + MORE)
    after = run("pytest", "-q", "tests/test_contract.py", folder=folder)

    assert build.status is BuildStatus.BUILT
    assert before.returncode == 0, before.stdout
    assert after.returncode == 1
    for name in (
        "list_has_exactly_these_tools",
        "at_most_the_recorded_bytes",
        "within_the_budgets",
    ):
        assert name in after.stdout


def test_the_budget_of_results_bounds_what_a_running_server_reads(tmp_path: Path) -> None:
    folder = _project(tmp_path, "result_bytes = 2000\n")
    _build(folder)
    (folder / "tests" / "test_bound.py").write_text(BOUND)

    test_run = run("pytest", "-q", folder=folder)

    assert test_run.returncode == 0, test_run.stdout


@pytest.mark.parametrize(
    ("budgets", "code", "words"),
    [
        (
            "tools = 2",
            "MG650",
            "allows 2 tools, and the tool list has 3; the largest tools are `create_alert` (",
        ),
        ("tools_list_bytes = 1000", "MG650", "`budgets.tools_list_bytes` allows 1,000 bytes"),
        ("tool_bytes = 700", "MG651", "the tool `create_alert` has"),
        ("tool_bytes = 10", "MG652", "the smallest tool alone takes"),
        ("[budgets.tokens]\nclaude = 300", "MG650", "`budgets.tokens.claude` allows 300 tokens"),
    ],
)
def test_a_build_beyond_a_budget_writes_nothing_and_says_why(
    tmp_path: Path, budgets: str, code: str, words: str
) -> None:
    outcome = _build(_project(tmp_path, budgets))

    diagnostic, *_ = [
        diagnostic for diagnostic in outcome.diagnostics if diagnostic.code.id == code
    ]
    assert outcome.status is BuildStatus.FAILED
    assert words in diagnostic.message
    assert diagnostic.hint
    assert [path.name for path in tmp_path.iterdir()] == ["mcpgen.toml"]


def test_a_budget_that_is_exceeded_is_told_at_its_line(tmp_path: Path) -> None:
    outcome = _build(_project(tmp_path, "# Few.\ntools = 2"))

    (diagnostic,) = outcome.diagnostics
    assert (diagnostic.at.line, diagnostic.at.column) == (4, 1)
    assert '[select] include = ["read_only:true"]' in diagnostic.hint


def test_more_tools_than_models_choose_among_are_only_a_warning(tmp_path: Path) -> None:
    paths = {
        f"/p{n}": {"get": {"operationId": f"get{n}", "responses": {"200": {"description": "ok"}}}}
        for n in range(41)
    }
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}
    (tmp_path / "api.json").write_text(json.dumps(document))
    spec = str(tmp_path / "api.json")

    result_without_budget = pipeline.build(spec, str(tmp_path / "a"), BuildOptions(verify=False))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mcpgen.toml").write_text("[budgets]\ntools = 41\n")
    result_with_budget = pipeline.build(spec, str(tmp_path / "b"), BuildOptions(verify=False))

    assert result_without_budget.status is result_with_budget.status is BuildStatus.BUILT
    (diagnostic,) = [
        diagnostic
        for diagnostic in result_without_budget.diagnostics
        if diagnostic.code.id == "MG653"
    ]
    assert diagnostic.hint.startswith('`[discovery] mode = "on"` leaves 3 tools of ')
    assert "choose fewer under `[select]`" in diagnostic.hint
    assert "MG653" not in [diagnostic.code.id for diagnostic in result_with_budget.diagnostics]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tool = 3", "did you mean `budgets.tools`?"),
        ("tools = -1", "from 0 to"),
        ("tools = 'many'", "must be a whole number"),
        ("result_bytes = 10", "from 1024 to"),
        ("tokens = 7", "must be a table"),
        ("tokens.gpt = 7", "mcpgen has no key `budgets.tokens.gpt`"),
    ],
)
def test_a_budget_that_is_none_is_told_at_its_line(tmp_path: Path, line: str, words: str) -> None:
    outcome = _build(_project(tmp_path, line))

    diagnostic, *_ = outcome.diagnostics
    assert words in diagnostic.message
    assert diagnostic.at.line == 3
