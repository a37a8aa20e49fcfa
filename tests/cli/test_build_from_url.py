"""`mcpgen build URL`: the document is fetched, stored in the project, compared and refreshed."""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from tests.document_host import DocumentHost
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
YAML = {"Content-Type": "application/yaml"}


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


@pytest.fixture(name="host")
def host_fixture() -> Iterator[DocumentHost]:
    """Host with a document at `/openapi.yaml`."""
    host = DocumentHost()
    host.answers["/openapi.yaml"] = (200, YAML, SPEC.encode())
    yield host
    host.close()


def build(*arguments: str) -> Result:
    """Builds without starting the server."""
    return CliRunner().invoke(app, ["build", "--no-verify", *arguments])


def test_fetched_document_is_kept_in_the_project_with_its_url_and_digest(
    host: DocumentHost, cwd: Path
) -> None:
    url = f"http://{host.name}/openapi.yaml"

    result = build(url)

    choices = tomllib.loads((cwd / "notes/mcpgen.toml").read_text())
    lock = json.loads((cwd / "notes/mcpgen.lock").read_text())
    assert result.exit_code == 0, result.stderr
    assert (cwd / "notes/openapi.yaml").read_text() == SPEC
    assert (choices["spec"], choices["source"]) == ("openapi.yaml", url)
    assert len(lock["inputs"]["openapi.yaml"]) == 64


def test_later_builds_need_no_network(host: DocumentHost) -> None:
    build(f"http://{host.name}/openapi.yaml", "-o", "out")
    host.answers.clear()
    request_count = len(host.requests)

    second_result, check = build("-o", "out"), build("-o", "out", "--check")

    assert (second_result.exit_code, check.exit_code) == (0, 0)
    assert len(host.requests) == request_count


def test_refresh_with_check_tells_that_the_document_has_changed(
    host: DocumentHost, cwd: Path
) -> None:
    build(f"http://{host.name}/openapi.yaml", "-o", "out")
    unchanged_result = build("-o", "out", "--check", "--refresh")
    changed_spec = SPEC.replace("List notes", "List shared notes")
    host.answers["/openapi.yaml"] = (200, YAML, changed_spec.encode())

    drift_result = build("-o", "out", "--check", "--refresh")

    assert (unchanged_result.exit_code, drift_result.exit_code) == (0, 1)
    assert "MG620 changed-source" in drift_result.stderr
    assert "  next: mcpgen build --refresh -o out\n" in drift_result.stdout
    assert (cwd / "out/openapi.yaml").read_text() == SPEC


def test_refresh_takes_the_new_document(host: DocumentHost, cwd: Path) -> None:
    build(f"http://{host.name}/openapi.yaml", "-o", "out")
    changed_spec = SPEC.replace("List notes", "List shared notes")
    host.answers["/openapi.yaml"] = (200, YAML, changed_spec.encode())

    result = build("-o", "out", "--refresh")

    assert result.exit_code == 0
    assert (cwd / "out/openapi.yaml").read_text() == changed_spec
    assert build("-o", "out", "--check", "--refresh").exit_code == 0


def test_document_with_errors_leaves_the_project_as_it_was(host: DocumentHost, cwd: Path) -> None:
    build(f"http://{host.name}/openapi.yaml", "-o", "out")
    broken_spec = SPEC.replace("{type: integer}", '{$ref: "#/components/schemas/Gone"}')
    host.answers["/openapi.yaml"] = (200, YAML, broken_spec.encode())

    refresh_result = build("-o", "out", "--refresh")
    fresh_result = build(f"http://{host.name}/openapi.yaml", "-o", "other")

    assert (refresh_result.exit_code, fresh_result.exit_code) == (1, 1)
    assert (cwd / "out/openapi.yaml").read_text() == SPEC
    assert not (cwd / "other").exists()


def test_check_of_a_url_writes_nothing(host: DocumentHost, cwd: Path) -> None:
    result = build(f"http://{host.name}/openapi.yaml", "--check")

    assert result.exit_code == 1
    assert "MG620" in result.stderr
    assert not (cwd / "notes").exists()


def test_credentials_of_the_url_are_sent_and_neither_written_nor_printed(
    host: DocumentHost, cwd: Path
) -> None:
    host.answers["/openapi.yaml?format=a&token=t0ken"] = host.answers["/openapi.yaml"]
    url = f"http://ann:pa55word@{host.name}/openapi.yaml?format=a&token=t0ken"

    result = build(url, "-o", "out")
    check_result = build(url, "-o", "out", "--check")
    failed_result = build(url.replace("/openapi", "/gone"), "-o", "out")

    credentials = base64.b64decode(host.requests[0][1]["authorization"].partition(" ")[2])
    text = "".join(
        path.read_text() for path in cwd.rglob("*") if path.is_file() and "cache" not in path.parts
    )
    output = "".join(
        outcome.stdout + outcome.stderr for outcome in (result, check_result, failed_result)
    )
    assert (result.exit_code, check_result.exit_code, failed_result.exit_code) == (0, 0, 1)
    assert credentials == b"ann:pa55word"
    assert f'source = "http://{host.name}/openapi.yaml?format=a"' in text
    assert "MG624 unwritten-credentials" in result.stderr
    assert not any(secret in text + output for secret in ("pa55word", "t0ken", "ann:"))


