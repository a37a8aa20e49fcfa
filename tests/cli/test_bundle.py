"""`mcpgen bundle`: the contents, the same bytes for the same files, and a server that answers as the project over stdio."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from tests.runtime.stdio_client import StdioProcess, request
from tests.runtime.test_stdio_equivalence import METHODS, mask_random_parts
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

ROOT = Path(__file__).parents[2]
SECRET = "s3cr3t-v4lue"
PNG = b"\x89PNG\r\n\x1a\n"
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list_harbours", {}),
    ("get_tides", {"harbour": "dover", "date": "2026-07-28"}),
    ("get_tides", {}),
    ("create_alert", {"harbour": 5}),
)


@pytest.fixture(name="project")
def project_fixture(tmp_path: Path) -> Path:
    """A copy of the project tides, with its description at the place that the project names."""
    folder = tmp_path / "generated" / "tides"
    shutil.copytree(
        ROOT / "generated" / "tides", folder, ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "specs" / "openapi").mkdir(parents=True)
    shutil.copy(ROOT / "specs" / "openapi" / "tides.yaml", tmp_path / "specs" / "openapi")
    return folder


def bundle(project: Path, *arguments: str) -> Result:
    """Runs `mcpgen bundle`."""
    return CliRunner().invoke(app, ["bundle", str(project), *arguments])


def contents(path: Path) -> dict[str, bytes]:
    """The files of a bundle."""
    with ZipFile(io.BytesIO(path.read_bytes())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_bundle_has_the_package_and_no_test_cache_or_key(project: Path, tmp_path: Path) -> None:
    package = project / "tides_mcp"
    for name in (".env", "client.pem", "__pycache__/hooks.cpython-311.pyc", "tools/.secret/x"):
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text(SECRET)
    (package / "link.py").symlink_to(tmp_path / "elsewhere.py")
    (tmp_path / "elsewhere.py").write_text(SECRET)
    (project / ".env").write_text(SECRET)
    (project / "LICENSE").write_text("mine")
    (project / "icon.png").write_bytes(PNG)

    result = bundle(project, "-o", str(tmp_path / "out" / "tides.mcpb"))

    files = contents(tmp_path / "out" / "tides.mcpb")
    assert result.exit_code == 0, result.output
    outside = {name for name in files if not name.startswith("tides_mcp/")}
    names = {"manifest.json", "main.py", "pyproject.toml", "README.md", "LICENSE", "icon.png"}
    assert outside == names
    tracked_paths = {
        path.relative_to(ROOT / "generated" / "tides").as_posix()
        for path in (ROOT / "generated" / "tides" / "tides_mcp").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {*files} - outside == tracked_paths
    assert json.loads(files["manifest.json"])["icon"] == "icon.png"
    assert SECRET.encode() not in b"".join(files.values())


def test_the_same_files_give_the_same_bytes(project: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "1.mcpb", tmp_path / "2.mcpb"

    bundle(project, "-o", str(first))
    (project / "tides_mcp" / "hooks.py").touch()
    (project / "tides_mcp" / "hooks.py").chmod(0o600)
    bundle(project, "-o", str(second))

    assert first.read_bytes() == second.read_bytes()


def test_uv_installs_the_versions_of_the_lock_file(project: Path, tmp_path: Path) -> None:
    path = tmp_path / "tides.mcpb"
    lock = (project / "requirements.lock").read_text()

    bundle(project, "-o", str(path))
    locked_project = tomllib.loads(contents(path)["pyproject.toml"].decode())
    (project / "requirements.lock").unlink()
    bundle(project, "-o", str(path))
    unlocked_project = tomllib.loads(contents(path)["pyproject.toml"].decode())

    pins = [line.removesuffix(" \\") for line in lock.splitlines() if "==" in line]
    assert locked_project["project"]["dependencies"] == [pin for pin in pins if pin[0] != "#"]
    assert locked_project["tool"]["uv"] == {"package": False}
    project_file = tomllib.loads((project / "pyproject.toml").read_text())
    assert unlocked_project["project"]["dependencies"] == project_file["project"]["dependencies"]


def test_a_manifest_in_the_project_is_taken(project: Path, tmp_path: Path) -> None:
    path = project / "deploy" / "mcpb" / "manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"name": "mine"}')

    bundle(project, "-o", str(tmp_path / "x.mcpb"))

    files = contents(tmp_path / "x.mcpb")
    assert json.loads(files["manifest.json"]) == {"name": "mine"}
    assert tomllib.loads(files["pyproject.toml"].decode())["project"]["name"] == "mine"


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("deploy/mcpb/manifest.json", b"{", "is not JSON"),
        ("deploy/mcpb/manifest.json", b"[]", "is not a JSON object"),
        ("icon.png", b"GIF89a", "is not a PNG file"),
        ("tides_mcp/__main__.py", None, "run mcpgen build first"),
        (
            "mcpgen.toml",
            b'spec = "../../specs/openapi/tides.yaml"\n[endpoint]\nenabled = false\n',
            "switched off",
        ),
    ],
)
def test_a_project_that_cannot_be_bundled_is_refused(
    project: Path, tmp_path: Path, file: str, content: bytes | None, message: str
) -> None:
    (project / file).parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        (project / file).unlink()
    else:
        (project / file).write_bytes(content)

    result = bundle(project, "-o", str(tmp_path / "x.mcpb"))

    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "x.mcpb").exists()


def test_a_bundle_is_made_of_a_project_and_has_the_suffix(project: Path, tmp_path: Path) -> None:
    spec = bundle(ROOT / "specs" / "openapi" / "tides.yaml")
    suffix = bundle(project, "-o", str(tmp_path / "x.zip"))

    assert "a bundle is made of a project" in " ".join(spec.stderr.replace("│", " ").split())
    assert "suffix .mcpb" in suffix.stderr


def started_as(
    manifest: Mapping[str, Any], folder: Path, **user_config: str
) -> tuple[list[str], dict[str, str]]:
    """The command and the environment by which a host starts a bundle whose user kept all defaults
    but for `user_config`. The Python of the tests, which has the packages, takes the place of
    `uv run`.
    """
    settings = manifest["user_config"]
    values = {
        f"user_config.{name}": user_config.get(name, setting.get("default", ""))
        for name, setting in settings.items()
    }
    values["__dirname"] = str(folder)

    def fill(text: str) -> str:
        for name, value in values.items():
            text = text.replace(f"${{{name}}}", value)
        return text

    config = manifest["server"]["mcp_config"]
    words = [config["command"], *map(fill, config["args"])]
    assert words[:3] == ["uv", "run", "--directory"]
    env = {name: fill(value) for name, value in config["env"].items()}
    return [sys.executable, str(Path(words[3]) / words[4]), *words[5:]], env


@contextmanager
def running(command: list[str], folder: Path, env: dict[str, str]) -> Iterator[StdioProcess]:
    """Runs a server over stdio; ends the server by closing the input."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=env, stdin=pipe, stdout=pipe) as process:
        stdio = StdioProcess(process)
        assert process.stdin
        assert process.stdout
        lines = process.stdout

        def read() -> None:
            for line in lines:
                stdio.lines.put(line)
            stdio.lines.put(None)

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield stdio
        finally:
            process.stdin.close()
            reader.join()


