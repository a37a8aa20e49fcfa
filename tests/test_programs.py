"""A missing program is reported by name and installation command, and fails if everything is required."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.programs import CHROMIUM, NGINX, Program, find_program, missing_programs


def skip_report(reason: str) -> pytest.TestReport:
    """The report of a skipped test."""
    place = ("tests/test_example.py", 1, reason)
    return pytest.TestReport("test_example", place, {}, "skipped", place, "call")


def test_a_program_on_the_path_is_found(tmp_path: Path) -> None:
    executable = tmp_path / "chromium-browser"
    executable.touch(mode=0o755)

    assert find_program(CHROMIUM, {"PATH": str(tmp_path)}) == str(executable)


def test_a_program_beside_the_path_is_found(tmp_path: Path) -> None:
    executable = tmp_path / "proxy"
    executable.touch(mode=0o755)
    program = Program("Proxy", ("proxy",), "install it", str(tmp_path))

    assert find_program(program, {"PATH": ""}) == str(executable)


@pytest.mark.parametrize("environment", [{}, {"CI": ""}, {"CI": "false"}, {"REQUIRE_ALL": "0"}])
def test_without_a_program_its_tests_are_skipped(environment: dict[str, str]) -> None:
    with pytest.raises(pytest.skip.Exception, match=r"needs Proxy, which .+ \(install it\)"):
        find_program(Program("Proxy", ("no-such-program",), "install it"), environment)


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"REQUIRE_ALL": "1"}])
def test_where_everything_is_required_its_tests_fail(environment: dict[str, str]) -> None:
    with pytest.raises(pytest.fail.Exception, match="needs Proxy"):
        find_program(Program("Proxy", ("no-such-program",), "install it"), environment)


def test_the_closing_line_counts_the_tests_of_each_program_and_tells_its_installation() -> None:
    nginx = f"Skipped: needs nginx, which is not installed ({NGINX.install})"
    chromium = f"Skipped: needs Chromium, which is not installed ({CHROMIUM.install})"

    line = missing_programs([skip_report(nginx), skip_report(chromium), skip_report(nginx)])

    assert line == (
        "Not tested on this machine: Chromium (1 skipped; apt-get install chromium), nginx (2 skipped; "
        "apt-get install nginx-light). REQUIRE_ALL=1 makes them fail."
    )


def test_there_is_no_closing_line_where_nothing_is_missing() -> None:
    assert missing_programs([skip_report("Skipped: only on Windows")]) == ""
