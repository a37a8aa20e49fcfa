"""`python -m tests.update_pins` (`make pins`) writes `emit/pins.json`, the packages of generated projects.

uv resolves everything a generated project may require, for every platform at once, within the versions
of `requirements-dev.lock`. Versions, markers, dependencies, file names and digests are those that the
package index publishes; licenses are read from the metadata of the installed packages.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "generator" / "mcpgen" / "emit" / "pins.json"

PYTHONS = ("3.11.0", "3.11.9", "3.12.0", "3.13.0", "3.14.0")
"""Async-timeout is needed before 3.11.3, other packages differ by minor version."""

ENVIRONMENTS = [
    {
        "implementation_name": "cpython",
        "os_name": "nt" if system == "win32" else "posix",
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(system, "Linux"),
        "python_full_version": python,
        "python_version": ".".join(python.split(".")[:2]),
        "sys_platform": system,
    }
    for system in ("linux", "darwin", "win32")
    for python in PYTHONS
]
"""The environments that a project can be installed in from its lock files."""

_INTERPRETER = re.compile(r"(py2\.py3|py3|cp3(\d+))")
_PLATFORM = re.compile(
    r"any|(manylinux\w*|musllinux\w*)_(x86_64|aarch64)|macosx_\w+|win_(amd64|arm64)"
)
_MINORS = range(11, 15)

_UNUSED_EXTRAS = frozenset({"all", "bench", "dev", "official", "validate"})
"""The extras of mcpgen that neither a project nor its workflow installs."""

_PROJECT = """\
[project]
name = "pins"
version = "0"
requires-python = ">=3.11"
dependencies = {requirements}
[tool.uv]
constraint-dependencies = {constraints}
"""


def main() -> None:
    """Writes the table."""
    own_requirements, extras = _own_requirements()
    project = _project_requirements()
    requirements = [
        *own_requirements,
        *project,
        *(require for extra_requirements in extras.values() for require in extra_requirements),
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        versions = _resolve(folder, requirements)
        licenses = _licenses(folder)
    packages: dict[str, list[Any]] = {}
    for package in versions:
        packages.setdefault(package.pop("name"), []).append(package)
    for name, pins in packages.items():
        for pin in pins:
            pin["requires"] = [require for require in pin["requires"] if require in packages]
            pin["license"] = licenses[name, pin["version"]]
    table = {
        "mcpgen": sorted(map(_name, own_requirements)),
        "overlay": sorted(map(_name, extras["overlay"])),
        "packages": dict(sorted(packages.items())),
    }
    TABLE.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _own_requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Requirements of mcpgen, and of the extras that projects and workflows need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    used = {name: list(extras[name]) for name in extras if name not in _UNUSED_EXTRAS}
    return list(project["dependencies"]), used


def _project_requirements() -> list[str]:
    """The requirements of every generated project, with the build backend."""
    template = ROOT / "templates" / "project" / "pyproject.toml.jinja"
    lines = template.read_text("utf-8").splitlines()
    plain = "\n".join(line for line in lines if "{{" not in line and not line.startswith("{%"))
    content = tomllib.loads(plain)
    extras = content["project"]["optional-dependencies"].values()
    requirements = [*content["build-system"]["requires"], *content["project"]["dependencies"]]
    return [*requirements, *(item for extra in extras for item in extra)]


def _resolve(folder: Path, requirements: Iterable[str]) -> list[dict[str, Any]]:
    """Every version of every package that an environment needs, in the order of names."""
    lock_lines = (ROOT / "requirements-dev.lock").read_text("utf-8").splitlines()
    constraints = [line for line in lock_lines if line and not line.startswith("#")]
    text = _PROJECT.format(
        requirements=json.dumps(list(requirements)), constraints=json.dumps(constraints)
    )
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    _uv("lock", "--quiet", "--project", str(folder))
    plain = ("--no-hashes", "--no-header", "--no-annotate", "--no-emit-project")
    export_text = _uv("export", "--quiet", "--project", str(folder), *plain)
    markers: dict[tuple[str, str], str] = {}
    for line in filter(None, export_text.splitlines()):
        pin, _, marker = line.partition(" ; ")
        name, version = pin.split("==")
        if _applies(marker):
            markers[name, version] = "" if _applies(marker, always=True) else marker
    lock = tomllib.loads((folder / "uv.lock").read_text("utf-8"))
    return [
        {
            "name": package["name"],
            "version": package["version"],
            "marker": markers[package["name"], package["version"]],
            "requires": sorted(set(_required(package))),
            "files": _wheels(package),
        }
        for package in lock["package"]
        if (package["name"], package["version"]) in markers
    ]


def _applies(marker: str, *, always: bool = False) -> bool:
    """True for a marker that holds in an environment, or in every environment."""
    parsed = Marker(marker) if marker else None
    verdicts = [parsed is None or parsed.evaluate(environment) for environment in ENVIRONMENTS]
    return all(verdicts) if always else any(verdicts)


def _required(package: dict[str, Any]) -> Iterator[str]:
    """The names of the packages that a package requires. uv lists only extras that some package asks
    for; their packages count as required by all."""
    extras = package.get("optional-dependencies", {}).values()
    for item in chain(package.get("dependencies", ()), *extras):
        if _applies(item.get("marker", "")):
            yield item["name"]


def _wheels(package: dict[str, Any]) -> dict[str, str]:
    """The SHA-256 of every wheel that fits an environment, by file name."""
    result = {}
    for wheel in package.get("wheels", ()):
        name = wheel["url"].rpartition("/")[2]
        if any(map(_fits, parse_wheel_filename(name)[3])):
            result[name] = wheel["hash"].removeprefix("sha256:")
    if not result:
        sys.exit(f"{package['name']} {package['version']} has no wheel")
    return dict(sorted(result.items()))


def _fits(tag: Tag) -> bool:
    interpreter = _INTERPRETER.fullmatch(tag.interpreter)
    if interpreter is None or not _PLATFORM.fullmatch(tag.platform):
        return False
    if interpreter[2] is None:
        return True
    minor = int(interpreter[2])
    return tag.abi == "abi3" or (minor in _MINORS and tag.abi in ("none", f"cp3{minor}"))


def _licenses(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    """The license of every package, by name and version, as `_license` returns it."""
    result: dict[tuple[str, str], dict[str, str]] = {}
    for system, python in (("linux", PYTHONS[0]), ("windows", PYTHONS[-1])):
        exact = ("export", "--quiet", "--project", str(folder), "--no-emit-project", "--no-header")
        lock = folder / "hashed.txt"
        lock.write_text(_uv(*exact), encoding="utf-8")
        target = folder / system
        choices = (
            "--python-platform",
            system,
            "--python-version",
            python,
            "--only-binary",
            ":all:",
        )
        hash_options = ("--no-deps", "--require-hashes", "--target", str(target))
        _uv("pip", "install", "--quiet", *choices, *hash_options, "-r", str(lock))
        for distribution in distributions(path=[str(target)]):
            result[canonicalize_name(distribution.name), distribution.version] = _license(
                distribution
            )
    return result


def _license(distribution: Distribution) -> dict[str, str]:
    """The license that a package declares, as CycloneDX says it: an SPDX expression, or the name in the
    package's words; empty where it declares none."""
    package_metadata = distribution.metadata
    for field in ("License-Expression", "License"):
        try:
            text = "".join(package_metadata.get_all(field, []))
            return {"expression": canonicalize_license_expression(text)}
        except InvalidLicenseExpression:
            continue
    classifiers = (
        item for item in package_metadata.get_all("Classifier", []) if item.startswith("License ::")
    )
    names = sorted(item.rpartition(" :: ")[2] for item in classifiers)
    return {"name": " and ".join(names)} if names else {}


def _name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


def _uv(*arguments: str) -> str:
    """Runs uv, and returns its output. Raises CalledProcessError."""
    program = Path(sys.executable).parent / "uv"
    return subprocess.run(
        [program, *arguments], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


if __name__ == "__main__":
    main()
