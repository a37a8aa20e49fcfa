"""Applying a plan: all changes or no change, for every error at every step."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mcpgen.ir.project import File, Owner, Project
from mcpgen.write import (
    Lock,
    apply_plan,
    folder_lock,
    plan,
    recover,
    require_writable,
    snapshot,
    write_lock,
)
from mcpgen.write.staging import StagedFile, add_text, stage, take_turn

BEFORE = {
    "gone/deep/old.py": "old\n",
    "mine.txt": "mine\n",
    "petstore_mcp/server.py": "server 1\n",
    "petstore_mcp/tools/get_pet.py": "get 1\n",
}
AFTER = (
    File("README.md", "readme\n", Owner.USER),
    File("petstore_mcp/runtime/app.py", "app\n", Owner.MCPGEN),
    File("petstore_mcp/server.py", "server 2\n", Owner.MCPGEN),
    File("petstore_mcp/tools/get_pet.py", "get 1\n", Owner.MCPGEN),
)
PROJECT = Project(AFTER, {"GET /pets/{id}": "get_pet"})


def _tree(folder: Path) -> dict[str, str | None]:
    """Every path below the folder, with a file's text."""
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


def _existing(folder: Path) -> Lock:
    """Writes the project of an earlier build, with a file of the user."""
    for path, text in BEFORE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    owned = [path for path in BEFORE if path != "mine.txt"]
    lock = Lock("0.1.0", files=snapshot(folder, owned).files)
    (folder / "mcpgen.lock").write_text(lock.text)
    return lock


def _build(folder: Path, lock: Lock | None, **options: object) -> None:
    paths = [*(file.path for file in AFTER), *(lock.files if lock else ())]
    with folder_lock(folder):
        result = plan(PROJECT, lock, snapshot(folder, paths))
        with apply_plan(result, folder, **options) as seal:  # type: ignore[arg-type]
            seal(Lock("0.1.0", files=result.files, tools=PROJECT.tools))


def test_a_new_folder_gets_every_file_and_the_lock(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "petstore"

    _build(folder, None)

    files = {path: text for path, text in _tree(folder).items() if text is not None}
    assert set(files) == {file.path for file in AFTER} | {"mcpgen.lock"}
    assert files["petstore_mcp/server.py"] == "server 2\n"


def test_a_rebuild_replaces_creates_deletes_and_leaves(tmp_path: Path) -> None:
    lock = _existing(tmp_path)
    modified_time = (tmp_path / "petstore_mcp/tools/get_pet.py").stat().st_mtime_ns

    _build(tmp_path, lock)

    tree = _tree(tmp_path)
    assert tree["petstore_mcp/server.py"] == "server 2\n"
    assert tree["petstore_mcp/runtime/app.py"] == "app\n"
    assert tree["mine.txt"] == "mine\n"
    assert "gone" not in tree
    assert (tmp_path / "petstore_mcp/tools/get_pet.py").stat().st_mtime_ns == modified_time


def test_a_folder_with_a_users_file_stays_when_mcpgens_files_go(tmp_path: Path) -> None:
    lock = _existing(tmp_path)
    (tmp_path / "gone/note.txt").write_text("keep\n")

    _build(tmp_path, lock)

    assert _tree(tmp_path / "gone") == {"note.txt": "keep\n"}


def test_byte_code_does_not_keep_a_folder_alive(tmp_path: Path) -> None:
    lock = _existing(tmp_path)
    (tmp_path / "gone/deep/__pycache__").mkdir()
    (tmp_path / "gone/deep/__pycache__/old.cpython-311.pyc").write_text("")

    _build(tmp_path, lock)

    assert not (tmp_path / "gone").exists()


class _FailingMove:
    """Raises at a given call of `os.replace`."""

    def __init__(self, turn: int, error: BaseException, *, after: bool) -> None:
        self.turn, self.error, self.after = turn, error, after
        self.count = 0

    def __call__(self, source: str, target: str) -> None:
        self.count += 1
        if self.count == self.turn and not self.after:
            raise self.error
        os.replace(source, target)
        if self.count == self.turn:
            raise self.error


MOVES = 7
"""Two creations, a replacement of two moves, a deletion, and the lock's two moves."""


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt()])
@pytest.mark.parametrize("turn", range(1, MOVES + 1))
def test_a_failure_at_any_move_leaves_the_folder_untouched(
    tmp_path: Path, turn: int, error: BaseException, after: bool
) -> None:
    lock = _existing(tmp_path)
    before = _tree(tmp_path)

    with pytest.raises(type(error)):
        _build(tmp_path, lock, move=_FailingMove(turn, error, after=after))

    assert _tree(tmp_path) == before


