"""Tools that exist only if enabled in the environment and fully configured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import SecretStr

from ..settings import Names, ServerSettings
from ..tool import Tool
from .middleware import Middleware


class OptInSettings(ServerSettings):
    """The setting for enabled tool groups."""

    expose: Names = ()
    """Names of enabled groups."""


@dataclass(frozen=True)
class OptInGroup:
    """Tools enabled together, if all needed settings have values."""

    name: str
    tools: tuple[str, ...]
    needs: tuple[str, ...] = ()


class OptInTools(Middleware):
    """Offers the tools of enabled groups. Raises `ValueError` for an unknown group."""

    def __init__(self, settings: OptInSettings, features: Sequence[OptInGroup]) -> None:
        names = [feature.name for feature in features]
        for name in settings.expose:
            if name not in names:
                suggestions = get_close_matches(name, names, 1)
                hint = f"; did you mean `{suggestions[0]}`?" if suggestions else ""
                variable = settings.variable("expose")
                raise ValueError(f"{variable} names `{name}`, which is no feature{hint}")
        self._absent = frozenset(
            tool
            for feature in features
            if feature.name not in settings.expose or not _is_configured(settings, feature)
            for tool in feature.tools
        )

    def includes(self, tool: Tool) -> bool:
        """True if the tool is enabled or belongs to no group."""
        return tool.name not in self._absent


def _is_configured(settings: ServerSettings, feature: OptInGroup) -> bool:
    """True if all settings of a group have values."""
    values = (getattr(settings, need, None) for need in feature.needs)
    return all(
        value.get_secret_value() if isinstance(value, SecretStr) else value for value in values
    )
