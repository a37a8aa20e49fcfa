"""The values of a server's environment that its tools send."""

from __future__ import annotations

import keyword
from dataclasses import dataclass, field

import jsonschema_rs

from mcpgen.ir.server import ArgumentSpec, EnvSetting
from mcpgen.ir.source import Json

KINDS = ("string", "integer", "number", "boolean")
"""The types that a text of the environment can be read as."""

RESERVED = frozenset(
    {
        "host",
        "port",
        "upstream",
        "allowed_hosts",
        "allowed_origins",
        "timeout_seconds",
        "request_bytes",
        "result_bytes",
        "stream_items",
        "stream_seconds",
        "variable",
    }
)
"""Fields and methods of the settings of every server."""

_PYDANTIC = ("model_", "settings_", "construct", "copy", "dict", "json", "schema", "validate")
"""What the names begin with that pydantic keeps for itself."""


@dataclass
class SettingsCollector:
    """The settings of one server so far, each with the type and the sample of its first use."""

    by_name: dict[str, EnvSetting] = field(default_factory=dict)

    def known(self, name: str, argument: ArgumentSpec, sample: Json) -> EnvSetting:
        """The setting of a name, made for an argument if there is none yet."""
        kind = argument.schema.get("type")
        made = EnvSetting(name, kind if isinstance(kind, str) else "", sample)
        return self.by_name.setdefault(name, made)


def unfit(setting: EnvSetting, argument: ArgumentSpec) -> tuple[str, str] | None:
    """Why a setting cannot be the value of an argument, with something to do about it; None if it
    can."""
    kind = argument.schema.get("type")
    if setting.name in RESERVED or setting.name.startswith(_PYDANTIC):
        return "every server has a setting of that name", "choose another name"
    if keyword.iskeyword(setting.name):
        return "Python keeps that word for itself", "choose another name"
    if kind not in KINDS or argument.text is not None:
        return "it takes no single value", "give it a `fixed` value"
    if kind != setting.kind:
        reason = f"it takes {kind}, where another argument takes {setting.kind or 'something else'}"
        return reason, "use two settings"
    if not jsonschema_rs.is_valid(dict(argument.schema), setting.sample):
        return (
            "no value is known that it and the setting's other arguments take",
            "use two settings",
        )
    return None
