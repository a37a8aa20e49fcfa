"""Runs modules in a project's folder as `python -m MODULE` does, and project servers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from tests.forkserver import own_tests
from tests.forkserver.servers import start_server
from typer.testing import CliRunner

from mcpgen.cli.app import app


def run(module: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Returns the finished module. mcpgen runs in this process and pytest in a fork, because both
    are loaded already and start often. The tests write no bytecode, so no run affects another."""
    if module == "pytest":
        return own_tests(folder, *arguments, more={"PYTHONDONTWRITEBYTECODE": "1"})
    if module == "mcpgen":
        with chdir(folder):
            result = CliRunner().invoke(app, arguments)
        return subprocess.CompletedProcess(
            arguments, result.exit_code, result.stdout, result.stderr
        )
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        (sys.executable, "-m", module, *arguments),
        cwd=folder,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


OWN_TESTS = ("pytest", "-q", "-p", "no:cacheprovider")


def require_success(folder: Path, *commands: tuple[str, ...]) -> None:
    """Runs the modules in a project's folder; fails with the output of the first that fails."""
    for command in commands:
        completed = run(*command, folder=folder)
        assert completed.returncode == 0, (command, completed.stdout + completed.stderr)


@contextmanager
def serve_project(package: str, folder: Path, upstream: str, **variables: str) -> Iterator[str]:
    """Yields the endpoint of a project's server before an API, with these environment variables."""
    arguments = ("--port", "0", "--upstream", upstream)
    environment = os.environ | variables
    process, output, log = start_server(folder, package, *arguments, environment=environment)
    with output, log:
        try:
            yield output.readline().rpartition(" at ")[2].strip()
        finally:
            process.kill()
            process.join()
            process.close()
