"""Makes the support modules importable by the tests of this folder."""

import sys
from pathlib import Path

HERE = Path(__file__).parent

for folder in (str(HERE), str(HERE.parent / "broken")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
