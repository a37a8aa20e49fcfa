"""`python -m tests.broken` rewrites docs/broken-servers.md."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from docs_page import DOCUMENT, document

DOCUMENT.write_text(document(), encoding="utf-8")
