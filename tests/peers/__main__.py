"""`python -m tests.peers` writes docs/other-servers.md anew."""

from __future__ import annotations

from tests.peers.findings import DOCUMENT, document

DOCUMENT.write_text(document(), encoding="utf-8")
