"""Links, commands, options and code blocks of the documentation are valid; marked examples run."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Set
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
from benchmarks.report import FIGURES, rewrite, write_figure
from benchmarks.report import PAGES as PAGES_OF_FIGURES

from mcpgen.cli.app import app
from mcpgen.config import load
from mcpgen.conformance.targets.command import free_port
from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import TABLE

ROOT = Path(__file__).parent.parent
BESIDE_PROGRAMS = (
    "benchmarks/*.md",
    "benchmarks/mutation/*.md",
    "tests/clients/*.md",
    "tests/conformance/*.md",
    "tests/lint/sentences/*.md",
    "tests/examples/*.md",
    "tests/oracle/*.md",
    "tests/peers/*.md",
)
"""Pages of measurements and of programs, beside the program."""
PAGES = sorted(
    path for pattern in ("*.md", "docs/**/*.md", *BESIDE_PROGRAMS) for path in ROOT.glob(pattern)
)
WRITTEN_BY_HAND = (
    ".ci",
    "benchmarks",
    "docs",
    "generator",
    "runtime",
    "specs",
    "templates",
    "tests",
)
LINK = re.compile(r"\[[^\]]+\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")
ANCHOR = re.compile(r"\[[^\]]+\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)")
BLOCK = re.compile(r"^```(\w*)(?: ([\w./-]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNTIME = ROOT / "runtime" / "mcpgen_runtime"
DIGEST = f"sha256:{64 * '0'}"
EXAMPLE = ROOT / "specs" / "openapi" / "tides.yaml"
CLIENT_PROGRAMS = ROOT / "tests" / "clients"
COMMAND = re.compile(r"^(?:mcpgen|make|python -m) .+$", re.MULTILINE)
"""A command line whose options, target or module a test below looks up."""
MODULE = re.compile(r"python -m ((?:benchmarks|tests)[\w.]*\w)")
MAKE = re.compile(r"^\s*make ([a-z]+)|`make ([a-z]+)", re.MULTILINE)
MCPGEN = re.compile(
    r"\bmcpgen (build|check|new|explain|diff|eject|[a-z]+) ?[A-Z<./-]", re.MULTILINE
)
MARK = re.compile(r"^<!-- [a-z]+ -->$", re.MULTILINE)
FOREIGN = {
    "a home folder": re.compile(r"/root[/]"),
    "a checkout's own path": re.compile(r"/work/(?:main|shared)\b"),
    "a package registry": re.compile(r"pypi\.(?:org)|pythonhosted\.(?:org)|registry\.npm(?:js)\b"),
}

SLOW_PAGES = {
    "bundle",
    "check-in-ci",
    "from-requirements",
    "getting-started",
    "keep-a-server",
    "many-servers",
    "security",
    "stdio",
    "tutorial",
    "ways",
}
WALKS = [
    pytest.param(
        page,
        marks=(
            [pytest.mark.repeated("the commands' own tests hold what the page shows")]
            if page.stem in SLOW_PAGES
            else []
        ),
    )
    for page in PAGES
    if re.search(r"^```sh (?:run|serve)$", page.read_text("utf-8"), re.MULTILINE)
]
"""Pages with marked examples."""

of_every_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix()
)


def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def code_blocks(page: Path, *languages: str) -> list[str]:
    """The fenced code blocks of a page in one of `languages`, in document order."""
    return [text for language, _, text in BLOCK.findall(text_of(page)) if language in languages]


@cache
def heading_anchors(page: Path) -> Set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    prose = BLOCK.sub("", text_of(page))
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def command_lines(page: Path) -> Iterator[list[str]]:
    """The words of every `mcpgen` command line in the page's shell blocks, without comments."""
    for block in code_blocks(page, "", "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("mcpgen "):
                yield shlex.split(line.split(" #")[0])


class Walk:
    """A reader who follows the marked blocks of a page in a folder.

    A block with the name of a file is saved, `run` is executed, and `serve` is started and left
    running; a further `serve` at the same address replaces the server. The ports 8000 and 9000 of the
    page are free ones here.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {"8000": str(free_port()), "9000": str(free_port())}
        self.servers: dict[str, subprocess.Popen[bytes]] = {}
        self.output = ""
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = os.environ | {"PATH": programs, "NO_COLOR": "1", "COLUMNS": "400"}
        self.environment |= dict.fromkeys(("NOTES_PORT", "TIDES_PORT"), self.ports["8000"])

    def __enter__(self) -> Walk:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers.values():
            server.terminate()
            server.wait(10)

    def follow(self, language: str, name: str, text: str) -> None:
        """Does what a block says. Raises AssertionError if a command fails or prints something else."""
        if (language, name) == ("sh", "run"):
            self.output = self.run(text)
        elif (language, name) == ("sh", "serve"):
            self.output = self.serve(text)
        elif "." in name:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, "utf-8")
        elif language in {"text", "json"} and self.output:
            assert_shows(self.output, text)
            self.output = ""

    def with_free_ports(self, text: str) -> str:
        for port, free in self.ports.items():
            text = re.sub(rf"\b{port}\b", free, text)
        return text

    def run(self, block: str) -> str:
        """Runs the commands of a block. Returns standard output and standard error, as a terminal shows
        them."""
        completed = subprocess.run(
            ["bash", "-ec", block],
            cwd=self.folder,
            env=self.environment | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert completed.returncode == 0, completed.stdout
        return completed.stdout

    def serve(self, block: str) -> str:
        """Starts the server of a block and waits for its port. Returns the output so far."""
        port = self.ports["9000" if "api.py" in block else "8000"]
        if port in self.servers:
            self.servers[port].terminate()
            self.servers[port].wait(10)
        *before, command = block.strip().splitlines()
        script = "\n".join([*before, f"exec {command}"])
        with (self.folder / f"{port}.log").open("wb") as log:
            self.servers[port] = subprocess.Popen(
                ["bash", "-ec", script],
                cwd=self.folder,
                env=self.environment | {"PYTHONUNBUFFERED": "1"},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_until_listening(self.servers[port], int(port))
        # The last line of `mcpgen serve` follows the first moment in which the port is open.
        time.sleep(0.5)
        return (self.folder / f"{port}.log").read_text("utf-8")


def wait_until_listening(server: subprocess.Popen[bytes], port: int) -> None:
    """Waits up to a minute for the server's port. Raises AssertionError if the server ends."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert server.poll() is None, f"the server on port {port} has ended"
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")


def assert_shows(output: str, expected: str) -> None:
    """Asserts that the lines of `expected` occur in `output` in order. `…` at the end of a line stands
    for the rest of the line and further lines."""
    position = 0
    for line in expected.splitlines():
        start = line.split("…")[0].rstrip()
        assert start in output[position:], f"{line}\n\n{output}"
        position = output.index(start, position) + len(start)


def files_written_by_hand() -> list[Path]:
    """Every text file of the repository that is not generated."""
    folder_paths = (path for folder in WRITTEN_BY_HAND for path in (ROOT / folder).rglob("*"))
    at_the_top = (path for path in ROOT.iterdir() if path.name not in {".git", ".ready"})
    return sorted(
        path
        for path in (*folder_paths, *at_the_top)
        if path.is_file()
        and path.suffix != ".pyc"
        and not {"__pycache__", ".work"} & set(path.relative_to(ROOT).parts)
    )


@cache
def commands() -> str:
    """The output of `mcpgen --help`."""
    completed = subprocess.run(
        [sys.executable, "-m", "mcpgen", "--help"], capture_output=True, text=True, check=True
    )
    return completed.stdout


@of_every_page
def test_every_link_leads_to_a_file(page: Path) -> None:
    targets = LINK.findall(text_of(page))

    missing = [target for target in targets if not (page.parent / target).exists()]

    assert not missing


@of_every_page
def test_every_anchor_of_a_link_is_a_heading(page: Path) -> None:
    anchors = [
        (page.parent / path if path else page, name) for path, name in ANCHOR.findall(text_of(page))
    ]

    missing = [
        f"{target.name}#{name}"
        for target, name in anchors
        if target.suffix == ".md" and name not in heading_anchors(target.resolve())
    ]

    assert not missing


@of_every_page
def test_every_toml_block_is_a_valid_configuration(page: Path) -> None:
    errors = []
    for block in code_blocks(page, "toml"):
        diagnostics = Diagnostics()
        load(block.replace("sha256:...", DIGEST).encode(), "mcpgen.toml", diagnostics)
        errors += [item for item in diagnostics if item.severity is Severity.ERROR]

    assert not errors


@of_every_page
def test_every_python_block_imports_names_of_the_runtime_that_exist(page: Path) -> None:
    imports = [
        (RUNTIME / f"{node.module.rpartition('.')[2]}.py", alias.name)
        for block in code_blocks(page, "python")
        for node in ast.walk(ast.parse(block))
        if isinstance(node, ast.ImportFrom) and node.module and "_mcp.runtime." in node.module
        for alias in node.names
    ]

    missing = [
        f"{module.name}: {name}"
        for module, name in imports
        if not re.search(rf"\b{name}\b", text_of(module))
    ]

    assert not missing


@cache
def commands_by_name() -> dict[str, Any]:
    """The commands of mcpgen."""
    return typer.main.get_command(app).commands  # type: ignore[attr-defined, no-any-return]


@of_every_page
def test_every_option_in_a_command_line_exists(page: Path) -> None:
    unknown = []

    for _, name, *words in command_lines(page):
        if name.startswith("-"):
            continue
        options = {option for param in commands_by_name()[name].params for option in param.opts}
        lines = {word.split("=")[0] for word in words if word.startswith("--")}
        unknown += [f"mcpgen {name} {option}" for option in lines - options]

    assert not unknown


def test_the_page_of_clients_connects_over_http_with_the_lines_of_the_tested_programs() -> None:
    programs = [*CLIENT_PROGRAMS.glob("python/*.py"), *CLIENT_PROGRAMS.glob("javascript/*/*.mjs")]
    page = text_of(ROOT / "docs" / "clients.md")

    connections = [
        re.sub(r"^(const )?\w+ = ", "", line.strip()).replace("desk:", "tides:")
        for program in programs
        for line in text_of(program).splitlines()
        if re.search(r"\b(url|headers)\b", line) and "connect(url, headers)" not in line
    ]

    assert len(connections) >= len(programs) == 13
    assert [line for line in connections if line not in page] == []


@pytest.mark.parametrize("page", WALKS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_marked_examples_run_and_show_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path / "openapi.yaml")

    with Walk(tmp_path) as walk:
        output = text_of(page)
        if "```sh serve\n" in output:
            output = walk.with_free_ports(output)
        for language, name, text in BLOCK.findall(output):
            walk.follow(language, name, text)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_every_page_has_an_example(page: Path) -> None:
    commands_of_blocks = COMMAND.findall("".join(code_blocks(page, "sh", "")))

    examples = [*code_blocks(page, "toml", "python"), *commands_of_blocks]

    assert examples


@of_every_page
def test_every_table_has_a_row_below_its_head(page: Path) -> None:
    heads = re.findall(r"^\|(?: *:?-+:? *\|)+\n(.?)", text_of(page), re.MULTILINE)

    assert all(first == "|" for first in heads)


@of_every_page
def test_every_module_in_a_python_command_exists(page: Path) -> None:
    modules = {name.replace(".", "/") for name in MODULE.findall(text_of(page))}

    missing = [
        name
        for name in modules
        if not (ROOT / f"{name}.py").exists() and not (ROOT / name / "__main__.py").exists()
    ]

    assert not missing


@of_every_page
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))

    named_targets = {first or second for first, second in MAKE.findall(text_of(page))}

    assert named_targets <= targets


