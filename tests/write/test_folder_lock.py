"""Exclusive builds: a second build in the same folder waits, on every file system."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcpgen.write import folder_lock


def _entries(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_second_build_waits_for_the_first(tmp_path: Path) -> None:
    is_waiting = threading.Event()
    order: list[str] = []

    @contextmanager
    def announce_wait() -> Iterator[None]:
        is_waiting.set()
        yield

    def lock_again() -> None:
        with folder_lock(tmp_path, announce_wait):
            order.append("second")

    with folder_lock(tmp_path):
        thread = threading.Thread(target=lock_again)
        thread.start()
        assert is_waiting.wait(60)
        order.append("first")
    thread.join()

    assert order == ["first", "second"]


def test_a_folder_that_the_first_build_removes_is_made_again_by_the_second(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    is_waiting = threading.Event()
    result: list[bool] = []

    @contextmanager
    def announce_wait() -> Iterator[None]:
        is_waiting.set()
        yield

    def lock_again() -> None:
        with folder_lock(folder, announce_wait):
            result.append(folder.is_dir())
            (folder / "file").write_text("")

    with folder_lock(folder):
        thread = threading.Thread(target=lock_again)
        thread.start()
        assert is_waiting.wait(60)
    thread.join()

    assert result == [True]
    assert _entries(folder) == ["file"]


def test_a_folder_that_stays_empty_is_removed_again(tmp_path: Path) -> None:
    with folder_lock(tmp_path / "a" / "b"):
        assert (tmp_path / "a/b").is_dir()

    assert _entries(tmp_path) == []


@pytest.mark.parametrize("code", [errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_in_the_folder_is_locked_where_the_folder_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    flock, operations = fcntl.flock, []

    def network(handle: int, operation: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(code, os.strerror(code))
        flock(handle, operation)
        operations.append(operation)

    monkeypatch.setattr(fcntl, "flock", network)

    with folder_lock(tmp_path):
        entries = _entries(tmp_path)

    assert entries == [".mcpgen-build.lock"]
    assert operations == [fcntl.LOCK_EX | fcntl.LOCK_NB]
    assert _entries(tmp_path) == []


def test_a_file_system_without_locks_can_be_built_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_lock(handle: int, operation: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse_lock)

    with folder_lock(tmp_path):
        (tmp_path / "file").write_text("")

    assert _entries(tmp_path) == ["file"]


def test_another_error_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(handle: int, operation: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", failing)

    with pytest.raises(OSError, match=str(tmp_path)), folder_lock(tmp_path):
        pass
