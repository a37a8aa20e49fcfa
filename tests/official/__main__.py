"""`python -m tests.official` writes docs/official.md anew."""

from __future__ import annotations

from tests.official.page import DOCUMENT, document

DOCUMENT.write_text(document(), encoding="utf-8")
