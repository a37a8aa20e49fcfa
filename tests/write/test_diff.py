"""The difference between disk and plan, as a unified diff."""

from __future__ import annotations

from pathlib import Path

from mcpgen.ir.project import File, Owner, Project
from mcpgen.write import Lock, plan, snapshot, unified_diff


def _diff(folder: Path, project: Project, owned: dict[str, str], **options: int) -> str:
    """Returns the diff for a project with the files `owned`, all owned by mcpgen."""
    for path, text in owned.items():
        (folder / path).write_text(text)
    lock = Lock(files=snapshot(folder, owned).files)
    paths = [*owned, *(file.path for file in project.files)]
    return unified_diff(plan(project, lock, snapshot(folder, paths)), folder, **options)


def _files(**texts: str) -> Project:
    return Project(tuple(File(name, text, Owner.MCPGEN) for name, text in texts.items()), {})


def test_a_project_that_is_up_to_date_has_no_diff(tmp_path: Path) -> None:
    assert _diff(tmp_path, _files(a="1\n"), {"a": "1\n"}) == ""


def test_changed_new_and_deleted_files_are_shown_as_git_shows_them(tmp_path: Path) -> None:
    text = _diff(tmp_path, _files(a="1\n3\n", b="new\n"), {"a": "1\n2\n", "c": "old\n"})

    assert text.splitlines() == [
        "--- a/a",
        "+++ b/a",
        "@@ -1,2 +1,2 @@",
        " 1",
        "-2",
        "+3",
        "--- /dev/null",
        "+++ b/b",
        "@@ -0,0 +1 @@",
        "+new",
        "--- a/c",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-old",
    ]


def test_an_edit_by_hand_is_shown_although_it_is_a_conflict(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine\n")

    result = plan(_files(a="theirs\n"), Lock(files={"a": "0"}), snapshot(tmp_path, ["a"]))

    assert "-mine\n+theirs\n" in unified_diff(result, tmp_path)


def test_beyond_the_limit_files_are_listed_with_one_line_each(tmp_path: Path) -> None:
    project = _files(**{f"f{number}": "x\n" * 10 for number in range(9)})

    text = _diff(tmp_path, project, {"gone": "y\n"}, max_lines=30)

    lines = text.splitlines()
    assert len(lines) < 40
    assert "… and 8 more:" in lines
    assert lines[-2:] == ["  create f8", "  delete gone"]


def test_a_file_too_long_to_compare_is_named(tmp_path: Path) -> None:
    text = _diff(tmp_path, _files(a="x" * 300_000), {"a": "1\n"})

    assert text == "change a (too long to show)\n"
