"""The error of a store that cannot be used."""

from __future__ import annotations


class StoreUnavailable(Exception):
    """A store does not answer, or refuses to write; the message is the reason."""
