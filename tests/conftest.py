"""Settings of every test run: hypothesis without deadlines and with the same examples in every CI run,
a mypy cache for generated projects, and shared fixtures."""

import gc
import logging
import os
import random
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Builds in this process find the library loaded, and start no process that loads it once more.
import datamodel_code_generator  # noqa: F401
import pytest
import typer.testing
from hypothesis import settings
from tests.programs import missing_programs
from tests.thorough import PROFILE
from typer.main import get_command

for profile in ("mcpgen", PROFILE):
    settings.register_profile(profile, deadline=None, derandomize="CI" in os.environ)
settings.load_profile("mcpgen")

# A shell starts a job in the background with SIGINT ignored, and every server of a test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Processes of the tests load the same packages and would each compile them anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# One for each process of the tests: mypy does not share a cache with another that is at work.
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
os.environ["MYPY_CACHE_DIR"] = str(Path(sys.prefix) / "environments" / f"mypy-{_WORKER}")

# The runner of commands makes the same command line of an app anew at every call.
typer.testing._get_command = cache(get_command)  # type: ignore[attr-defined]


@pytest.fixture(scope="module", autouse=True)
def collect_garbage() -> Iterator[None]:
    """Finalizes the garbage of a module's tests within the module. A socket, file or process that a
    test left open is a ResourceWarning, and so an error, when the collector finds the object; without
    this fixture the collector would run during a later test, and the later test would fail.

    Objects that live longer than a module (code, caches) are frozen, so that each of them is searched
    once: a search of all of them costs 350 ms per module.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def restore_logging() -> Iterator[None]:
    """Restores the root logger after a module, since starting a server configures the root logger."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Ends the run with a line about tests that were skipped because a program is missing."""
    if line := missing_programs(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--shuffle SEED` and `--update`. pytest-randomly would also shuffle the tests of generated
    projects, which run in the same environment."""
    parser.addoption("--shuffle", metavar="SEED", type=int, help="shuffle modules and their tests")
    parser.addoption(
        "--update", action="store_true", help="rewrite the expected files of tests/cases"
    )


def _shuffle(items: list[pytest.Item], seed: int) -> None:
    """Shuffles the modules, and the tests within a module, the same way in every process of a run.
    Tests of a module stay together, so that module fixtures are set up once."""
    chance = random.Random(seed)
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    itemses = list(modules.values())
    chance.shuffle(itemses)
    for tests in itemses:
        chance.shuffle(tests)
    items[:] = [item for tests in itemses for item in tests]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Groups tests by shared module or package fixtures (and their parameters), so that one process
    sets a fixture up once. Raises UsageError for a `repeated` or `thorough` marker without a reason.
    """
    for item in items:
        for marker in ("repeated", "thorough"):
            if any(not mark.args for mark in item.iter_markers(marker)):
                raise pytest.UsageError(f"{item.nodeid}: `{marker}` needs a reason")
    if (seed := config.getoption("shuffle")) is not None:
        _shuffle(items, seed)
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        group = _group(item) if isinstance(item, pytest.Function) else ""
        if group and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(group))


def _group(test: pytest.Function) -> str:
    """Name of the fixtures that a test shares with others; empty without shared fixtures."""
    shared = [
        name2fixturedef[-1]
        for name2fixturedef in test._fixtureinfo.name2fixturedefs.values()
        if name2fixturedef[-1].scope in ("module", "package")
        and name2fixturedef[-1].baseid.startswith("tests/")
    ]
    fixture_base = min((fixture_def.baseid for fixture_def in shared), key=len, default="")
    which = [
        str(test.callspec.indices[fixture_def.argname])
        for fixture_def in shared
        if fixture_def.params
    ]
    return " ".join([fixture_base, *which]) if shared else ""
