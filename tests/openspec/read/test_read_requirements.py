"""Files read for a path to requirements, and rejected paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.source import RequirementSource
from mcpgen.openspec.load import is_openspec
from mcpgen.openspec.read.requirements import read_requirements

SPEC = "# T\n\n## Requirements\n\n### Requirement: R\nIt SHALL.\n"
DELTA = "## ADDED Requirements\n\n### Requirement: N\nIt SHALL.\n"

PROJECT = {
    "openspec/specs/adapter/spec.md": SPEC,
    "openspec/specs/adapter/mcp.yaml": "mcpgen: 1\n",
    "openspec/specs/area/other/spec.md": SPEC,
    "openspec/changes/more/specs/adapter/spec.md": DELTA,
    "openspec/changes/new/specs/fresh/spec.md": DELTA,
    "openspec/changes/empty/proposal.md": "## Why\n",
    "openspec/changes/archive/2026-01-01-old/specs/adapter/spec.md": DELTA,
}


def reads(path: Path | str, **choice: str) -> tuple[RequirementSource | None, list[str]]:
    """Reads requirements; returns the source and the code names of the diagnostics."""
    diagnostics = Diagnostics()
    source = read_requirements(str(path), diagnostics, **choice)
    return source, [diagnostic.code.name for diagnostic in diagnostics]


def test_a_spec_is_read_with_its_companion(writes: Any) -> None:
    folder = writes(PROJECT)

    source, texts = reads(folder / "openspec/specs/adapter/spec.md")

    assert source is not None
    assert (source.capability, source.change, texts) == ("adapter", "", [])
    assert source.main is not None
    assert source.main.text == SPEC
    assert source.companion is not None
    assert source.companion.tree == {"mcpgen": 1}
    assert source.companion.name == (folder / "openspec/specs/adapter/mcp.yaml").as_posix()


@pytest.mark.parametrize(
    "path",
    ["openspec/changes/more/specs/adapter/spec.md", "delta.md", "flat.md"],
)
def test_a_delta_is_told_by_its_headings(path: str, writes: Any) -> None:
    folder = writes(PROJECT | {"delta.md": DELTA, "flat.md": DELTA.replace("#", "").lstrip()})

    source, texts = reads(folder / path)

    assert source is not None
    assert source.main is None
    assert [delta.name for delta in source.deltas] == [(folder / path).as_posix()]
    assert texts == []


def test_a_spec_that_shows_a_delta_as_code_is_a_spec(writes: Any) -> None:
    folder = writes({"spec.md": f"# T\n\n```\n{DELTA}```\n"})

    source, _ = reads(folder / "spec.md")

    assert source is not None
    assert source.main is not None


@pytest.mark.parametrize("start", ["", "openspec"])
def test_a_change_is_read_beside_the_spec_it_changes(start: str, writes: Any) -> None:
    folder = writes(PROJECT)

    source, texts = reads(folder / start, change="more")

    assert source is not None
    assert (source.capability, source.change, texts) == ("adapter", "more", [])
    assert source.main is not None
    assert source.main.name.endswith("specs/adapter/spec.md")
    assert [delta.text for delta in source.deltas] == [DELTA]
    assert source.companion is not None


def test_a_change_may_bring_a_spec_that_is_not_there_yet(writes: Any) -> None:
    folder = writes(PROJECT)

    source, texts = reads(folder, change="new")

    assert source is not None
    assert (source.capability, source.main, len(source.deltas), texts) == ("fresh", None, 1, [])


def test_a_change_leaves_other_capabilities_as_they_are(writes: Any) -> None:
    folder = writes(PROJECT)

    source, _ = reads(folder, change="more", capability="area/other")

    assert source is not None
    assert (source.capability, source.deltas) == ("area/other", ())
    assert source.main is not None


@pytest.mark.parametrize(
    ("choice", "name", "hint"),
    [
        ({}, "several-capabilities", "name one of them: `adapter`, `area/other`"),
        ({"capability": "adaptor"}, "unknown-in-openspec", "there are `adapter`, `area/other`"),
        ({"change": "archive"}, "unknown-in-openspec", "there are `empty`, `more`, `new`"),
        ({"change": "../specs"}, "unknown-in-openspec", "there are `empty`, `more`, `new`"),
        ({"change": "old"}, "archived-change", "changes/archive/2026-01-01-old` beside"),
        ({"change": "empty"}, "no-openspec-folder", ""),
        ({"capability": "../adapter"}, "unknown-in-openspec", ""),
    ],
)
def test_a_choice_that_is_not_there_is_told(
    choice: dict[str, str], name: str, hint: str, writes: Any
) -> None:
    diagnostics = Diagnostics()

    source = read_requirements(str(writes(PROJECT)), diagnostics, **choice)

    (diagnostic,) = diagnostics
    assert source is None
    assert diagnostic.code.name == name
    assert hint in diagnostic.hint


@pytest.mark.parametrize(
    ("files", "path", "name"),
    [
        ({"spec.md": b"# T\n\n\xff\n"}, "spec.md", "undecodable-text"),
        ({"a.txt": ""}, "spec.md", "missing-file"),
        ({"a.txt": ""}, "", "no-openspec-folder"),
        ({"spec.md/a.txt": ""}, "spec.md", "no-openspec-folder"),
    ],
)
def test_what_cannot_be_read_is_told(
    files: dict[str, str | bytes], path: str, name: str, writes: Any
) -> None:
    source, texts = reads(writes(files) / path)

    assert source is None
    assert texts == [name]


def test_standard_input_has_no_companion_and_is_refused() -> None:
    diagnostics = Diagnostics()

    source = read_requirements("-", diagnostics)

    (finding,) = diagnostics
    assert source is None
    assert finding.code.name == "unreadable-file"
    assert finding.hint == "give the path of `spec.md` in place of `-`"
    assert not is_openspec("-")


def test_companion_that_is_a_folder_is_reported_with_a_hint_that_fits(writes: Any) -> None:
    folder = writes({"spec.md": SPEC, "mcp.yaml/x": ""})
    diagnostics = Diagnostics()

    read_requirements((folder / "spec.md").as_posix(), diagnostics)

    (finding,) = diagnostics
    assert finding.message.endswith("mcp.yaml` cannot be read: it is a folder")
    assert finding.hint == "replace the folder by a file, or rename the folder"


def test_a_change_is_not_read_from_a_file(writes: Any) -> None:
    source, texts = reads(writes(PROJECT) / "openspec/specs/adapter/spec.md", change="more")

    assert source is None
    assert texts == ["unknown-in-openspec"]


def test_a_broken_companion_is_told_where_it_breaks(writes: Any) -> None:
    folder = writes({"spec.md": SPEC, "mcp.yaml": "mcpgen: [1\n"})

    source, texts = reads(folder / "spec.md")

    assert source is not None
    assert source.companion is None
    assert texts == ["broken-yaml"]


@pytest.mark.parametrize("link", ["specs/a/spec.md", "specs/a/mcp.yaml"])
def test_links_out_of_the_folder_are_not_followed(link: str, writes: Any, tmp_path: Path) -> None:
    folder = writes({"openspec/specs/a/spec.md": SPEC, "openspec/changes/c/specs/a/x.md": ""})
    secret = tmp_path / "secret.yaml"
    secret.write_text("mcpgen: 1\n", encoding="utf-8")
    path = folder / "openspec" / link
    path.unlink(missing_ok=True)
    path.symlink_to(secret)

    source, texts = reads(folder / "openspec")

    assert texts == ["unreadable-file"]
    assert source is None or source.companion is None


def test_links_to_folders_are_not_followed(writes: Any, tmp_path: Path) -> None:
    folder = writes({"openspec/specs/a/spec.md": SPEC})
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "spec.md").write_text(SPEC, encoding="utf-8")
    (folder / "openspec/specs/b").symlink_to(tmp_path / "elsewhere")
    (folder / "openspec/specs/a/loop").symlink_to(folder / "openspec/specs")

    source, texts = reads(folder)

    assert source is not None
    assert (source.capability, texts) == ("a", [])


def test_requirements_are_told_from_other_specifications(writes: Any) -> None:
    folder = writes(PROJECT | {"api/specs/pets.yaml": "openapi: 3.1.0\n", "a.MD": ""})

    verdicts = {
        path: is_openspec(str(folder / path))
        for path in ("openspec", "", "a.MD", "api", "api/specs/pets.yaml", "missing")
    }

    assert verdicts == {
        "openspec": True,
        "": True,
        "a.MD": True,
        "api": False,
        "api/specs/pets.yaml": False,
        "missing": False,
    }


def test_the_digest_covers_every_file(writes: Any) -> None:
    digests = set()
    for change in ({}, {"openspec/specs/adapter/mcp.yaml": "mcpgen: 2\n"}):
        source, _ = reads(writes(PROJECT | change), change="more")
        assert source is not None
        digests.add(source.sha256)

    assert len(digests) == 2
