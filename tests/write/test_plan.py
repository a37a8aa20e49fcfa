"""The plan: a test for every row of the lock's table, and laws for all plans."""

from __future__ import annotations

import pytest

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import write as codes
from mcpgen.ir.project import File, Owner, Project
from mcpgen.write import (
    Conflict,
    FileAction,
    FileChange,
    Lock,
    Obstacle,
    ProjectSnapshot,
    plan,
    report_conflicts,
)
from mcpgen.write.plan import RULES, PlannedOwner, State
from mcpgen.write.snapshot import file_digest

PATH = "petstore_mcp/server.py"
OLD, NEW, EDITED = "old\n", "new\n", "edited\n"


def _hash(text: str) -> str:
    return file_digest(text.encode())


def _project(owner: Owner | None, text: str = NEW) -> Project:
    files = (File(PATH, text, owner),) if owner else ()
    return Project(files, {})


def _lock(text: str | None, ejected_paths: tuple[str, ...] = ()) -> Lock:
    return Lock(files={PATH: _hash(text)} if text else {}, ejected=ejected_paths)


def _disk(text: str | None) -> ProjectSnapshot:
    return ProjectSnapshot({PATH: _hash(text)} if text else {})


OURS, USERS, SPARE = Owner.MCPGEN, Owner.USER, Owner.UNLESS_PRESENT


@pytest.mark.parametrize(
    ("locked_text", "on_disk", "owner", "action"),
    [
        pytest.param(None, None, OURS, FileAction.CREATE, id="a new file is created"),
        pytest.param(None, None, USERS, FileAction.CREATE, id="a new file of the user is created"),
        pytest.param(None, EDITED, USERS, FileAction.LEAVE, id="the user's file is left"),
        pytest.param(OLD, OLD, OURS, FileAction.REPLACE, id="an unedited file is replaced"),
        pytest.param(NEW, NEW, OURS, FileAction.KEEP, id="an unchanged file is not touched"),
        pytest.param(OLD, None, OURS, FileAction.CREATE, id="a deleted file is created again"),
        pytest.param(OLD, OLD, None, FileAction.DELETE, id="a file no longer planned is deleted"),
        pytest.param(OLD, None, None, FileAction.FORGET, id="a file gone everywhere is forgotten"),
        pytest.param(OLD, OLD, USERS, FileAction.LEAVE, id="a file given to the user is left"),
        pytest.param(OLD, EDITED, USERS, FileAction.LEAVE, id="a given and edited file is left"),
        pytest.param(OLD, None, USERS, FileAction.CREATE, id="a given and deleted file is created"),
        pytest.param(
            None, NEW, OURS, FileAction.KEEP, id="a file that is right already is taken over"
        ),
        pytest.param(OLD, NEW, OURS, FileAction.KEEP, id="an edit that mcpgen would make is kept"),
        pytest.param(None, None, SPARE, FileAction.CREATE, id="a file nobody has is created"),
        pytest.param(None, EDITED, SPARE, FileAction.LEAVE, id="a file the user has is left"),
        pytest.param(OLD, OLD, SPARE, FileAction.REPLACE, id="a file mcpgen created is replaced"),
    ],
)
def test_the_action_follows_from_lock_disk_and_project(
    locked_text: str | None, on_disk: str | None, owner: Owner | None, action: FileAction
) -> None:
    result = plan(_project(owner), _lock(locked_text), _disk(on_disk))

    assert result.conflicts == ()
    assert [(change.action, change.path) for change in result.changes] == [(action, PATH)]