def test_a_build_makes_as_many_moves_as_the_failures_cover(tmp_path: Path) -> None:
    move = _FailingMove(0, OSError(), after=False)

    _build(tmp_path, _existing(tmp_path), move=move)

    assert move.count == MOVES


@pytest.mark.parametrize("turn", range(1, 6))
def test_a_failing_first_build_leaves_no_folder(tmp_path: Path, turn: int) -> None:
    folder = tmp_path / "a" / "b"

    with pytest.raises(OSError, match="disk"):
        _build(folder, None, move=_FailingMove(turn, OSError("disk"), after=True))

    assert _tree(tmp_path) == {}


def test_an_interruption_after_the_last_file_undoes_the_build(tmp_path: Path) -> None:
    lock = _existing(tmp_path)
    before = _tree(tmp_path)
    result = plan(PROJECT, lock, snapshot(tmp_path, [*BEFORE, *(file.path for file in AFTER)]))

    texts_during_build = []

    def interrupted_after_the_files() -> None:
        with apply_plan(result, tmp_path):
            texts_during_build.append((tmp_path / "petstore_mcp/server.py").read_text())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted_after_the_files()

    assert texts_during_build == ["server 2\n"]
    assert _tree(tmp_path) == before


def test_nothing_changes_when_the_texts_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = _existing(tmp_path)
    before = _tree(tmp_path)
    result = plan(PROJECT, lock, snapshot(tmp_path, [*BEFORE]))

    def raise_disk_full(folder: Path, number: int, text: str) -> None:
        if number:
            raise OSError(28, "No space left on device")
        add_text(folder, number, text)

    monkeypatch.setattr("mcpgen.write.staging.add_text", raise_disk_full)
    with pytest.raises(OSError, match="No space"), apply_plan(result, tmp_path):
        pass

    assert _tree(tmp_path) == before


def test_a_build_that_was_killed_is_undone_by_the_next(tmp_path: Path) -> None:
    _existing(tmp_path)
    before = _tree(tmp_path)
    turns = [
        StagedFile("gone/deep/old.py", True),
        StagedFile("petstore_mcp/server.py", True),
        StagedFile("petstore_mcp/runtime/app.py", False),
        StagedFile("petstore_mcp/tools/get_pet.py", True),
    ]
    stage(tmp_path, turns, [None, "server 2\n", "app\n", "get 2\n"])
    for number, turn in enumerate(turns[:3]):
        take_turn(tmp_path, number, turn)

    is_undone = recover(tmp_path)

    assert is_undone
    assert _tree(tmp_path) == before


def test_undoing_follows_no_symbolic_link_out_of_the_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "project", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "x.py").write_text("precious\n")
    stage(folder, [StagedFile("tools/x.py", False)], ["x\n"])
    (folder / ".mcpgen-build/new/0").unlink()
    (folder / "tools").rmdir()
    (folder / "tools").symlink_to(outside)

    recover(folder)

    assert (outside / "x.py").read_text() == "precious\n"


def _foreign(folder: Path, outside: Path) -> None:
    (folder / ".mcpgen-build").mkdir()
    (folder / ".mcpgen-build/notes.txt").write_text("mine\n")


def _link(folder: Path, outside: Path) -> None:
    (folder / ".mcpgen-build").symlink_to(outside)


def _link_to_nowhere(folder: Path, outside: Path) -> None:
    (folder / ".mcpgen-build").symlink_to(outside / "nowhere")


