"""How every test runs: hypothesis without deadlines, the same examples at every run in CI, and what
mypy has found out about libraries kept for the next project."""

import os
import sys
from pathlib import Path

from hypothesis import settings

settings.register_profile("mcpgen", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("mcpgen")

# One for each process of the tests: mypy does not share a cache with another that is at work.
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
os.environ["MYPY_CACHE_DIR"] = str(Path(sys.prefix) / "environments" / f"mypy-{_WORKER}")
