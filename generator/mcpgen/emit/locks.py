"""The lock files of a project: every package with the version and the SHA-256 of the wheels.

The table `pins.json`, written by `make pins`, supplies the versions; a build asks no package index.
A marker of the table covers all projects together, so a project may install a package without need,
but never lacks a package.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mcpgen import __version__
from mcpgen.config import Config
from mcpgen.ir.project import File, Owner

LOCK = "requirements.lock"
DEVELOPMENT_LOCK = "requirements-dev.lock"

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""The distribution of a requirement, in the spelling of the table."""

_HEAD = """\
# {purpose}
# For CPython 3.11 to 3.14 on Linux, macOS (ARM64) and Windows; install with
#   pip install --require-hashes -r {name}
{more}--only-binary :all:
"""


@dataclass(frozen=True, slots=True)
class Pin:
    """A package at a single version. `marker` describes the environments that need the package,
    `""` for all; `requires` are the names of packages, sorted. `license` has an SPDX `expression`,
    a `name` in the package's words or nothing. `wheels` are the SHA-256 of the files in hexadecimal
    by file name."""

    name: str
    version: str
    marker: str
    requires: tuple[str, ...]
    license: Mapping[str, str]
    wheels: Mapping[str, str]

    @property
    def lines(self) -> str:
        """The requirement in the format of pip, with one line per hash."""
        marker = f" ; {self.marker}" if self.marker else ""
        hashes = (f"    --hash=sha256:{digest}" for digest in sorted(self.wheels.values()))
        return " \\\n".join([f"{self.name}=={self.version}{marker}", *hashes]) + "\n"


def server_pins(project: str) -> tuple[Pin, ...]:
    """The packages of a running server with the extra `fast`, in order of name and version; `project`
    is the text of `pyproject.toml`."""
    content = tomllib.loads(project)["project"]
    return _closure([*content["dependencies"], *content["optional-dependencies"]["fast"]])


def lock_files(project: str, config: Config) -> Iterator[File]:
    """`requirements.lock` for the server; `requirements-dev.lock` adds the tests, the build backend
    and, for a project rebuilt in CI, the packages of mcpgen."""
    content = tomllib.loads(project)
    serving = server_pins(project)
    added = [
        *content["project"]["optional-dependencies"]["dev"],
        *content["build-system"]["requires"],
    ]
    if config.spec:
        added += _pin_table()["mcpgen"]
        added += _pin_table()["overlay"] if config.overlays else []
    names = {pin.name for pin in serving}
    others = tuple(pin for pin in _closure(added) if pin.name not in names)
    for name, purpose, more, pins in (
        (LOCK, "The packages of the server.", "", serving),
        (
            DEVELOPMENT_LOCK,
            "The packages of the tests and of the workflow.",
            f"-r {LOCK}\n",
            others,
        ),
    ):
        more += f"-r {config.deployment.lock}\n" if more and config.deployment.lock else ""
        head = _HEAD.format(name=name, purpose=purpose, more=more)
        own = _own_lines(config) if more else ""
        yield File(name, head + "".join(pin.lines for pin in pins) + own, Owner.MCPGEN)


def _own_lines(config: Config) -> str:
    """The requirement of mcpgen, if the configuration has the hash of mcpgen's wheel."""
    if not (config.spec and config.deployment.mcpgen_hash):
        return ""
    return f"mcpgen=={__version__} \\\n    --hash={config.deployment.mcpgen_hash}\n"


def _closure(requirements: Iterable[str]) -> tuple[Pin, ...]:
    """The packages of `requirements` with all dependencies, in order of name and version. Raises
    KeyError for a requirement missing in the table."""
    pins: dict[str, tuple[Pin, ...]] = {}
    waiting = [match[0] for match in map(_NAME.match, requirements) if match]
    while waiting:
        name = waiting.pop()
        if name not in pins:
            pins[name] = _pins(name)
            waiting += (required for pin in pins[name] for required in pin.requires)
    return tuple(pin for name in sorted(pins) for pin in pins[name])


def _pins(name: str) -> tuple[Pin, ...]:
    """The versions of a package; an environment installs one version."""
    return tuple(
        Pin(
            name,
            entry["version"],
            entry["marker"],
            tuple(entry["requires"]),
            entry["license"],
            entry["files"],
        )
        for entry in _pin_table()["packages"][name]
    )


@cache
def _pin_table() -> dict[str, Any]:
    text = Path(__file__).with_name("pins.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table