@pytest.mark.parametrize(
    ("locked_text", "on_disk", "owner", "code"),
    [
        pytest.param(None, EDITED, OURS, codes.NOT_OURS, id="somebody else's file"),
        pytest.param(OLD, EDITED, OURS, codes.EDITED, id="an edited file"),
        pytest.param(OLD, EDITED, SPARE, codes.EDITED, id="an edited file that mcpgen created"),
        pytest.param(OLD, EDITED, None, codes.EDITED_AND_GONE, id="an edited file, unplanned"),
    ],
)
def test_a_change_by_hand_is_a_conflict_and_never_overwritten(
    locked_text: str | None, on_disk: str, owner: Owner | None, code: object
) -> None:
    result = plan(_project(owner), _lock(locked_text), _disk(on_disk))

    assert result.moves == ()
    assert [(conflict.code, conflict.path) for conflict in result.conflicts] == [(code, PATH)]


def test_the_table_answers_every_question_that_can_come_up() -> None:
    possible = {
        (is_locked, state, planned_owner)
        for is_locked in (False, True)
        for state in State
        for planned_owner in PlannedOwner
        if (is_locked or state is not State.SAME)
        and (is_locked or planned_owner is not PlannedOwner.NO)
    }

    assert set(RULES) == possible


def test_without_a_lock_every_existing_file_is_somebody_elses() -> None:
    result = plan(_project(OURS), None, _disk(EDITED))

    assert result.conflicts == (Conflict(codes.NOT_OURS, PATH, NEW),)


def test_the_next_lock_holds_what_is_mcpgens_after_the_build() -> None:
    files = (
        File("a.py", "a\n", OURS),
        File("hooks.py", "h\n", USERS),
        File("kept.py", "k\n", OURS),
    )
    lock = Lock(files={"gone.py": _hash("g\n"), "kept.py": _hash("k\n")})
    disk = ProjectSnapshot({"gone.py": _hash("g\n"), "kept.py": _hash("k\n")})

    result = plan(Project(files, {}), lock, disk)

    assert result.files == {"a.py": _hash("a\n"), "kept.py": _hash("k\n")}


def test_an_ejected_file_is_left_and_the_build_says_so() -> None:
    diagnostics = Diagnostics()

    result = plan(_project(OURS), _lock(None, ejected_paths=(PATH,)), _disk(EDITED))
    report_conflicts(result, "petstore", diagnostics)

    assert result.changes == (FileChange(FileAction.LEAVE, PATH, NEW),)
    assert (result.files, result.ejected) == ({}, (PATH,))
    assert [(d.code, d.at.file) for d in diagnostics] == [(codes.EJECTED, f"petstore/{PATH}")]


def test_deleting_an_ejected_file_hands_it_back() -> None:
    result = plan(_project(OURS), _lock(None, ejected_paths=(PATH,)), _disk(None))

    assert result.changes == (FileChange(FileAction.CREATE, PATH, NEW),)
    assert (result.files, result.ejected) == ({PATH: _hash(NEW)}, ())


@pytest.mark.parametrize(
    "path", ["../x.py", "/etc/x", "a//b", "a/../../b", "C:/x", "a\\b", "con.py", "x.", "", "a\nb"]
)
def test_a_path_that_leads_out_of_the_folder_is_refused(path: str) -> None:
    result = plan(Project((File(path, NEW, OURS),), {}), None, ProjectSnapshot())

    assert [conflict.code for conflict in result.conflicts] == [codes.OUTSIDE]


def test_everything_behind_a_symbolic_link_is_one_finding_at_the_link() -> None:
    link = Obstacle("petstore_mcp", "a symbolic link")
    files = tuple(File(f"petstore_mcp/{name}.py", NEW, OURS) for name in "ab")
    diagnostics = Diagnostics()

    result = plan(
        Project(files, {}), None, ProjectSnapshot(blocked={file.path: link for file in files})
    )
    report_conflicts(result, ".", diagnostics)

    assert len(result.conflicts) == 2
    assert [(d.code, d.at.file) for d in diagnostics] == [(codes.OBSTACLE, "petstore_mcp")]


def test_a_users_file_may_be_a_symbolic_link() -> None:
    disk = ProjectSnapshot(occupied={PATH: Obstacle(PATH, "a symbolic link")})

    result = plan(_project(USERS), None, disk)

    assert result.changes == (FileChange(FileAction.LEAVE, PATH, NEW),)