@of_every_page
def test_every_command_exists(page: Path) -> None:
    named_commands = set(MCPGEN.findall(text_of(page)))

    assert {name for name in named_commands if not re.search(rf"\b{name}\b", commands())} == set()


@of_every_page
def test_every_finding_has_the_name_it_is_called_by(page: Path) -> None:
    named_findings = re.findall(r"\b(MG\d{3}) ([a-z]+(?:-[a-z0-9]+)+)", text_of(page))

    assert all(TABLE[id].name == name for id, name in named_findings)


def test_the_recipes_name_files_that_exist() -> None:
    recipes = text_of(ROOT / "ARCHITECTURE.md").split("## Recipes", 1)[1]

    named_paths = [
        path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", recipes) if "<" not in path
    ]

    assert named_paths
    assert [path for path in named_paths if not (ROOT / path).exists()] == []


def test_the_layers_of_the_architecture_are_those_the_test_holds() -> None:
    layers = text_of(ROOT / "ARCHITECTURE.md").split("## Layers", 1)[1].split("\n## ", 1)[0]

    named_rows = set(re.findall(r"^\| ((?:`\w+`[ ,]*)+)\|", layers, re.MULTILINE))
    documented = {layer for row in named_rows for layer in re.findall(r"\w+", row)}

    folders = {path.name.removesuffix(".py") for path in (ROOT / "generator/mcpgen").iterdir()}
    assert documented == {name for name in folders if name.isidentifier() and "__" not in name}


