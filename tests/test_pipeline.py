"""The straight line, from a specification on disk to a project on disk."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import pytest

from mcpgen import __version__
from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import read as read_codes
from mcpgen.diagnostics.codes import smoke_test as trial_codes
from mcpgen.diagnostics.codes import write as codes
from mcpgen.pipeline import (
    BuildOptions,
    BuildResult,
    BuildStatus,
    build,
    check,
    eject_project_files,
    new,
)

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
QUICK = BuildOptions(verify=False)


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a specification in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "openapi.yaml").write_text(SPEC)
    return tmp_path


def _tree(folder: Path) -> dict[str, str]:
    """The text of every file below the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(errors="surrogateescape")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _lock(folder: Path) -> dict[str, object]:
    tree = json.loads((folder / "mcpgen.lock").read_text())
    assert isinstance(tree, dict)
    return tree


def _codes(outcome: BuildResult) -> list[str]:
    """The codes of the errors."""
    return [d.code.id for d in outcome.diagnostics if d.severity is Severity.ERROR]


def test_a_build_loads_no_library_that_it_has_no_use_for(work_folder: Path) -> None:
    program = (
        "import sys\n"
        "from mcpgen.pipeline import BuildOptions, build\n"
        "made = build('openapi.yaml', 'out', BuildOptions(verify=False))\n"
        "assert made.validation == 'validated in full', made\n"
        "large = {'requests', 'urllib3', 'jsonpath', 'rich', 'aiohttp', 'mcp', 'mcpgen.openspec.bind'}\n"
        "print(sorted(large & {*sys.modules}))\n"
    )

    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (completed.stdout, completed.stderr) == ("[]\n", "")


def test_a_first_build_makes_the_project_and_tries_its_server(work_folder: Path) -> None:
    outcome = build("openapi.yaml", "out")

    assert (outcome.status, _codes(outcome)) == (BuildStatus.BUILT, [])
    assert outcome.report is not None
    assert not outcome.report.failed
    assert _lock(work_folder / "out")["verified"] is True
    assert set(outcome.tools.values()) == {"list_notes", "add_note", "delete_note"}
    assert list(outcome.seconds) == [
        *("read", "validate", "parse", "lower", "emit", "plan", "write", "smoke_test"),
    ]


def test_an_unchanged_project_stays_verified_without_a_check(work_folder: Path) -> None:
    build("openapi.yaml", "out")

    outcome = build("", "out", BuildOptions(verify=False, strict=True))

    assert outcome.status is BuildStatus.UNCHANGED
    assert _lock(work_folder / "out")["verified"] is True


def test_the_specification_is_remembered_relative_to_the_project(work_folder: Path) -> None:
    build("openapi.yaml", "some/where", QUICK)

    second_result = build("", "some/where", BuildOptions(check=True))

    assert 'spec = "../../openapi.yaml"' in (work_folder / "some/where/mcpgen.toml").read_text()
    assert second_result.status is BuildStatus.CURRENT


def test_the_lock_says_what_was_read(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)

    assert _lock(work_folder / "out")["inputs"] == {
        name: hashlib.sha256((work_folder / "out" / name).read_bytes()).hexdigest()
        for name in ("../openapi.yaml", "mcpgen.toml", "notes_mcp/hooks.py")
    }


def test_an_unchanged_project_is_recognized_without_reading_the_specification(
    work_folder: Path,
) -> None:
    build("openapi.yaml", "out", QUICK)
    before = _tree(work_folder / "out")

    outcome = build("openapi.yaml", "out", QUICK)

    assert outcome.status is BuildStatus.UNCHANGED
    assert list(outcome.seconds) == ["compare"]
    assert set(outcome.tools.values()) == {"list_notes", "add_note", "delete_note"}
    assert _tree(work_folder / "out") == before


@pytest.mark.repeated("repeats the trial of a first build after a change")
def test_a_project_built_without_its_trial_is_tried_by_the_next_build(work_folder: Path) -> None:
    first = build("openapi.yaml", "out", QUICK)

    second = build("openapi.yaml", "out")
    third = build("openapi.yaml", "out")

    assert [d.code for d in first.diagnostics if d.code is trial_codes.NOT_TRIED]
    assert (second.status, second.report is not None) == (BuildStatus.UNCHANGED, True)
    assert (third.status, third.report) == (BuildStatus.UNCHANGED, None)


