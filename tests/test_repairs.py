"""Overlays and remote documents in a build, and the changes that cause a rebuild."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mcpgen.cli.build_output import of_build
from mcpgen.pipeline import BuildOptions, BuildStatus, build, new

API = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example.com"}],
    "paths": {
        "/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": ""}}}}
    },
}
OVERLAY = """\
overlay: 1.0.0
info: {title: Names, version: "1"}
actions:
  - target: $.paths['/pets'].get
    update: {x-mcp: {name: NAME}}
"""
QUICK = BuildOptions(verify=False, overlays=("repairs/names.yaml",))


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a document and an overlay."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "api.json").write_text(json.dumps(API), encoding="utf-8")
    (tmp_path / "repairs").mkdir()
    _name("all_pets")
    return tmp_path


def _name(name: str) -> None:
    Path("repairs/names.yaml").write_text(OVERLAY.replace("NAME", name), encoding="utf-8")


def _facts(folder: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(Path(folder, "mcpgen.lock").read_text(encoding="utf-8"))
    return result


def test_an_overlay_decides_what_is_built_and_is_named_for_later_builds() -> None:
    outcome = build("api.json", "out", QUICK)

    assert dict(outcome.tools) == {"GET /pets": "all_pets"}
    assert 'overlays = ["../repairs/names.yaml"]' in Path("out/mcpgen.toml").read_text("utf-8")
    assert "../repairs/names.yaml" in _facts("out")["inputs"]
    assert build("", "out", BuildOptions(check=True)).status is BuildStatus.CURRENT


def test_a_changed_overlay_is_a_reason_to_build_again() -> None:
    build("api.json", "out", QUICK)
    second_status = build("", "out", BuildOptions(verify=False)).status
    Path("out/mcpgen.toml").write_text(
        Path("out/mcpgen.toml").read_text("utf-8") + '\n[names]\n"GET /pets" = "pets"\n', "utf-8"
    )
    build("", "out", BuildOptions(verify=False))
    text = OVERLAY + "  - target: $.paths['/pets'].get\n    update: {description: Every pet.}\n"
    Path("repairs/names.yaml").write_text(text.replace("NAME", "pets"), encoding="utf-8")

    assert second_status is BuildStatus.UNCHANGED
    assert build("", "out", BuildOptions(check=True)).status is BuildStatus.DRIFTED
    assert build("", "out", BuildOptions(verify=False)).status is BuildStatus.BUILT


def test_an_overlay_with_an_error_stops_the_build_with_that_error_alone() -> None:
    broken_overlay = OVERLAY.replace("target", "taget")
    Path("repairs/names.yaml").write_text(broken_overlay, encoding="utf-8")

    outcome = build("api.json", "out", QUICK)

    assert outcome.status is BuildStatus.FAILED
    assert {diagnostic.at.file for diagnostic in outcome.diagnostics} == {"repairs/names.yaml"}
    position = outcome.places.position(outcome.diagnostics[0].at)
    assert position is not None
    assert position.line in (4, 5)


@pytest.mark.repeated("repeats a build with the trial of its server")
def test_a_new_project_has_its_own_copy_of_the_overlays() -> None:
    outcome = new("shop", "api.json", overlays=["repairs/names.yaml"])

    assert outcome.status is BuildStatus.BUILT
    assert dict(outcome.tools) == {"GET /pets": "all_pets"}
    assert Path("shop/names.yaml").read_text("utf-8") == OVERLAY.replace("NAME", "all_pets")
    assert 'overlays = ["names.yaml"]' in Path("shop/mcpgen.toml").read_text("utf-8")


@pytest.fixture(name="host_documents")
def host_documents_fixture() -> Iterator[dict[str, bytes]]:
    """Documents that a host on this machine serves, by path; `host` is its name."""
    documents: dict[str, bytes] = {}

    class RepairedDocumentHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(documents[self.path])

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), RepairedDocumentHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    documents["host"] = f"127.0.0.1:{server.server_address[1]}".encode()
    yield documents
    server.shutdown()
    server.server_close()


def test_a_document_that_changed_on_its_host_is_named(host_documents: dict[str, bytes]) -> None:
    host = host_documents["host"].decode()
    parameter = {"name": "q", "in": "query", "schema": {"$ref": f"http://{host}/q.yaml"}}
    operation = API["paths"]["/pets"]["get"] | {"parameters": [parameter]}  # type: ignore[index]
    tree = API | {"paths": {"/pets": {"get": operation}}}
    Path("api.json").write_text(json.dumps(tree), encoding="utf-8")
    host_documents["/q.yaml"] = b"type: string\n"

    first = build("api.json", "out", BuildOptions(verify=False, allow_remote=(host,)))
    unchanged_result = build("", "out", BuildOptions(check=True))
    host_documents["/q.yaml"] = b"type: integer\n"
    changed_result = build("", "out", BuildOptions(check=True))
    host_documents["/q.yaml"] = b"# A comment.\ntype: string\n"
    commented_result = build("", "out", BuildOptions(check=True))
    strict_result = build("", "out", BuildOptions(check=True, strict=True))

    assert (first.status, unchanged_result.status, changed_result.status) == (
        BuildStatus.BUILT,
        BuildStatus.CURRENT,
        BuildStatus.DRIFTED,
    )
    assert f"http://{host}/q.yaml" in _facts("out")["inputs"]
    assert [diagnostic.code.name for diagnostic in unchanged_result.diagnostics] == []
    assert [diagnostic.code.name for diagnostic in changed_result.diagnostics] == [
        "changed-reference"
    ]
    assert "/q.yaml" in changed_result.diagnostics[0].message
    assert (commented_result.status, strict_result.status) == (
        BuildStatus.CURRENT,
        BuildStatus.UNFIT,
    )
    assert of_build(strict_result, "").startswith("out: some findings count as errors")
