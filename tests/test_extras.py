"""The base install is small, and a command without its extra names the extra."""

from __future__ import annotations

import sys
import tomllib
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mcpgen.diagnostics import Diagnostic, Severity
from mcpgen.pipeline import BuildOptions, BuildResult, BuildStatus, build, check, project_checks

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
MAX_DISTRIBUTIONS = 60
"""Packages that `pip install mcpgen` may install, with mcpgen itself."""

LIMITS = '[limits]\nall = "5/minute"\nstore = "redis"\n'


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a specification in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "openapi.yaml").write_text(SPEC)
    return tmp_path


@pytest.fixture
def without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides the packages `limits` and `redis`."""

    def version(distribution: str) -> str:
        if distribution in ("limits", "redis"):
            raise metadata.PackageNotFoundError(distribution)
        return metadata.version(distribution)

    monkeypatch.setattr(
        project_checks,
        "metadata",
        type("Metadata", (), {**vars(metadata), "version": staticmethod(version)}),
    )


def packages(required: list[str]) -> set[str]:
    """The packages of requirements in the environment of the tests."""
    result: set[tuple[str, str]] = set()
    waiting = [(Requirement(requirement_text), "") for requirement_text in required]
    while waiting:
        requirement, of_extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": of_extra}):
            continue
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) not in result:
                result.add((name, extra))
                declared_requirements = metadata.requires(name) or []
                waiting += [
                    (Requirement(requirement_text), extra)
                    for requirement_text in declared_requirements
                ]
    return {name for name, _ in result}


def codes(outcome: BuildResult) -> dict[str, Diagnostic]:
    return {diagnostic.code.id: diagnostic for diagnostic in outcome.diagnostics}


def test_the_base_install_has_at_most_sixty_packages() -> None:
    texts = packages(PROJECT["dependencies"])

    assert len({"mcpgen", *texts}) <= MAX_DISTRIBUTIONS, sorted(texts)
    assert not texts & {"limits", "opentelemetry-sdk", "prometheus-client", "protobuf", "redis"}


def test_the_extra_all_combines_every_extra_for_users() -> None:
    extras = set(PROJECT["optional-dependencies"]) - {"all", "bench", "dev", "docs"}

    (combined_extra,) = PROJECT["optional-dependencies"]["all"]

    assert Requirement(combined_extra).extras == extras
    assert "mcpgen[all]" in PROJECT["optional-dependencies"]["dev"]


@pytest.mark.usefixtures("without_limits")
def test_a_build_writes_a_project_whose_packages_are_missing_and_names_the_extras(
    work_folder: Path,
) -> None:
    (work_folder / "out").mkdir()
    (work_folder / "out/mcpgen.toml").write_text(f'spec = "../openapi.yaml"\n{LIMITS}')

    outcome = build("", "out")

    finding = codes(outcome)["MG656"]
    assert (outcome.status, outcome.report) == (BuildStatus.BUILT, None)
    assert (finding.severity, finding.hint) == (
        Severity.WARNING,
        "run `pip install 'mcpgen[limits,redis]'`, then the same command again",
    )
    assert "`limits`, `redis`" in finding.message
    assert (work_folder / "out/notes_mcp/policy.py").is_file()
    assert build("", "out", BuildOptions(strict=True)).status is BuildStatus.UNFIT


@pytest.mark.usefixtures("without_limits")
def test_a_check_of_a_project_whose_packages_are_missing_fails(work_folder: Path) -> None:
    (work_folder / "out").mkdir()
    (work_folder / "out/mcpgen.toml").write_text(f'spec = "../openapi.yaml"\n{LIMITS}')
    build("", "out", BuildOptions(verify=False))

    outcome = check("out")

    assert outcome.status is BuildStatus.FAILED
    assert codes(outcome)["MG656"].severity is Severity.ERROR


@pytest.mark.repeated("repeats a build with the trial of its server")
@pytest.mark.usefixtures("without_limits")
def test_a_project_without_such_a_policy_is_verified_in_a_base_install() -> None:
    outcome = build("openapi.yaml", "out")

    assert outcome.report is not None
    assert not outcome.report.failed


def test_without_the_validator_a_build_says_so_and_a_strict_one_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "openapi_spec_validator", None)

    plain = build("openapi.yaml", "plain", BuildOptions(verify=False))
    strict = build("openapi.yaml", "strict", BuildOptions(verify=False, strict=True))

    assert plain.validation == "not validated (pip install 'mcpgen[validate]')"
    assert (plain.status, "MG654" in codes(plain)) == (BuildStatus.BUILT, False)
    assert strict.status is BuildStatus.FAILED
    assert codes(strict)["MG654"].hint == "run `pip install 'mcpgen[validate]'`"


def test_an_overlay_without_its_library_is_an_error_at_the_overlay(
    work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jsonpath", None)
    (work_folder / "repair.yaml").write_text("overlay: 1.1.0\n")

    outcome = build("openapi.yaml", "out", BuildOptions(verify=False, overlays=("repair.yaml",)))

    finding = codes(outcome)["MG655"]
    assert outcome.status is BuildStatus.FAILED
    assert finding.at.file == "repair.yaml"
    assert finding.hint == "run `pip install 'mcpgen[overlay]'`"