def test_redirect_on_the_same_host_is_followed_and_told(host: DocumentHost) -> None:
    host.answers["/latest"] = (302, {"Location": "/openapi.yaml?sig=abc"}, b"")
    host.answers["/openapi.yaml?sig=abc"] = host.answers["/openapi.yaml"]

    result = build(f"http://{host.name}/latest", "-o", "out")

    assert result.exit_code == 0
    assert f"the document was read from `http://{host.name}/openapi.yaml`" in result.stderr


@pytest.mark.parametrize(
    ("status", "headers", "reason"),
    [
        (302, {"Location": "http://elsewhere.example/a"}, "to another host without https"),
        (302, {"Location": "file:///etc/passwd"}, "it redirects to what is no URL of http"),
        (200, {"Content-Type": "text/html"}, "the answer is text/html, and neither JSON nor YAML"),
        (404, {}, "the status of the answer is 404"),
    ],
)
def test_answer_that_is_no_document_is_refused(
    status: int, headers: dict[str, str], reason: str, host: DocumentHost, cwd: Path
) -> None:
    host.answers["/openapi.yaml"] = (status, headers, b"<html>")

    result = build(f"http://{host.name}/openapi.yaml", "-o", "out")

    assert result.exit_code == 1
    assert "MG118 unfetched-document" in result.stderr
    assert reason in result.stderr
    assert not (cwd / "out").exists()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "file:openapi.yaml", "ftp://a.example/b"])
def test_other_schemes_are_not_fetched(url: str) -> None:
    result = build(url)

    assert result.exit_code == 1
    assert "only URLs that begin with http:// or https:// are fetched" in result.stderr


def test_document_of_the_user_is_not_overwritten(host: DocumentHost, cwd: Path) -> None:
    (cwd / "openapi.yaml").write_text(SPEC + "# mine\n")
    build("openapi.yaml", "-o", ".")

    project = build(f"http://{host.name}/openapi.yaml")
    folder = build(f"http://{host.name}/openapi.yaml", "-o", ".")
    (cwd / "plain").mkdir()
    (cwd / "plain/openapi.yaml").write_text("mine")
    file = build(f"http://{host.name}/openapi.yaml", "-o", "plain")

    assert "MG621 other-source" in project.stderr
    assert "MG621 other-source" in folder.stderr
    assert "MG622 unfetched-file" in file.stderr
    assert (cwd / "openapi.yaml").read_text().endswith("# mine\n")


def test_folder_in_place_of_the_stored_document_is_an_obstacle(
    host: DocumentHost, cwd: Path
) -> None:
    (cwd / "out/openapi.yaml").mkdir(parents=True)

    result = build(f"http://{host.name}/openapi.yaml", "-o", "out")

    assert result.exit_code == 1
    assert "out/openapi.yaml: error MG506 obstacle" in result.stderr
    assert [path.name for path in (cwd / "out").iterdir()] == ["openapi.yaml"]


def test_refresh_without_a_source_is_refused(cwd: Path) -> None:
    (cwd / "openapi.yaml").write_text(SPEC)
    build("openapi.yaml", "-o", ".")

    result = build("--refresh")

    assert result.exit_code == 1
    assert "MG623 no-source" in result.stderr


def test_broken_choices_are_told_before_anything_is_fetched(host: DocumentHost, cwd: Path) -> None:
    (cwd / "mcpgen.toml").write_text("spec = \n")

    result = build(f"http://{host.name}/openapi.yaml")

    assert result.exit_code == 1
    assert "mcpgen.toml:1:8" in result.stderr
    assert host.requests == []


def test_relative_reference_is_fetched_from_an_allowed_host_alone(
    host: DocumentHost, cwd: Path
) -> None:
    split = SPEC.replace("{type: integer}", '{$ref: "id.yaml#/Id"}')
    host.answers["/api/openapi.yaml"] = (200, YAML, split.encode())
    host.answers["/api/id.yaml"] = (200, YAML, b"Id: {type: integer}\n")
    url = f"http://{host.name}/api/openapi.yaml"

    refused_result = build(url, "-o", "out")
    before = [path for path, _ in host.requests]
    allowed_result = build(url, "-o", "out", "--allow-remote", host.name)

    assert (refused_result.exit_code, allowed_result.exit_code) == (1, 0), allowed_result.stderr
    assert "MG132 missing-reference" in refused_result.stderr
    assert "/api/id.yaml" not in before
    assert build("-o", "out", "--check").exit_code == 0
