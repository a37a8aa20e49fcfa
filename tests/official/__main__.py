"""`python -m tests.official` rewrites docs/official.md."""

from __future__ import annotations

from tests.official.page import DOCUMENT, document

DOCUMENT.write_text(document(), encoding="utf-8")
