"""Budgets of the read stage: a specification above any of these limits is refused."""

MEBIBYTE = 1 << 20

FILE_BYTES = 64 * MEBIBYTE
"""Bytes per file."""

TOTAL_BYTES = 256 * MEBIBYTE
"""Bytes of all files of a specification."""

DOCUMENTS = 5_000
"""Files per specification."""

DEPTH = 200
"""Levels of nesting, with aliases expanded."""

NODES = 5_000_000
"""Values per document, with aliases expanded."""

MAP_KEYS = 100_000
"""Keys per mapping."""

REMOTE_SECONDS = 20
"""Seconds to fetch one document, redirects included."""

REDIRECTS = 5
"""Redirects per document."""

TARGETS = 100_000
"""Values that one action of an overlay may select."""

ADDED = 100_000
"""Values that overlays may add to a document, counted once per target."""

LISTED = 20
"""Findings listed per code and file; further findings are only counted."""

FACT = 200
"""Characters of user text in one message."""


def format_bytes(count: int) -> str:
    """A size for messages: `64 MiB`, or `1,000 bytes` below one MiB."""
    return f"{count // MEBIBYTE} MiB" if count >= MEBIBYTE else f"{count:,} bytes"
