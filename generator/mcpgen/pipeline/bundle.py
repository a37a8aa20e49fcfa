"""Makes the MCP bundle of a project: the same bytes for the same files."""

from __future__ import annotations

import io
import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mcpgen.emit import mcpb
from mcpgen.emit.locks import LOCK
from mcpgen.ir.server import Server

_DATE = (1980, 1, 1, 0, 0, 0)

_SECRET_FILES = frozenset({".pem", ".key", ".p12", ".pfx", ".jks"})
"""Suffixes of files with keys, which a user may have put beside `hooks.py`."""

_DOCUMENTS = ("LICENSE", "LICENSE.md", "LICENSE.txt", "NOTICE", "README.md", mcpb.ICON)

_PNG = b"\x89PNG\r\n\x1a\n"

_PIN = re.compile(r"^([A-Za-z0-9][\w.-]*==[^\s\\;]+(?: *; *[^\\\n]*[^\\\s])?)", re.MULTILINE)

_MAIN = '''"""Serves over standard input and output."""

import sys

from {package}.__main__ import run

if __name__ == "__main__":
    sys.argv[1:] = ["--stdio"]
    raise SystemExit(run())
'''


class CannotBundle(Exception):
    """A project that desktop hosts cannot run; the message states the reason."""


def write_bundle(folder: Path, server: Server, output: Path, lock: str = "") -> tuple[str, ...]:
    """Writes the bundle of a project; returns the paths of the files in the bundle.

    `lock` is the name of the user's own lock file, `""` for `requirements.lock`. Raises CannotBundle,
    and OSError for unreadable files.
    """
    files = dict(sorted(bundle_files(folder, server, lock).items()))
    archive = io.BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as bundle:
        for path, content in files.items():
            entry = ZipInfo(path, _DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = ZIP_DEFLATED
            bundle.writestr(entry, content)
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(f".{output.name}.{os.getpid()}.part")
    part.write_bytes(archive.getvalue())
    os.replace(part, output)
    return tuple(files)


def bundle_files(folder: Path, server: Server, lock: str = "") -> dict[str, bytes]:
    """The files of a bundle by path. Raises CannotBundle."""
    package = folder / server.package
    if not (package / "__main__.py").is_file():
        raise CannotBundle(f"there is no {package.as_posix()}; run mcpgen build first")
    if server.policy.samples:
        raise CannotBundle(f"the path {server.policy.path} has parameters, which stdio has not")
    if not server.policy.enabled:
        raise CannotBundle("the server is switched off by `enabled` under `[endpoint]`")
    files = {path: (folder / path).read_bytes() for path in _DOCUMENTS if (folder / path).is_file()}
    if not files.get(mcpb.ICON, _PNG).startswith(_PNG):
        raise CannotBundle(f"{mcpb.ICON} is not a PNG file, the format of icons in bundles")
    manifest = _manifest(folder, server)
    if mcpb.ICON in files:
        manifest = {**manifest, "icon": mcpb.ICON}
    files["manifest.json"] = (json.dumps(manifest, indent=2) + "\n").encode()
    files[mcpb.ENTRY_POINT] = _MAIN.format(package=server.package).encode()
    files["pyproject.toml"] = _bundle_pyproject(folder, manifest, lock or LOCK).encode()
    for path in sorted(package.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and _is_wanted(name):
            files[name.as_posix()] = path.read_bytes()
    return files


def _is_wanted(path: Path) -> bool:
    """False for caches, hidden files and files with keys."""
    hidden = any(part.startswith(".") or part.endswith("__pycache__") for part in path.parts)
    return not hidden and path.suffix not in _SECRET_FILES | {".pyc"}


def _manifest(folder: Path, server: Server) -> Mapping[str, Any]:
    """The manifest in the project, else the manifest of the server. Raises CannotBundle."""
    path = folder / mcpb.PATH
    if not path.is_file():
        return mcpb.manifest(server)
    try:
        manifest = json.loads(path.read_bytes())
    except ValueError as error:
        raise CannotBundle(f"{path.as_posix()} is not JSON: {error}") from error
    if not isinstance(manifest, dict):
        raise CannotBundle(f"{path.as_posix()} is not a JSON object")
    return manifest


def _bundle_pyproject(folder: Path, manifest: Mapping[str, Any], lock: str) -> str:
    """`pyproject.toml` for uv: the packages of the lock file at their versions, else those of the
    project. The package is not installed, because `main.py` is beside the package."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    pins = _pinned_requirements(folder / lock)
    lines = [
        "[project]",
        f"name = {json.dumps(str(manifest.get('name', project['name'])))}",
        f"version = {json.dumps(project['version'])}",
        f"requires-python = {json.dumps(project['requires-python'])}",
        "dependencies = [",
        *(f"    {json.dumps(pin)}," for pin in pins or project["dependencies"]),
        "]",
        "",
        "[tool.uv]",
        "package = false",
    ]
    return "\n".join([*lines, ""])


def _pinned_requirements(lock: Path) -> list[str]:
    """The requirements of a lock file, without the hashes, which `dependencies` cannot have."""
    if not lock.is_file():
        return []
    text = lock.read_text("utf-8").replace("\\\n", "\\ \n")
    return [match[1].rstrip(" \\") for match in _PIN.finditer(text)]


def bundle_name(server: Server) -> str:
    """The default name of the file: `tides-mcp.mcpb`."""
    return f"{server.package.replace('_', '-')}.mcpb"
