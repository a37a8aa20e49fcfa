"""A fork runs the tests of a project like a separate pytest."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.forkserver import own_tests


def write_test(folder: Path, *lines: str) -> None:
    """A folder with one test module of these lines."""
    body = "\n".join(f"    {line}" for line in lines)
    (folder / "test_it.py").write_text(f"import os, sys, time\n\n\ndef test_it():\n{body}\n")


def test_a_run_has_its_own_folder_and_nothing_of_ours(tmp_path: Path) -> None:
    write_test(
        tmp_path,
        f"assert os.getcwd() == {str(tmp_path)!r}",
        "assert not {name for name in sys.modules if name.partition('.')[0] in ('mcpgen', 'tests')}",
        "assert os.environ['ASKED'] == 'yes' and 'PYTEST_XDIST_WORKER' not in os.environ",
    )

    completed = own_tests(tmp_path, "-q", more={"ASKED": "yes"})

    assert completed.returncode == 0, completed.stdout


def test_a_run_that_fails_says_so(tmp_path: Path) -> None:
    write_test(tmp_path, "assert 1 == 2")

    completed = own_tests(tmp_path, "-q")

    assert completed.returncode == 1
    assert "1 failed" in completed.stdout


def test_a_run_that_goes_on_is_broken_off(tmp_path: Path) -> None:
    write_test(tmp_path, "time.sleep(600)")

    with pytest.raises(TimeoutError):
        own_tests(tmp_path, "-q", seconds=1)
