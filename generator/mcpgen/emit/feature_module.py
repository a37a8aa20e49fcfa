"""One thing a server offers beside the tools of its API, as it is written down."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.emit.literal import CallExpr, NameExpr
from mcpgen.emit.policy.rule_declaration import PolicyVariable
from mcpgen.emit.render import TemplateView


@dataclass(frozen=True, slots=True)
class FeatureModule:
    """One `Capabilities` of the runtime: `name` in `package/<module>.py`, which `view` fills; `template` is
    the one that several such modules are made of, `""` for the one of that path.

    It is a constant, or a function of the server's settings if it `asks_settings`. `settings` is the
    module of the runtime and the class in it with the settings it reads, None where it reads none;
    `requires` are the distributions it needs beside those of every server, with their bounds;
    `variables` are its settings, as the README tells them.
    """

    module: str
    name: str
    view: TemplateView
    asks_settings: bool = False
    settings: tuple[str, str] | None = None
    requires: tuple[str, ...] = ()
    variables: tuple[PolicyVariable, ...] = ()
    template: str = ""

    @property
    def value(self) -> NameExpr | CallExpr:
        """What `create_app` is given."""
        return (
            CallExpr(self.name, (NameExpr("settings"),))
            if self.asks_settings
            else NameExpr(self.name)
        )
