"""Formats and lints files that differ from main, and runs the tests of their folders.

Run as `python -m tests.changed`, or `make check`. Ends after a minute, with tests left out.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECONDS = 55
"""For the tests; format and lint take about two seconds."""

ALWAYS = {
    "generator": ("tests/test_layers.py", "tests/test_first_imports.py"),
    "runtime": ("tests/test_layers.py", "tests/emit/test_runtime.py"),
    "templates": ("tests/test_templates.py",),
    "docs": ("tests/test_docs.py", "tests/test_site.py"),
}
"""The tests of the repository's rules, by the first folder of a changed file."""


def changed_files(base: str = "main") -> list[str]:
    """Sorted paths, from the root, of files that differ from the merge base with `base`, uncommitted
    changes included; only uncommitted changes without such a branch."""
    try:
        start = _git("merge-base", "HEAD", base)[0]
    except subprocess.CalledProcessError:
        start = "HEAD"
    committed_paths = _git("diff", "--name-only", "--diff-filter=d", start)
    return sorted({*committed_paths, *_git("ls-files", "--others", "--exclude-standard")})


def choose_tests(paths: Iterable[str]) -> list[str]:
    """Test files and folders for changed files, the closest first: changed tests, tests with the name
    of a changed module, tests that import a changed module of the runtime, the rules of the repository,
    and the folder of `tests/` at the place of the changed file's folder."""
    near: list[str] = []
    rules: list[str] = []
    far: list[str] = []
    for path in paths:
        first, *_ = parts = Path(path).parts
        rules += ALWAYS.get("docs" if path.endswith(".md") else first, ())
        if parts[:2] == ("generator", "mcpgen"):
            near += _named_like(path, "tests/**/")
            far += _mirror(Path(*parts[2:]))
        elif parts[:2] == ("runtime", "mcpgen_runtime") and path.endswith(".py"):
            near += _named_like(path, "tests/runtime/")
            near += _importing(Path(path).stem, ROOT / "tests" / "runtime")
        elif first == "templates":
            far += ["tests/emit"]
        elif first == "tests" and re.fullmatch(r"test_\w+\.py", Path(path).name):
            near.insert(0, path)
        elif first == "tests" and len(parts) > 2:
            far += [str(Path(path).parent)]
    choices = list(dict.fromkeys([*near, *rules, *far]))
    return [name for name in choices if not _is_below(name, choices[: choices.index(name)])]


def main() -> int:
    """Formats, lints and tests; returns 0 without findings."""
    paths = changed_files()
    tests = choose_tests(paths)
    own_modules = [
        path for path in paths if path.endswith(".py") and not path.startswith("generated/")
    ]
    if own_modules:
        print("==", *own_modules)
        if _run("black", "--quiet", "--check", *own_modules) or _run(
            "ruff", "check", "--quiet", *own_modules
        ):
            return 1
    if not tests:
        print("No tests belong to the files that differ from main.")
        return 0
    print("==", *tests)
    return _run_tests(tests)


def _run_tests(tests: list[str]) -> int:
    jobs = str(os.cpu_count() or 1)
    options = ["-x", "-n", jobs, "--dist", "loadgroup"] if jobs != "1" else ["-x"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait()
    print(f"\nNothing failed in {SECONDS} s; `make test` runs the rest.")
    return 0


def _mirror(source: Path) -> Iterator[str]:
    """The deepest folder of `tests/` at the place of a module of mcpgen."""
    for folder in source.parents:
        if folder.name and (ROOT / "tests" / folder).is_dir():
            yield str(Path("tests", folder))
            return
    name = source.parts[0].removesuffix(".py")
    if (ROOT / "tests" / f"test_{name}.py").exists():
        yield f"tests/test_{name}.py"


def _named_like(path: str, folder: str) -> list[str]:
    paths = ROOT.glob(f"{folder}test_{Path(path).stem}.py")
    return sorted(test_path.relative_to(ROOT).as_posix() for test_path in paths)


def _importing(module: str, folder: Path) -> list[str]:
    importing = re.compile(rf"mcpgen_runtime[.\w]*(\.| import .*\b){module}\b")
    return [
        path.relative_to(ROOT).as_posix()
        for path in sorted(folder.glob("test_*.py"))
        if importing.search(path.read_text(encoding="utf-8"))
    ]


def _is_below(path: str, chosen_paths: list[str]) -> bool:
    return any(Path(name) in Path(path).parents for name in chosen_paths)


def _run(tool: str, *arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", tool, *arguments], cwd=ROOT).returncode


def _git(*arguments: str) -> list[str]:
    completed = subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return completed.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
