"""How every test runs: hypothesis without deadlines, the same examples at every run in CI, what
mypy has found out about libraries kept for the next project, and what tests share made once."""

import os
import sys
from functools import cache
from pathlib import Path

# Builds in this process find the library loaded, and start no process that loads it once more.
import datamodel_code_generator  # noqa: F401
import pytest
import typer.testing
from hypothesis import settings
from typer.main import get_command

settings.register_profile("mcpgen", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("mcpgen")

# One for each process of the tests: mypy does not share a cache with another that is at work.
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
os.environ["MYPY_CACHE_DIR"] = str(Path(sys.prefix) / "environments" / f"mypy-{_WORKER}")

# The runner of commands makes the same command line of an app anew at every call.
typer.testing._get_command = cache(get_command)  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Has tests that share a fixture of their module or package run in one process, which makes it
    once; where that fixture has parameters, those of each parameter."""
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        group = _group(item) if isinstance(item, pytest.Function) else ""
        if group and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(group))


def _group(test: pytest.Function) -> str:
    """What a test shares with others, empty if it shares nothing."""
    shared = [
        found[-1]
        for found in test._fixtureinfo.name2fixturedefs.values()
        if found[-1].scope in ("module", "package") and found[-1].baseid.startswith("tests/")
    ]
    where = min((each.baseid for each in shared), key=len, default="")
    which = [str(test.callspec.indices[each.argname]) for each in shared if each.params]
    return " ".join([where, *which]) if shared else ""