def test_nothing_tells_of_the_machine_it_was_written_on() -> None:
    files = files_written_by_hand()

    texts = [
        f"{path.relative_to(ROOT)}: {kind}"
        for path in files
        for kind, pattern in FOREIGN.items()
        if pattern.search(path.read_text(encoding="utf-8", errors="replace"))
    ]

    assert not texts


def test_first_command_of_the_readme_serves_an_api_without_a_project() -> None:
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.S | re.M)

    commands = re.findall(r"^mcpgen (\w+)", "".join(blocks), re.M)
    assert commands[0] == "serve"


@pytest.mark.repeated("tests/cli builds, checks, starts and calls a server")
def test_the_demonstration_shows_a_call_and_its_result() -> None:
    command = [sys.executable, str(ROOT / "docs" / "examples" / "demo.py")]

    completed = subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "GET /v1/harbours/gullhaven/tides?date=2026-03-21" in completed.stdout
    assert '"hours_before":12' in completed.stdout
    summary = re.search(r"server: (\d+ checks): .+", completed.stdout)
    assert summary
    picture = text_of(ROOT / "docs" / "pictures" / "demo.svg").replace("&#160;", " ")
    assert summary[0] in picture, "run `python -m docs.site.pictures`"
    assert f"with {summary[1]}" in text_of(ROOT / "README.md")