def _link_inside(folder: Path, outside: Path) -> None:
    (folder / ".mcpgen-build").mkdir()
    (folder / ".mcpgen-build/old").symlink_to(outside)


def _file(folder: Path, outside: Path) -> None:
    (folder / ".mcpgen-build").write_text("mine\n")


@pytest.mark.parametrize("put", [_foreign, _link, _link_to_nowhere, _link_inside, _file])
def test_what_has_the_corners_name_but_is_none_is_refused_before_anything_is_written(
    tmp_path: Path, put: Callable[[Path, Path], None]
) -> None:
    folder, outside = tmp_path / "project", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "journal.json").write_text("precious\n")
    lock = _existing(folder)
    put(folder, outside)
    before = _tree(tmp_path)

    with pytest.raises(FileExistsError, match=r"not made by mcpgen.*\.mcpgen-build"):
        recover(folder)
    with pytest.raises(FileExistsError, match=r"not made by mcpgen.*\.mcpgen-build"):
        _build(folder, lock)

    assert _tree(tmp_path) == before


def test_a_corner_exchanged_for_a_link_during_the_build_is_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "project", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "journal.json").write_text("precious\n")
    result = plan(PROJECT, None, snapshot(folder, []))

    def exchange() -> None:
        (folder / ".mcpgen-build").rename(tmp_path / "away")
        (folder / ".mcpgen-build").symlink_to(outside)

    with pytest.raises(FileExistsError), apply_plan(result, folder):
        exchange()

    assert _tree(outside) == {"journal.json": "precious\n"}


HOSTILE = [".git/hooks/post-checkout", "venv/bin/python", "notes/mine.txt"]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_journal_that_came_with_a_clone_moves_no_file(tmp_path: Path, path: str) -> None:
    corner = tmp_path / ".mcpgen-build"
    (corner / "old").mkdir(parents=True)
    (corner / "old/0").write_text("#!/bin/sh\n")
    (corner / "journal.json").write_text(json.dumps({"files": [[path, True]], "folders": []}))
    (tmp_path / path).parent.mkdir(parents=True)
    before = _tree(tmp_path)

    with pytest.raises(OSError, match=r"copy or a clone.*\.mcpgen-build"):
        recover(tmp_path)

    assert _tree(tmp_path) == before


def test_a_journal_of_this_folder_moves_no_file_into_a_hidden_folder(tmp_path: Path) -> None:
    (tmp_path / ".git/hooks").mkdir(parents=True)
    stage(tmp_path, [StagedFile(".git/hooks/post-checkout", True)], [None])
    (tmp_path / ".mcpgen-build/old/0").write_text("#!/bin/sh\n")

    recover(tmp_path)

    assert not list((tmp_path / ".git/hooks").iterdir())


def test_a_file_that_appeared_during_the_build_is_not_overwritten(tmp_path: Path) -> None:
    result = plan(PROJECT, None, snapshot(tmp_path, []))
    (tmp_path / "README.md").write_text("somebody's\n")

    with pytest.raises(FileExistsError), apply_plan(result, tmp_path):
        pass

    assert _tree(tmp_path) == {"README.md": "somebody's\n"}


def test_the_lock_alone_can_be_replaced(tmp_path: Path) -> None:
    lock = _existing(tmp_path)
    before = _tree(tmp_path)

    write_lock(Lock("0.2.0", files=lock.files), tmp_path)

    after = _tree(tmp_path)
    assert '"0.2.0"' in str(after.pop("mcpgen.lock"))
    assert after == {path: text for path, text in before.items() if path != "mcpgen.lock"}


def test_a_file_where_the_folder_belongs_is_told_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(NotADirectoryError):
        require_writable(tmp_path / "file" / "petstore")


def test_files_are_written_with_unix_line_ends_and_the_usual_mode(tmp_path: Path) -> None:
    _build(tmp_path, None)

    path = tmp_path / "petstore_mcp/server.py"
    usual = tmp_path / "usual"
    usual.write_text("")
    assert path.read_bytes() == b"server 2\n"
    assert path.stat().st_mode == usual.stat().st_mode
