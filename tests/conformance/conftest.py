"""Puts tests/broken and this folder on the import path."""

import sys
from pathlib import Path

HERE = Path(__file__).parent

for folder in (str(HERE), str(HERE.parent / "broken")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
