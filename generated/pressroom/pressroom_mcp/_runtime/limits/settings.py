"""The setting that switches all limits off."""

from __future__ import annotations

from ..settings import ServerSettings


class LimitSettings(ServerSettings):
    """Whether there are limits, as there are none while a server is tested."""

    limits: bool = True
    """Whether rates, and how many calls may be under way at once, are kept at all."""
