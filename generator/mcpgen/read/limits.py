"""The budgets of reading: what a specification may cost before it is refused."""

MEBIBYTE = 1 << 20

FILE_BYTES = 64 * MEBIBYTE
"""Bytes of one file."""

TOTAL_BYTES = 256 * MEBIBYTE
"""Bytes of all files together."""

DOCUMENTS = 5_000
"""Files of one specification."""

DEPTH = 200
"""Levels of nesting, aliases expanded."""

NODES = 5_000_000
"""Values of one document, aliases expanded."""

MAP_KEYS = 100_000
"""Keys of one mapping."""

REMOTE_SECONDS = 20
"""Seconds that fetching one document may take, redirects and all."""

REDIRECTS = 5
"""Redirects that are followed to one document."""

TARGETS = 100_000
"""Values that one action of an overlay selects."""

ADDED = 100_000
"""Values that overlays add to a document, each counted at every place it is added to."""

LISTED = 20
"""Findings of one kind listed for one file; the rest is counted."""

FACT = 200
"""Characters of the user's text in one message."""


def format_bytes(count: int) -> str:
    """A number of bytes as messages say it."""
    return f"{count // MEBIBYTE} MiB" if count >= MEBIBYTE else f"{count:,} bytes"
