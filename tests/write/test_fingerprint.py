"""Detection of projects without need for a build."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpgen.write import (
    Lock,
    generator_hash,
    hash_inputs,
    input_name,
    inputs_digest,
    is_current,
    snapshot,
)

OPTIONS: dict[str, str | bool] = {"spec": "../petstore.yaml"}


def _build_lock(folder: Path) -> Lock:
    """Returns a project with all inputs in the lock."""
    project = folder / "project"
    project.mkdir()
    (folder / "petstore.yaml").write_text("openapi: 3.1.0\n")
    (project / "mcpgen.toml").write_text("")
    (project / "server.py").write_text("server\n")
    inputs = hash_inputs(project, ["../petstore.yaml", "mcpgen.toml"])
    assert inputs is not None
    files = snapshot(project, ["server.py"]).files
    return Lock("0.1.0", inputs_digest(inputs, OPTIONS), True, inputs=inputs, files=files)


def test_nothing_has_changed(tmp_path: Path) -> None:
    lock = _build_lock(tmp_path)

    assert is_current(lock, tmp_path / "project", OPTIONS)


@pytest.mark.parametrize("name", ["petstore.yaml", "project/mcpgen.toml", "project/server.py"])
def test_a_changed_file_asks_for_a_build(tmp_path: Path, name: str) -> None:
    lock = _build_lock(tmp_path)

    (tmp_path / name).write_text("changed\n")

    assert not is_current(lock, tmp_path / "project", OPTIONS)


@pytest.mark.parametrize("name", ["petstore.yaml", "project/mcpgen.toml", "project/server.py"])
def test_a_missing_file_asks_for_a_build(tmp_path: Path, name: str) -> None:
    lock = _build_lock(tmp_path)

    (tmp_path / name).unlink()

    assert not is_current(lock, tmp_path / "project", OPTIONS)


def test_other_options_ask_for_a_build(tmp_path: Path) -> None:
    lock = _build_lock(tmp_path)

    assert not is_current(lock, tmp_path / "project", {**OPTIONS, "keep_going": True})


def test_a_lock_without_a_digest_asks_for_a_build(tmp_path: Path) -> None:
    _build_lock(tmp_path)

    assert not is_current(Lock(), tmp_path / "project", OPTIONS)


def test_inputs_are_named_relative_to_the_project(tmp_path: Path) -> None:
    assert input_name(tmp_path / "specs/a.yaml", tmp_path / "out/project") == "../../specs/a.yaml"


def test_fingerprint_covers_code_templates_and_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    roots: list[str] = []

    def no_files(root: Path) -> Iterator[str]:
        roots.append(root.name)
        return iter(())

    monkeypatch.setattr("mcpgen.write._source_files", no_files)
    generator_hash.__wrapped__()

    assert roots == ["mcpgen", "templates", "mcpgen_runtime"]
