"""Tools that are only there when somebody has asked for them and given what they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import SecretStr, field_validator

from ..settings import Names, ServerSettings
from ..tool import Tool
from .middleware import Middleware


class OptInSettings(ServerSettings):
    """Which groups of tools are exposed."""

    expose: Names = ()
    """Names of features."""

    @field_validator("expose", mode="before")
    @classmethod
    def _split_features(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        return tuple(name.strip() for name in given.split(",") if name.strip())


@dataclass(frozen=True)
class OptInGroup:
    """Tools that are exposed together, if every setting that they need has a value."""

    name: str
    tools: tuple[str, ...]
    needs: tuple[str, ...] = ()


class OptInTools(Middleware):
    """Offers the tools of features that are on. Raises `ValueError` for one that does not exist."""

    def __init__(self, settings: OptInSettings, features: Sequence[OptInGroup]) -> None:
        names = [feature.name for feature in features]
        for asked in settings.expose:
            if asked not in names:
                near = get_close_matches(asked, names, 1)
                hint = f"; did you mean `{near[0]}`?" if near else ""
                variable = settings.variable("expose")
                raise ValueError(f"{variable} names `{asked}`, which is no feature{hint}")
        self._absent = frozenset(
            tool
            for feature in features
            if feature.name not in settings.expose or not _is_configured(settings, feature)
            for tool in feature.tools
        )

    def includes(self, tool: Tool) -> bool:
        """Whether a tool is there at all."""
        return tool.name not in self._absent


def _is_configured(settings: ServerSettings, feature: OptInGroup) -> bool:
    """Whether all settings of a feature have values."""
    values = (getattr(settings, need, None) for need in feature.needs)
    return all(each.get_secret_value() if isinstance(each, SecretStr) else each for each in values)
