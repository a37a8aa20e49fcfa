"""What a project's own `pyproject.toml` lacks: the file is the user's after the first build."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import write as codes
from mcpgen.ir.project import Project

NAME = "pyproject.toml"

_DISTRIBUTION = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


def tell_missing(project: Project, folder: Path, name: str, diagnostics: Diagnostics) -> None:
    """Says which distributions the server needs and the file in its folder does not ask for; `name`
    is what messages call the file. Adds MISSING_DISTRIBUTION."""
    there = _dependencies(_content(folder / NAME))
    wanted = next((file.text for file in project.files if file.path == NAME), "")
    if there is None:
        return
    for distribution, requirement in (_dependencies(wanted) or {}).items():
        if distribution not in there:
            diagnostics.add(
                codes.MISSING_DISTRIBUTION,
                Location(name),
                distribution=distribution,
                requirement=requirement,
            )


def _content(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return ""


def _dependencies(text: str) -> Mapping[str, str] | None:
    """The requirements of a project by distribution; None where the file does not list them."""
    try:
        listed = tomllib.loads(text)["project"]["dependencies"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return None
    if not isinstance(listed, list):
        return None
    return {_named(one): one for one in listed if isinstance(one, str)}


def _named(requirement: str) -> str:
    """The distribution of a requirement, as https://peps.python.org/pep-0503/ compares names."""
    match = _DISTRIBUTION.match(requirement)
    return re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""
