"""Makes the servers made by hand in `tests/emit` importable."""

import sys
from pathlib import Path

EMIT = Path(__file__).parents[2] / "emit"

if str(EMIT) not in sys.path:
    sys.path.insert(0, str(EMIT))