def test_every_figure_has_its_place_in_one_page_of_benchmarks() -> None:
    pages = [text_of(path) for path in PAGES_OF_FIGURES]
    figures = {name: f"the figures of {name}" for name in FIGURES}

    page_text = "".join(rewrite(page, figures) for page in pages)

    assert all(page_text.count(f"\n{text}\n") == 1 for text in figures.values())
    assert [rewrite(page, {}) for page in pages] == pages
    assert len(MARK.findall("".join(pages))) == len(figures)


def test_a_figure_is_written_into_the_page_that_has_its_marks(tmp_path: Path) -> None:
    for name in ("calls", "soak"):
        (tmp_path / name).write_text(f"<!-- {name} -->\nold\n<!-- /{name} -->\n", "utf-8")
    pages = (tmp_path / "calls", tmp_path / "soak")

    write_figure("soak", "new", pages)

    assert text_of(pages[0]) == "<!-- calls -->\nold\n<!-- /calls -->\n"
    assert text_of(pages[1]) == "<!-- soak -->\n\nnew\n<!-- /soak -->\n"


def test_a_figure_without_a_place_in_a_page_is_told(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Benchmarks\n", "utf-8")

    with pytest.raises(KeyError, match="soak"):
        write_figure("soak", "figures", [tmp_path / "page.md"])


@of_every_page
def test_the_actions_of_every_workflow_stand_at_a_commit(page: Path) -> None:
    used = re.findall(r"uses: (\S+@\S+)", text_of(page))

    assert [action for action in used if not re.search(r"@[0-9a-f]{40}$", action)] == []