def test_the_bundle_answers_as_the_project_over_stdio(project: Path, tmp_path: Path) -> None:
    bundle(project, "-o", str(tmp_path / "tides.mcpb"))
    folder = tmp_path / "unpacked"
    with ZipFile(tmp_path / "tides.mcpb") as archive:
        archive.extractall(folder)
    command, env = started_as(json.loads((folder / "manifest.json").read_bytes()), folder)
    calls = [("tools/call", {"name": name, "arguments": params}) for name, params in CALLS]
    requests = [
        request(method, number, **params)
        for number, (method, params) in enumerate((*calls, *METHODS), 1)
    ]
    env["TIDES_API_KEY"] = "key"
    # Nothing listens there, and both servers say so.
    env["TIDES_UPSTREAM"] = "http://127.0.0.1:9"

    with (
        running(command, tmp_path, env) as bundle_server,
        running([sys.executable, "-m", "tides_mcp", "--stdio"], project, env) as original,
    ):
        servers = (bundle_server, original)
        handshakes = [server.initialize("2025-11-25") for server in servers]
        answers = [
            [mask_random_parts(server.answer(message)) for message in requests]
            for server in servers
        ]

    assert handshakes[0] == handshakes[1]
    assert answers[0] == answers[1]
    assert {answer["id"] for answer in answers[0]} == {*range(1, len(requests) + 1)}
