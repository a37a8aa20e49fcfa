"""The emit stage: the files of a project, and their completeness for a new reader."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from emit_servers import GET_PET, PETS, UPDATE_PET, argument, server, tool
from tests.black_check import BLACK
from tests.forkserver import own_tests

from mcpgen.config import Config
from mcpgen.config.tables.access import AuthenticationConfig
from mcpgen.config.tables.project import RuntimeMode
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.render import templates_folder
from mcpgen.emit.runtime import runtime_files
from mcpgen.ir.policy import Policy
from mcpgen.ir.project import Owner, Project
from mcpgen.ir.server import RouteSpec, Server

CONFIG = Config(spec="pets.yaml")


def emit_texts(
    server: Server = PETS, runtime: RuntimeMode = RuntimeMode.VENDORED
) -> dict[str, str]:
    """Returns the texts of a project, by path."""
    diagnostics = Diagnostics()
    project = emit(server, replace(CONFIG, runtime=runtime), diagnostics)
    assert not list(diagnostics)
    return {file.path: file.text for file in project.files}


def without_headers(texts: dict[str, str]) -> dict[str, str]:
    """Returns the texts without the first line, of files that begin with a comment of mcpgen."""
    header = re.compile(r"(# |// )(Generated|Copied) by mcpgen.*\n\n?")
    return {path: header.sub("", text, count=1) for path, text in texts.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project on disk."""
    return write_project(tmp_path_factory.mktemp("pets"), PETS)


def write_project(root: Path, server: Server) -> Path:
    """Writes the server's project, and returns the folder."""
    for path, text in emit_texts(server).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


OF_PROJECTS = pytest.mark.repeated("tests/generated holds the same for the projects of generated/")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs a module in the project's folder."""
    if command[0] == "pytest":
        return own_tests(folder, *command[1:])
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(BLACK, id="black"),
        pytest.param(("mypy",), id="mypy", marks=OF_PROJECTS),
        pytest.param(("pytest", "-q", "-p", "no:cacheprovider"), id="pytest", marks=OF_PROJECTS),
        pytest.param(("compileall", "-q", "."), id="compileall"),
    ],
)
def test_a_project_is_clean_and_its_own_tests_pass(folder: Path, command: tuple[str, ...]) -> None:
    completed = run(folder, *command)

    assert completed.returncode == 0, completed.stdout + completed.stderr


def test_generated_modules_pass_ruff(folder: Path) -> None:
    completed = run(folder, "ruff", "check", "--exclude", "_runtime")

    assert completed.returncode == 0, completed.stdout + completed.stderr


def test_paths_are_sorted_unique_and_inside_the_project() -> None:
    paths = list(emit_texts())

    assert paths == sorted(paths)
    assert len({path.casefold() for path in paths}) == len(paths)
    assert not any(path.startswith("/") or ".." in path or "\\" in path for path in paths)


def test_the_user_owns_what_is_written_once() -> None:
    project = emit(PETS, CONFIG, Diagnostics())

    owned = {file.path for file in project.files if file.owner is Owner.USER}

    assert owned == {
        ".gitignore",
        "mcpgen.toml",
        "pets_mcp/hooks.py",
        "pyproject.toml",
    }


def test_the_project_promises_a_tool_for_each_operation() -> None:
    project = emit(PETS, CONFIG, Diagnostics())

    assert project.tools == {result.operation: result.name for result in PETS.tools}


def test_plain_files_of_the_templates_are_copied_as_they_stand() -> None:
    texts = emit_texts()
    plain = {
        path.relative_to(templates_folder()).as_posix(): path.read_text("utf-8")
        for path in templates_folder().rglob("*")
        if path.is_file() and path.suffix not in (".jinja", ".pyc")
    }
    scenarios = ("conftest.py", "tests/scenario_engine/")
    plain = {name: text for name, text in plain.items() if not name.startswith(scenarios)}

    copied = {name.replace("package/", "pets_mcp/"): text for name, text in plain.items()}

    assert copied.items() <= {**texts, **without_headers(texts)}.items()
    assert not [name for name in texts if name.startswith(scenarios)]


