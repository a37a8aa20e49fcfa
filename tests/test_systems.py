"""Windows and macOS, simulated on any system: paths, line ends, encodings, signals and processes."""

from __future__ import annotations

import asyncio
import errno
import io
import ntpath
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest
from typer.testing import CliRunner

from mcpgen.cli import app as command_line
from mcpgen.cli.options import command_line as join_words
from mcpgen.conformance import stdio_probe
from mcpgen.conformance.checks import stdio as stdio_checks
from mcpgen.conformance.model import NotApplicable
from mcpgen.conformance.targets import command, supervised_child
from mcpgen.lower.names import module_names
from mcpgen.openspec.against import live_server
from mcpgen.read.files import FileOutside, SpecRoot, read_file_inside
from mcpgen_runtime.observability import audit_json, metrics
from mcpgen_runtime.scripts import sandbox, script
from mcpgen_runtime.server import cli as server_cli

ROOT = Path(__file__).parent.parent
SPEC = ROOT / "specs" / "openapi" / "tides.yaml"
REQUIREMENTS = ROOT / "specs" / "openspec" / "mcp-adapter"

GREETINGS = """
openapi: 3.1.0
info: {title: Grüße →, version: "1"}
servers: [{url: "https://api.example.com"}]
paths:
  /greetings:
    get: {operationId: greet, summary: Grüßt., responses: {"200": {description: Grüße}}}
"""

SLEEPER = (sys.executable, "-c", "import time; time.sleep(60)")


