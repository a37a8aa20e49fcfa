"""The error of a store that cannot be used."""

from __future__ import annotations


class Unreachable(Exception):
    """A store does not answer, or refuses to write; the message is the reason."""
