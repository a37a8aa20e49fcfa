"""Shares the fixture that writes documents to a folder."""

from tests.read.conftest import writes

__all__ = ["writes"]
