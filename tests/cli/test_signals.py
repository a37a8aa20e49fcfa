"""A build that is told to end, or is killed, while the new server is tried."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")
PROCESSES = Path("/proc")
SECONDS = 30.0

pytestmark = pytest.mark.skipif(not PROCESSES.is_dir(), reason="needs /proc to see processes")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a specification."""
    (tmp_path / "openapi.yaml").write_text(SPEC)
    return tmp_path


def _started(here: Path, *options: str) -> subprocess.Popen[str]:
    """A build of `out`."""
    return subprocess.Popen(
        [sys.executable, "-m", "mcpgen", "build", "openapi.yaml", "-o", "out", *options],
        cwd=here,
        env={**os.environ, "MCPGEN_CACHE": str(here / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _servers(here: Path) -> list[int]:
    """The processes that run in `out`; also when the folder has been deleted below them."""
    found = []
    for place in PROCESSES.glob("[0-9]*/cwd"):
        try:
            if os.readlink(place).startswith(str(here / "out")):
                found.append(int(place.parent.name))
        except OSError:
            continue  # It has ended, or is somebody else's.
    return found


def _await(claim: Callable[[], bool]) -> bool:
    """Whether the claim came true in time."""
    end = time.monotonic() + SECONDS
    while not claim() and time.monotonic() < end:
        time.sleep(0.02)
    return claim()


def _tree(here: Path) -> dict[str, bytes]:
    """The files in `out`."""
    found = (path for path in (here / "out").rglob("*") if path.is_file())
    return {path.relative_to(here).as_posix(): path.read_bytes() for path in found}


def _existing(here: Path) -> dict[str, bytes]:
    """The files of an earlier build, which the next will change."""
    assert _started(here, "--no-verify").wait(SECONDS) == 0
    (here / "openapi.yaml").write_text(SPEC.replace("listNotes", "findNotes"))
    return _tree(here)


def _nothing(here: Path) -> dict[str, bytes]:
    """No earlier build."""
    return {}


@pytest.mark.parametrize("prepared", [_nothing, _existing])
@pytest.mark.parametrize("pause", [0.0, 1.0], ids=["starting", "serving"])
def test_a_terminated_build_undoes_its_changes_and_stops_the_server(
    here: Path, prepared: Callable[[Path], dict[str, bytes]], pause: float
) -> None:
    before = prepared(here)
    build = _started(here)
    assert _await(lambda: bool(_servers(here)))
    time.sleep(pause)

    build.send_signal(signal.SIGTERM)
    _, told = build.communicate(timeout=SECONDS)

    assert (build.returncode, told) == (2, "interrupted: nothing was changed\n")
    assert _tree(here) == before
    assert (here / "out").exists() == bool(before)
    assert _servers(here) == []


def test_the_server_of_a_killed_build_ends_and_the_next_build_starts_over(here: Path) -> None:
    before = _existing(here)
    build = _started(here)
    assert _await(lambda: bool(_servers(here)))

    build.kill()
    build.communicate(timeout=SECONDS)

    assert _await(lambda: not _servers(here))
    assert _tree(here) != before
    assert _started(here, "--no-verify").wait(SECONDS) == 0
    assert not (here / "out/.mcpgen-build").exists()