def test_a_comment_in_the_specification_changes_nothing_but_the_lock(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    before = _tree(work_folder / "out")
    (work_folder / "openapi.yaml").write_text(SPEC + "# a comment\n")

    drift = build("openapi.yaml", "out", BuildOptions(check=True))
    outcome = build("openapi.yaml", "out", QUICK)

    after = _tree(work_folder / "out")
    assert (drift.status, outcome.status) == (BuildStatus.CURRENT, BuildStatus.UNCHANGED)
    assert before.pop("mcpgen.lock") != after.pop("mcpgen.lock")
    assert after == before


def test_check_shows_what_would_change_and_changes_nothing(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    before = _tree(work_folder)
    changed_spec = SPEC.replace("List notes", "List shared notes")
    (work_folder / "openapi.yaml").write_text(changed_spec)

    outcome = build("", "out", BuildOptions(check=True))

    assert outcome.status is BuildStatus.DRIFTED
    assert "+" in outcome.diff
    assert "List shared notes" in outcome.diff
    assert {change.action.value for change in outcome.changes} == {"replace"}
    assert _tree(work_folder) == {**before, "openapi.yaml": changed_spec}


def test_check_of_a_folder_without_a_lock_is_drift_even_if_every_file_is_right(
    work_folder: Path,
) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "out/mcpgen.lock").unlink()

    outcome = build("", "out", BuildOptions(check=True))

    assert (outcome.status, outcome.changes) == (BuildStatus.DRIFTED, ())


def test_an_operation_that_is_gone_takes_its_files_along(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    start, end = SPEC.index("  /notes/{id}:"), SPEC.index("components:")
    (work_folder / "openapi.yaml").write_text(SPEC[:start] + SPEC[end:])

    outcome = build("", "out", QUICK)

    deleted_paths = [change.path for change in outcome.changes if change.action.value == "delete"]
    assert "notes_mcp/tools/delete_note.py" in deleted_paths
    assert not (work_folder / "out/notes_mcp/tools/delete_note.py").exists()


def test_a_published_tool_keeps_its_name_when_the_operation_id_changes(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "openapi.yaml").write_text(SPEC.replace("listNotes", "searchNotes"))

    outcome = build("", "out", QUICK)

    assert outcome.tools["GET /notes"] == "list_notes"


def test_a_published_tool_keeps_its_name_when_its_path_changes(work_folder: Path) -> None:
    (work_folder / "openapi.yaml").write_text(
        SPEC.replace("operationId: listNotes", "x-mcp-name: notes\n      operationId: listNotes")
    )
    build("openapi.yaml", "out", QUICK)
    (work_folder / "openapi.yaml").write_text(SPEC.replace("  /notes:", "  /v2/all-notes:"))

    outcome = build("", "out", QUICK)

    assert outcome.tools["GET /v2/all-notes"] == "notes"
    assert not [d for d in outcome.diagnostics if d.code.id in ("MG374", "MG375")]


@pytest.mark.parametrize("options", [QUICK, BuildOptions(check=True)])
def test_a_published_tool_that_goes_away_is_told(work_folder: Path, options: BuildOptions) -> None:
    build("openapi.yaml", "out", QUICK)
    start, end = SPEC.index("  /notes/{id}:"), SPEC.index("components:")
    (work_folder / "openapi.yaml").write_text(SPEC[:start] + SPEC[end:])

    outcome = build("", "out", options)

    (diagnostic,) = [d for d in outcome.diagnostics if d.code.id == "MG375"]
    assert "`delete_note` is gone: `DELETE /notes/{id}`" in diagnostic.message


def test_a_project_keeps_its_name_when_the_title_of_the_api_changes(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "openapi.yaml").write_text(SPEC.replace("title: Notes", "title: Remarks"))

    outcome = build("", "out", QUICK)

    assert (outcome.status, outcome.package) == (BuildStatus.BUILT, "notes_mcp")
    assert not (work_folder / "out/remarks_mcp").exists()
    assert "Remarks" in (work_folder / "out/notes_mcp/server.py").read_text()


def test_a_file_edited_by_hand_stops_the_build(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    edited_path = work_folder / "out/notes_mcp/server.py"
    edited_path.write_text(edited_path.read_text() + "# mine\n")
    (work_folder / "openapi.yaml").write_text(SPEC.replace("Notes", "My notes"))
    before = _tree(work_folder)

    outcome = build("", "out", QUICK)

    assert (outcome.status, _codes(outcome)) == (BuildStatus.FAILED, [codes.EDITED.id])
    assert outcome.diagnostics[0].at.file == "out/notes_mcp/server.py"
    assert _tree(work_folder) == before


def test_an_edited_file_is_told_with_the_three_ways_out(work_folder: Path) -> None:
    build("openapi.yaml", "my notes", QUICK)
    edited_path = work_folder / "my notes/notes_mcp/server.py"
    edited_path.write_text(edited_path.read_text() + "# mine\n")

    for options in (BuildOptions(verify=False, strict=True), BuildOptions(check=True)):
        outcome = build("", "my notes", options)

        (diagnostic,) = [d for d in outcome.diagnostics if d.code is codes.EDITED]
        for way in ("hooks.py", "git checkout -- ", "mcpgen eject "):
            assert way in diagnostic.hint
        assert diagnostic.hint.count("'my notes/notes_mcp/server.py'") == 2


def _built_by(folder: Path, version: str) -> None:
    """Lets the lock say which mcpgen has built the project."""
    lock = {**_lock(folder), "mcpgen": version, "digest": ""}
    (folder / "mcpgen.lock").write_text(json.dumps(lock, indent=2))


@pytest.mark.parametrize("check", [False, True])
def test_an_older_mcpgen_leaves_alone_what_a_newer_one_built(
    work_folder: Path, check: bool
) -> None:
    build("openapi.yaml", "out", QUICK)
    _built_by(work_folder / "out", "99.10.0")
    before = _tree(work_folder)

    outcome = build("", "out", BuildOptions(check=check, verify=False))

    (diagnostic,) = outcome.diagnostics
    assert (outcome.status, diagnostic.code) == (BuildStatus.FAILED, codes.OLDER_GENERATOR)
    assert "99.10.0" in diagnostic.message
    assert __version__ in diagnostic.message
    assert "--downgrade" in diagnostic.hint
    assert _tree(work_folder) == before


@pytest.mark.parametrize("check", [False, True])
def test_a_moved_project_names_the_line_of_the_absent_description(
    work_folder: Path, check: bool
) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "elsewhere").mkdir()
    (work_folder / "out").rename(work_folder / "elsewhere" / "out")
    before = _tree(work_folder)

    outcome = build("", "elsewhere/out", BuildOptions(check=check, verify=False))

    (finding,) = outcome.diagnostics
    assert (outcome.status, finding.code) == (BuildStatus.FAILED, config_codes.ABSENT_SPEC)
    assert (finding.at.file, finding.at.line) == ("elsewhere/out/mcpgen.toml", 4)
    assert "`spec` names `../openapi.yaml`" in finding.message
    assert _tree(work_folder) == before


def test_an_older_mcpgen_goes_back_on_purpose(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    _built_by(work_folder / "out", "99.10.0")

    check_result = build("", "out", BuildOptions(check=True, downgrade=True))
    build_result = build("", "out", BuildOptions(verify=False, downgrade=True))

    assert (check_result.status, build_result.status) == (
        BuildStatus.CURRENT,
        BuildStatus.UNCHANGED,
    )
    assert _lock(work_folder / "out")["mcpgen"] == __version__


def test_builds_of_one_folder_at_once_come_one_after_the_other(work_folder: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda _: build("openapi.yaml", "out", QUICK), range(4)))

    statuses = sorted(outcome.status for outcome in outcomes)
    assert statuses == [BuildStatus.BUILT, *[BuildStatus.UNCHANGED] * 3]
    assert build("", "out", BuildOptions(check=True)).status is BuildStatus.CURRENT


def test_an_ejected_file_stays_as_it_is_and_every_build_says_so(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    edited_path = work_folder / "out/notes_mcp/server.py"
    eject_project_files(work_folder / "out", ["notes_mcp/server.py"])
    edited_path.write_text(edited_path.read_text() + "# mine\n")

    full_result = build("", "out", QUICK)
    quick_result = build("", "out", QUICK)

    for outcome in (full_result, quick_result):
        assert outcome.status is BuildStatus.UNCHANGED
        assert codes.EJECTED in [d.code for d in outcome.diagnostics]
    assert edited_path.read_text().endswith("# mine\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_first_line_of_an_ejected_file_says_that_the_file_is_the_users(
    work_folder: Path, ends: str
) -> None:
    build("openapi.yaml", "out", QUICK)
    file = work_folder / "out/README.md"
    text = file.read_text("utf-8")
    file.write_text(text, "utf-8", newline=ends)

    eject_project_files(work_folder / "out", ["README.md"])

    header = "<!-- Your file since `mcpgen eject`: no build changes it. -->"
    expected_lines = [header, *text.split("\n")[1:]]
    assert file.read_bytes().decode() == ends.join(expected_lines)


def test_an_ejected_file_without_a_header_is_not_touched(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    file = work_folder / "out/Dockerfile"
    file.write_bytes(b"FROM mine\n# \xff\n# Generated by mcpgen\n")

    eject_project_files(work_folder / "out", ["Dockerfile"])

    assert file.read_bytes() == b"FROM mine\n# \xff\n# Generated by mcpgen\n"


def test_hooks_are_the_users(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    hooks = work_folder / "out/notes_mcp/hooks.py"
    hooks.write_text(hooks.read_text() + "# mine\n")
    (work_folder / "openapi.yaml").write_text(SPEC.replace("List notes", "List shared notes"))

    outcome = build("", "out", QUICK)

    assert outcome.status is BuildStatus.BUILT
    assert hooks.read_text().endswith("# mine\n")


ASKING_HOOK = """
async def listed(call):
    reply = await call.elicit("Which?", {})
    return await call.upstream()
"""


def test_a_handler_that_asks_needs_questions_in_the_configuration(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    hooks, choices = work_folder / "out/notes_mcp/hooks.py", work_folder / "out/mcpgen.toml"
    hooks.write_text(hooks.read_text() + ASKING_HOOK)

    refused_result = build("", "out", QUICK)
    choices.write_text(choices.read_text() + "\n[elicitation]\nhooks = true\n")
    build_result = build("", "out", QUICK)

    (diagnostic,) = [d for d in refused_result.diagnostics if d.severity is Severity.ERROR]
    assert (diagnostic.code, diagnostic.message) == (
        codes.QUESTION_IN_HOOK,
        "a handler calls `call.elicit`, but this server cannot ask users",
    )
    assert build_result.status is BuildStatus.BUILT
    assert (work_folder / "out/notes_mcp/_runtime/elicitation/rounds.py").exists()


WRONG_HOOK = """
async def listed(call): ...
HOOKS = Hooks(tools={"list_nots": listed})
"""


@pytest.mark.parametrize("options", [QUICK, BuildOptions(check=True), BuildOptions()])
def test_a_hook_of_no_tool_is_found_without_running_it(
    work_folder: Path, options: BuildOptions
) -> None:
    build("openapi.yaml", "out", QUICK)
    hooks = work_folder / "out/notes_mcp/hooks.py"
    hooks.write_text(f"raise SystemExit(7)\n{WRONG_HOOK}")
    before = _tree(work_folder)

    outcome = build("", "out", options)

    (diagnostic,) = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    assert (outcome.status, diagnostic.code) == (BuildStatus.FAILED, codes.UNKNOWN_HOOK)
    assert (diagnostic.at.file, diagnostic.at.line, diagnostic.at.column) == (
        "out/notes_mcp/hooks.py",
        4,
        22,
    )
    assert diagnostic.hint == "did you mean `list_notes`?"
    assert _tree(work_folder) == before


@pytest.mark.repeated("performs in a process of its own what the tests of hooks show")
def test_the_projects_tests_find_a_hook_that_keeps_the_server_from_starting(
    work_folder: Path,
) -> None:
    build("openapi.yaml", "out", QUICK)
    hooks = work_folder / "out/notes_mcp/hooks.py"
    hook_text = WRONG_HOOK.replace('"list_nots"', '"list_" + "nots"')
    hooks.write_text(hooks.read_text() + hook_text)

    completed = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "tests/test_every_tool.py",
            "-k",
            "hooks_of_the_project",
        ],
        cwd=work_folder / "out",
        capture_output=True,
        text=True,
    )

    assert completed.returncode == 1
    assert "`list_nots`, which is not a tool; did you mean `list_notes`?" in completed.stdout


@pytest.mark.repeated("repeats the trial of a first build after a change")
def test_a_server_is_tried_again_when_its_hooks_change(work_folder: Path) -> None:
    build("openapi.yaml", "out")
    hooks = work_folder / "out/notes_mcp/hooks.py"
    text = hooks.read_text()
    hooks.write_text("import nothing_of_that_name\n")

    checks = [build("", "out", BuildOptions(check=True))]
    bad_result = build("", "out")
    checks.append(build("", "out", BuildOptions(check=True)))
    hooks.write_text(text + "# mended\n")
    good_result = build("", "out")
    second_result = build("", "out")
    check_result = build("", "out", BuildOptions(check=True))

    for outcome in (*checks, bad_result):
        assert (outcome.status, _codes(outcome)) == (
            BuildStatus.UNFIT,
            [trial_codes.DID_NOT_START.id],
        )
    assert (good_result.status, good_result.report is not None) == (BuildStatus.UNCHANGED, True)
    assert (second_result.status, second_result.report) == (BuildStatus.UNCHANGED, None)
    assert (check_result.status, check_result.report) == (BuildStatus.CURRENT, None)


@pytest.mark.parametrize("phase", ["read", "parse", "lower", "emit", "plan", "write", "smoke_test"])
def test_an_interruption_in_any_phase_leaves_the_folder_untouched(
    work_folder: Path, phase: str
) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "openapi.yaml").write_text(SPEC.replace("List notes", "List shared notes"))
    before = _tree(work_folder)

    def interrupt(entered_phase: str) -> None:
        if entered_phase == phase:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("", "out", tell=interrupt)

    assert _tree(work_folder) == before


def test_an_interrupted_first_build_leaves_no_folder(work_folder: Path) -> None:
    def interrupt(entered_phase: str) -> None:
        if entered_phase == "smoke_test":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build("openapi.yaml", "a/b", tell=interrupt)

    assert not (work_folder / "a").exists()


@pytest.mark.repeated("repeats the trial of a first build after a change")
def test_a_server_that_does_not_start_stays_and_is_told_again(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "out/notes_mcp/hooks.py").write_text("import nothing_of_that_name\n")

    first = build("", "out")
    second = build("", "out")

    for outcome in (first, second):
        assert (outcome.status, _codes(outcome)) == (
            BuildStatus.UNFIT,
            [trial_codes.DID_NOT_START.id],
        )
    assert _lock(work_folder / "out")["verified"] is False
    assert (work_folder / "out/notes_mcp/server.py").exists()


def test_without_a_folder_the_project_is_named_after_the_api(work_folder: Path) -> None:
    outcome = build("openapi.yaml", "", QUICK)
    second_result = build("openapi.yaml", "", QUICK)

    assert (outcome.folder, second_result.status) == ("notes", BuildStatus.UNCHANGED)
    assert (work_folder / "notes/mcpgen.lock").exists()


def test_in_a_projects_folder_neither_folder_nor_specification_are_needed(
    work_folder: Path,
) -> None:
    build("openapi.yaml", "out", QUICK)
    os.chdir("out")

    outcome = build(options=QUICK)

    assert (outcome.status, outcome.folder) == (BuildStatus.UNCHANGED, ".")


def test_without_any_specification_the_build_says_where_to_name_one(work_folder: Path) -> None:
    outcome = build("", "out", QUICK)

    assert _codes(outcome) == [config_codes.NO_SPEC.id]
    assert not (work_folder / "out").exists()


def test_a_specification_on_standard_input_is_built_and_never_skipped(work_folder: Path) -> None:
    first = build("-", "out", QUICK, stdin=SPEC.encode())
    second = build("-", "out", QUICK, stdin=SPEC.encode())

    assert (first.status, second.status) == (BuildStatus.BUILT, BuildStatus.UNCHANGED)
    assert "parse" in second.seconds
    assert "\nspec" not in (work_folder / "out/mcpgen.toml").read_text()
    assert _lock(work_folder / "out")["digest"] == ""


def test_a_project_is_never_unchanged_while_a_file_of_its_specification_is_missing(
    work_folder: Path,
) -> None:
    in_a_file = SPEC.replace("#/components/schemas/Note", "note.yaml", 1)
    (work_folder / "openapi.yaml").write_text(in_a_file)

    first = build("openapi.yaml", "out", QUICK)
    second = build("openapi.yaml", "out", QUICK)
    digest = _lock(work_folder / "out")["digest"]
    (work_folder / "note.yaml").write_text("type: object\n")
    third = build("openapi.yaml", "out", QUICK)

    assert (first.status, second.status) == (BuildStatus.BUILT, BuildStatus.UNCHANGED)
    assert "parse" in second.seconds
    assert digest == ""
    missing = [d for d in second.diagnostics if d.code is read_codes.MISSING_REFERENCE]
    assert [d.severity for d in missing] == [Severity.WARNING]
    assert "parse" in third.seconds
    assert _lock(work_folder / "out")["digest"] != ""


def test_another_specification_than_the_chosen_one_is_told(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "other.yaml").write_text(SPEC)

    outcome = build("other.yaml", "out", QUICK)

    [diagnostic] = [d for d in outcome.diagnostics if d.code is config_codes.OTHER_SPEC]
    position = outcome.places.position(diagnostic.at)
    assert position is not None
    assert (outcome.places.line(diagnostic.at.file, position.line) or "").startswith("spec = ")


def test_mistakes_in_the_configuration_and_in_the_specification_are_told_at_once(
    work_folder: Path,
) -> None:
    (work_folder / "out").mkdir()
    (work_folder / "out/mcpgen.toml").write_text('nam = "x"\n')
    (work_folder / "openapi.yaml").write_text(
        SPEC.replace("{type: integer}", '{$ref: "#/components/schemas/Gone"}')
    )

    outcome = build("openapi.yaml", "out", QUICK)

    assert outcome.status is BuildStatus.FAILED
    assert config_codes.UNKNOWN_KEY.id in _codes(outcome)
    assert {code[:3] for code in _codes(outcome)} >= {"MG2", "MG6"}
    assert _tree(work_folder / "out") == {"mcpgen.toml": 'nam = "x"\n'}


BROKEN_OPERATION = SPEC.replace(
    "    delete:\n",
    "    put:\n      operationId: breakNote\n      parameters:\n"
    '        - {$ref: "#/components/parameters/Gone"}\n'
    '      responses: {"204": {description: Done.}}\n    delete:\n',
)


def test_an_operation_that_cannot_be_generated_stops_the_build(work_folder: Path) -> None:
    (work_folder / "openapi.yaml").write_text(BROKEN_OPERATION)

    outcome = build("openapi.yaml", "out", QUICK)

    assert outcome.status is BuildStatus.FAILED
    assert not (work_folder / "out").exists()


def test_keep_going_builds_the_rest_and_lists_what_is_missing(work_folder: Path) -> None:
    (work_folder / "openapi.yaml").write_text(BROKEN_OPERATION)
    options = BuildOptions(verify=False, keep_going=True)

    first = build("openapi.yaml", "out", options)
    second = build("openapi.yaml", "out", options)

    for outcome in (first, second):
        assert [missing.operation for missing in outcome.missing] == ["PUT /notes/{id}"]
        assert set(outcome.tools.values()) == {"list_notes", "add_note", "delete_note"}
    assert (first.status, second.status) == (BuildStatus.BUILT, BuildStatus.UNCHANGED)
    assert "PUT /notes/{id}" in (work_folder / "out/README.md").read_text()


def test_keep_going_does_not_build_a_server_without_tools(work_folder: Path) -> None:
    spec_text = (
        SPEC[: SPEC.index("  /notes:")] + BROKEN_OPERATION[BROKEN_OPERATION.index("  /notes/{") :]
    )
    start, end = spec_text.index("    delete:\n"), spec_text.index("components:")
    (work_folder / "openapi.yaml").write_text(spec_text[:start] + spec_text[end:])

    outcome = build("openapi.yaml", "out", BuildOptions(keep_going=True))

    assert (outcome.status, _codes(outcome)) == (BuildStatus.FAILED, [codes.NOTHING_LEFT.id])
    assert not (work_folder / "out").exists()


def test_strict_takes_warnings_for_errors(work_folder: Path) -> None:
    duplicate = SPEC.replace("operationId: addNote", "operationId: listNotes")
    (work_folder / "openapi.yaml").write_text(duplicate)

    strict = build("openapi.yaml", "out", BuildOptions(strict=True, verify=False))
    lenient = build("openapi.yaml", "out", QUICK)

    assert strict.status is BuildStatus.FAILED
    assert all(d.severity is not Severity.ERROR for d in strict.diagnostics)
    assert lenient.status is BuildStatus.BUILT


def test_a_folder_that_cannot_be_written_is_told_before_the_work(work_folder: Path) -> None:
    (work_folder / "file").write_text("")

    with pytest.raises(NotADirectoryError):
        build("openapi.yaml", "file/out")


def test_a_symbolic_link_in_the_place_of_the_folder_is_refused(work_folder: Path) -> None:
    (work_folder / "real").mkdir()
    (work_folder / "link").symlink_to("real")

    outcome = build("openapi.yaml", "link", QUICK)

    assert [(d.code, d.at.file) for d in outcome.diagnostics if d.code is codes.OBSTACLE] == [
        (codes.OBSTACLE, "link")
    ]
    assert _tree(work_folder / "real") == {}


@pytest.mark.repeated("repeats the trial of a first build after a change")
def test_a_project_can_be_checked_as_it_stands(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    before = _tree(work_folder / "out")

    good_result = check("out")
    (work_folder / "out/notes_mcp/hooks.py").write_text("raise SystemExit(7)\n")
    bad_result = check("out")

    assert (good_result.status, bad_result.status) == (BuildStatus.FIT, BuildStatus.UNFIT)
    assert {**_tree(work_folder / "out"), "notes_mcp/hooks.py": ""} == {
        **before,
        "notes_mcp/hooks.py": "",
    }


@pytest.mark.repeated("tests/cli/test_commands.py builds a new project by its command")
def test_a_new_project_builds_at_once(work_folder: Path) -> None:
    outcome = new("my-notes")

    result = _tree(work_folder / "my-notes")
    assert (outcome.status, _codes(outcome)) == (BuildStatus.BUILT, [])
    assert {"mcpgen.toml", "openapi.yaml", "README.md", ".gitignore"} <= set(result)
    assert any(path.startswith(".github/workflows/") for path in result)
    assert build("", "my-notes").status is BuildStatus.UNCHANGED


@pytest.mark.repeated("tests/cli/test_commands.py builds a new project by its command")
def test_a_new_project_from_a_specification_gets_every_file_of_it(work_folder: Path) -> None:
    start = SPEC.index("    Note:\n")
    (work_folder / "shared").mkdir()
    (work_folder / "shared/note.yaml").write_text("Note:\n" + SPEC[start:].split("\n", 1)[1])
    (work_folder / "openapi.yaml").write_text(
        SPEC[: SPEC.index("components:")].replace("#/components/schemas/", "shared/note.yaml#/")
    )

    outcome = new("mine", "openapi.yaml")

    assert (outcome.status, _codes(outcome)) == (BuildStatus.BUILT, [])
    assert {"spec/openapi.yaml", "spec/shared/note.yaml"} <= set(_tree(work_folder / "mine"))


def test_a_new_project_needs_an_empty_folder(work_folder: Path) -> None:
    (work_folder / "mine").mkdir()
    (work_folder / "mine/file").write_text("x")

    with pytest.raises(FileExistsError):
        new("mine")

    assert _tree(work_folder / "mine") == {"file": "x"}


def test_a_selector_without_a_match_is_told_where_it_stands(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    choices = 'spec = "../openapi.yaml"\n[select]\ninclude = [\n  "tag:nots",\n]\n'
    (work_folder / "out/mcpgen.toml").write_text(choices)

    outcome = build("", "out", QUICK)

    (diagnostic,) = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
    assert (diagnostic.code.id, diagnostic.at.file, diagnostic.at.line) == (
        "MG301",
        "out/mcpgen.toml",
        4,
    )


def test_a_name_for_no_operation_is_told_where_it_stands(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    choices = 'spec = "../openapi.yaml"\n[names]\nlistNots = "nots"\n'
    (work_folder / "out/mcpgen.toml").write_text(choices)

    outcome = build("", "out", QUICK)

    (diagnostic,) = [d for d in outcome.diagnostics if d.code.id == "MG307"]
    assert (diagnostic.at.file, diagnostic.at.line) == ("out/mcpgen.toml", 3)


def test_a_new_name_of_the_project_is_told_with_the_variables_it_renames(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "out/mcpgen.toml").write_text('spec = "../openapi.yaml"\nname = "my-notes"\n')

    outcome = build("", "out", QUICK)

    (diagnostic,) = [d for d in outcome.diagnostics if d.code is config_codes.OTHER_NAME]
    assert diagnostic.at.line == 2
    assert "`MY_NOTES_*`" in diagnostic.hint


def test_what_is_missing_since_the_last_build_stands_in_the_readme(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    (work_folder / "openapi.yaml").write_text(BROKEN_OPERATION)

    build("openapi.yaml", "out", BuildOptions(verify=False, keep_going=True))

    assert "PUT /notes/{id}" in (work_folder / "out/README.md").read_text()


def test_a_requirement_that_no_lock_file_meets_is_told(work_folder: Path) -> None:
    build("openapi.yaml", "out", QUICK)
    path = work_folder / "out" / "pyproject.toml"
    text = path.read_text().replace("dependencies = [", 'dependencies = ["boto3>=1",', 1)
    text = text.replace("mcp>=2.3,<3", "mcp>=99")
    path.write_text(text)
    (work_folder / "openapi.yaml").write_text(SPEC + "\n")

    outcome = build("openapi.yaml", "out", QUICK)

    diagnostics = [
        diagnostic
        for diagnostic in outcome.diagnostics
        if diagnostic.code is config_codes.UNLOCKED_REQUIREMENT
    ]
    assert [diagnostic.message for diagnostic in diagnostics] == [
        "no lock file has a version that meets `boto3>=1` of pyproject.toml",
        "no lock file has a version that meets `mcp>=99` of pyproject.toml",
    ]
    assert (diagnostics[0].at.file, diagnostics[0].severity) == (
        "out/pyproject.toml",
        Severity.WARNING,
    )


def test_a_lock_file_of_the_user_meets_requirements_of_handlers(work_folder: Path) -> None:
    (work_folder / "out").mkdir()
    (work_folder / "out" / "mcpgen.toml").write_text('[deploy]\nlock = "own.lock"\n')

    unlocked_result = build("openapi.yaml", "out", QUICK)
    path = work_folder / "out" / "pyproject.toml"
    path.write_text(path.read_text().replace("dependencies = [", 'dependencies = ["boto3>=1",', 1))
    (work_folder / "out" / "own.lock").write_text(
        f"boto3==1.43.2 \\\n    --hash=sha256:{'0' * 64}\n"
    )
    (work_folder / "openapi.yaml").write_text(SPEC + "\n")
    locked_result = build("openapi.yaml", "out", QUICK)

    (diagnostic,) = [
        diagnostic
        for diagnostic in unlocked_result.diagnostics
        if diagnostic.code is config_codes.MISSING_LOCK
    ]
    assert (diagnostic.at.line, diagnostic.at.column) == (2, 1)
    assert {diagnostic.code for diagnostic in locked_result.diagnostics} & {
        config_codes.MISSING_LOCK,
        config_codes.UNLOCKED_REQUIREMENT,
    } == set()
