"""The lock files of a project: complete, hashed, and installable alone."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import metadata

import pytest
from emit_servers import GET_PET, PETS, server, tool
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename
from tests.update_pins import ENVIRONMENTS, ROOT, TABLE

from mcpgen import __version__
from mcpgen.config import Config, DeploymentConfig
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.config.tables.limits import CountStore, LimitsConfig
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.config.tables.server import ObservabilityConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.locks import server_pins
from mcpgen.ir.builtin_tools import ScriptSpec
from mcpgen.ir.policy import Policy
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json

SIGNED = AuthenticationConfig(issuer="https://i.example", jwks_url="https://i.example/keys")
EVERYTHING = server(
    GET_PET,
    script=ScriptSpec(tool("do"), "db", {"pets": {"get": "get_pet"}}),
    limits=LimitsConfig("9/minute", store=CountStore.REDIS),
    observability=ObservabilityConfig(prometheus=True, opentelemetry=True),
    policy=Policy(authentication=SIGNED),
)

PLATFORMS = {
    "linux": [
        [f"manylinux_2_{minor}_{machine}" for minor in range(36, 4, -1)]
        for machine in ("x86_64", "aarch64")
    ],
    "darwin": [list(mac_platforms((15, 0), "arm64"))],
    "win32": [["win_amd64"]],
}
"""Wheel tags of each supported machine, by `sys.platform`."""

_LINE = re.compile(
    r"([a-z0-9-]+)==([^ ;]+)(?: ; ([^\\]+?))?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


def emit_texts(server: Server = PETS, config: Config | None = None) -> dict[str, str]:
    """Returns the texts of a project, by path."""
    if config is None and server is EVERYTHING:
        return texts_of_everything()
    project = emit(server, config or Config(spec="openapi.yaml"), Diagnostics())
    return {file.path: file.text for file in project.files}


@cache
def texts_of_everything() -> dict[str, str]:
    """Returns the texts of the project with the most packages, by path."""
    return emit_texts(EVERYTHING, Config(spec="openapi.yaml"))


def pinned_versions(text: str) -> dict[tuple[str, str], str]:
    """Returns the markers of a lock file's packages, by name and version."""
    return {(name, version): marker for name, version, marker, _ in _LINE.findall(text)}


def missing(roots: list[str], pins: dict[tuple[str, str], str], environment: Json) -> Iterator[str]:
    """Returns the requirements without a matching pin in an environment, for the roots and all
    their transitive dependencies as declared by the installed packages."""
    versions = {
        name: version
        for (name, version), marker in pins.items()
        if not marker or Marker(marker).evaluate(environment)  # type: ignore[arg-type]
    }
    pending, visited_requirements = [(Requirement(root), "") for root in roots], set()
    while pending:
        requirement, extra = pending.pop()
        marker, name = requirement.marker, canonicalize_name(requirement.name)
        marker_environment = {**environment, "extra": extra}  # type: ignore[dict-item]
        if (str(requirement), extra) in visited_requirements or (
            marker and not marker.evaluate(marker_environment)
        ):
            continue
        visited_requirements.add((str(requirement), extra))
        if not requirement.specifier.contains(versions.get(name, ""), prereleases=True):
            yield f"{requirement} in {environment}"
        elif _is_installed(name, versions[name]):
            extras = ("", *requirement.extras)
            pending += [
                (dependency, extra_name)
                for dependency in _requirements_of(name)
                for extra_name in extras
            ]


@cache
def _requirements_of(name: str) -> list[Requirement]:
    """Returns the requirements of an installed package."""
    return [Requirement(text) for text in metadata.requires(name) or []]


@cache
def _is_installed(name: str, version: str) -> bool:
    """True if this environment has the package at this version. Other pins are for other
    platforms."""
    try:
        return metadata.version(name) == version
    except metadata.PackageNotFoundError:
        return False


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_line_has_a_version_and_hashes(name: str) -> None:
    text = emit_texts(EVERYTHING)[name]

    remainder = _LINE.sub("", text).splitlines()

    other_lines = [line for line in remainder if line and not line.startswith("#")]
    assert other_lines == (["-r requirements.lock"] if "dev" in name else []) + [
        "--only-binary :all:"
    ]
    assert len(pinned_versions(text)) > 5


@pytest.mark.parametrize("server", [PETS, EVERYTHING], ids=["plain", "everything"])
def test_the_lock_of_the_server_holds_all_that_its_packages_require(server: Server) -> None:
    texts = emit_texts(server)
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    roots = [*project["dependencies"], *project["optional-dependencies"]["fast"]]
    pins = pinned_versions(texts["requirements.lock"])

    missing_pins = [
        name for environment in ENVIRONMENTS for name in missing(roots, pins, environment)
    ]

    assert missing_pins == []


def test_the_lock_of_the_workflow_holds_the_tests_the_build_backend_and_mcpgen() -> None:
    texts = emit_texts(EVERYTHING)
    content = tomllib.loads(texts["pyproject.toml"])
    dev = content["project"]["optional-dependencies"]["dev"]
    own_requirements = [
        text for text in metadata.requires("mcpgen") or [] if "extra ==" not in text
    ]
    roots = [*dev, *content["build-system"]["requires"], *own_requirements]
    pins = pinned_versions(texts["requirements.lock"]) | pinned_versions(
        texts["requirements-dev.lock"]
    )

    missing_pins = [
        text for environment in ENVIRONMENTS for text in missing(roots, pins, environment)
    ]

    assert missing_pins == []
    assert "hatchling" in {name for name, _ in pins}


