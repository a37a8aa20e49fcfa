# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The setting that switches all limits off."""

from __future__ import annotations

from ..settings import ServerSettings


class LimitSettings(ServerSettings):
    """The setting for all limits; tests switch limits off."""

    limits: bool = True
    """Enforces rate and concurrency limits."""
