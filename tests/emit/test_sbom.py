"""The bill of materials of a server: valid CycloneDX, complete, and the same for the same build."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from emit_servers import GET_PET, PETS, server
from jsonschema import Draft7Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

from mcpgen.config import Config, DeploymentConfig
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.config.tables.server import ObservabilityConfig
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit

LISTED = Config(spec="openapi.yaml", deployment=DeploymentConfig(sbom=True))
TRACED = server(GET_PET, observability=ObservabilityConfig(opentelemetry=True))


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Texts of a project with a bill of materials, by path."""
    return {file.path: file.text for file in emit(TRACED, LISTED, Diagnostics()).files}


@pytest.fixture(scope="module")
def sbom(texts: dict[str, str]) -> Any:
    """Bill of materials."""
    return json.loads(texts["sbom.cdx.json"])


def schema(name: str) -> Any:
    """Returns a CycloneDX schema from the official library."""
    folder = files("cyclonedx.schema").joinpath("_res")
    return json.loads(folder.joinpath(f"{name}.SNAPSHOT.schema.json").read_text("utf-8"))


def test_the_official_schema_takes_it(sbom: Any) -> None:
    parts = [schema(name) for name in ("spdx", "jsf-0.82")]
    resources = [(part["$id"], Resource(part, DRAFT7)) for part in parts]

    validator = Draft7Validator(schema("bom-1.6"), registry=Registry().with_resources(resources))

    assert [error.message for error in validator.iter_errors(sbom)] == []
    assert not validator.is_valid(sbom | {"specVersion": 1.6})


def test_it_lists_the_packages_of_the_lock_file(texts: dict[str, str], sbom: Any) -> None:
    lock = texts["requirements.lock"]

    names = {f"{component['name']}=={component['version']}" for component in sbom["components"]}
    hashes = {
        wheel["hashes"][0]["content"]
        for component in sbom["components"]
        for wheel in component["externalReferences"]
    }

    lines = [line.split()[0] for line in lock.splitlines() if "==" in line]
    assert names == set(lines)
    assert hashes == {
        line.partition("sha256:")[2][:64] for line in lock.splitlines() if "--hash" in line
    }


def test_every_dependency_leads_to_a_component(sbom: Any) -> None:
    refs = {item["bom-ref"] for item in sbom["components"]}
    root = sbom["metadata"]["component"]["bom-ref"]

    edges = {item["ref"]: item["dependsOn"] for item in sbom["dependencies"]}

    assert edges.keys() == refs | {root}
    assert {ref for targets in edges.values() for ref in targets} <= refs
    assert "pkg:pypi/yarl@" in str(edges)


def test_a_license_is_an_spdx_expression_or_the_words_of_the_package(sbom: Any) -> None:
    result = {component["name"]: component.get("licenses") for component in sbom["components"]}

    assert result["aiohttp"] == [{"expression": "Apache-2.0 AND MIT"}]
    assert result["aiosignal"] == [{"license": {"name": "Apache Software License"}}]
    assert result["protobuf"] is None


def test_a_package_for_some_environments_names_them(sbom: Any) -> None:
    (result,) = (component for component in sbom["components"] if component["name"] == "pywin32")

    assert result["properties"] == [{"name": "mcpgen:marker", "value": "sys_platform == 'win32'"}]


def test_the_same_build_writes_the_same_file_and_another_its_own(texts: dict[str, str]) -> None:
    second_text, changed_text = (
        next(file.text for file in emit(result, LISTED, Diagnostics()).files if "sbom" in file.path)
        for result in (TRACED, PETS)
    )

    assert second_text == texts["sbom.cdx.json"]
    assert json.loads(second_text)["serialNumber"] != json.loads(changed_text)["serialNumber"]


def test_it_is_written_only_where_it_is_asked_for() -> None:
    paths = {file.path for file in emit(PETS, Config(), Diagnostics()).files}

    assert "sbom.cdx.json" not in paths


def test_a_project_without_lock_files_has_no_list_of_packages() -> None:
    diagnostics = Diagnostics()

    project = emit(PETS, replace(LISTED, runtime=RuntimeMode.PACKAGE), diagnostics)

    assert project.files == ()
    assert [(diagnostic.code.id, str(diagnostic.at.file)) for diagnostic in diagnostics] == [
        ("MG629", "mcpgen.toml")
    ]
