"""Counts files and lines of built projects in both runtime modes.

`python -m tests.update_sizes` builds every project of generated/ twice and writes the tree of tides into
docs/generated-project.md, and the table of all projects into tests/generated/sizes.md.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from mcpgen.cli.app import app

ROOT = Path(__file__).parent.parent

PROJECTS = sorted(path.parent for path in (ROOT / "generated").glob("*/mcpgen.lock"))
TIDES = ROOT / "generated" / "tides"
MODES = ("vendored", "package")
USERS = {".gitignore", "mcpgen.toml", "pyproject.toml"}
"""The files that a build writes once for the user, besides `hooks.py` in the package."""

TREE, TABLE = "tree", "table"
PAGES = {
    TREE: ROOT / "docs" / "generated-project.md",
    TABLE: ROOT / "tests" / "generated" / "sizes.md",
}
"""The page of each block."""


@dataclass(frozen=True)
class BuiltProject:
    """The lines of each file of a fresh build, by path, without the files of the user's own."""

    tools: int
    users: set[str]
    lines: dict[str, int]

    @property
    def runtime(self) -> dict[str, int]:
        """Returns the files of the copied runtime."""
        return {path: count for path, count in self.lines.items() if "/_runtime/" in path}

    @property
    def read(self) -> dict[str, int]:
        """Returns the files that a reviewer reads: lock files are left out."""
        return {path: count for path, count in self.lines.items() if not path.endswith(".lock")}


def build(project: Path, mode: str, folder: Path) -> BuiltProject:
    """Builds a project with the runtime mode into an empty folder, with the configuration and the
    attached files of the project in generated/. Raises RuntimeError if the build fails."""
    choices = (project / "mcpgen.toml").read_text("utf-8")
    spec = re.search(r'^spec = "(.+)"$', choices, re.MULTILINE)
    assert spec is not None
    absolute = (project / spec[1]).resolve().as_posix()
    choices = choices.replace(spec[0], f'spec = "{absolute}"\nruntime = "{mode}"', 1)
    choices = re.sub(r'^(runtime = ".*"\n)runtime = ".*"\n', r"\1", choices, flags=re.MULTILINE)
    (folder / "mcpgen.toml").write_text(choices, "utf-8")
    for name in ("offers", "prompts"):
        if (project / name).is_dir():
            shutil.copytree(project / name, folder / name)
    command = ["build", absolute, "-o", str(folder), "--no-verify"]
    result = CliRunner().invoke(app, command)
    if result.exit_code:
        raise RuntimeError(result.output)
    lock = json.loads((folder / "mcpgen.lock").read_text("utf-8"))
    users = {*USERS, f"{lock['package']}/hooks.py"}
    paths = {*lock["files"], "mcpgen.lock", *users}
    return BuiltProject(
        len(lock["tools"]),
        users,
        {path: len((folder / path).read_text("utf-8").splitlines()) for path in sorted(paths)},
    )


def tree(project: BuiltProject) -> str:
    """Returns the tree of a project with a copy of the runtime: the lines of each file."""
    rows = ["tides/"]
    names: set[str] = set()
    is_copied = False
    for path, count in sorted(project.lines.items(), key=_folders_first):
        *folders, name = path.split("/")
        if "_runtime" in folders:
            if not is_copied:
                files, lines = len(project.runtime), sum(project.runtime.values())
                rows.append(_row(2, "_runtime/", f"{lines:,} in {files} files, copied"))
            is_copied = True
            continue
        for depth in range(len(folders)):
            folder = "/".join(folders[: depth + 1])
            if folder not in names:
                names.add(folder)
                rows.append("    " * (depth + 1) + f"{folders[depth]}/")
        owner = ", yours" if path in project.users else ""
        rows.append(_row(len(folders) + 1, name, f"{count:,}{owner}"))
    return "```text\n" + "\n".join(rows) + "\n```\n"


def _folders_first(item: tuple[str, int]) -> tuple[bool, str]:
    return "/" not in item[0], item[0]


def _row(depth: int, name: str, text: str) -> str:
    return f"{'    ' * depth + name:<36}{text}"


def table(builds: dict[str, dict[str, BuiltProject]]) -> str:
    """Returns the table of files and lines, by project and mode."""
    rows = [
        "| project | tools | `package`: files | lines | `vendored`: files | lines | of these, the runtime |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, modes in builds.items():
        package, vendored_build = modes["package"], modes["vendored"]
        cells = (
            str(package.tools),
            *_counts(package.read),
            *_counts(vendored_build.read),
            f"{sum(vendored_build.runtime.values()):,}",
        )
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _counts(lines: dict[str, int]) -> tuple[str, str]:
    return str(len(lines)), f"{sum(lines.values()):,}"


def block(name: str) -> str:
    """Returns a block of the page. Raises ValueError if the page has no such block."""
    return _split_page(name)[1]


def _split_page(name: str) -> tuple[str, str, str]:
    """Returns the text before, in and after a block. Raises ValueError if the page has no such block."""
    start, end = f"<!-- tests.update_sizes: {name} -->\n\n", "\n<!-- end -->"
    head, marker, remainder = PAGES[name].read_text("utf-8").partition(start)
    if not marker:
        raise ValueError(f"{PAGES[name].name} has no block {name}")
    content, _, tail = remainder.partition(end)
    return head + start, content, end + tail


def main() -> int:
    """Writes both blocks."""
    builds: dict[str, dict[str, BuiltProject]] = {}
    for project in PROJECTS:
        for mode in MODES:
            with tempfile.TemporaryDirectory() as folder:
                builds.setdefault(project.name, {})[mode] = build(project, mode, Path(folder))
    for name, content in {
        TREE: tree(builds["tides"]["vendored"]),
        TABLE: table(builds),
    }.items():
        head, _, tail = _split_page(name)
        PAGES[name].write_text(head + content + tail, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
