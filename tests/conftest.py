"""How every test runs: hypothesis without deadlines, and the same examples at every run in CI."""

import os

from hypothesis import settings

settings.register_profile("mcpgen", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("mcpgen")