@pytest.fixture
def windows_processes(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Takes the branches for Windows where processes are stopped; returns the calls of `taskkill`,
    which is absent."""
    calls: list[list[str]] = []

    def run(words: list[str], **_: Any) -> None:
        calls.append(words)
        raise FileNotFoundError(errno.ENOENT, "no such program", words[0])

    for module in (supervised_child, stdio_probe, stdio_checks):
        monkeypatch.setattr(module, "POSIX", False)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.delattr(os, "pread")
    monkeypatch.delattr(os, "killpg")
    return calls


def stdio_process(program: str) -> stdio_probe.StdioProcess:
    """Starts a Python program as a server over stdio."""
    words = (sys.executable, "-c", program)
    run = stdio_probe.StdioRun(words, 5.0, time.monotonic() + 60, 1000)
    return stdio_probe.StdioProcess(run, [])


# Paths and command lines


def test_referenced_file_is_named_beside_a_document_with_a_path_of_windows() -> None:
    root = SpecRoot.of(PureWindowsPath(r"C:\docs\api.yaml").as_posix(), None)

    assert root.name_of("parts/pets.yaml") == "C:/docs/parts/pets.yaml"


def test_file_on_another_drive_is_outside_of_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "realpath", str)
    monkeypatch.setattr(os.path, "commonpath", ntpath.commonpath)

    assert isinstance(read_file_inside(r"D:\pets.yaml", r"C:\docs"), FileOutside)


@pytest.mark.parametrize("split", [command.split_words, live_server._split_words])
def test_backslash_of_a_command_line_is_kept_on_windows_only(
    split: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = r'"C:\my tools\run.exe" --root C:\data a\ b'

    posix = split(line)
    monkeypatch.setattr(os, "name", "nt")
    windows = split(line)

    assert posix == [r"C:\my tools\run.exe", "--root", "C:data", "a b"]
    assert windows == [r"C:\my tools\run.exe", "--root", r"C:\data", "a\\", "b"]


def test_program_is_started_by_its_path_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: rf"C:\node\{name}.cmd")
    posix = command.command_words("npx -y server")
    monkeypatch.setattr(os, "name", "nt")
    windows = command.command_words("npx -y server")

    assert posix == ("npx", "-y", "server")
    assert windows == (r"C:\node\npx.cmd", "-y", "server")


def test_printed_command_can_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("mcpgen", "build", r"C:\my docs\api.yaml", "")

    posix = join_words(*words)
    monkeypatch.setattr(os, "name", "nt")
    windows = join_words(*words)

    assert posix == r"mcpgen build 'C:\my docs\api.yaml'"
    assert windows == r'mcpgen build "C:\my docs\api.yaml"'


def test_tools_that_differ_in_case_only_have_modules_that_differ_in_more() -> None:
    names = ["GetPet", "getPet", "get_pet", "getpet", "GETPET", "CON", "con", "con_", "Con"]

    modules = module_names(names)

    assert len({module.casefold() for module in modules.values()}) == len(names)
    assert not {"con", "CON"} & set(modules.values())


# Line ends and encodings


@pytest.mark.parametrize(
    "documents", [(SPEC,), (REQUIREMENTS / "spec.md", REQUIREMENTS / "mcp.yaml")]
)
def test_line_ends_and_byte_order_marks_of_windows_change_no_tool(
    documents: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings = []
    for name, mark, end in (("unix", b"", b"\n"), ("windows", b"\xef\xbb\xbf", b"\r\n")):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        config = f'spec = "{documents[0].name}"\nname = "abc"\n'.encode()
        texts = {path.name: path.read_bytes() for path in documents} | {"mcpgen.toml": config}
        for file, text in texts.items():
            (folder / file).write_bytes(mark + text.replace(b"\n", end))
        listings.append(CliRunner().invoke(command_line.app, ["tools", ".", "--format", "json"]))

    unix, windows = listings

    assert unix.exit_code == 0
    assert '"name"' in unix.stdout
    assert windows.stdout == unix.stdout


def test_output_is_utf8_whatever_the_code_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    bytes_io, chosen_bytes = io.BytesIO(), io.BytesIO()
    stream = io.TextIOWrapper(bytes_io, encoding="cp1252")
    command_line._write_utf8(stream)
    print("≈ Grüße", file=stream, flush=True)

    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    stream_of_choice = io.TextIOWrapper(chosen_bytes, encoding="cp1252")
    command_line._write_utf8(stream_of_choice)
    print("Grüße", file=stream_of_choice, flush=True)

    assert bytes_io.getvalue() == "≈ Grüße\n".encode()
    assert chosen_bytes.getvalue() == "Grüße\n".encode("cp1252")


def test_build_reads_and_writes_utf8_without_a_locale(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(GREETINGS, "utf-8")
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": ""}
    # A file opened in the encoding of the locale is an error.
    python = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    options = ["-o", "out", "--no-verify"]

    completed = subprocess.run(
        [*python, "-m", "mcpgen", "build", "api.yaml", *options],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
    )

    assert completed.returncode == 0, completed.stderr.decode()
    assert "Grüße →" in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_audit_file_keeps_line_ends_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags: list[int] = []
    binary = 0x8000

    def record(path: str, flag: int, mode: int) -> int:
        flags.append(flag)
        return open_file(path, flag & ~binary, mode)

    open_file = os.open
    monkeypatch.setattr(os, "O_BINARY", binary, raising=False)
    monkeypatch.setattr(os, "open", record)

    audit_json._File(str(tmp_path / "audit.jsonl")).write(b"{}\n")

    assert flags[0] & binary


# Processes and signals


def test_process_is_killed_with_its_children_on_windows(windows_processes: list[list[str]]) -> None:
    process = subprocess.Popen(SLEEPER)

    supervised_child.signal_group(process, "SIGTERM")
    code = process.wait(10)
    supervised_child.signal_group(process, "SIGKILL")

    assert code == -signal.SIGKILL
    assert windows_processes == [["taskkill", "/PID", str(process.pid), "/T", "/F"]]


def test_group_of_zombies_is_no_error_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    def killpg(*_: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    process = subprocess.Popen((sys.executable, "-c", ""))
    process.wait()
    monkeypatch.setattr(os, "killpg", killpg)

    supervised_child.signal_group(process, "SIGKILL")


def test_errors_of_a_server_over_stdio_are_read_on_windows(
    windows_processes: list[list[str]],
) -> None:
    process = stdio_process("import sys; sys.stderr.write('no database'); sys.exit(3)")
    assert process.ends_within(20)

    twice = process.errors(), process.errors()
    process.stop()

    assert twice == (b"no database", b"no database")
    assert windows_processes == []


def test_sigterm_is_not_judged_on_windows(windows_processes: list[list[str]]) -> None:
    context: Any = None

    with pytest.raises(NotApplicable, match="Windows"):
        next(stdio_checks._check_ends_on_sigterm(context))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no sessions of processes")
def test_child_that_holds_the_output_does_not_stop_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio_probe, "EXIT_SECONDS", 0.5)
    child = f"subprocess.Popen({SLEEPER!r}, start_new_session=True)"
    process = stdio_process(f"import subprocess, sys; print({child}.pid, file=sys.stderr)")
    assert process.ends_within(20)
    pid = int(process.errors())

    try:
        process.stop()
        was_read = process.has_ended
    finally:
        os.kill(pid, signal.SIGKILL)

    assert not was_read
    while not process.has_ended:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("system", "error", "is_closed"),
    [
        ("nt", OSError(errno.EINVAL, "Invalid argument"), True),
        ("posix", OSError(errno.EINVAL, "Invalid argument"), False),
        ("nt", OSError(errno.EINVAL, "Invalid argument", "a?.yaml"), False),
        ("posix", BrokenPipeError(errno.EPIPE, "Broken pipe"), True),
    ],
)
def test_pipe_closed_by_its_reader_is_recognized(
    system: str, error: OSError, is_closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "name", system)

    assert command_line._is_closed_pipe(error) is is_closed


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (OSError(errno.EADDRINUSE, "in use (while attempting to bind)"), "Address already in use"),
        (OSError(10013, "An attempt was made to access a socket"), "An attempt was made"),
        (socket.gaierror(8, "nodename nor servname provided"), "nodename nor servname"),
    ],
)
def test_reason_why_a_server_cannot_listen_is_the_text_of_the_system(
    fault: OSError, reason: str
) -> None:
    assert str(server_cli._start_failure(fault)).startswith(reason)


def test_no_signal_is_sent_for_metrics_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "gauge_livesum_4711.db"
    file.touch()
    signals: list[int] = []
    monkeypatch.setattr(os, "kill", lambda process, number: signals.append(number))
    monkeypatch.setattr(sys, "platform", "win32")

    metrics._forget_dead(tmp_path)

    assert signals == []
    assert file.exists()


def test_process_of_a_script_is_ended_without_a_group_on_windows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> int | None:
        async with sandbox.Sandbox(sandbox.ScriptSettings()).process() as process:
            monkeypatch.delattr(os, "killpg")
            monkeypatch.setattr(sys, "platform", "win32")
        return process.code

    assert asyncio.run(run()) == -signal.SIGKILL


def test_exit_codes_of_a_script_are_those_of_the_signals_that_the_system_has() -> None:
    assert -signal.SIGABRT in script._MEMORY_EXIT_CODES
    assert len(script._CPU_EXIT_CODES) == hasattr(signal, "SIGXCPU")
