"""The snapshot: the present files at the paths to write."""

from __future__ import annotations

from pathlib import Path

from mcpgen.write import Obstacle, snapshot
from mcpgen.write.snapshot import file_digest


def test_existing_files_are_hashed_and_others_are_absent(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a\n")

    disk = snapshot(tmp_path, ["a.py", "b.py", "c/d.py"])

    assert disk.files == {"a.py": file_digest(b"a\n")}
    assert not disk.occupied
    assert not disk.blocked


def test_line_ends_that_version_control_rewrote_are_no_edit(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"a\r\nb\r\n")

    disk = snapshot(tmp_path, ["a.py"])

    assert disk.files == {"a.py": file_digest(b"a\nb\n")}


def test_links_and_folders_in_the_place_of_a_file_are_seen(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("")
    (tmp_path / "link.py").symlink_to("real.py")
    (tmp_path / "folder.py").mkdir()

    disk = snapshot(tmp_path, ["link.py", "folder.py"])

    assert disk.occupied == {
        "link.py": Obstacle("link.py", "a symbolic link"),
        "folder.py": Obstacle("folder.py", "a folder that has the file's name"),
    }


def test_links_and_files_in_the_place_of_a_folder_are_seen(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    project = tmp_path / "project"
    project.mkdir()
    (project / "tools").symlink_to(tmp_path / "outside")
    (project / "runtime").write_text("")

    disk = snapshot(project, ["tools/deep/a.py", "runtime/b.py"])

    assert disk.blocked == {
        "tools/deep/a.py": Obstacle("tools", "a symbolic link"),
        "runtime/b.py": Obstacle("runtime", "a file that has the folder's name"),
    }


def test_a_project_folder_that_is_a_link_blocks_everything(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    disk = snapshot(tmp_path / "link", ["a.py"])

    assert disk.blocked == {"a.py": Obstacle(".", "a symbolic link")}


def test_a_path_that_leads_out_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s\n")
    (tmp_path / "project").mkdir()

    disk = snapshot(tmp_path / "project", ["../secret"])

    assert not disk.files
