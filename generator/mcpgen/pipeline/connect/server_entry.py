"""The entries of servers: how a client reaches or starts the server of a target."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from mcpgen.clients import ServerEntry
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.emit.package_files import variable_prefix
from mcpgen.emit.project_files import start_variables
from mcpgen.ir.policy import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server
from mcpgen.pipeline.connect.errors import TargetNotConnectable

_ADDRESS = "http://127.0.0.1:8000"
"""The address of a generated server without other settings."""

_PARAMETER = re.compile(r"\{[^}]*\}")


def entry_of_url(url: str) -> ServerEntry:
    """The entry of a server at a URL, named after the host."""
    host = urlsplit(url).hostname or ""
    name = re.sub(r"[^A-Za-z0-9]+", "-", host).strip("-")
    return ServerEntry(name or "server", url=url)


def entry_of_project(folder: Path, server: Server, *, over_http: bool) -> ServerEntry:
    """The entry of a project: the command that starts the project, or the URL. Raises
    TargetNotConnectable without such a command, and for a path with parameters.
    """
    if over_http:
        path = server.policy.path
        if _PARAMETER.search(path):
            raise TargetNotConnectable(
                f"the path {path} has parameters; name the URL in place of the folder"
            )
        return ServerEntry(server.slug, url=f"{server.policy.public_url or _ADDRESS}{path}")
    command = (*_start_command(folder, server.package.replace("_", "-")), "--stdio")
    return ServerEntry(server.slug, command=command, variables=tuple(stdio_variables(server)))


def entry_of_spec(path: Path, server: Server) -> ServerEntry:
    """The entry of a description: `mcpgen serve` with the Python of this process."""
    command = (sys.executable, "-m", "mcpgen", "serve", os.fspath(path.absolute()), "--stdio")
    return ServerEntry(server.slug, command=command, variables=tuple(stdio_variables(server)))


def stdio_variables(server: Server) -> Iterator[str]:
    """The environment variables of a server over stdio: required variables, the URL of Redis where
    processes share state, the credentials of an API with one security scheme, and the variable with
    the bearer token that stands for the user of this machine."""
    # The runtime mode changes only the meanings of variables, which an entry does not have.
    for name, _ in start_variables(server, RuntimeMode.VENDORED):
        yield name
    if server.policy.authentication or isinstance(
        server.forwarded_credential, PassthroughSpec | TokenExchange
    ):
        yield f"{variable_prefix(server).text}STDIO_TOKEN"


def _start_command(folder: Path, script: str) -> tuple[str, ...]:
    """The words that start a project: its script in an environment, else `uv run`, which installs
    the project on demand. Clients start servers in a folder of their own, so paths are absolute.
    Raises TargetNotConnectable without both."""
    folders = [folder / ".venv"]
    if active := os.environ.get("VIRTUAL_ENV"):
        folders.append(Path(active))
    for environment in folders:
        for place in (environment / "bin" / script, environment / "Scripts" / f"{script}.exe"):
            if place.is_file():
                return (os.fspath(place.absolute()),)
    if uv := shutil.which("uv"):
        return (uv, "run", "--directory", os.fspath(folder.absolute()), script)
    raise TargetNotConnectable(
        f"{folder} is not installed in an environment: run `python -m venv .venv` and "
        f"`.venv/bin/pip install .` in the folder, or name the URL of the running server"
    )