def test_modules_of_the_runtime_are_copied_as_they_stand() -> None:
    folder = "pets_mcp/_runtime/"

    copied = {
        path.removeprefix(folder): text
        for path, text in without_headers(emit_texts()).items()
        if path.startswith(folder)
    }

    assert copied.items() <= runtime_files().items()
    assert "server/app.py" in copied
    assert "auth/tokens.py" not in copied


def test_a_project_that_lists_its_tools_has_nothing_of_the_search_for_them() -> None:
    texts = emit_texts()

    assert not [path for path in texts if "/search/" in path]
    assert "pets_mcp/discovery.py" not in texts
    assert "tests/test_discovery.py" not in texts
    assert "DISCOVERY" not in texts["pets_mcp/server.py"]


def test_only_definitions_that_a_check_reaches_are_written() -> None:
    assert '"PetChange"' in emit_texts()["pets_mcp/schemas.json"]
    assert '"Unused"' not in emit_texts()["pets_mcp/schemas.json"]
    assert "pets_mcp/schemas.json" not in emit_texts(server(GET_PET))


def test_the_bytes_do_not_depend_on_the_order_of_hashes() -> None:
    program = (
        "from emit_servers import PETS; from mcpgen.emit import emit; from hashlib import sha256;"
        "from mcpgen.config import Config; from mcpgen.diagnostics import Diagnostics;"
        "print(sha256(repr(emit(PETS, Config(), Diagnostics())).encode()).hexdigest())"
    )

    def digest(seed: str) -> str:
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path]),
        }
        command = [sys.executable, "-c", program]
        completed = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        return completed.stdout

    assert digest("1") == digest("2")


def test_tools_stand_in_the_order_of_the_server() -> None:
    text = emit_texts(server(tool("zoo"), tool("ant")))["pets_mcp/tools/__init__.py"]

    assert text.index("zoo.TOOL") < text.index("ant.TOOL")


def test_tests_of_a_tool_name_the_request_if_the_path_fits_on_the_line() -> None:
    long = replace(GET_PET, route=RouteSpec("GET", f"/pets/{'x' * 80}/{{petId}}", ((), ())))

    short_text, long_text = (
        emit_texts(server(pet))["tests/tools/test_get_pet.py"] for pet in (GET_PET, long)
    )

    assert '"""`get_pet` sends `GET /pets/{petId}`."""' in short_text.splitlines()
    assert '"""The request of `get_pet`."""' in long_text.splitlines()


def test_readme_lists_tools_variables_and_what_is_missing() -> None:
    readme = emit_texts()["README.md"]

    assert "| `update_pet` | Update a pet | `PUT /pets/{petId}` | no |" in readme
    assert "| `PETS_OAUTH_CLIENT_SECRET` |" in readme
    assert "- `GET /odd`: Its body has no schema." in readme
    assert "claude mcp add --transport http pets http://127.0.0.1:8000/mcp" in readme
    assert "Left out" not in emit_texts(server(GET_PET))["README.md"]


def first_screen(text: str) -> str:
    """Returns the part of a README before the first reference section."""
    return text.partition("\n## ")[0]


def test_the_first_screen_of_the_readme_answers_the_questions_of_a_reviewer() -> None:
    screen = first_screen(emit_texts()["README.md"])

    assert len(screen.splitlines()) <= 45
    for answer in (
        "This MCP server lets AI clients use the Pets API: 4 tools over Streamable HTTP, at `/mcp`.",
        "pip install --require-hashes -r requirements.lock\npython -m pets_mcp",
        "claude mcp add --transport http pets http://127.0.0.1:8000/mcp",
        "| read | `list_pets`, `get_pet` |",
        "| write | `send_form` |",
        "| delete or overwrite | `update_pet` |",
        "| hosts that the server sends requests to | `https://pets.example.com/v1`, `https://pets.example.com/token` |",
        "| credentials for the API | `PETS_API_KEY`, ",
        "by default only clients on this machine",
        "a handler in `pets_mcp/hooks.py`",
        "`mcpgen build`, then `pytest`",
        "`pip install -U mcpgen` and `mcpgen build`",
    ):
        assert answer in screen


