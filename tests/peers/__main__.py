"""`python -m tests.peers` rewrites docs/other-servers.md."""

from __future__ import annotations

from tests.peers.findings import DOCUMENT, document

DOCUMENT.write_text(document(), encoding="utf-8")
