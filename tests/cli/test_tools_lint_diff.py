"""`mcpgen tools`, `mcpgen lint` and `mcpgen diff`: targets, formats, exit codes."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Current folder with a specification."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "openapi.yaml").write_text(SPEC)
    return tmp_path


def _run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def test_tools_of_a_description_are_those_a_build_announces(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")

    result = _run("tools", "openapi.yaml", "--sort", "order", "--format", "json")

    tree = json.loads(result.stdout)
    contract = (cwd / "out" / "tests" / "test_contract.py").read_text()
    assert (tree["version"], tree["command"], tree["exit_code"]) == (1, "tools", 0)
    assert f"LIST_BYTES = {tree['totals']['bytes']}" in contract
    assert tree["tools"][0]["operation"] == "GET /notes"


def test_a_projects_choices_decide_what_its_tools_are(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    config = cwd / "out" / "mcpgen.toml"
    config.write_text(f'{config.read_text()}\n[select]\ninclude = ["GET /notes"]\n')

    result = _run("tools", "out")

    assert result.exit_code == 0
    assert "list_notes" in result.stdout
    assert result.stdout.startswith("out: 1 tool\n")


def test_choices_may_be_tried_on_a_description(cwd: Path) -> None:
    (cwd / "few.toml").write_text('[select]\ninclude = [{ method = "POST" }]\n')

    result = _run("tools", "openapi.yaml", "--config", "few.toml")

    assert result.stdout.startswith("openapi.yaml: 1 tool\n")


def test_a_saved_list_is_read_again(cwd: Path) -> None:
    _run("tools", "openapi.yaml", "--save", "tools.json")

    second_result = _run("tools", "tools.json", "--format", "json")
    piped_result = _run("tools", "-", "--format", "json", stdin=(cwd / "tools.json").read_text())
    check_result = _run("check", "tools.json")

    first = json.loads(_run("tools", "openapi.yaml", "--format", "json").stdout)
    assert json.loads(second_result.stdout)["totals"] == first["totals"]
    assert json.loads(piped_result.stdout)["totals"] == first["totals"]
    assert check_result.exit_code == 0


def test_a_page_is_one_document() -> None:
    result = _run("tools", "openapi.yaml", "--format", "html")

    assert result.stdout.startswith("<!DOCTYPE html>")
    assert 'id="savings"' in result.stdout
    assert 'id="hosts"' in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tools", "openapi.yml"), "did you mean `openapi.yaml`?"),
        (("tools", "openapi.yaml", "--sort", "byte"), "Did you mean bytes?"),
        (("tools", "http://127.0.0.1:9/mcp"), "an MCP server answers there"),
        (("tools", "."), "a folder without a project"),
        (("tools", "list.json"), "not a saved answer to tools/list"),
        (("tools", "openapi.yaml", "--header", "A: b"), "for the URL of a server"),
        (("lint", "http://127.0.0.1:9/mcp"), "lint is for"),
        (("lint", "gone.yaml"), "there is no file"),
        (("diff", "-", "-"), "only one of the two"),
        (("diff", "openapi.yaml", "gone.yaml"), "there is no file"),
    ],
)
def test_what_cannot_be_looked_at_is_told_and_ends_with_2(
    cwd: Path, arguments: tuple[str, ...], message: str
) -> None:
    (cwd / "list.json").write_text('{"tools": 7, "inputSchema": 7, "result": 3}')

    result = _run(*arguments)

    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())


def test_errors_of_a_description_are_told_with_their_place(cwd: Path) -> None:
    (cwd / "openapi.yaml").write_text(SPEC.replace('/schemas/Note"', '/schemas/Gone"'))
    (cwd / "wrong.toml").write_text('[select]\ninclude = ["GET /note"]\n')

    result = _run("tools", "openapi.yaml", "--config", "wrong.toml")
    tree = json.loads(
        _run("tools", "openapi.yaml", "--config", "wrong.toml", "--format", "json").stdout
    )

    assert result.exit_code == 1
    assert "wrong.toml:2:12: error" in result.stderr
    assert tree["exit_code"] == 1
    assert tree["diagnostics"][0]["file"] == "wrong.toml"


def test_lint_tells_findings_and_ends_well_unless_it_is_strict(cwd: Path) -> None:
    (cwd / "openapi.yaml").write_text(
        SPEC.replace("summary: List the notes", "summary: List notes")
    )

    result = _run("lint", "openapi.yaml", "--format", "json")
    strict = _run("lint", "openapi.yaml", "--strict")

    tree = json.loads(result.stdout)
    kinds = {
        diagnostic["code"]
        for diagnostic in tree["diagnostics"]
        if diagnostic["severity"] == "warning"
    }
    assert (result.exit_code, strict.exit_code) == (0, 1 if kinds else 0)
    assert tree["tools"] == 3
    assert all(diagnostic["line"] > 0 for diagnostic in tree["diagnostics"])


def test_lint_as_sarif_points_into_the_file(cwd: Path) -> None:
    document = json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "T", "version": "1"},
            "paths": {"/a": {"get": {"responses": {"200": {"description": "ok"}}}}},
        },
        indent=1,
    )
    (cwd / "a b.json").write_text(document)

    log = json.loads(_run("lint", "a b.json", "--format", "sarif").stdout)

    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert result["ruleId"] == "MG801"
    assert place["artifactLocation"]["uri"] == "a%20b.json"
    assert place["region"]["startLine"] == 9
    assert log["runs"][0]["tool"]["driver"]["rules"][0]["id"] == "MG801"


def test_every_finding_of_lint_is_explained() -> None:
    result = _run("explain", "MG803")

    assert result.exit_code == 0
    assert "look-alike-names" in result.stdout


def test_a_description_does_not_differ_from_itself() -> None:
    result = _run("diff", "openapi.yaml", "openapi.yaml", "--fail-on", "any")

    assert result.exit_code == 0
    assert result.stdout.startswith("no difference: 3 tools")


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (("How many notes", "The most notes"), (0, 0, 1)),
        (("operationId: listNotes", "operationId: allNotes"), (0, 1, 1)),
    ],
)
def test_a_difference_fails_on_what_it_is_asked_to(
    cwd: Path, change: tuple[str, str], codes: tuple[int, ...]
) -> None:
    assert change[0] in SPEC
    (cwd / "new.yaml").write_text(SPEC.replace(*change))

    ends = [
        _run("diff", "openapi.yaml", "new.yaml", "--fail-on", kind).exit_code
        for kind in ("never", "breaking", "any")
    ]

    assert tuple(ends) == codes


def test_a_new_name_of_an_operation_is_a_renaming(cwd: Path) -> None:
    (cwd / "names.toml").write_text('[names]\nlistNotes = "all_notes"\n')
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    config = cwd / "out" / "mcpgen.toml"
    config.write_text(f'{config.read_text()}\n[names]\nlistNotes = "all_notes"\n')

    result = _run("diff", "openapi.yaml", "out", "--format", "markdown")

    assert "a tool that has another name; it stands for the same operation" in result.stdout
    assert "`list_notes` | `all_notes`" in result.stdout


def test_an_overlay_announces_what_a_difference_then_shows(cwd: Path) -> None:
    (cwd / "fix.yaml").write_text(
        "overlay: 1.0.0\ninfo: {title: t, version: 1}\nactions:\n"
        "- target: $.paths['/notes'].get\n"
        "  update: {x-mcp: {resource: {uri: 'notes://all', name: notes}}}\n"
        "- target: $\n"
        "  update: {x-mcp: {prompts: {sum: {text: 'Sum up {{what}}.', arguments: {what: {}}}}}}\n"
    )

    _run("build", "openapi.yaml", "-o", "out", "--no-verify", "--overlay", "fix.yaml")

    output = _run("tools", "out").stdout
    content = json.loads(_run("diff", "openapi.yaml", "out", "--format", "json").stdout)
    reverse_result = _run("diff", "out", "openapi.yaml", "--fail-on", "breaking")
    assert "note: resource: notes://all, read by list_notes" in output
    assert "note: prompt: sum(what)" in output
    assert [(change["change"], change["tool"]) for change in content["changes"]] == [
        ("resource-added", "notes://all"),
        ("prompt-added", "sum"),
    ]
    assert reverse_result.exit_code == 1
    assert "resource notes://all\n ! a resource that is gone" in reverse_result.stdout


@pytest.mark.repeated("repeats with a thousand tools what the other tests hold with few")
@pytest.mark.skipif(not (CORPUS / "github.json").is_file(), reason="the corpus is not here")
def test_a_thousand_tools_are_shown() -> None:
    result = _run("tools", str(CORPUS / "github.json"), "--limit", "5")

    assert result.exit_code == 0
    assert "1,223 tools" in result.stdout
    assert "openai_api rejects: at most 128 tools" in result.stdout


def test_choices_beside_a_lock_keep_the_names_it_has_promised(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    (cwd / "openapi.yaml").write_text(SPEC.replace("operationId: listNotes", "operationId: all"))

    result = _run("tools", "openapi.yaml", "--config", "out/mcpgen.toml")
    result_without_config = _run("tools", "openapi.yaml")

    assert "list_notes" in result.stdout
    assert "list_notes" not in result_without_config.stdout


def _odd_tools() -> list[object]:
    deep: dict[str, object] = {}
    for _ in range(200):
        deep = {"properties": {"a": deep}, "type": "object"}
    strange = {"type": ["string", {}], "enum": "no", "minimum": "x", "items": [{}]}
    return [
        {"name": "twice"},
        {"name": "twice", "inputSchema": [1]},
        {"name": "b", "inputSchema": {"properties": [1], "required": {}}, "annotations": [1]},
        {"name": "c", "outputSchema": 3, "description": 5, "title": {"x": 1}},
        {"name": "deep", "inputSchema": deep},
        {"name": "\ud800x"},
        {"name": "d" * 500, "inputSchema": {"properties": {"\u202e|`x`": strange}}},
        {"nameless": 1},
        7,
    ]


@pytest.mark.parametrize("format", ["text", "json", "html"])
def test_a_list_of_anything_can_be_shown(cwd: Path, format: str) -> None:
    (cwd / "odd.json").write_text(json.dumps({"tools": _odd_tools()}))

    result = _run("tools", "odd.json", "--format", format)

    assert result.exit_code == 0
    assert "2 entries without a name were left out" in result.stdout


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_lists_of_anything_can_be_compared(cwd: Path, format: str) -> None:
    (cwd / "odd.json").write_text(json.dumps({"tools": _odd_tools()}))
    (cwd / "less.json").write_text(json.dumps({"tools": [{"name": "b", "inputSchema": 7}]}))

    result = _run("diff", "odd.json", "less.json", "--format", format)
    reverse_result = _run("diff", "less.json", "odd.json", "--format", format)

    assert (result.exit_code, reverse_result.exit_code) == (0, 0)
    assert "\u202e" not in result.stdout + reverse_result.stdout