def test_the_readme_of_a_project_without_a_copy_names_no_file_of_the_copy() -> None:
    keyed_server = replace(PETS, policy=Policy(authentication=AuthenticationConfig()))

    readme = emit_texts(keyed_server, RuntimeMode.PACKAGE)["README.md"]

    assert (
        "pip install '.[fast]'\nexport PETS_CALLER_KEYS=...  # hashed keys of callers; made by"
        in readme
    )
    assert "`pip install -U mcpgen-runtime`" in first_screen(readme)
    assert "python -m mcpgen_runtime.auth.api_keys SUBJECT" in readme
    assert not [word for word in ("_runtime.auth", "requirements") if f"pets_mcp.{word}" in readme]
    assert "requirements.lock" not in readme


@pytest.mark.parametrize(
    ("config", "is_there"),
    [
        (Config(), False),
        (Config(fast_path=True), True),
        (Config(runtime=RuntimeMode.PACKAGE), True),
    ],
)
def test_the_readme_has_the_setting_of_the_fast_path_where_the_project_has_the_fast_path(
    config: Config, is_there: bool
) -> None:
    project = emit(PETS, config, Diagnostics())

    (readme,) = [file.text for file in project.files if file.path == "README.md"]
    assert ("`PETS_FAST_PATH`" in readme) == is_there


def test_the_readme_shows_the_credential_of_an_api_with_one_scheme() -> None:
    keyed_server = replace(PETS, security_schemes=PETS.security_schemes[:1])

    screen = first_screen(emit_texts(keyed_server)["README.md"])

    assert "export PETS_API_KEY=...  # API key\npython -m pets_mcp" in screen


@pytest.mark.parametrize("package", ["mcp", "json", "tests", "aiohttp", "pydantic"])
def test_a_package_that_would_hide_a_module_is_refused(package: str) -> None:
    diagnostics = Diagnostics()

    project = emit(server(GET_PET, package=package), CONFIG, diagnostics)

    assert [diagnostic.code.id for diagnostic in diagnostics] == ["MG402"]
    assert project == Project((), {})


def test_two_modules_that_differ_in_case_only_are_an_error() -> None:
    diagnostics = Diagnostics()
    twins = server(tool("pet"), tool("pet_2", module="Pet"))

    emit(twins, CONFIG, diagnostics)

    assert [diagnostic.code.id for diagnostic in diagnostics] == ["MG401"]


def test_an_announced_list_weighs_what_the_contract_says(folder: Path) -> None:
    texts = emit_texts()
    heavier = texts["tests/test_contract.py"]

    lighter = emit_texts(server(GET_PET, UPDATE_PET))["tests/test_contract.py"]

    def weight(text: str) -> int:
        return int(text.partition("LIST_BYTES = ")[2].split("\n")[0])

    assert 500 < weight(lighter) < weight(heavier)


def test_an_argument_says_only_what_differs_from_the_defaults() -> None:
    plain = server(tool("get_it", argument("q", {"type": "string", "description": "What."})))

    text = emit_texts(plain)["pets_mcp/tools/get_it.py"]

    assert 'Argument("q", "query", {"type": "string", "description": "What."}),' in text


def test_a_package_behind_tests_in_the_alphabet_is_sorted_too(tmp_path: Path) -> None:
    write_project(tmp_path, server(GET_PET, package="zoo_mcp"))

    completed = run(tmp_path, "ruff", "check", "--select", "I", "tests", "zoo_mcp/tools")

    assert completed.returncode == 0, completed.stdout


def test_a_tool_without_scenarios_is_listed_but_not_called(tmp_path: Path) -> None:
    write_project(tmp_path, server(tool("quiet"), GET_PET))

    completed = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider")

    assert completed.returncode == 0, completed.stdout
    assert not (tmp_path / "tests" / "tools" / "test_quiet.py").exists()


def test_a_single_tool_stands_alone_as_black_wants_it() -> None:
    text = emit_texts(server(GET_PET))["pets_mcp/tools/__init__.py"]

    assert "TOOLS: tuple[Tool, ...] = (get_pet.TOOL,)\n" in text


def test_chosen_fields_are_declared_and_only_then() -> None:
    filtered_tool = replace(GET_PET, fields=("id", "owner.name"))
    result = replace(
        PETS,
        tools=(filtered_tool, *(tool_spec for tool_spec in PETS.tools if tool_spec is not GET_PET)),
    )

    module_text = emit_texts(result)["pets_mcp/tools/get_pet.py"]

    assert '    fields=("id", "owner.name"),\n' in module_text
    assert "fields=(" not in emit_texts()["pets_mcp/tools/get_pet.py"]