def test_a_package_is_in_one_of_the_two_lock_files() -> None:
    texts = emit_texts(EVERYTHING)

    serving, developing = (
        pinned_versions(texts[name]) for name in ("requirements.lock", "requirements-dev.lock")
    )

    assert serving.keys() & developing.keys() == set()


def test_a_project_locks_no_package_of_a_part_it_does_not_have() -> None:
    names = {name for name, _ in pinned_versions(emit_texts()["requirements.lock"])}

    assert names & {"redis", "limits", "deno", "prometheus-client", "opentelemetry-sdk"} == set()
    assert names & {"pytest", "hatchling", "black"} == set()


def test_a_project_without_a_specification_of_its_own_locks_no_package_of_mcpgen() -> None:
    text = emit_texts(PETS, Config())["requirements-dev.lock"]

    names = {name for name, _ in pinned_versions(text)}

    assert "pytest" in names
    assert "black" not in names


def test_overlays_bring_the_package_that_reads_them() -> None:
    plain_lock = emit_texts(PETS)["requirements-dev.lock"]
    overlay_lock = emit_texts(PETS, Config(spec="a.yaml", overlays=("b.yaml",)))[
        "requirements-dev.lock"
    ]

    assert "python-jsonpath==" in overlay_lock
    assert "python-jsonpath==" not in plain_lock


def test_a_lock_file_of_the_users_is_installed_with_the_others() -> None:
    texts = emit_texts(PETS, Config(deployment=DeploymentConfig(lock="own.lock")))

    assert "-r own.lock\n" in texts["requirements-dev.lock"]
    assert "-r own.lock\n" not in texts["requirements.lock"]
    assert "    --requirement own.lock \\\n" in texts["Dockerfile"]
    assert "!own.lock\n" in texts[".dockerignore"]
    assert "own.lock" not in "".join(emit_texts().values())


@cache
def tags_of(name: str) -> frozenset[Tag]:
    """Returns the tags of a wheel."""
    return parse_wheel_filename(name)[3]


@pytest.mark.parametrize("system", PLATFORMS)
def test_every_platform_has_a_wheel_of_every_package(system: str) -> None:
    packages = json.loads(TABLE.read_text("utf-8"))["packages"]
    pins = server_pins(emit_texts(EVERYTHING)["pyproject.toml"])
    names = {(pin, item["version"]): item["files"] for pin in packages for item in packages[pin]}

    without_wheel = []
    for environment in ENVIRONMENTS:
        version = tuple(map(int, environment["python_version"].split(".")))
        for platforms in PLATFORMS[system] if environment["sys_platform"] == system else ():
            usable = {
                *cpython_tags(version, platforms=platforms),
                *compatible_tags(version, "cp{}{}".format(*version), platforms),
            }
            without_wheel += [
                f"{pin.name} {version} {platforms[0]}"
                for pin in pins
                if not pin.marker or Marker(pin.marker).evaluate(environment)
                if not any(tags_of(name) & usable for name in names[pin.name, pin.version])
            ]

    assert without_wheel == []


def test_the_workflow_pins_actions_by_commit_and_mcpgen_by_version() -> None:
    text = emit_texts()[".github/workflows/mcpgen.yaml"]

    used = re.findall(r"uses: (.+)", text)

    assert len(used) == 2
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v[0-9.]+", item) for item in used)
    assert f"pip install --no-deps mcpgen=={__version__}" in text
    assert "mcpgen build --check" in text
    assert "mcpgen==" not in emit_texts(PETS, Config())[".github/workflows/mcpgen.yaml"]


def test_the_workflow_of_a_project_without_lock_files_installs_what_mcpgen_needs() -> None:
    config = Config(spec="openapi.yaml", runtime=RuntimeMode.PACKAGE)
    pinned_config = replace(config, deployment=DeploymentConfig(mcpgen_hash=f"sha256:{'5a' * 32}"))

    for texts in (emit_texts(PETS, config), emit_texts(PETS, pinned_config)):
        workflow = texts[".github/workflows/mcpgen.yaml"]
        assert f'run: "pip install mcpgen=={__version__}"' in workflow
        assert "requirements-dev.lock" not in workflow


def test_the_hash_of_mcpgen_brings_it_into_the_lock_file_of_the_workflow() -> None:
    digest = f"sha256:{'5a' * 32}"
    deployment = DeploymentConfig(mcpgen_hash=digest)

    texts = emit_texts(PETS, Config(spec="openapi.yaml", deployment=deployment))
    without_hash = emit_texts(PETS, Config(deployment=deployment))

    line = f"mcpgen=={__version__} \\\n    --hash={digest}\n"
    assert texts["requirements-dev.lock"].endswith(line)
    assert "mcpgen==" not in texts["requirements.lock"] + texts[".github/workflows/mcpgen.yaml"]
    assert "mcpgen==" not in "".join(without_hash.values())


def test_the_table_has_the_versions_that_mcpgen_is_developed_with() -> None:
    packages = json.loads(TABLE.read_text("utf-8"))["packages"]
    lines = (ROOT / "requirements-dev.lock").read_text("utf-8").splitlines()
    versions = {tuple(line.split(" ;")[0].split("==")) for line in lines if "==" in line}
    package_names = {name for name, _ in versions}

    table_pins = {(name, item["version"]) for name in packages for item in packages[name]}

    assert {(name, version) for name, version in table_pins if name in package_names} <= versions
